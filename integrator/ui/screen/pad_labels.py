"""Short names of controller buttons, for the overlay and the input log."""

from __future__ import annotations

from collections.abc import Sequence

_SHORT = {
    "UP": "↑",
    "DOWN": "↓",
    "LEFT": "←",
    "RIGHT": "→",
    "SELECT": "Sel",
    "START": "St",
    "BUTTON": "Fire",
    "MODE": "Md",
    "RESET": "Rst",
    "III": "III",
}
_ORDER = ("UP", "DOWN", "LEFT", "RIGHT")


def button_label(name: str) -> str:
    """A button's name in at most four letters; arrows for directions."""
    return _SHORT.get(name, name.title() if len(name) > 2 else name)[:4]


def shown_bits(buttons: Sequence[str | None]) -> tuple[int, ...]:
    """The bits that are buttons, directions first, then as the console has them."""
    present = [bit for bit, name in enumerate(buttons) if name]
    return tuple(
        sorted(
            present,
            key=lambda bit: _ORDER.index(str(buttons[bit])) if buttons[bit] in _ORDER else 9,
        )
    )
