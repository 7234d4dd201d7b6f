"""``python -m integrator`` and the ``integrator`` command."""

from __future__ import annotations

import sys

from integrator.cli import run


def main() -> None:
    """Run the command line and exit with its status."""
    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
