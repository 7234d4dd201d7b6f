"""Pokes numbers that explain a box, and looks if the box shows them: the original, not its copies.

A copy, and a pointer that the game computes anew, change nothing when they are poked.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.suggest.glyphs import Samples, shapes_of
from integrator.domain.suggest.numbers import Number
from integrator.domain.suggest.play import Play
from integrator.domain.values.memory import AddressSpace
from integrator.session.frame.repeats import repeats
from integrator.session.suggestions.box import Box
from libretro_host.host import CapturePlan, CoreHost

_DRAWN_AFTER: Final = 4
"""Frames after which a game has drawn a number that was poked."""
_LATE_PICTURES: Final = 2
"""Games that draw more things than fit show them in turn."""
_MOST_MOMENTS: Final = 5
_EVERY: Final = 4
SURELY: Final = 2
_SHOWN_SHARES: Final = (0.3, 0.8)
"""Shares of moments: at the others, the game may not draw the number, or draw it later."""


@dataclass(frozen=True, slots=True, eq=False)
class _Moment:
    """A state in which the box shows a number, and its pictures some frames later."""

    state: bytes
    ram: NDArray[np.uint8]
    pictures: frozenset[bytes]


class PokeTrial:
    """Pokes numbers in states of recorded play. The host is left anywhere."""

    def __init__(
        self,
        host: CoreHost,
        space: AddressSpace,
        box: Box,
        samples: Samples,
        states: Sequence[bytes],
        ports: int,
    ) -> None:
        self._host = host
        self._space = space
        self._box = box
        self._idle = np.zeros((_DRAWN_AFTER, ports), np.uint16)
        self._fresh = bool(states) and not repeats(host, states[len(states) // 2], ports)
        self._rows = samples.rows
        self._shapes = [_shape(crop) for crop in samples.crops]
        known = set(self._shapes)
        self._moments: list[_Moment] = []
        # Moments far from each other show different numbers.
        for state in (each for begin in range(_EVERY) for each in states[begin::_EVERY]):
            if len(self._moments) == _MOST_MOMENTS:
                break
            moment = self._moment(state)
            if moment.pictures & known:
                self._moments.append(moment)

    def _moment(self, state: bytes) -> _Moment:
        self._host.unserialize(state, self._fresh)
        return _Moment(state, self._host.read_ram(), self._pictures_after(state, {}))

    def shows(self, play: Play, number: Number) -> int:
        """2 when the box shows each other value that is poked, as it did in play; 1 for some."""
        offsets = self._space.offsets(self._space.address_of(number.place), number.type.width)
        columns = [play.column(number.place + k)[self._rows] for k in range(len(offsets))]
        values = [bytes(row) for row in np.stack(columns, axis=-1)]
        looks: dict[bytes, set[bytes]] = {}
        for value, shape in zip(values, self._shapes, strict=True):
            looks.setdefault(value, set()).add(shape)
        shown = 0
        for turn, moment in enumerate(self._moments):
            value = bytes(moment.ram[offsets])
            others = [each for each in looks if each != value]
            if others:
                other = others[turn % len(others)]
                # A title, which every value has at times, tells nothing.
                own = looks[other] - looks.get(value, set()) - moment.pictures
                poked = dict(zip(offsets.tolist(), other, strict=True))
                shown += bool(own & self._pictures_after(moment.state, poked))
        return sum(0 < share * len(self._moments) <= shown for share in _SHOWN_SHARES)

    def _pictures_after(self, state: bytes, poked: dict[int, int]) -> frozenset[bytes]:
        self._host.unserialize(state, self._fresh)
        for offset, byte in poked.items():
            self._host.write_ram(offset, bytes([byte]))
        pictures = self._host.run(self._idle, CapturePlan(picture=False, picture_every=1)).pictures
        crops = (self._box.cut_wider(frame) for frame in pictures[-_LATE_PICTURES:])
        return frozenset(_shape(crop) for crop in crops if crop is not None)


def _shape(crop: NDArray[np.uint32]) -> bytes:
    return shapes_of(crop[np.newaxis]).tobytes()
