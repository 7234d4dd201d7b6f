"""Runs a module as the main program of a fresh process: the first code of every child interpreter.
Started by path, as ``python -P .../launch.py MODULE ARGUMENTS``; a frozen program, which has no
interpreter to start, calls :func:`run_module` for ``PROGRAM --run-module MODULE ARGUMENTS``."""

# Import only loaded modules: until the path is right, an import could read the user's folder.
import os
import runpy
import sys

QUIET = "--quiet"  # argument before MODULE: Python shows no warnings in the process

RUN_MODULE = "--run-module"  # first argument of a frozen program that starts itself as a child


def run_module(arguments: list[str]) -> None:
    """Run the module that ``arguments`` begin with as ``__main__``, with the rest as arguments."""
    if arguments[0] == QUIET:
        del arguments[0]
        import warnings  # noqa: PLC0415 - not loaded yet, see above

        warnings.simplefilter("ignore")
    sys.argv[1:] = arguments[1:]
    runpy.run_module(arguments[0], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    # Let the child import the very package that started it, which may not be installed.
    root = os.path.abspath(__file__)  # noqa: PTH100
    for _ in range(3):  # up from this file, from ``processes`` and from ``libretro_host``
        root = os.path.dirname(root)  # noqa: PTH120
    if root not in sys.path:
        sys.path.insert(0, root)
    run_module(sys.argv[1:])
