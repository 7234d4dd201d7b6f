"""Turns a console game into a reinforcement-learning environment: the public Python API."""

import sys

# Without this, `python -m integrator` would first look for the imports below in the working
# directory, and a stranger's game folder may hold a json.py. (`from __future__` looks there, too.)
if (
    sys.argv[:1] == ["-m"]
    and any(argument.split(".")[0] == __name__ for argument in sys.orig_argv)
    and not sys.flags.safe_path
    and __path__[0] not in {f"{sys.path[0]}/{__name__}", f"{sys.path[0]}\\{__name__}"}
):
    del sys.path[0]

from integrator.version import __version__ as __version__

__all__ = [
    "POWER_ON", "AddressError", "AmbiguousContentError", "ChangedOnDiskError", "ChoiceError",
    "ContentError", "CoreAnnouncementError", "CoreCrashed", "CoreHung", "CoreLoadError",
    "CoreNotFoundError", "CoreThrewError", "DataTypeError", "DescriptorError", "DocumentError",
    "DomainError", "HostClosedError", "HostError", "IntegratorError", "MemoryAccessError",
    "MovieError", "SaveError", "ScenarioError", "ScriptError", "SearchError", "SessionError",
    "StateError", "TimelineError", "UnsupportedCoreError", "auto", "contest_env",
    "list_integrations", "load_integration", "make_env", "make_parallel_env", "make_vec",
    "open_session",
]  # fmt: skip

_HOMES = {
    "POWER_ON": "integrator.session.setup.game",
    "auto": "integrator.unattended.job",
    "contest_env": "integrator.env.making",
    "list_integrations": "integrator.session.setup.roots",
    "load_integration": "integrator.session.setup.roots",
    "make_env": "integrator.env.making",
    "make_parallel_env": "integrator.env.making",
    "make_vec": "integrator.env.making",
    "open_session": "integrator.session.opening",
}
"""The module of each public name; errors come from the two modules of errors.

A module is imported at the first use of a name, because numpy and sessions load slowly."""

TYPE_CHECKING = False  # avoids an import of typing; type checkers read this name as True
if TYPE_CHECKING:
    # isort: off
    from integrator.domain.errors import (
        AddressError, ChangedOnDiskError, ChoiceError, DataTypeError, DocumentError, DomainError,
        MovieError, SaveError, ScenarioError, ScriptError, SearchError, SessionError, TimelineError,
    )  # fmt: skip
    from integrator.env.making import contest_env, make_env, make_parallel_env, make_vec
    from integrator.session.opening import open_session
    from integrator.session.setup.game import POWER_ON
    from integrator.session.setup.roots import list_integrations, load_integration
    from integrator.unattended.job import auto
    from libretro_host.errors import (
        AmbiguousContentError, ContentError, CoreAnnouncementError, CoreCrashed, CoreHung,
        CoreLoadError, CoreNotFoundError, CoreThrewError, DescriptorError, HostClosedError,
        HostError, IntegratorError, MemoryAccessError, StateError, UnsupportedCoreError,
    )  # fmt: skip
else:

    def __getattr__(name: str) -> object:
        """Import a public name when it is first used (PEP 562)."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module  # noqa: PLC0415 - the command line does not need it

        errors = ["integrator.domain.errors", "libretro_host.errors"]
        homes = [_HOMES[name]] if name in _HOMES else errors
        module = next(each for each in map(import_module, homes) if hasattr(each, name))
        value = globals()[name] = getattr(module, name)
        return value

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
