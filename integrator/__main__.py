"""``python -m integrator`` and the ``integrator`` command."""

import sys

_INTERRUPTED = 130


def main() -> None:
    """Run the command line, or in a frozen program's child a module; exit with the status."""
    try:
        status = _run()
        import signal  # noqa: PLC0415 - loaded here, so that Ctrl+C prints no traceback

        # The work and its processes have ended, so Ctrl+C must not change the status.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    except KeyboardInterrupt:
        # Ctrl+C came while modules were loading; later the command line handles it.
        sys.stderr.write("integrator: interrupted\n")
        status = _INTERRUPTED
    sys.exit(status)


def _run() -> int:
    import io  # noqa: PLC0415 - loaded here, so that Ctrl+C prints no traceback; the next, too
    import signal  # noqa: PLC0415

    from integrator.version import __version__  # noqa: PLC0415
    from libretro_host.processes import launch  # noqa: PLC0415

    if sys.argv[1:2] == [launch.RUN_MODULE]:
        del sys.argv[1]
        launch.run_module(sys.argv[1:])
        return 0
    # Answer here, in the same words, because the command line's parser loads slowly.
    if sys.argv[1:] == ["--version"]:
        sys.stdout.write(f"integrator {__version__}\n")
        return 0
    for stream in (sys.stdout, sys.stderr):
        # File names may hold bytes that are not text; print them as escapes, not as an error.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    # Batch systems end jobs with SIGTERM: commands then clean up as they do after Ctrl+C.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    from integrator.cli import run  # noqa: PLC0415 - a child does without the command line

    return run(sys.argv[1:])


if __name__ == "__main__":
    main()
