#!/usr/bin/env python3
"""Checks that files and functions stay short: check_sizes.py SOURCE_FOLDER, or --self-test.

No C++ file of the library, the examples, the command line, the bindings or the tests has more than 300 lines, and
no function more than 60. As clang-format lays the code out, a function is what stands between a line
that ends in "{" and the first line that closes it at the same indentation with "}"; classes,
namespaces, enumerations and tables are not functions, the functions inside a class are.

Prints what is too long, one line each, and exits with 1; with 0 where all holds.
"""

import pathlib
import re
import sys

FILE_LINES, FUNCTION_LINES = 300, 60
FOLDERS = ("include", "ardent", "examples", "cli", "python", "tests", "bench")
NO_FUNCTION = re.compile(r"^\s*(namespace|class|struct|union|enum|extern|template)\b|=\s*\{$")
OPENS = re.compile(r"^( *)\S.*\{$")


def functions(lines):
    """(line of the opening brace from 1, how many lines) of each function, lambdas inside counted in."""
    i = 0
    while i < len(lines):
        opening = OPENS.match(lines[i])
        if not opening or NO_FUNCTION.search(lines[i]):
            i += 1
            continue
        # A head that was broken over lines is indented further than its closing brace.
        begin = i
        while (
            begin > 0
            and lines[begin - 1].strip()
            and not re.search(r"[;{}:]$|^\s*//|^#", lines[begin - 1])
        ):
            begin -= 1
        indent = len(lines[begin]) - len(lines[begin].lstrip())
        if NO_FUNCTION.search(lines[begin]) and not lines[begin].lstrip().startswith("template"):
            i += 1
            continue
        end = next(
            (k for k in range(i + 1, len(lines)) if re.match(rf" {{{indent}}}\}}", lines[k])), None
        )
        if end is None:
            i += 1
            continue
        yield begin + 1, end - begin + 1
        i = end + 1


def errors(root):
    for folder in FOLDERS:
        for path in sorted(root.glob(f"{folder}/**/*")):
            if path.suffix not in (".h", ".cpp"):
                continue
            lines = path.read_text().split("\n")
            name = path.relative_to(root)
            if len(lines) - 1 > FILE_LINES:
                yield f"{name}: {len(lines) - 1} lines"
            for line, count in functions(lines):
                if count > FUNCTION_LINES:
                    yield f"{name}:{line}: a function of {count} lines"


def self_test():
    body = ["  f();"] * 59
    sound = [
        "class A {",
        " public:",
        "  void f() {",
        "  }",
        "};",
        "void g(int a,",
        "       int b) {",
    ]
    counted = list(functions([*sound, *body, "}"]))
    if counted != [(3, 2), (6, 62)]:
        sys.exit(f"expected two functions, found {counted}")
    if list(functions(["constexpr int kTable[] = {", *body, *body, "};"])):
        sys.exit("a table is no function")


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        self_test()
    else:
        wrong = list(errors(pathlib.Path(sys.argv[1])))
        print("\n".join(wrong))
        sys.exit(1 if wrong else 0)
