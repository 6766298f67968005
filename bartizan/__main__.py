"""Run the command line: ``python -m bartizan``."""

import sys

from bartizan.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
