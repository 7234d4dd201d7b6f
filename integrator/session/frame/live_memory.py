"""The RAM of the running core, as last captured: typed reads, pokes and frozen addresses."""

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from integrator.domain.search.results import Activity
from integrator.domain.values.datatype import DataType
from integrator.domain.values.memory import AddressSpace
from libretro_host.host import CoreHost, RamChanges


class LiveMemory:
    """Reads come from a copy kept up to date, ``ram`` uint8 (ram_bytes,); writes go to both."""

    def __init__(self, host: CoreHost, space: AddressSpace) -> None:
        self.space = space
        self._host = host
        self.ram: NDArray[np.uint8] = host.read_ram()
        self._frozen: dict[tuple[int, DataType], tuple[int, int | None]] = {}
        self._written = False
        self._activity: Activity | None = None
        # Asked before each poke; may refuse it with an error.
        self.before_poke: Callable[[], object] = lambda: None
        # Asked before each write, which the core has to be ready for.
        self.settle: Callable[[], object] = lambda: None

    def count_changes(self) -> Activity:
        """Count from now on which bytes each frame changes; the same counts for all who ask."""
        if self._activity is None:
            self._activity = Activity(self.space)
        return self._activity

    def read(self, address: int, spec: str | DataType) -> int:
        """The value at an absolute ``address``. Raises AddressError, DataTypeError."""
        return self.space.read(self.ram, address, _as_type(spec))

    def read_byte(self, address: int) -> int:
        """The byte at an absolute ``address``. Raises AddressError."""
        return int(self.ram[self.space.offsets(address, 1)[0]])

    def write(self, address: int, spec: str | DataType, value: int) -> None:
        """Poke ``value``. Raises AddressError, DataTypeError, or MovieError while recording."""
        self.before_poke()
        self.put(address, spec, value)

    def put(self, address: int, spec: str | DataType, value: int) -> None:
        """As :meth:`write`, for writes that a replayed movie repeats by itself, as scripts' do."""
        self.settle()
        for offset, data in self.space.encode_write(address, _as_type(spec), value):
            self._host.write_ram(offset, data)
            self.ram[offset : offset + len(data)] = np.frombuffer(data, np.uint8)
        self._written = True

    def freeze(
        self, address: int, spec: str | DataType, value: int, *, mask: int | None = None
    ) -> None:
        """Write ``value``, or only the bits of ``mask``, now and after every frame until thawed."""
        data_type = _as_type(spec)
        self._write_bits(address, data_type, value, mask)
        self._frozen[address, data_type] = (value, mask)

    def thaw(self, address: int, spec: str | DataType) -> None:
        """Let the game write the address again."""
        self._frozen.pop((address, _as_type(spec)), None)

    @property
    def frozen(self) -> Mapping[tuple[int, DataType], int]:
        """Frozen values by address and type."""
        return {key: value for key, (value, _) in self._frozen.items()}

    @property
    def frozen_bytes(self) -> frozenset[int]:
        """Addresses of all bytes that are frozen."""
        return frozenset(at + n for at, data_type in self._frozen for n in range(data_type.width))

    def apply_frozen(self) -> None:
        """Write the frozen values; the pipeline calls it after each frame."""
        for (address, data_type), (value, mask) in self._frozen.items():
            self._write_bits(address, data_type, value, mask)

    def _write_bits(self, address: int, data_type: DataType, value: int, mask: int | None) -> None:
        if mask is not None:
            value = self.read(address, data_type) & ~mask | value & mask
        self.put(address, data_type, value)

    def apply(self, changes: RamChanges) -> None:
        """Bring the copy up to date with a run's changes."""
        # Frame by frame: numpy does not promise which of repeated offsets wins in one assignment.
        end = 0
        for count in changes.counts.tolist():
            start, end = end, end + count
            self.ram[changes.offsets[start:end]] = changes.values[start:end]
            if self._activity is not None:
                self._activity.note(changes.offsets[start:end])

    def refresh(self) -> None:
        """Read the whole RAM again, after something other than a frame changed it."""
        self.ram = self._host.read_ram()

    def attach(self, host: CoreHost) -> None:
        """Go on with another host of the same game, as after a crash."""
        self._host = host
        self.refresh()

    @property
    def written(self) -> bool:
        """True when something was written since :meth:`take_written`."""
        return self._written

    def take_written(self) -> bool:
        """True when something was written since the last call."""
        written, self._written = self._written, False
        return written


def _as_type(spec: str | DataType) -> DataType:
    return spec if isinstance(spec, DataType) else DataType.parse(spec)
