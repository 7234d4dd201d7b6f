"""Turns a console game into a reinforcement-learning environment: the public Python API."""

import sys

# Before this, `python -m integrator` would look for every import below in the working directory,
# and a game's folder from elsewhere may hold a json.py. (Even `from __future__` looks there.)
if (
    sys.argv[:1] == ["-m"]
    and any(argument.split(".")[0] == __name__ for argument in sys.orig_argv)
    and not sys.flags.safe_path
    and __path__[0] not in {f"{sys.path[0]}/{__name__}", f"{sys.path[0]}\\{__name__}"}
):
    del sys.path[0]

from integrator.version import __version__ as __version__

__all__ = [
    "POWER_ON",
    "contest_env",
    "load_integration",
    "make_env",
    "make_vec",
    "open_session",
]

_HOMES = {
    "POWER_ON": "integrator.session.setup.start_states",
    "contest_env": "integrator.env.making",
    "load_integration": "integrator.domain.integration.directory",
    "make_env": "integrator.env.making",
    "make_vec": "integrator.env.making",
    "open_session": "integrator.session.opening",
}
"""The module of each public name.

It is imported when the name is first used, because numpy and the modules of a session load more
slowly than the command line should answer.
"""

TYPE_CHECKING = False  # without importing typing; type checkers take this name for True
if TYPE_CHECKING:
    from integrator.domain.integration.directory import load_integration
    from integrator.env.making import contest_env, make_env, make_vec
    from integrator.session.opening import open_session
    from integrator.session.setup.start_states import POWER_ON
else:

    def __getattr__(name: str) -> object:
        """Import a public name when it is first used (PEP 562)."""
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module  # noqa: PLC0415 - the command line does without

        value = globals()[name] = getattr(import_module(_HOMES[name]), name)
        return value

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
