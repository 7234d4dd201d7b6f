"""The fixtures of this suite; their module has a name of its own, for one run of mypy."""

from movie_fixtures import *
from window_fixtures import *
