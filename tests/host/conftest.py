"""The fixtures of this suite; their module has a name of its own, for one run of mypy."""

from host_fixtures import *
