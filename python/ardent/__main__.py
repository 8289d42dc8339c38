"""``python -m ardent report``: what of the command line is done in Python."""

import sys

from ._report._command import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
