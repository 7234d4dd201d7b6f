"""Numbers of a console's sticks and touch screen, from a pad's sticks and the mouse."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from libretro_host.systems.axes import Axis

LEFT_STICK: Final = 0
"""Place of the left stick's x among the axes of a pad."""

_TRIGGERS: Final = {(2, 12): 4, (2, 13): 5}
_X, _Y = 0, 1


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


def pointer_number(axis: Axis, where: tuple[int, int] | None) -> int:
    """The number of a touch screen's axis while the mouse is pressed there; None: it is not.

    ``where`` is in libretro's coordinates of a pointer, -32767 to 32767 over the picture.
    """
    if where is None:
        return 0
    return axis.limited(where[axis.id]) if axis.id in (_X, _Y) else 1
