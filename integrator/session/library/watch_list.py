"""Watch lists of running games with their latest course, and all memory at a moment."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import AddressError, DocumentError
from integrator.domain.files.atomic import write_atomically
from integrator.domain.files.reading import SMALL_BYTES, decoding, read_text
from integrator.domain.integration.naming import refuse_links
from integrator.domain.integration.watches import Watch, dump_watches, load_watches
from integrator.domain.query.conditions import ConditionCounter, Groups
from integrator.domain.values.datatype import DataType
from integrator.domain.values.variables import VariableReader, VariableSpec
from integrator.session.frame.pipeline import LiveMemory
from integrator.session.session import Session
from integrator.session.setup.game import restore

FILE: Final = Path("notes") / "watches.json"
"""In the integration directory; stable-retro reads no folders there."""


@dataclass(frozen=True, slots=True)
class WatchReading:
    """A watch with its present value: None for an unmapped address. ``trend`` oldest first."""

    value: int | None
    trend: tuple[float, ...]
    frozen: bool


def read_watch_file(directory: Path) -> tuple[Watch, ...]:
    """The watches kept in an integration; none when there is no file. Raises DocumentError."""
    path = directory / FILE
    with decoding(DocumentError, path, "check the file"), suppress(FileNotFoundError):
        return load_watches(read_text(path, SMALL_BYTES))
    return ()


def write_watch_file(directory: Path, watches: Sequence[Watch]) -> None:
    """Keep watches in an integration. Raises SaveError."""
    path = directory / FILE
    if watches or path.exists():
        refuse_links(directory, [str(FILE)])
        path.parent.mkdir(exist_ok=True)
        write_atomically(path, dump_watches(watches).encode())


def read_watches(session: Session, watches: Sequence[Watch]) -> tuple[WatchReading, ...]:
    """Values, and how they went lately on the timeline; on the thread that owns the session."""
    memory, travel = session.memory, session.timeline
    specs = {str(n): VariableSpec(str(n), w.address, w.type) for n, w in enumerate(watches)}
    reader = VariableReader(specs, memory.space)
    position = travel.position
    first = max(0, position - 599)  # ten seconds
    columns = reader.read_ranges(travel.log.ram_ranges(reader.ranges, first, position + 1))
    points = min(position - first + 1, 96)  # a small curve shows no more
    picked = np.linspace(0, position - first, points).astype(int)
    readings, frozen = [], memory.frozen
    for n, watch in enumerate(watches):
        trend = tuple(columns[str(n)][picked].tolist()) if str(n) in columns else ()
        value = None
        with suppress(AddressError):
            value = memory.read(watch.address, watch.type)
        readings.append(WatchReading(value, trend, watch.key in frozen))
    return tuple(readings)


class ChangedMemory:
    """Reports which of some places changed on a frame, to one thread. Raises AddressError."""

    def __init__(
        self, memory: LiveMemory, places: Sequence[tuple[int, DataType]], number: int
    ) -> None:
        self._memory, self._places, self._number = memory, tuple(places), number
        self._values = self._read()

    def __call__(self, number: int) -> str | None:
        """The change on frame ``number`` in words; None without one, as after a jump."""
        follows, before = number == self._number + 1, self._values
        self._number, self._values = number, self._read()
        for (address, _), old, new in zip(self._places, before, self._values, strict=True):
            if follows and old != new:
                return f"0x{address:X} changed from {old} to {new}"
        return None

    def _read(self) -> tuple[int, ...]:
        return tuple(self._memory.read(address, kind) for address, kind in self._places)


NOW: Final = "now"


@dataclass(frozen=True, slots=True)
class MemoryDifference:
    """Places that differ: ``addresses`` int64 (places,), ascending; values uint8 (places,)."""

    addresses: NDArray[np.int64]
    before: NDArray[np.uint8]
    after: NDArray[np.uint8]


def memory_image(session: Session, moment: str) -> NDArray[np.uint8]:
    """RAM in console order now, of a frame, or of a state. Raises DomainError, StateError."""
    space = session.memory.space
    if moment == NOW:
        return space.logical(session.memory.ram)
    if moment.isascii() and moment.isdigit():
        return space.logical(session.timeline.ram(int(moment)))
    raw = session.game.read_state(moment, b"")
    with session.timeline.lent() as host:
        restore(host, raw, moment)
        return space.logical(host.read_ram())


def find_in_memory(
    session: Session, find: Callable[[NDArray[np.uint8], int], int | None], after: int
) -> tuple[int, int] | None:
    """The address that ``find`` picks behind ``after``, and the byte there; None for no place."""
    data, space = memory_image(session, NOW), session.memory.space
    at = find(data, space.index_of(after))
    return None if at is None else (space.address_of(at), int(data[at]))


def bytes_between(session: Session, start: int, stop: int) -> bytes:
    """The present bytes from address ``start`` to before ``stop``, in console order."""
    first = session.memory.space.index_of(start)
    return memory_image(session, NOW)[first : first + stop - start].tobytes()


def compare_memory(session: Session, one: str, other: str) -> MemoryDifference:
    before, after = memory_image(session, one), memory_image(session, other)
    places = np.flatnonzero(before != after)
    space = session.memory.space
    addresses = np.fromiter((space.address_of(int(at)) for at in places), np.int64, len(places))
    return MemoryDifference(addresses, before[places], after[places])


class MetConditions:
    """The runner's stop on the frame on which conditions turn true; ``text`` names them."""

    def __init__(self, memory: LiveMemory, groups: Groups, text: str) -> None:
        self._memory, self._text = memory, text
        self._counter = ConditionCounter(groups)
        self._held = False

    def __call__(self, _number: int) -> str | None:
        """The conditions in words if they did not hold a frame before; None otherwise."""
        held, self._held = self._held, self._counter.step(self._memory.read)
        return self._text if self._held and not held else None
