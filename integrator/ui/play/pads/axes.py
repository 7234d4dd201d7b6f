"""Numbers of a console's sticks, touch screen, light gun and mouse, from pads and the mouse."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from libretro_host.systems.axes import Axis

LEFT_STICK: Final = 0
"""Place of the left stick's x among the axes of a pad."""

_TRIGGERS: Final = {(2, 12): 4, (2, 13): 5}
_X, _Y, _PRESS = 0, 1, 2


def pad_axis(axis: Axis) -> int | None:
    """The place in ``PAD_AXES`` of the stick or trigger that moves an axis; None without one."""
    if axis.device != "analog":
        return None
    if axis.index < 2:
        return 2 * axis.index + axis.id
    return _TRIGGERS.get((axis.index, axis.id))


def stick_number(axis: Axis, numbers: Sequence[int]) -> int:
    """The axis' number while a pad's sticks and triggers have these numbers."""
    place = pad_axis(axis)
    if place is None or place >= len(numbers) or not numbers[place]:
        return 0
    return axis.limited(numbers[place])


AIMED: Final = frozenset({"pointer", "light-gun", "mouse"})
"""Devices that the computer's mouse is."""

_PLACES: Final = {
    "pointer": {0: _X, 1: _Y, 2: _PRESS},
    "light-gun": {13: _X, 14: _Y, 2: _PRESS},
    "mouse": {2: _PRESS},
}
"""libretro's ids of the place and of the button, by device; a mouse has moves and no place."""


def pointer_number(axis: Axis, where: tuple[int, int] | None) -> int:
    """The number of an axis while the computer's mouse is pressed there; None: it is not.

    ``where`` is in libretro's coordinates of a pointer, -32767 to 32767 over the picture.
    """
    place = _PLACES[axis.device].get(axis.id)
    if where is None or place is None:
        return 0
    return 1 if place == _PRESS else axis.limited(where[place])


def mouse_number(axis: Axis, moved: tuple[int, int]) -> int:
    """The number of an axis after the computer's mouse moved so many pixels of the picture."""
    return axis.limited(moved[axis.id]) if axis.device == "mouse" and axis.id in (_X, _Y) else 0
