"""Plans a proof from the recording: moments to poke at, possible copies, and possible sources."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import TimelineError
from integrator.domain.search.operators import comparison
from integrator.domain.sweep.refine import Memory, full_layers, refine
from integrator.domain.sweep.sets import addresses_of
from integrator.domain.values.memory import BYTE, AddressSpace, DataType, merge_offsets
from integrator.domain.values.variables import VariableReader, VariableSpec
from integrator.session.proof import experiment as experiments
from integrator.session.proof.experiment import FORK_FRAMES, Moment, MomentTaker, Target
from integrator.session.suggestions.questions import PlayQuestions
from libretro_host.errors import CoreCrashed, CoreHung


def turned(byte: int, low: int, high: int) -> int:
    """Return the byte with its two decimal digits raised by ``low`` and ``high``, modulo 10.

    A half above 9 is changed by XOR instead."""
    halves = ((byte & 15, low), (byte >> 4, high))
    one, other = ((half + by) % 10 if half < 10 else half ^ by for half, by in halves)
    return other << 4 | one


def pokes_of(byte: int) -> tuple[int, ...]:
    """Return values to poke that identify a source: both halves change, together and alone."""
    looks = ((1, 1), (9, 0), (2, 0), (0, 2), (5, 0))
    return tuple(dict.fromkeys(turned(byte, *by) for by in looks))


def byte_at(address: int) -> Target:
    return Target(address, BYTE)


class Predictors:
    """Finds bytes whose poke moves the target within a number of frames after the moment."""

    def __init__(
        self, experiment: experiments.Experiment, target: Target, moment: Moment, frames: int
    ) -> None:
        self._experiment = experiment
        self._moment = moment
        self._frames = frames
        self._own = experiment.space.offsets(target.address, target.type.width).tolist()
        self._pokes = 0
        # Unpoked runs may differ on some cores, so the courses of three runs count as usual.
        self._usual = {None, *(self._course([], 0, 0) for _ in range(3))}

    def found(self, suspects: Sequence[Target]) -> Iterator[Target]:
        """Yield bytes that move the target: of the suspects first, then of all memory."""
        space = self._experiment.space
        size = -(-space.size_bytes // 128)  # bytes of each of 128 blocks
        blocks = [[each.address] for each in suspects]
        # Hardly any game survives a poke of more than 80 bytes at once.
        if size <= 80:
            known = {each.address for each in suspects}
            rest = [space.address_of(index) for index in range(space.size_bytes)]
            rest = [address for address in rest if address not in known]
            blocks += [rest[start : start + size] for start in range(0, len(rest), size)]
        seen: set[int] = set()
        for low, high in ((1, 1), (9, 0)):
            for block in blocks:
                for address in self._leading(block, low, high):
                    if address not in seen:
                        seen.add(address)
                        yield byte_at(address)

    def _leading(self, block: list[int], low: int, high: int) -> Iterator[int]:
        most_pokes = 400  # each is a run of the game
        if self._pokes >= most_pokes or self._course(block, low, high) in self._usual:
            return
        if len(block) == 1:
            yield block[0]
            return
        middle = len(block) // 2
        yield from self._leading(block[:middle], low, high)
        yield from self._leading(block[middle:], low, high)

    def _course(self, block: Sequence[int], low: int, high: int) -> bytes | None:
        self._pokes += 1
        poked = self._moment.ram.copy()
        places = [self._experiment.space.offset(address) for address in block]
        places = [place for place in places if place not in self._own]
        for place in places:
            poked[place] = turned(int(poked[place]), low, high)
        writes = [(at, poked[at : at + count].tobytes()) for at, count in merge_offsets(places)]
        ranges = merge_offsets(self._own)
        try:
            fork = self._experiment.fork(
                self._moment, ranges, writes, frames=self._frames, pictures=False, exact=False
            )
        except (CoreCrashed, CoreHung):
            return None
        return fork.watched[1:].tobytes()


_CAUSE_FRAMES: Final = 3  # frames within which a number follows the number it is computed from
_SAMPLES: Final = 24


def suspects_of(
    session: PlayQuestions, target: Target, numbers: NDArray[np.int64], first: int
) -> tuple[Target, ...]:
    """Return bytes that the target may follow, likeliest first; ``numbers`` begin at ``first``."""
    log, space = session.timeline.log, session.game.memory.space
    changes = np.flatnonzero(np.diff(numbers)) + 1
    # The game waits for the plan, and finding changes in a large memory takes a while.
    if not len(changes) or space.size_bytes > 1 << 18:
        return ()
    offsets = _changing_with(session, target, (first + changes).tolist())
    columns = log.ram_ranges(merge_offsets(offsets.tolist()), first)[-len(numbers) :]
    looks = np.unique(numbers, return_inverse=True)[1] % 256  # more values would cost memory
    weights = np.array([_lead(columns[:, k], looks) for k in range(len(offsets))])
    order = [k for k in np.argsort(-weights, kind="stable").tolist() if weights[k] > 0]
    return tuple(byte_at(experiments.address_at(space, int(offsets[k]))) for k in order[:10])


def _changing_with(session: PlayQuestions, target: Target, ends: list[int]) -> NDArray[np.intp]:
    """Return flat offsets, ascending, of bytes that change mostly when the target changes."""
    log, space = session.timeline.log, session.game.memory.space

    def shares(frames: NDArray[np.intp]) -> NDArray[np.float64]:
        times = np.zeros(space.size_bytes, np.uint8)
        for frame in frames.tolist():
            times += log.changed(max(0, frame - _CAUSE_FRAMES), frame + 1)
        return times / len(frames)

    # Use 12 changes from all over the recording, and then the 64 bytes that fit best.
    chosen = np.array(ends)[np.unique(np.linspace(0, len(ends) - 1, 12).astype(np.intp))]
    often = shares(chosen)
    usual = shares(np.linspace(_CAUSE_FRAMES, log.length, _SAMPLES).astype(np.intp))
    fits = (often >= 0.5) & (usual <= often)  # at half of the changes
    fits[space.offsets(target.address, target.type.width)] = False
    offsets = np.flatnonzero(fits)
    rank = np.argsort((usual - often)[offsets], kind="stable")[:64]
    return np.sort(offsets[rank])


def _lead(byte: NDArray[np.uint8], looks: NDArray[np.intp]) -> float:
    """Return the degree, 0 to 1, to which the byte predicts the target's number."""
    best, count = 0.0, int(looks.max()) + 1
    chance = np.bincount(looks).max() / len(looks)
    for lag in (0, 1):  # frames
        before, after = byte[: len(byte) - lag].astype(np.intp), looks[lag:]
        pairs = np.bincount(before * count + after, minlength=256 * count).reshape(256, count)
        foretold = np.maximum(pairs.max(axis=1) - 1, 0).sum() / len(after)
        best = max(best, float((foretold - chance) / max(1 - chance, 1e-9)))
    return best


# A poke comes one frame before a change, or two: then the first shows overwriting without a change.
_EARLY_LEAD_FRAMES: Final = 2
_PEERS: Final = 8

Look = tuple[int, NDArray[np.uint8]]  # number of a target on a frame, and flat RAM then


@dataclass(frozen=True, slots=True)
class Task:
    """A target, moments to poke it at, and looks at it; it may be computed from ``suspects``."""

    target: Target
    moments: tuple[Moment, ...]
    throughout: tuple[Look, ...]
    at_change: tuple[Look, ...]
    suspects: tuple[Target, ...] = ()


def plan_tasks(
    session: PlayQuestions,
    targets: Sequence[Target],
    frames: Sequence[int] | None,
    moments: MomentTaker | None = None,
) -> list[Task]:
    """Make a task for each target, on the session's thread; a proof's tasks share ``moments``."""
    moments = MomentTaker(session) if moments is None else moments
    chosen = [moments.present()] if frames is None else [moments.at(frame) for frame in frames]
    is_calm = _calm(session)
    log, space = session.timeline.log, session.game.memory.space
    history = 7200  # frames before the present one in which to find changes of a number
    first = max(0, log.length + 1 - history)
    jumps = [mark.frame - first for mark in log.markers("episode", "state", "reset")]
    specs = (VariableSpec(str(k), each.address, each.type) for k, each in enumerate(targets))
    reader = VariableReader({spec.name: spec for spec in specs}, space)
    columns = reader.read_ranges(log.ram_ranges(reader.ranges, first))
    tasks = []
    for number, target in enumerate(targets):
        numbers = columns[str(number)]
        taken = list(chosen)
        for at, lead in _events(numbers, jumps):
            # A frame that the recording has dropped cannot be reached.
            with suppress(TimelineError):
                if is_calm(first + at):
                    taken.append(moments.at(first + at - lead))
        throughout, at_change = (
            tuple((int(numbers[at]), log.ram(first + at)) for at in places)
            for places in _looks(numbers)
        )
        suspects = suspects_of(session, target, numbers, first)
        tasks.append(Task(target, tuple(dict.fromkeys(taken)), throughout, at_change, suspects))
    return tasks


def _calm(session: PlayQuestions) -> Callable[[int], bool]:
    """Return a test that is False for a frame that writes most of memory, as a new game does."""
    log = session.timeline.log

    def changed(frame: int) -> float:
        return float(log.changed(max(0, frame - 1), frame + 1).mean())

    samples = np.unique(np.linspace(1, log.length, _SAMPLES).astype(np.intp)) if log.length else ()
    shares = [changed(int(frame)) for frame in samples]
    # The limit lies between the usual share of memory and all of it, whatever its size.
    most = float(np.sqrt(np.median(shares))) if shares else 1.0
    return lambda frame: changed(frame) <= most


def peers_of(task: Task, space: AddressSpace, types: Sequence[DataType]) -> tuple[Target, ...]:
    """Return other targets with the target's number, always or around its newest change."""
    peers: list[Target] = []
    for looks, scaled in ((task.throughout, True), (task.at_change, False)):
        layers = full_layers(space, types, scales=scaled) if len(looks) > 1 else {}
        for number, ram in looks:
            memory = Memory(space.logical(ram), None, None)
            layers = refine(layers, comparison("equal", number).predicate, memory)
        kinds = [layer.data_type for layer in layers]
        # Prefer digits in many bytes, and other numbers in few bytes.
        widths = [kind.width if kind.form.is_binary else -kind.width for kind in kinds]
        ordered = sorted(zip(widths, layers.items(), strict=True), key=lambda each: each[0])
        for _, (layer, found) in ordered:
            # A number stored without its last zeros would be poked only in part.
            if layer.scale.divisor != 1 or layer.scale.multiplier != 1:
                continue
            for address in addresses_of(space, found.positions[: 4 * _PEERS]).tolist():
                peer = Target(address, layer.data_type)
                if not any(peer.overlaps(other) for other in (task.target, *peers)):
                    peers.append(peer)
    return tuple(peers[: 2 * _PEERS])


def _events(numbers: NDArray[np.int64], jumps: Sequence[int]) -> list[tuple[int, int]]:
    """Return the indices of changes to poke before, of the usual step and the newest. The second
    number is how many frames before the change to poke."""
    steps = np.diff(numbers)
    changed = np.flatnonzero(steps) + 1
    changed = changed[changed >= _EARLY_LEAD_FRAMES]
    for jump in jumps:
        changed = changed[(changed <= jump - FORK_FRAMES) | (changed > jump + _EARLY_LEAD_FRAMES)]
    if not len(changed):
        return []
    sizes, counts = np.unique(steps[changed - 1], return_counts=True)
    usual = sizes[int(np.argmax(counts))]
    alike = changed[steps[changed - 1] == usual]
    late, early = 1, _EARLY_LEAD_FRAMES  # frames between poke and change
    middle, third = alike[len(alike) // 2], alike[len(alike) // 3]
    events = ((alike[-1], late), (middle, early), (third, late), (changed[-1], late))
    return list(dict.fromkeys((int(at), lead) for at, lead in events))


def _looks(numbers: NDArray[np.int64]) -> tuple[list[int], list[int]]:
    """Return indices to look at: all over the recording, and around the newest change."""
    starts = np.flatnonzero(np.diff(numbers)) + 1
    if not len(starts):
        return [], []
    lasting = np.diff([*starts, len(numbers)])
    # Copies may lag, but four frames after a change they have the same number.
    settled = starts + np.minimum(4, lasting // 2)
    spread = settled[np.linspace(0, len(settled) - 1, 6).astype(int)]
    newest = int(settled[-1])
    before = max(0, int(starts[-1]) - 1)
    return np.unique(spread).tolist(), [before, newest]
