"""Variables: named places in memory, read from one RAM, from a recording, or packed bytes."""

import struct
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import AddressError
from integrator.domain.values.memory import AddressSpace, DataType, in_ranges, merge_offsets

TIME_TERM: Final = "(time)"
"""The name of the reward term for each frame; with brackets, since a variable may be ``time``."""


@dataclass(frozen=True, slots=True)
class VariableSpec:
    """An entry of data.json: absolute ``address``; ``mask``, ANDed after decoding, unshifted."""

    name: str
    address: int
    type: DataType
    mask: int | None = None

    @property
    def signed_mask(self) -> int | None:
        """``mask`` as in stable-retro: its low 64 bits, in two's complement."""
        return None if self.mask is None else (self.mask + (1 << 63)) % (1 << 64) - (1 << 63)


class Columns(Mapping[str, NDArray[np.int64]]):
    """Columns by name, which are rows of one int64 ``table`` (columns, frames), sliced lazily."""

    def __init__(self, rows: Mapping[str, int], table: NDArray[np.int64]) -> None:
        self._rows, self.table = rows, table

    def __getitem__(self, name: str) -> NDArray[np.int64]:
        column: NDArray[np.int64] = self.table[self._rows[name]]
        return column

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def row(self, frame: int) -> dict[str, int]:
        return dict(zip(self._rows, self.table[:, frame].tolist(), strict=True))


class VariableReader:
    """Reads variables from flat RAM; immutable. :attr:`skipped` has the unmapped ones and why."""

    def __init__(self, specs: Mapping[str, VariableSpec], space: AddressSpace) -> None:
        self.specs, self._space = dict(specs), space
        # The place of each variable's bytes among the gathered bytes of all variables.
        places: dict[str, range] = {}
        gathered: list[int] = []
        skipped: dict[str, str] = {}
        for name, spec in specs.items():
            try:
                offsets = space.offsets(spec.address, spec.type.width)
            except AddressError as error:
                skipped[name] = str(error)
                continue
            places[name] = range(len(gathered), len(gathered) + len(offsets))
            gathered.extend(offsets.tolist())
        self.names = tuple(places)
        self._rows = {name: row for row, name in enumerate(self.names)}
        # Decode all variables of a type together, because each numpy call is costly.
        self._alike = []
        for kind in dict.fromkeys(specs[name].type for name in places):
            alike = [name for name in places if specs[name].type == kind]
            rows = np.array([self._rows[name] for name in alike], np.intp)
            self._alike.append((kind, rows, np.array([places[name] for name in alike], np.intp)))
        signed = (specs[name].signed_mask for name in places)
        masks = [-1 if mask is None else mask for mask in signed]
        self._masks = np.array(masks, np.int64)[:, np.newaxis] if set(masks) - {-1} else None
        self._gather = np.array(gathered, dtype=np.intp)
        self.ranges = merge_offsets(gathered)
        """The fewest (offset, length) ranges of flat RAM that hold every variable."""
        # The index of each gathered byte in the captured bytes of the ranges.
        covered, self._captured = np.unique(self._gather, return_inverse=True)
        self._captured_total = len(covered)
        self.skipped: Mapping[str, str] = skipped

    def read(self, ram: NDArray[np.uint8]) -> dict[str, int]:
        """Return values from flat ``ram``, uint8 of shape (size_bytes,)."""
        self._check(ram.shape, 1, self._space.size_bytes)
        return self._packed.read(ram[self._packed.offsets].tobytes())

    @cached_property
    def _packed(self) -> "PackedReader":
        return PackedReader(self.specs, self._space)

    def read_array(self, ram: NDArray[np.uint8]) -> Columns:
        """Return columns (frames,) from flat ``ram``, uint8 of shape (frames, size_bytes)."""
        self._check(ram.shape, 2, self._space.size_bytes)
        return self._columns(ram[:, self._gather])

    def read_ranges(self, captured: NDArray[np.uint8]) -> Columns:
        """Return columns (frames,) from the bytes of :attr:`ranges`, uint8 (frames, total)."""
        self._check(captured.shape, 2, self._captured_total)
        return self._columns(captured[:, self._captured])

    def _columns(self, gathered: NDArray[np.uint8]) -> Columns:
        # The table's rows are variables, so that each column is contiguous in memory.
        table = np.empty((len(self.names), len(gathered)), np.int64)
        for kind, rows, places in self._alike:
            table[rows] = kind.decode_array(gathered[:, places]).T
        if self._masks is not None:
            table &= self._masks
        return Columns(self._rows, table)

    @staticmethod
    def _check(shape: tuple[int, ...], axes: int, size_bytes: int) -> None:
        if len(shape) != axes or shape[-1] != size_bytes:
            wanted = "(frames, " * (axes > 1) + f"{size_bytes})"
            raise AddressError(f"memory of shape {shape} was given where {wanted} is needed")


class PackedReader:
    """Reads a fixed set of variables from bytes captured for it. Immutable. The values equal those
    of :class:`~integrator.domain.values.variables.VariableReader`, but this reader is for single
    frames: one call of ``struct`` decodes all plain numbers of all widths. ``ranges`` are the
    (offset, length) pairs of flat RAM to capture, in that order, and ``places`` those of each
    variable in the captured bytes. Variables outside of memory are left out."""

    def __init__(self, specs: Mapping[str, VariableSpec], space: AddressSpace) -> None:
        gathered: list[int] = []
        self.places: dict[str, tuple[int, int]] = {}
        fixes: list[tuple[str, Callable[[bytes], int] | None, int | None]] = []
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
                # Decoding a number without ``struct`` takes as long as a step of the game, so
                # results are cached, up to 4096 of them so that memory stays small.
                decode = None if code else lru_cache(maxsize=1 << 12)(spec.type.decode)
                fixes.append((name, decode, spec.signed_mask))
            codes.append(code or f"{spec.type.width}s")
            self.places[name] = len(gathered), len(offsets)
            gathered += offsets
        self._names = tuple(self.places)
        self._fixes = tuple(fixes)
        self._unpack = struct.Struct("".join(codes)).unpack
        self.ranges = in_ranges(gathered)
        self.offsets = np.array(gathered, np.intp)

    def read(self, captured: Any) -> dict[str, int]:
        """Return values from the bytes of :attr:`ranges`, in their order."""
        values: dict[str, Any] = dict(zip(self._names, self._unpack(captured)))  # noqa: B905 - strict= takes a third of the call, and the lengths are equal
        for name, decode, mask in self._fixes:
            value = values[name]
            if decode is not None:
                value = decode(value)
            values[name] = value if mask is None else value & mask
        return values


def _code(data_type: DataType) -> str | None:
    """Return a type's code in ``struct`` (a capital letter is unsigned); None if it has none."""
    codes = {1: "b", 2: "h", 4: "i", 8: "q"}
    code = codes.get(data_type.width) if data_type.form.is_binary else None
    # An unsigned number of 8 bytes is read as signed, because stable-retro has only int64.
    return code if code is None or data_type.minimum < 0 else code.upper()


NEAR_BYTES: Final = 32  # a variable farther away says nothing about an address


class Neighbors:
    """Variables sorted by address, to find the nearest one to an address."""

    def __init__(self, variables: Mapping[str, VariableSpec]) -> None:
        self._places = sorted(
            (spec.address, spec.address + spec.type.width, name) for name, spec in variables.items()
        )
        self._widest = max((stop - start for start, stop, _ in self._places), default=1)

    def text(self, address: int, width: int) -> str:
        """Name the variable that uses these bytes, else the nearest and its distance, else ''."""
        end = address + width
        low = bisect_left(self._places, (address - NEAR_BYTES - self._widest,))
        high = bisect_left(self._places, (end + NEAR_BYTES + 1,))
        near = (
            (max(start - end + 1, address - stop + 1, 0), start, name)
            for start, stop, name in self._places[low:high]
        )
        distance, start, name = min(near, default=(NEAR_BYTES + 1, 0, ""))
        if distance > NEAR_BYTES:
            return ""
        offset = address - start
        return name if not distance or not offset else f"{name} {offset:+d}"
