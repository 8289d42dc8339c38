#!/usr/bin/env python3
"""Checks which files include which, and the folder map: check_includes.py SOURCE_FOLDER, or --self-test.

1. The modules that a module's files include are exactly those that its CMakeLists.txt declares.
2. Dependencies point upwards only, in the order of add_subdirectory in the root's CMakeLists.txt.
3. No cycle among files. A header and the source of the same name count as one: that is what a
   reader has to understand together.
4. The folders of sources under ardent/ and include/ are those of the folder map in CONTRIBUTING.md.
5. Public headers (include/ardent) include public headers only, and ardent.h brings in all of them but
   ardent_c.h, which is for C.

Prints what is wrong, one line each, and exits with 1; with 0 where all holds.
"""

import pathlib
import re
import sys
import tempfile

PUBLIC = "include/"  # where public headers lie; they are included as "ardent/error.h"
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)


def module_order(root):
    text = (root / "CMakeLists.txt").read_text()
    return re.findall(r"^add_subdirectory\(ardent/(\w+)\)", text, re.MULTILINE)


def declared_modules(folder):
    call = re.search(r"ardent_module\(([^)]*)\)", (folder / "CMakeLists.txt").read_text())
    words = call.group(1).split()
    if "USES" not in words:
        return set()
    uses = words[words.index("USES") + 1 :]
    return set(uses[: uses.index("LINKS")] if "LINKS" in uses else uses)


def included_files(root):
    """For each of our files, by its path from the root: the files of ours that it includes."""
    found = {}
    for path in sorted([*root.glob("ardent/**/*"), *root.glob(PUBLIC + "ardent/**/*")]):
        if path.suffix in (".h", ".cpp", ".cu"):
            names = [n for n in INCLUDE.findall(path.read_text()) if n.startswith("ardent/")]
            found[str(path.relative_to(root))] = [
                PUBLIC + n if (root / PUBLIC / n).exists() else n for n in names
            ]
    return found


def module_errors(root, included):
    order = module_order(root)
    for module in order:
        used = {}
        for path, names in included.items():
            if path.startswith(f"ardent/{module}/"):
                for name in names:
                    if not name.startswith(PUBLIC):
                        used.setdefault(name.split("/")[1], path)
        used.pop(module, None)
        declared = declared_modules(root / "ardent" / module)
        for other in sorted(set(used) - declared):
            yield f"{used[other]} includes a file of {other}, which {module} does not declare"
        for other in sorted(declared - set(used)):
            yield f"{module} declares {other} and includes none of its files"
        for other in sorted(set(used) | declared):
            if other not in order or order.index(other) > order.index(module):
                yield f"{module} uses {other}, which is not above it"


def cycles(graph):
    """Strongly connected components of more than one node (Tarjan)."""
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for to in sorted(graph.get(node, ())):
            if to not in index:
                visit(to)
            if to in stack:
                low[node] = min(low[node], low[to])
        if low[node] == index[node]:
            component = stack[stack.index(node) :]
            del stack[stack.index(node) :]
            if len(component) > 1:
                found.append(sorted(component))

    for node in sorted(graph):
        if node not in index:
            visit(node)
    return found


def cycle_errors(included):
    graph = {}
    for path, names in included.items():
        unit = path.rsplit(".", 1)[0]
        graph.setdefault(unit, set()).update(name.rsplit(".", 1)[0] for name in names)
    for cycle in cycles(graph):
        inside = [f"{a} -> {b}" for a in cycle for b in sorted(graph[a]) if b in cycle and b != a]
        yield "a cycle of includes: " + ", ".join(inside)


def public_errors(included):
    public = {path for path in included if path.startswith(PUBLIC)}
    for path in sorted(public):
        for name in included[path]:
            if name not in public:
                yield f"{path} is public and includes {name}, which is not"
    reached, new = set(), {PUBLIC + "ardent/ardent.h"} & public
    while new:
        reached |= new
        new = {name for path in new for name in included[path] if name in public} - reached
    for path in sorted(public - reached - {PUBLIC + "ardent/ardent_c.h"}):
        yield f"{PUBLIC}ardent/ardent.h does not bring in {path}"


def folder_map_errors(root, included):
    listed = re.findall(
        r"^\| `((?:include/)?ardent(?:/[\w/]+)?)` \|",
        (root / "CONTRIBUTING.md").read_text(),
        re.MULTILINE,
    )
    folders = {path.rsplit("/", 1)[0] for path in included}
    for folder in sorted(folders - set(listed)):
        yield f"the folder map of CONTRIBUTING.md lacks {folder}"
    for folder in sorted(set(listed) - folders):
        yield f"the folder map of CONTRIBUTING.md has {folder}, which has no sources"


def errors(root):
    included = included_files(root)
    if not included or not module_order(root):
        return [f"{root} has no modules"]
    return [
        *module_errors(root, included),
        *cycle_errors(included),
        *public_errors(included),
        *folder_map_errors(root, included),
    ]


def self_test():
    """A tree of two modules where all holds, then the same with one violation at a time."""
    sound = {
        "CMakeLists.txt": "add_subdirectory(ardent/low)\nadd_subdirectory(ardent/high)\n",
        "ardent/low/CMakeLists.txt": "ardent_module(low LINKS fmt::fmt)\n",
        "CONTRIBUTING.md": "| `include/ardent` | face |\n| `ardent/low` | this |\n| `ardent/high` | that |\n",
        "include/ardent/ardent.h": '#include "ardent/face.h"\n',
        "include/ardent/face.h": "",
        "ardent/low/a.h": "",
        "ardent/low/b.h": '#include "ardent/face.h"\n',
        "ardent/low/a.cpp": '#include "ardent/low/a.h"\n#include "ardent/low/b.h"\n',
        "ardent/high/CMakeLists.txt": "ardent_module(high USES low LINKS fmt::fmt)\n",
        "ardent/high/c.cpp": '#include "ardent/low/a.h"\n',
    }
    violations = {
        "declares": {"ardent/high/c.cpp": ""},
        "does not declare": {"ardent/high/CMakeLists.txt": "ardent_module(high LINKS fmt::fmt)\n"},
        "not above": {"ardent/low/b.h": '#include "ardent/high/c.h"\n'},
        "lacks ardent/high/new": {"ardent/high/new/d.h": ""},
        "which has no sources": {
            "CONTRIBUTING.md": sound["CONTRIBUTING.md"] + "| `ardent/old` | … |\n"
        },
        "cycle": {"ardent/low/b.h": '#include "ardent/low/a.h"\n'},
        "includes: include/ardent/ardent -> include/ardent/face": {
            "include/ardent/face.h": '#include "ardent/ardent.h"\n'
        },
        "is public and includes": {"include/ardent/face.h": '#include "ardent/low/a.h"\n'},
        "does not bring in": {"include/ardent/ardent.h": ""},
    }
    for expected, changes in {"": {}, **violations}.items():
        with tempfile.TemporaryDirectory() as name:
            for path, text in {**sound, **changes}.items():
                file = pathlib.Path(name, path)
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text)
            found = errors(pathlib.Path(name))
        if bool(found) != bool(expected) or expected not in "\n".join(found):
            sys.exit(f"expected {expected or 'nothing'}, found {found}")


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        self_test()
    else:
        wrong = errors(pathlib.Path(sys.argv[1]))
        print("\n".join(wrong))
        sys.exit(1 if wrong else 0)
