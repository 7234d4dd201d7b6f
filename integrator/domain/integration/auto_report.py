"""``auto.json``: the parts of an integration that auto made, with confidence and evidence."""

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final, Self

from integrator.domain.errors import DocumentError
from integrator.domain.files.atomic import write_atomically
from integrator.domain.files.reading import TEXT_BYTES, decoding, read_text

AUTO_FILE: Final = "auto.json"


@dataclass(frozen=True, slots=True)
class AutoPart:
    """One part: ``value`` in words, ``confidence`` from 0 to 1, evidence, and other candidates.
    ``frames`` are frames of the evidence movie that show the evidence. ``choices`` are this
    candidate and the other ones, likeliest first. Each has ``value``, ``confidence``, and
    ``variables`` as in data.json; an end or a score also has ``done`` or ``reward`` as in
    scenario.json. ``accepted`` is true once a person has agreed."""

    value: str
    confidence: float
    evidence: tuple[str, ...] = ()
    frames: tuple[int, ...] = ()
    choices: tuple[dict[str, Any], ...] = ()
    accepted: bool = False


@dataclass(frozen=True, slots=True)
class AutoReport:
    """All parts of one game. ``made`` has version, seed, minutes, and a hash of ROM and core.
    ``movie`` is the file of the evidence. ``checks`` are sentences about later checks, ``traps``
    about ways to earn reward without playing. ``problem`` is the reason if nothing was made."""

    game: str
    made: dict[str, Any]
    parts: dict[str, AutoPart] = field(default_factory=dict)
    movie: str = ""
    checks: tuple[str, ...] = ()
    traps: tuple[str, ...] = ()
    problem: str = ""

    @property
    def confidence(self) -> float:
        """The confidence of the least certain part that is not accepted; 1 if all are accepted."""
        name = self.least_certain
        return self.parts[name].confidence if name else 1.0

    @property
    def least_certain(self) -> str:
        """The name of the least certain part that is not accepted; empty if all are accepted."""
        left = [name for name, part in self.parts.items() if not part.accepted]
        return min(left, key=lambda name: self.parts[name].confidence, default="")

    @property
    def is_accepted(self) -> bool:
        return all(each.accepted for each in self.parts.values())

    def save(self, directory: Path) -> None:
        """Write ``auto.json`` into the integration's directory. Raises SaveError."""
        text = json.dumps(asdict(self), indent=2) + "\n"
        write_atomically(directory / AUTO_FILE, text.encode())

    @classmethod
    def load(cls, directory: Path) -> Self:
        """Read the report in an integration's directory. Raises DocumentError."""
        path = directory / AUTO_FILE
        text = read_text(path, TEXT_BYTES)
        cure = "remove it, or make it again with 'integrator auto'"
        with decoding(DocumentError, f"{path}: is no report of auto", cure):
            value = dict(json.loads(text))
            parts = {
                name: AutoPart(**{key: _tuple(each) for key, each in part.items()})
                for name, part in value.pop("parts").items()
            }
            return cls(parts=parts, **{key: _tuple(each) for key, each in value.items()})


def _tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
