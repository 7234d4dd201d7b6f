"""The recorded changes of one number: when, from what to what, and what else happened then."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from integrator.domain.timeline.lookup import History
from integrator.domain.values.memory import AddressSpace, DataType
from integrator.domain.values.variables import VariableReader, VariableSpec

OFTEN, SELDOM = 0.9, 0.5  # least share of changes with a cause, and most of other frames

Place = tuple[int, int, int, int]  # a box of the picture in pixels: left, top, width, height


@dataclass(frozen=True, slots=True)
class NumberChange:
    """A change of the number, the frame that made it, and the buttons held on that frame."""

    frame: int
    before: int
    after: int
    held: tuple[str, ...] = ()

    @property
    def step(self) -> int:
        return self.after - self.before


@dataclass(frozen=True, slots=True)
class Companion:
    """A byte that changes together with the number, and seldom on other frames."""

    address: int
    share: float  # of the number's changes, at which the byte changes too
    reaches: int | None = None  # the byte's value after nearly all of them; None if several


@dataclass(frozen=True, slots=True)
class Causes:
    """All changes of a number on the shown line, and what happens together with them.

    ``buttons`` are held at nearly all changes and seldom on other frames; ``rises_with`` and
    ``falls_with`` are the same for rises and falls alone. ``companions`` are bytes that change on
    the same frames, best first. ``places`` are up to four boxes of the shown picture that change at
    nearly all of the ``pictured`` newest changes and seldom otherwise. Boxes that change least
    otherwise come first, then those higher up. Fewer than three changes give no places.
    ``pictured`` is None until pictures are compared, and omits changes whose play did not repeat.
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
    """Finds the causes of changes in one line of play, which is copied for another thread.
    ``inputs`` are uint16 masks (frames, ports), of which row k was held on frame k + 1, and
    ``buttons`` names their bits. ``jumps`` are frames after which play jumped or memory was
    poked."""

    space: AddressSpace
    history: History
    inputs: NDArray[np.uint16]
    buttons: Sequence[str | None]
    jumps: Collection[int]

    def run(self, address: int, data_type: DataType) -> Causes:
        """Return a number's changes and causes. Raises AddressError outside of mapped memory."""
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
        """Return the first player's buttons held on nearly all ``frames``, and seldom on others."""
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
        """Return up to 8 bytes that change with the number, judged by a sample of frames."""
        # A chosen change and a chosen other frame are compared with the frame before each of them.
        # Each pair needs four memories, and at most 64 MiB are read in all.
        most = min(200, max(8, (64 << 20) // (4 * self.space.size_bytes)))
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
            found.append(Companion(self.space.address_of(at), float(share[at]), reaches))
        return tuple(found)

    def _changed(self, frames: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return, for each byte of RAM, the share of these frames that changed it."""
        counts = np.zeros(self.space.size_bytes)
        for frame in frames.tolist():
            counts += self._ram(frame) != self._ram(frame - 1)
        return counts / len(frames)

    def _ram(self, frame: int) -> NDArray[np.uint8]:
        return self.space.logical(self.history.ram(frame))
