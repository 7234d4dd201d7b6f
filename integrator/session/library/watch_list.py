"""Watch lists of running games with their latest values, and images of all memory."""

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
from integrator.domain.integration.json_files import Watch, dump_watches, load_watches
from integrator.domain.integration.naming import refuse_links
from integrator.domain.query.conditions import ConditionCounter, Groups
from integrator.domain.values.memory import DataType
from integrator.domain.values.variables import VariableReader, VariableSpec
from integrator.session.frame.pipeline import LiveMemory
from integrator.session.session import Session
from integrator.session.setup.game import restore

FILE: Final = Path("notes") / "watches.json"
"""The path in an integration directory, in a folder because stable-retro reads no folders there."""


@dataclass(frozen=True, slots=True)
class WatchReading:
    """A watch's present value, None for an unmapped address, and its ``trend``, oldest first."""

    value: int | None
    trend: tuple[float, ...]
    frozen: bool


def read_watch_file(directory: Path) -> tuple[Watch, ...]:
    """Read the watches of an integration; none without a file. Raises DocumentError."""
    path = directory / FILE
    with decoding(DocumentError, path, "check the file"), suppress(FileNotFoundError):
        return load_watches(read_text(path, SMALL_BYTES))
    return ()


def write_watch_file(directory: Path, watches: Sequence[Watch]) -> None:
    """Write the watches of an integration. Raises SaveError."""
    path = directory / FILE
    if watches or path.exists():
        refuse_links(directory, [str(FILE)])
        path.parent.mkdir(exist_ok=True)
        write_atomically(path, dump_watches(watches).encode())


def read_watches(session: Session, watches: Sequence[Watch]) -> tuple[WatchReading, ...]:
    """Return the values now and in the last ten seconds, on the thread that owns the session."""
    memory, travel = session.memory, session.timeline
    specs = {str(n): VariableSpec(str(n), w.address, w.type) for n, w in enumerate(watches)}
    reader = VariableReader(specs, memory.space)
    position = travel.position
    first = max(0, position - 599)  # ten seconds
    columns = reader.read_ranges(travel.log.ram_ranges(reader.ranges, first, position + 1))
    points = min(position - first + 1, 96)  # as many as a small curve can show
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
    """Tells a stop rule, on one thread, which places changed on a frame. Raises AddressError."""

    def __init__(
        self, memory: LiveMemory, places: Sequence[tuple[int, DataType]], number: int
    ) -> None:
        self._memory, self._places, self._number = memory, tuple(places), number
        self._values = self._read()

    def __call__(self, number: int) -> str | None:
        """Return the change on frame ``number`` in words; None without one, or after a jump."""
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
    """Bytes that differ: ``addresses``, int64 (places,), ascending, and values, uint8 (places,)."""

    addresses: NDArray[np.int64]
    before: NDArray[np.uint8]
    after: NDArray[np.uint8]


def memory_image(session: Session, moment: str) -> NDArray[np.uint8]:
    """Return RAM in console order now, at a frame or in a state. Raises DomainError, StateError."""
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
    """Return the address after ``after`` that ``find`` picks, and its byte; None without one."""
    data, space = memory_image(session, NOW), session.memory.space
    at = find(data, space.index_of(after))
    return None if at is None else (space.address_of(at), int(data[at]))


def bytes_between(session: Session, start: int, stop: int) -> bytes:
    """Return the present bytes from address ``start`` to before ``stop``, in console order."""
    first = session.memory.space.index_of(start)
    return memory_image(session, NOW)[first : first + stop - start].tobytes()


def compare_memory(session: Session, one: str, other: str) -> MemoryDifference:
    before, after = memory_image(session, one), memory_image(session, other)
    places = np.flatnonzero(before != after)
    space = session.memory.space
    addresses = np.fromiter((space.address_of(int(at)) for at in places), np.int64, len(places))
    return MemoryDifference(addresses, before[places], after[places])


class MetConditions:
    """A stop rule for the frame on which conditions become true; ``text`` describes them."""

    def __init__(self, memory: LiveMemory, groups: Groups, text: str) -> None:
        self._memory, self._text = memory, text
        self._counter = ConditionCounter(groups)
        self._held = False

    def __call__(self, _number: int) -> str | None:
        """Return the text if the conditions hold, but did not hold a frame before; else None."""
        held, self._held = self._held, self._counter.step(self._memory.read)
        return self._text if self._held and not held else None
