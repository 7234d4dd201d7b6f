"""The input macros of each game, in the settings file."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from integrator.domain.files.jsontext import parse_json
from integrator.ui.settings.settings import UiSettings

_NAME = re.compile(r"\w[\w -]{0,39}")


@dataclass(frozen=True, slots=True)
class KeptMacro:
    """Rows of buttons as text, one line a frame; ``loop``: it begins again at its end."""

    text: str = ""
    loop: bool = False

    @property
    def frames(self) -> int:
        """The number of rows."""
        return sum(line.strip().startswith("|") for line in self.text.splitlines())


def is_macro_name(text: str) -> bool:
    """True for letters, digits, spaces and hyphens, of which settings and menus make no other."""
    return _NAME.fullmatch(text) is not None


class MacroStore:
    """Reads and writes all macros of a game at once, by name."""

    def __init__(self, settings: UiSettings) -> None:
        self._settings = settings

    def load(self, game: str) -> dict[str, KeptMacro]:
        """The macros of a game; a damaged entry is left out."""
        try:
            stored = parse_json(self._settings.text(_key(game)) or "{}")
        except ValueError:
            return {}
        entries = stored.items() if isinstance(stored, dict) else ()
        return {
            name: KeptMacro(each["text"], each.get("loop") is True)
            for name, each in entries
            if is_macro_name(name) and isinstance(each, dict) and isinstance(each.get("text"), str)
        }

    def save(self, game: str, macros: Mapping[str, KeptMacro]) -> None:
        """Keep the macros of a game."""
        text = json.dumps({name: asdict(each) for name, each in macros.items()})
        self._settings.set_text(_key(game), text if macros else None)


def _key(game: str) -> str:
    return f"macros/{game}"
