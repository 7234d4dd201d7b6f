"""Places of the buttons of a console's pad, found from their names; numbers on a sheet of 320×150.

The picture is a sketch that a player finds the button on, not a likeness.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

SHEET = (320.0, 150.0)
"""Width and height of the sheet."""

Shape = Literal["arm", "round", "pill"]
Place = tuple[float, float]

_DPAD: Place = (70, 86)
_FACES: Place = (248, 86)
_ARM = 24.0

_DIRECTIONS: Mapping[str, Place] = {
    "UP": (0, -_ARM),
    "DOWN": (0, _ARM),
    "LEFT": (-_ARM, 0),
    "RIGHT": (_ARM, 0),
}
_CENTRE = ("SELECT", "MODE", "RESET", "START", "RUN", "PAUSE")
_SHOULDERS: Mapping[str, Place] = {
    "L": (70, 22),
    "R": (250, 22),
    "L2": (118, 22),
    "R2": (202, 22),
}
_STICKS: Mapping[str, Place] = {"L3": (126, 122), "R3": (194, 122)}
_FACE_PLANS: tuple[Mapping[str, Place], ...] = (
    {"BUTTON": (0, 0)},
    {"B": (-20, 9), "A": (20, -9)},
    {"X": (0, -24), "A": (25, 0), "B": (0, 24), "Y": (-25, 0)},
    {
        "X": (-34, -15),
        "Y": (0, -21),
        "Z": (34, -27),
        "A": (-34, 21),
        "B": (0, 15),
        "C": (34, 9),
    },
    {
        "IV": (-34, -15),
        "V": (0, -21),
        "VI": (34, -27),
        "III": (-34, 21),
        "II": (0, 15),
        "I": (34, 9),
    },
    {
        "B": (-34, -4),
        "A": (-10, 20),
        "C-UP": (16, -24),
        "C-RIGHT": (38, -4),
        "C-MODE": (20, 20),
        "Z": (-22, -32),
    },
)
"""Buttons of the right hand, from the middle between them; the first plan with all of them fits."""


@dataclass(frozen=True, slots=True)
class PadButton:
    """One button: its bit, name, middle, size and shape."""

    bit: int
    name: str
    x: float
    y: float
    width: float
    height: float
    shape: Shape

    def holds(self, x: float, y: float) -> bool:
        """True when a point is on the button."""
        return abs(x - self.x) <= self.width / 2 and abs(y - self.y) <= self.height / 2


def pad_layout(buttons: Sequence[str | None]) -> tuple[PadButton, ...]:
    """A place for every button that the console has."""
    present = {str(name): bit for bit, name in enumerate(buttons) if name}
    placed: list[PadButton] = []

    def put(name: str, place: Place, size: Place, shape: Shape) -> None:
        placed.append(PadButton(present[name], name, *place, *size, shape))

    known = {*_DIRECTIONS, *_CENTRE, *_SHOULDERS, *_STICKS}
    for name, (dx, dy) in _DIRECTIONS.items():
        if name in present:
            put(name, (_DPAD[0] + dx, _DPAD[1] + dy), (_ARM, _ARM), "arm")
    centre = [name for name in _CENTRE if name in present]
    for at, name in enumerate(centre):
        put(name, (157 + (at - (len(centre) - 1) / 2) * 46, 92), (40, 16), "pill")
    for name, place in _SHOULDERS.items():
        if name in present:
            put(name, place, (44, 16), "pill")
    for name, place in _STICKS.items():
        if name in present:
            put(name, place, (24, 24), "round")
    faces = [name for name in present if name not in known]
    plan = _face_plan(faces)
    size = 24.0 if len(faces) > 2 else 32.0
    for name in faces:
        dx, dy = plan[name]
        put(name, (_FACES[0] + dx, _FACES[1] + dy), (size, size), "round")
    return tuple(placed)


def _face_plan(faces: Sequence[str]) -> Mapping[str, Place]:
    for plan in _FACE_PLANS:
        if set(faces) <= plan.keys():
            return plan
    # Buttons of a console that somebody described: rows of three.
    return {name: (at % 3 * 30 - 30, at // 3 * 28 - 28) for at, name in enumerate(faces)}
