"""``python -m integrator`` and the ``integrator`` command."""

from __future__ import annotations

import io
import sys

from integrator.version import __version__
from libretro_host.processes import launch


def main() -> None:
    """Run the command line, or as a frozen program's child a module, and exit with the status."""
    if sys.argv[1:2] == [launch.RUN_MODULE]:
        del sys.argv[1]
        launch.run_module(sys.argv[1:])
        return
    # The same line as the command line's, whose parser loads slowly.
    if sys.argv[1:] == ["--version"]:
        sys.stdout.write(f"integrator {__version__}\n")
        return
    for stream in (sys.stdout, sys.stderr):
        # A file name may hold bytes that are not text: shown as escapes, they do not end the job.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    from integrator.cli import run  # noqa: PLC0415 - a child does without the command line

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
