"""``python -m integrator`` and the ``integrator`` command."""

from __future__ import annotations

import io
import sys

from integrator.cli import run


def main() -> None:
    """Run the command line and exit with its status."""
    for stream in (sys.stdout, sys.stderr):
        # File names need not be text: such a byte is shown as an escape rather than ending the job.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
