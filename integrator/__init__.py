"""Turns a console game into a reinforcement-learning environment: the public Python API."""

import sys

# `python -m integrator` would find everything that is imported below in the working directory, and
# a game's folder from elsewhere may hold a json.py. (Even `from __future__` looks there.)
if (
    sys.argv[:1] == ["-m"]
    and any(argument.split(".")[0] == __name__ for argument in sys.orig_argv)
    and not sys.flags.safe_path
    and __path__[0] not in {f"{sys.path[0]}/{__name__}", f"{sys.path[0]}\\{__name__}"}
):
    del sys.path[0]

from integrator.domain.integration import load_integration
from integrator.session.opening import open_session
from integrator.session.start_states import POWER_ON

__all__ = ["POWER_ON", "load_integration", "open_session"]
__version__ = "0.1.0"
