"""Changes of bytes and numbers from frame to frame of a recording, packed a bit a step.

A number falls at a step when the first of its digits that differs falls. Each byte is looked at
once, for all types and addresses that use it.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.sweep.sets import Bits, Mask, Positions
from integrator.domain.values.datatype import DataType

_SIGNED: Final = "signed"
"""Kind of the top digit of a signed number, besides the kinds u, d and n."""


class Steps:
    """``captured`` are bytes at the ascending ``positions`` over frames, uint8 (frames, bytes)."""

    def __init__(self, positions: Positions, captured: NDArray[np.uint8]) -> None:
        self._positions = positions
        self._series = np.ascontiguousarray(captured.T)
        self._rows: dict[str, NDArray[np.integer]] = {}
        self._found: dict[tuple[str, str], Bits] = {}
        self._moved: dict[str, Mask] = {}

    def rests(self, data_type: DataType, starts: Positions) -> Mask:
        """True for each of ``starts`` whose number is the same on all frames."""
        kind, first = _digits_kind(data_type), np.searchsorted(self._positions, starts)
        if kind not in self._moved:
            self._moved[kind] = np.logical_or.reduce(
                self._bits(kind, "differs"), axis=1, dtype=np.bool_
            )
        columns = first[:, np.newaxis] + np.arange(data_type.width)
        moved: Mask = np.logical_or.reduce(self._moved[kind][columns], axis=1)
        return ~moved

    def never(self, data_type: DataType, starts: Positions, turn: str) -> Mask:
        """True for each of ``starts`` whose number never makes a ``turn``, up or down."""
        first = np.searchsorted(self._positions, starts)
        kind, lowest = _digits_kind(data_type), data_type.order[-1]
        # data.json's widest unsigned type is signed as well.
        kinds = {data_type.order[0]: _SIGNED} if data_type.minimum < 0 else {}
        turned = self._bits(kinds.get(lowest, kind), turn)[first + lowest]
        for index in reversed(data_type.order[:-1]):
            # A digit decides where it differs; elsewhere the lower ones have decided.
            undecided = turned & ~self._bits(kind, "differs")[first + index]
            turned = self._bits(kinds.get(index, kind), turn)[first + index] | undecided
        ever: Mask = np.logical_or.reduce(turned, axis=1, dtype=np.bool_)
        return ~ever

    def _bits(self, kind: str, what: str) -> Bits:
        """Packed steps of each byte, (bytes, steps / 8); ``what`` is differs, up or down."""
        if (kind, what) not in self._found:
            compare = {"differs": np.not_equal, "up": np.greater, "down": np.less}[what]
            rows = self._digits(kind)
            self._found[kind, what] = np.packbits(compare(rows[:, 1:], rows[:, :-1]), axis=1)
        return self._found[kind, what]

    def _digits(self, kind: str) -> NDArray[np.integer]:
        if kind == _SIGNED:
            return self._series.view(np.int8)
        if kind == "u":
            return self._series
        if kind not in self._rows:
            digits = DataType.parse(f"|{kind}1").decode_array(self._series[..., np.newaxis])
            self._rows[kind] = digits.astype(np.uint8)
        return self._rows[kind]


def _digits_kind(data_type: DataType) -> str:
    """Kind of the type's digits: signed types have those of unsigned ones."""
    return "u" if data_type.kind == "i" else data_type.kind
