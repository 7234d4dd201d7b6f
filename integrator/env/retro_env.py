"""The attributes of stable-retro's RetroEnv that a GameEnv has under another name."""

from pathlib import Path
from typing import Final, NamedTuple, NoReturn

from integrator.domain.words import sections

HERE: Final = sections(Path(__file__).with_name("retro_env.md"))
"""By the attribute of stable-retro 1.0.1, a sentence on its equivalent in a GameEnv."""


class ElsewhereNamed(NamedTuple):
    """A missing attribute, whose error says what replaces it."""

    name: str
    replacement: str

    def __get__(self, env: object, kind: type) -> NoReturn:
        missing = f"{kind.__name__!r} object has no attribute {self.name!r}"
        raise AttributeError(f"{missing}: {self.replacement}")
