"""The buttons that players hold down now, as the rows of the next frames; turbo buttons pulse.

Set from any thread; rows are taken by the thread that runs the frames.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from integrator.session.frame.inputs import Inputs, input_rows

_BITS = 16


@dataclass(frozen=True, slots=True)
class Turbo:
    """Buttons that fire by themselves while held: ``masks`` has one mask a port.

    ``frames`` is how long such a button is down, and then up, in frames; at least 1.
    """

    masks: tuple[int, ...] = ()
    frames: int = 2


class LiveInputs:
    """Masks of the buttons held, with turbo applied frame by frame."""

    def __init__(self) -> None:
        self._held: tuple[int, ...] = ()
        self._turbo = Turbo()
        # Frames that each turbo button was held for, by (port, bit): it begins pressed.
        self._ages: dict[tuple[int, int], int] = {}

    def set(self, masks: Sequence[int]) -> None:
        """One mask a port, used from the next frame on until changed."""
        self._held = tuple(masks)

    def set_turbo(self, turbo: Turbo) -> None:
        """Set the buttons that pulse while they are held."""
        self._turbo = turbo

    def rows(self, frames: int, ports: int) -> Inputs:
        """Inputs of the next frames, uint16 of shape (frames, ports); turbo counts them as run."""
        held, turbo = self._held, self._turbo
        rows = input_rows(held, frames, ports)
        pulsing = {
            (port, bit)
            for port, mask in enumerate(turbo.masks[: len(held)])
            for bit in range(_BITS)
            if mask & held[port] & 1 << bit
        }
        self._ages = {each: self._ages.get(each, 0) for each in pulsing}
        for (port, bit), age in self._ages.items():
            for frame in range(frames):
                if (age + frame) // turbo.frames % 2:
                    rows[frame, port] &= ~(1 << bit) & 0xFFFF
            self._ages[port, bit] = age + frames
        return rows
