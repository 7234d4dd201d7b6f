"""The recorded changes of one number: when, from what to what, and what else happened then."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from integrator.domain.timeline.lookup import History
from integrator.domain.values.datatype import DataType
from integrator.domain.values.memory import AddressSpace
from integrator.domain.values.variables import VariableReader, VariableSpec

OFTEN, SELDOM = 0.9, 0.5
"""A cause is there at this share of the changes, and at most at that share of other frames."""

Place = tuple[int, int, int, int]
"""A box of the shown picture in its pixels: left edge, top edge, width, height."""


@dataclass(frozen=True, slots=True)
class NumberChange:
    """The frame that changed the number, and the buttons that ran it."""

    frame: int
    before: int
    after: int
    held: tuple[str, ...] = ()

    @property
    def step(self) -> int:
        return self.after - self.before


@dataclass(frozen=True, slots=True)
class Companion:
    """A byte that changes at this share of the number's changes, and seldom otherwise.

    ``reaches`` is its value after nearly all of these changes, None when it has several.
    """

    address: int
    share: float
    reaches: int | None = None


@dataclass(frozen=True, slots=True)
class Causes:
    """All changes on the shown line, and what goes with them.

    ``buttons`` are held at nearly all changes and seldom otherwise, ``rises_with`` and
    ``falls_with`` at those of one direction; ``companions`` are bytes that change on the same
    frames, best first. ``places`` are boxes of the shown picture, (x, y, width, height) in pixels,
    that change at nearly all of the ``pictured`` newest changes and seldom otherwise, up to four:
    the ones that change least otherwise first, then from the top. None is known from fewer than
    three changes. ``pictured`` is None until pictures were compared, and counts no change whose
    play did not repeat.
    """

    address: int
    type: DataType
    changes: tuple[NumberChange, ...]
    buttons: tuple[str, ...] = ()
    rises_with: tuple[str, ...] = ()
    falls_with: tuple[str, ...] = ()
    companions: tuple[Companion, ...] = ()
    places: tuple[Place, ...] = ()
    pictured: int | None = None

    @property
    def usual_step(self) -> tuple[int, int]:
        """The most frequent difference, and the number of changes that have it; 0, 0 for none."""
        steps = Counter(change.step for change in self.changes)
        return steps.most_common(1)[0] if steps else (0, 0)


@dataclass(frozen=True, slots=True)
class CausesRun:
    """One line of play, copied for another thread; ``jumps`` are frames after which play jumped.

    ``inputs`` uint16 (frames, ports): row k ran frame k + 1. ``buttons`` name the bits.
    """

    space: AddressSpace
    history: History
    inputs: NDArray[np.uint16]
    buttons: Sequence[str | None]
    jumps: Collection[int]

    def run(self, address: int, data_type: DataType) -> Causes:
        """The changes of a number. Raises AddressError for one that is not mapped."""
        reader = VariableReader({"it": VariableSpec("it", address, data_type)}, self.space)
        self.space.index_of(address)
        ram = self.history.ram_ranges(reader.ranges, 0, self.history.length + 1)
        values = reader.read_ranges(ram)["it"]
        frames = np.flatnonzero(np.diff(values)) + 1
        frames = frames[~np.isin(frames, [jump + 1 for jump in self.jumps])]
        changes = (
            NumberChange(frame, int(values[frame - 1]), int(values[frame]), self._held(frame))
            for frame in frames.tolist()
        )
        rising = values[frames] > values[frames - 1]
        rises, falls = self._explaining(frames[rising]), self._explaining(frames[~rising])
        companions = self._companions(frames, range(address, address + data_type.width))
        held = self._explaining(frames)
        return Causes(address, data_type, tuple(changes), held, rises, falls, companions)

    def _held(self, frame: int) -> tuple[str, ...]:
        return tuple(
            name if port == 0 else f"P{port + 1} {name}"
            for port, mask in enumerate(self.inputs[frame - 1].tolist())
            for bit, name in enumerate(self.buttons)
            if name and mask >> bit & 1
        )

    def _explaining(self, frames: NDArray[np.intp]) -> tuple[str, ...]:
        """Buttons that are held at nearly all changes, and seldom on other frames."""
        if not len(frames):
            return ()
        changed = np.zeros(len(self.inputs), np.bool_)
        changed[frames - 1] = True
        held = self.inputs[:, :1] >> np.arange(len(self.buttons)) & 1
        often = held[changed].mean(axis=0) >= OFTEN
        if not changed.all():
            often &= held[~changed].mean(axis=0) <= SELDOM
        return tuple(name for name, goes in zip(self.buttons, often, strict=True) if name and goes)

    def _companions(self, frames: NDArray[np.intp], own: range) -> tuple[Companion, ...]:
        """Bytes that change with the number; of many changes, an even choice is looked at."""
        size = self.space.size_bytes
        # Each of the chosen frames and of the others is compared with the one before: of these
        # four memories, at most 64 MiB are looked at.
        most = min(200, max(8, (64 << 20) // (4 * size)))
        others = np.setdiff1d(np.arange(1, self.history.length + 1), frames)
        if not len(frames) or not len(others):
            return ()
        chosen = frames[np.linspace(0, len(frames) - 1, min(len(frames), most)).astype(np.intp)]
        quiet = others[np.linspace(0, len(others) - 1, min(len(others), most)).astype(np.intp)]
        share, otherwise = self._changed(chosen), self._changed(quiet)
        share[[self.space.index_of(at) for at in own]] = 0
        fits = np.flatnonzero((share >= OFTEN) & (otherwise <= SELDOM))
        best = fits[np.lexsort((fits, otherwise[fits], -share[fits]))][:8]
        after = np.stack([self._ram(frame)[best] for frame in chosen.tolist()])
        found = []
        for at, values in zip(best.tolist(), after.T, strict=True):
            value, times = Counter(values.tolist()).most_common(1)[0]
            reaches = value if times >= OFTEN * len(values) else None
            address = self.space.address_of(at)
            found.append(Companion(address, float(share[at]), reaches))
        return tuple(found)

    def _changed(self, frames: NDArray[np.intp]) -> NDArray[np.float64]:
        """For each byte of RAM the share of these frames that changed it."""
        counts = np.zeros(self.space.size_bytes)
        for frame in frames.tolist():
            counts += self._ram(frame) != self._ram(frame - 1)
        return counts / len(frames)

    def _ram(self, frame: int) -> NDArray[np.uint8]:
        return self.space.logical(self.history.ram(frame))
