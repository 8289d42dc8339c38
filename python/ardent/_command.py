"""The command ``ardent``, which the package brings along."""

import os
import pathlib
import sys


def main():
    """Runs the program in the place of this process; reports are made by this Python."""
    program = pathlib.Path(__file__).with_name("bin") / "ardent"
    if not program.exists():
        sys.exit("ardent: the package was built without the command (ARDENT_CLI=OFF)")
    os.environ.setdefault("ARDENT_PYTHON", sys.executable)
    os.execv(program, ["ardent", *sys.argv[1:]])
