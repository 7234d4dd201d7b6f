"""The user's choices for single games, in one JSON file: ``{"games": {game: ...}}``."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from integrator.domain.errors import SessionError
from integrator.domain.files.atomic import write_atomically
from integrator.domain.files.jsontext import parse_json
from integrator.domain.files.reading import TEXT_BYTES, decoding, read_file


@dataclass(frozen=True, slots=True)
class GameFile:
    """Read and written whole. ``fits`` checks a game's value, ``shape`` describes a good one."""

    path: Path
    fits: Callable[[object], bool]
    shape: str

    def read(self) -> dict[str, Any]:
        """Values by game; none without the file. Raises SessionError for a damaged one."""
        if not self.path.exists():
            return {}
        with decoding(SessionError, str(self.path), "correct or remove this file"):
            value = parse_json(read_file(self.path, TEXT_BYTES))
        games: Any = value.get("games", {}) if isinstance(value, dict) else None
        if not isinstance(games, dict) or not all(map(self.fits, games.values())):
            raise SessionError(
                f'{self.path}: must be {{"games": {{game: {self.shape}}}}}; correct or remove '
                "this file"
            )
        return dict(games)

    def write(self, games: dict[str, Any]) -> None:
        """Replace the file. Raises SaveError."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps({"games": games}, indent=2, sort_keys=True)
        write_atomically(self.path, f"{text}\n".encode())
