"""The names of kinds of variable, for type checkers and the command line."""

from typing import Literal, TypeAlias

KindName: TypeAlias = Literal[
    "score",
    "lives",
    "timer",
    "level",
    "health",
    "player-x",
    "player-y",
    "speed-x",
    "speed-y",
    "game-mode",
    "random",
]
"""A name of ``KINDS``, which a maintainer's own table may extend."""
