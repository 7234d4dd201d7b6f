"""One recording as a query sees it: RAM of frames in logical order, and bytes over ranges."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from integrator.domain.query.recorded.facts import RamHistory
from integrator.domain.sweep import layout as search_layout
from integrator.domain.sweep.readings import SearchType
from integrator.domain.sweep.sets import Mask, Positions
from integrator.domain.values.memory import AddressSpace, merge_offsets

T = TypeVar("T", bound=SearchType)


class Recording:
    """Logical-order view of ``history``; its arrays are shared and must not be written to."""

    def __init__(self, space: AddressSpace, history: RamHistory) -> None:
        self._space = space
        self._history = history
        self._places = search_layout.console_positions(space)
        self._frames: dict[int, NDArray[np.uint8]] = {}

    @property
    def length(self) -> int:
        """The newest frame."""
        return self._history.length

    def logical(self, frame: int) -> NDArray[np.uint8]:
        """RAM after ``frame`` in logical order, uint8 of shape (bytes,)."""
        if frame not in self._frames:
            self._frames[frame] = self.glance(frame)
        return self._frames[frame]

    def glance(self, frame: int) -> NDArray[np.uint8]:
        """As :meth:`logical`, of a frame that is not looked at again."""
        return self._space.logical(self._history.ram(frame))

    def changed(self, start: int, stop: int) -> Mask:
        """True for bytes that change within frames [start, stop), in logical order."""
        raw = self._history.changed(start, stop)
        return self._space.logical(raw.view(np.uint8)).view(np.bool_)

    def bytes_over(self, positions: Positions, start: int, stop: int) -> NDArray[np.uint8]:
        """Bytes at ascending distinct ``positions`` in [start, stop): uint8 (frames, positions)."""
        offsets = positions if self._places is None else self._places[positions]
        captured = self._history.ram_ranges(merge_offsets(offsets.tolist()), start, stop)
        in_order: NDArray[np.uint8] = captured[:, np.argsort(np.argsort(offsets))]
        return in_order


def bytes_of(positions: Mapping[T, Positions]) -> Positions:
    """Ascending distinct positions of all bytes of the types at the given positions."""
    parts = [
        (starts[:, np.newaxis] + np.arange(data_type.width)).ravel()
        for data_type, starts in positions.items()
    ]
    return np.unique(np.concatenate([np.empty(0, dtype=np.intp), *parts]))
