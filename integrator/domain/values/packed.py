"""Variables of one frame read at once: their bytes are captured in the order of one C structure."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import Any, Final

from integrator.domain.errors import AddressError
from integrator.domain.values.datatype import DataType
from integrator.domain.values.memory import AddressSpace
from integrator.domain.values.variables import VariableSpec

_CODES: Final = {1: "b", 2: "h", 4: "i", 8: "q"}
"""Codes of ``struct`` by width; the capital letter is the unsigned number."""


MOST_KEPT: Final = 1 << 12
"""Decoded numbers that are kept for a variable; then it begins anew, so that memory stays small."""


class _Decoded(dict[bytes, int]):
    """Numbers of a type that ``struct`` lacks, by their bytes: decoding takes as long as a step."""

    def __init__(self, data_type: DataType) -> None:
        super().__init__()
        self._type = data_type

    def __missing__(self, raw: bytes) -> int:
        if len(self) >= MOST_KEPT:
            self.clear()
        self[raw] = value = self._type.decode(raw)
        return value


class PackedReader:
    """Reads a fixed set of variables from bytes captured for it. Immutable.

    It gives the numbers of :class:`~integrator.domain.values.variables.VariableReader`, for single
    frames: all plain numbers of all widths come out of one call of ``struct``. ``ranges`` are the
    (offset, length) pairs of flat RAM to capture, in that order. Variables outside of the mapped
    memory are left out.
    """

    def __init__(self, specs: Mapping[str, VariableSpec], space: AddressSpace) -> None:
        pairs: list[tuple[int, int]] = []
        names: list[str] = []
        fixes: list[tuple[str, _Decoded | None, int | None]] = []
        codes = ["<"]
        for name, spec in specs.items():
            try:
                offsets = space.offsets(spec.address, spec.type.width).tolist()
            except AddressError:
                continue
            code = _code(spec.type)
            if code is not None:
                offsets = [offsets[index] for index in reversed(spec.type.order)]
            if code is None or spec.mask is not None:
                decoded = None if code else _Decoded(spec.type)
                fixes.append((name, decoded, spec.signed_mask))
            codes.append(code or f"{spec.type.width}s")
            names.append(name)
            pairs += [(offset, 1) for offset in offsets]
        self._names = tuple(names)
        self._fixes = tuple(fixes)
        self._unpack = struct.Struct("".join(codes)).unpack
        self.ranges = _joined(pairs)

    def read(self, captured: Any) -> dict[str, int]:
        """Values from the bytes of :attr:`ranges`, in their order."""
        values: dict[str, Any] = dict(zip(self._names, self._unpack(captured)))  # noqa: B905 - the keyword costs a third of the call, and both come from one list
        for name, decoded, mask in self._fixes:
            value = values[name]
            if decoded is not None:
                value = decoded[value]
            values[name] = value if mask is None else value & mask
        return values


def _code(data_type: DataType) -> str | None:
    """The code of ``struct`` for a plain number; None for digits, and widths that it lacks."""
    code = _CODES.get(data_type.width) if data_type.form.is_binary else None
    # An unsigned number of eight bytes wraps, as stable-retro's int64 does.
    return code if code is None or data_type.minimum < 0 else code.upper()


def _joined(pairs: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """The same bytes in the same order, with neighbours that ascend in one range."""
    joined: list[tuple[int, int]] = []
    for offset, length in pairs:
        if joined and sum(joined[-1]) == offset:
            joined[-1] = joined[-1][0], joined[-1][1] + length
        else:
            joined.append((offset, length))
    return tuple(joined)
