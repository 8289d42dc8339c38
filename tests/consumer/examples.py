#!/usr/bin/env python3
"""Builds and runs the programs of examples/: examples.py PREFIX ROOT SCRATCH.

Each is built twice against the library installed at PREFIX, with find_package and with pkg-config,
and prints what its last comment says (compared as documents are, tests/python/printed_text.py). The
one that predicts is linked with no library for images. docs/cpp.md shows the first one as it is.
"""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

prefix, root, scratch = (pathlib.Path(path).resolve() for path in sys.argv[1:4])
sys.path.insert(0, str(root / "tests/python"))
from printed_text import differences  # noqa: E402

# In this order: the second writes the model that the third reads.
PROGRAMS = {
    "train_and_predict": {"packages": ["ardent", "eigen3"]},
    "train_and_save": {"arguments": ["two.libsvm", "two.model"]},
    "predict_rows": {"arguments": ["two.model"], "packages": ["ardent-predict"]},
    "sparse_code": {},
    "find_sources": {"arguments": ["clean.png"]},
}
ROWS = "0.5 1 0 0\n-2 1 0.5 0\n"


def output(*command, **options):
    return subprocess.run(
        [str(word) for word in command], check=True, text=True, stdout=subprocess.PIPE, **options
    ).stdout


def two_classes():
    """60 rows of four columns, of which the first decides."""
    state, lines = 1, []
    for _ in range(60):
        row = []
        for _ in range(5):
            state = (state * 1664525 + 1013904223) % 2**32
            row.append(state / 2**31 - 1)
        label = 1 if row[0] + 0.3 * row[4] > 0 else -1
        lines.append(f"{label} " + " ".join(f"{k}:{row[k - 1]:.4f}" for k in range(1, 5)))
    return "\n".join(lines) + "\n"


def with_find_package():
    build = scratch / "build"
    output(
        "cmake",
        "-S",
        root / "examples",
        "-B",
        build,
        "-G",
        "Ninja",
        f"-DCMAKE_PREFIX_PATH={prefix}",
        "-DCMAKE_BUILD_TYPE=Debug",  # compiles in half of the time
    )
    output("cmake", "--build", build)
    return {name: build / name for name in PROGRAMS}


def with_pkg_config():
    folder = next(prefix.rglob("ardent.pc")).parent
    environment = {**os.environ, "PKG_CONFIG_PATH": str(folder)}
    built = {}
    for name, about in PROGRAMS.items():
        packages = about.get("packages", ["ardent"])
        flags = shlex.split(
            output("pkg-config", "--cflags", "--libs", *packages, env=environment)
        )
        built[name] = scratch / f"{name}_by_pkg_config"
        output("c++", "-std=c++20", root / "examples" / f"{name}.cpp", "-o", built[name], *flags)
    return built


def promised(source):
    """What the comment at the end of an example says that it prints."""
    return re.sub(r"^//   ", "", source.split("// It prints:\n")[1], flags=re.MULTILINE)


def check(name, program):
    source = (root / "examples" / f"{name}.cpp").read_text()
    rows = ROWS if name == "predict_rows" else None
    printed = output(program, *PROGRAMS[name].get("arguments", []), input=rows, cwd=scratch)
    for difference in differences(promised(source), printed):
        yield f"{program.name}: {difference}"
    if name == "predict_rows":
        needed = output("readelf", "-d", program) + output("ldd", program)
        for library in re.findall(r"lib(?:png|cfitsio)\S*", needed):
            yield f"{program.name} is linked with {library}"


def errors():
    for build in (with_find_package, with_pkg_config):
        for name, program in build().items():
            yield from check(name, program)
    if not (scratch / "clean.png").read_bytes().startswith(b"\x89PNG"):
        yield "find_sources wrote no PNG"
    if (root / "examples/train_and_predict.cpp").read_text() not in (
        root / "docs/cpp.md"
    ).read_text():
        yield "docs/cpp.md shows another program than examples/train_and_predict.cpp"


shutil.rmtree(scratch, ignore_errors=True)
scratch.mkdir(parents=True)
(scratch / "two.libsvm").write_text(two_classes())
wrong = list(errors())
print("\n".join(wrong))
sys.exit(1 if wrong else 0)
