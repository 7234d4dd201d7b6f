"""Variables: named places in memory, read from one RAM, a recording, or packed bytes."""

import struct
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import AddressError
from integrator.domain.values.datatype import DataType
from integrator.domain.values.memory import AddressSpace, merge_offsets

TIME_TERM: Final = "(time)"
"""The name of a reward's term for each frame; no variable has it, so that ``time`` may be one."""


@dataclass(frozen=True, slots=True)
class VariableSpec:
    """Entry of data.json: absolute ``address``; ``mask`` is ANDed after decoding, not shifted."""

    name: str
    address: int
    type: DataType
    mask: int | None = None

    @property
    def signed_mask(self) -> int | None:
        """``mask`` as stable-retro holds it: its low 64 bits, two's complement."""
        if self.mask is None:
            return None
        return (self.mask + (1 << 63)) % (1 << 64) - (1 << 63)


@dataclass(frozen=True, slots=True)
class _Slot:
    """The place of one variable's bytes among the gathered bytes of all variables."""

    name: str
    type: DataType
    mask: int | None
    start: int
    stop: int


class Columns(Mapping[str, NDArray[np.int64]]):
    """Columns by name, the rows of one int64 ``table``, each made when it is asked for."""

    def __init__(self, rows: Mapping[str, int], table: NDArray[np.int64]) -> None:
        self._rows = rows
        self.table = table

    def __getitem__(self, name: str) -> NDArray[np.int64]:
        column: NDArray[np.int64] = self.table[self._rows[name]]
        return column

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def row(self, frame: int) -> dict[str, int]:
        return dict(zip(self._rows, self.table[:, frame].tolist(), strict=True))


@dataclass(frozen=True, slots=True)
class _Alike:
    """Variables of one type, decoded together because a call of numpy costs as much as a value."""

    type: DataType
    rows: NDArray[np.intp]
    places: NDArray[np.intp]


def _alike(slots: Sequence[_Slot]) -> tuple[_Alike, ...]:
    found: dict[DataType, list[int]] = {}
    for row, slot in enumerate(slots):
        found.setdefault(slot.type, []).append(row)
    return tuple(
        _Alike(
            data_type,
            np.array(rows, np.intp),
            np.array([range(slots[row].start, slots[row].stop) for row in rows], np.intp),
        )
        for data_type, rows in found.items()
    )


def _masks(slots: Sequence[_Slot]) -> NDArray[np.int64] | None:
    """One mask a variable, shape (variables, 1); None when none has one."""
    if all(slot.mask is None for slot in slots):
        return None
    return np.array([[-1 if slot.mask is None else slot.mask] for slot in slots], np.int64)


class VariableReader:
    """Reads variables from flat RAM; unmapped ones are in :attr:`skipped`. Immutable."""

    def __init__(self, specs: Mapping[str, VariableSpec], space: AddressSpace) -> None:
        slots: list[_Slot] = []
        gathered: list[int] = []
        skipped: dict[str, str] = {}
        for name, spec in specs.items():
            try:
                offsets = space.offsets(spec.address, spec.type.width)
            except AddressError as error:
                skipped[name] = str(error)
                continue
            start = len(gathered)
            gathered.extend(offsets.tolist())
            slots.append(_Slot(name, spec.type, spec.signed_mask, start, len(gathered)))
        self._slots = tuple(slots)
        self._rows = {slot.name: row for row, slot in enumerate(slots)}
        self._alike = _alike(slots)
        self._masks = _masks(slots)
        self._gather = np.array(gathered, dtype=np.intp)
        self._ranges = merge_offsets(gathered)
        covered = [at for start, length in self._ranges for at in range(start, start + length)]
        # The place of each gathered byte in a capture of self._ranges.
        self._captured = np.searchsorted(np.array(covered, dtype=np.intp), self._gather)
        self._captured_total = len(covered)
        self._size_bytes = space.size_bytes
        self.skipped: Mapping[str, str] = skipped

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._rows)

    @property
    def ranges(self) -> tuple[tuple[int, int], ...]:
        """The fewest (offset, length) ranges of flat RAM that hold every variable."""
        return self._ranges

    def read(self, ram: NDArray[np.uint8]) -> dict[str, int]:
        """Values from raw ``ram``, uint8 of shape (size_bytes,)."""
        self._check(ram.shape, 1, self._size_bytes)
        gathered = ram[self._gather].tobytes()
        values: dict[str, int] = {}
        for slot in self._slots:
            value = slot.type.decode(gathered[slot.start : slot.stop])
            values[slot.name] = value if slot.mask is None else value & slot.mask
        return values

    def read_array(self, ram: NDArray[np.uint8]) -> Columns:
        """Columns of shape (frames,) from raw ``ram``, uint8 of shape (frames, size_bytes)."""
        self._check(ram.shape, 2, self._size_bytes)
        return self._columns(ram[:, self._gather])

    def read_ranges(self, captured: NDArray[np.uint8]) -> Columns:
        """Columns (frames,) from the bytes of :attr:`ranges`, uint8 (frames, total)."""
        self._check(captured.shape, 2, self._captured_total)
        return self._columns(captured[:, self._captured])

    def _columns(self, gathered: NDArray[np.uint8]) -> Columns:
        # Variable by variable, so that each column is one piece of memory.
        table = np.empty((len(self._slots), len(gathered)), np.int64)
        for alike in self._alike:
            table[alike.rows] = alike.type.decode_array(gathered[:, alike.places]).T
        if self._masks is not None:
            table &= self._masks
        return Columns(self._rows, table)

    @staticmethod
    def _check(shape: tuple[int, ...], axes: int, size_bytes: int) -> None:
        if len(shape) != axes or shape[-1] != size_bytes:
            wanted = "(frames, " * (axes > 1) + f"{size_bytes})"
            raise AddressError(f"memory of shape {shape} was given where {wanted} is needed")


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


NEAR_BYTES: Final = 32
"""Farther away than this, a variable tells nothing about an address."""


class Neighbours:
    """Variables by address."""

    def __init__(self, variables: Mapping[str, VariableSpec]) -> None:
        places = sorted((spec.address, spec.type.width, name) for name, spec in variables.items())
        self._starts = [start for start, _, _ in places]
        self._names = [name for _, _, name in places]
        self._widths = [width for _, width, _ in places]
        self._widest = max(self._widths, default=1)

    def text(self, address: int, width: int) -> str:
        """The variable that uses these bytes, else the nearest with its distance, else ''."""
        best: tuple[int, int] | None = None
        low = bisect_left(self._starts, address - NEAR_BYTES - self._widest)
        for at in range(low, len(self._starts)):
            start, stop = self._starts[at], self._starts[at] + self._widths[at]
            if start > address + width + NEAR_BYTES:
                break
            distance = max(start - (address + width) + 1, address - stop + 1, 0)
            if distance <= NEAR_BYTES and (best is None or distance < best[0]):
                best = (distance, at)
        if best is None:
            return ""
        distance, at = best
        name, offset = self._names[at], address - self._starts[at]
        return name if not distance or not offset else f"{name} {offset:+d}"
