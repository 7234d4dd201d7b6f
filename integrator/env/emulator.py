"""A game that an agent plays: core, variables, scoring and starts, without a timeline."""

import math
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from struct import Struct
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from gymnasium.logger import warn
from numpy.typing import NDArray

from integrator.domain.errors import MovieError, SessionError
from integrator.domain.movies.reading import read_movie
from integrator.domain.scenario.scoring import EngineState, ScenarioEngine, StepScorer
from integrator.domain.scenario.spec import ActionSet
from integrator.domain.scenario.tree import Crop
from integrator.domain.values.variables import PackedReader, VariableReader
from integrator.env.observations import Masks
from integrator.session.frame.inputs import input_rows
from integrator.session.frame.pipeline import LiveMemory, observation_rule, read_documents
from integrator.session.movies import refuse_doubtful
from integrator.session.opening import movie_consoles
from integrator.session.setup.game import POWER_ON, read_start_state, restore
from integrator.session.setup.plan import SessionPlan, address_space, start_core
from libretro_host.doubles import DoubledHost
from libretro_host.host import CapturePlan, CoreInfo
from libretro_host.inprocess import CoreState
from libretro_host.stepper import View

Pixels = NDArray[np.uint8]
Captured = memoryview  # the bytes of the variables on a frame, in the order of a PackedReader

ScoringState = tuple[tuple[tuple[str, int], ...], EngineState | None]
"""The variables of the previous frame, and the state of scripts, if the scenario has any."""

EmulatorState = tuple[CoreState, ScoringState, bytes]
"""The states of core and scoring, and the last picture, which a core may show again."""


class FrameScore(NamedTuple):
    """The variables of one frame, each player's reward, and done."""

    values: Mapping[str, int]
    rewards: tuple[float, ...]
    done: bool


class PlainScoring:
    """Scores each frame of episodes once, from the captured bytes of its variables.

    It supports no scripts, and is fast. ``save`` returns everything that the next frame's score
    depends on; ``restore`` must be called before the core's state is loaded."""

    def __init__(self, scorer: StepScorer, reader: PackedReader) -> None:
        self._scorer, self._read = scorer, reader.read
        # The last frame's bytes, and its score if it had no change: an equal frame scores the same.
        self._captured: bytes | None = None
        self._unchanged: FrameScore | None = None

    def begin(self, captured: Captured) -> None:
        """Begin an episode with its idle frame, whose deltas are 0."""
        self._captured = None
        self._scorer.reset()
        self._scorer.score(self._read(captured))

    def score(self, captured: Captured) -> FrameScore:
        now = captured.tobytes()
        if now == self._captured and self._unchanged:
            return self._unchanged
        values = self._read(now)
        score = FrameScore(values, *self._scorer.score(values))
        self._unchanged = score if now == self._captured else None
        self._captured = now
        return score

    def save(self) -> ScoringState:
        return tuple((self._scorer.before or {}).items()), None

    def restore(self, state: ScoringState) -> None:
        self._captured = None
        self._scorer.before = dict(state[0])


class ScriptedScoring:
    """Scores as :class:`PlainScoring`, with scripts that may use all memory. Raises ScriptError."""

    def __init__(
        self,
        engine: ScenarioEngine,
        packed: PackedReader,
        memory: LiveMemory,
        reader: VariableReader,
    ) -> None:
        self._engine, self._packed, self._memory, self._reader = engine, packed, memory, reader
        self._before: Mapping[str, int] | None = None
        self._warned = False

    def begin(self, captured: Captured) -> None:
        """Begin an episode as :meth:`PlainScoring.begin` does, and load the scripts again."""
        self._memory.refresh()
        self._before = None
        self._engine.reset()
        values = self._packed.read(captured)
        if self._memory.take_written():
            values = self._reader.read(self._memory.ram)
        self._score(values)

    def score(self, captured: Captured) -> FrameScore:
        self._memory.refresh()
        return self._score(self._packed.read(captured))

    def save(self) -> ScoringState:
        return tuple((self._before or {}).items()), self._engine.save()

    def restore(self, state: ScoringState) -> None:
        """Restore the scripts; scripts that write memory while they load do so again."""
        before, engine = state
        assert engine is not None  # noqa: S101 - for the type checker: the same scenario saved it
        self._engine.put_back(engine)
        self._before = dict(before)
        self._memory.take_written()

    def _score(self, values: Mapping[str, int]) -> FrameScore:
        outcome = self._engine.score(values, self._before)
        self._before = values
        # As in stable-retro, info is read after the scripts ran, and includes their variables.
        if self._memory.take_written():
            values = self._reader.read(self._memory.ram)
        if not self._warned and not all(map(math.isfinite, outcome.rewards)):
            self._warned = True
            warn(f"a script paid {outcome.rewards}; training needs finite rewards: correct it")
        return FrameScore({**values, **outcome.custom}, outcome.rewards, outcome.done)


class Emulator:
    """Runs a game frame by frame, with a copy of its core. One thread owns an emulator.

    ``shape`` is the shape of the agent's pictures, (height, width, 3): the picture of training is
    cut by the crop of player 1 (or ``crop``), and then rotated as the core asks. A crew may run up
    to ``ahead`` frames at once; see :meth:`look_ahead`. With ``pairs``, a picture stays as it is
    for one more frame."""

    def __init__(
        self, plan: SessionPlan, crop: Crop | None = None, ahead: int = 1, *, pairs: bool = False
    ) -> None:
        self.plan = plan
        self._host = host = DoubledHost()
        # Training never reopens a core, even if something of the last episode is left in it.
        request = replace(plan.request, reopen_frames=None)
        try:
            _, self._power_on = start_core(replace(plan, request=request, new_host=lambda: host))
            self._prepare(crop, ahead, pairs)
        except BaseException:
            host.close()
            raise

    def _prepare(self, crop: Crop | None, ahead: int, pairs: bool) -> None:
        plan, host = self.plan, self._host
        space = address_space(plan.descriptor, host.info)
        self._memory = LiveMemory(host, space)
        readout = read_documents(plan.integration, plan.scenario, plan.players, self._memory)
        spec = readout.engine.spec
        self._packed = packed = PackedReader(dict(plan.integration.variables), space)
        self.scoring: PlainScoring | ScriptedScoring
        if StepScorer.fits(spec, frozenset(readout.reader.names)):
            self.scoring = PlainScoring(StepScorer(spec, plan.players), packed)
        else:
            self.scoring = ScriptedScoring(readout.engine, packed, self._memory, readout.reader)
        console = plan.descriptor
        self.actions = ActionSet.of(console.buttons, spec.actions or console.actions)
        rule = observation_rule(console, host.info.av, crop or spec.crops[0])
        view = View(*rule.box)
        if view.right <= view.left or view.bottom <= view.top:
            size = f"{rule.width} x {rule.height} pixels; correct it"
            name = plan.integration.name
            raise SessionError(f"{name}: the crop leaves nothing of a picture of {size}")
        tests = [test for node in spec.done.walk() for test in node.tests]
        self._stepper = host.stepper(
            ports=plan.players,
            ranges=packed.ranges,
            view=view,
            frames=ahead,
            watched=[packed.places[test.name] for test in tests if test.name in packed.places],
        )
        frame = host.run(input_rows((), 0, plan.players), CapturePlan()).frame
        self._turns = 0 if frame is None else frame.rotation % 4
        self._captured = self._stepper.captured.data
        # A crew may run frames ahead by this task, unless there are scripts or rotated pictures.
        fits = not self._turns and isinstance(self.scoring, PlainScoring)
        self.task = self._stepper.task if fits else None
        self._ahead, self._pack = ahead, Struct(f"{ahead * plan.players}H").pack_into
        self._inputs = self._stepper.inputs.data
        self._shape = view.shape
        height, width, _ = self._shape
        self.shape = (width, height, 3) if self._turns % 2 else self._shape
        # Callers may write into pictures that they get, so the newest is kept here, too.
        self._last: Pixels = np.zeros(self._shape, np.uint8)
        self._spare = self._last.copy() if pairs else self._last
        self._loaded: CoreState | None = None  # the present moment, if no frame has run since then
        self.moments = 0  # frames that were begun, and loads

    @property
    def core(self) -> CoreInfo:
        return self._host.info

    @property
    def default_state(self) -> str:
        plan = self.plan
        return plan.state or plan.integration.metadata.default_state(plan.players) or POWER_ON

    def read_state(self, name: str) -> bytes:
        """Return the raw state of a start state or ``.state`` file. Raises DocumentError."""
        if name == POWER_ON:
            return self._power_on
        stamp = f"{self.core.library_name} {self.core.library_version}"
        return read_start_state(self.plan.integration, name, stamp)[0]

    def save_state(self) -> bytes:
        return self._host.serialize()

    def clone(self) -> EmulatorState:
        """Save the present moment. Raises StateError, ScriptError.

        The core then loads its own state, which may leave something out, so that the same play
        follows here and wherever the state is restored."""
        # A core that was just loaded may save other bytes than it loaded, for the same moment.
        core = self._loaded or self._load(self._host.core_state())
        return core, self.scoring.save(), self._last.tobytes()

    def restore(self, state: EmulatorState) -> None:
        """Restore a moment with its :attr:`picture`. Raises StateError, ScriptError."""
        core, scoring, picture = state
        self.scoring.restore(scoring)
        self._load(core)
        self._last[:] = np.frombuffer(picture, np.uint8).reshape(self._shape)

    def _load(self, core: CoreState) -> CoreState:
        request = self.plan.request
        if request.reopens:
            self._host.reopen(request.reopen_frames)
        self._host.unserialize(core, fresh=False)
        self._loaded = core
        self.moments += 1  # RAM may not be that of the last frame
        self._stepper.follow()
        return core

    @property
    def picture(self) -> Pixels:
        """The newest picture, for reading until the next frame."""
        if not self._turns:
            return self._last
        return np.ascontiguousarray(np.rot90(self._last, self._turns))

    def ram(self) -> Pixels:
        return self._host.read_ram()

    def begin(self, state: bytes, name: str, masks: Masks = ()) -> Pixels:
        """Begin an episode as stable-retro does: restore a state, run one frame, score it.

        The frame is idle unless ``masks`` press buttons. Returns its :attr:`picture`."""
        restore(self._host, state, name)
        self._stepper.follow()
        pixels = self.run(masks or (0,) * self.plan.players)
        self.scoring.begin(self._captured)
        return pixels

    def run(self, masks: Masks) -> Pixels:
        """Run one frame and return its :attr:`picture`; then call `score`."""
        for player, mask in enumerate(masks):
            self._inputs[player] = mask
        self._loaded = None
        self.moments += 1
        if self._stepper.run(self._spare):
            self._spare[:] = self._last
        self._last, self._spare = self._spare, self._last
        return self.picture

    def look_ahead(self, held: Masks, masks: Masks) -> bool:
        """Let a crew run the frames ahead by the task: the first with ``held``, others ``masks``.

        Then call `run` as often. Return False if a frame before the last may end the episode,
        because none must follow it."""
        self._pack(self._inputs, 0, *held, *masks * (self._ahead - 1))
        return self._stepper.look_ahead(self._spare if self._ahead == 1 else None)

    def score(self) -> FrameScore:
        """Score the frame that was just run, exactly once. Raises ScriptError."""
        return self.scoring.score(self._captured)

    def values(self) -> dict[str, int]:
        return self._packed.read(self._captured)

    def close(self) -> None:
        self._host.close()
        # Another emulator may reuse the C shim, and this one must not run that core.
        self._stepper.close()


Start: TypeAlias = str | Path | tuple[str | Path, int]
"""A start state's name, a ``.state`` file, or a movie and a number of its frames."""


class Starts:
    """The starts from which each episode's start is drawn.

    ``states`` are starts, or ``all`` for every start state of the integration. ``weights`` are
    numbers of any sum, one per start; by default all are equally likely. Raises SessionError."""

    def __init__(
        self,
        emulator: Emulator,
        states: Literal["all"] | Sequence[Start] | None,
        weights: Sequence[float] | None = None,
    ) -> None:
        self._emulator = emulator
        integration = emulator.plan.integration
        every = isinstance(states, str) and states == "all"  # an array compares its elements
        listed = [] if isinstance(states, str | None) else list(states)
        self._starts: Sequence[Start] = integration.states if every else listed
        kinds = (str, os.PathLike, tuple)
        if not self._starts or not all(isinstance(each, kinds) for each in self._starts):
            raise SessionError(f"states is {states!r}; use 'all' or a list of start states")
        shares = np.zeros(0)  # is refused below if the weights are no numbers
        with suppress(TypeError, ValueError):
            shares = np.ones(len(self._starts)) if weights is None else np.asarray(weights, float)
        is_valid = np.isfinite(shares).all() and (shares >= 0).all() and shares.sum() > 0
        if shares.shape != (len(self._starts),) or not is_valid:
            wanted = f"{len(self._starts)} numbers from 0 on, one above 0"
            raise SessionError(f"weights are {weights!r}; use {wanted}")
        self._shares = shares / shares.sum()
        self._read = cache(self._raw)
        for start in self._starts:
            self._read(start)

    def draw(self, random: np.random.Generator) -> tuple[str, bytes]:
        start = self._starts[int(random.choice(len(self._starts), p=self._shares))]
        name = f"{Path(start[0]).stem}-{start[1]}" if isinstance(start, tuple) else str(start)
        return name, self._read(start)

    def _raw(self, start: Start) -> bytes:
        if not isinstance(start, tuple):
            return self._emulator.read_state(str(start))
        try:
            path, frame = Path(start[0]), start[1]
        except (TypeError, IndexError) as error:
            raise SessionError(f"{start!r} is no start; use (movie, frame)") from error
        emulator, players = self._emulator, self._emulator.plan.players
        made = emulator.plan.identity(emulator.core)
        movie = made.comparable(read_movie(path, movie_consoles()))
        if frame not in range(1, movie.frames + 1):
            raise SessionError(f"{path}: it has frames 1 to {movie.frames:,}, and none {frame!r}")
        inputs = {f"player {at + 1}": movie.inputs[:, at] for at in range(players, movie.players)}
        beyond = [name for name, each in {**movie.axes, **inputs}.items() if each[:frame].any()]
        beyond += sorted({each.kind for each in movie.events if each.row < frame})
        if beyond:
            fact = f"this environment cannot press {beyond[0]}"
            raise MovieError(f"{path}: {fact}; use another movie")
        refuse_doubtful(movie, made.rom, made.core, "use another movie", frame)
        at_rest = ((0, 0), (0, max(0, players - movie.players)))
        for row, masks in enumerate(np.pad(movie.inputs[:frame, :players], at_rest).tolist()):
            if row == 0:
                emulator.begin(movie.state or emulator.read_state(POWER_ON), str(path), masks)
            else:
                emulator.run(masks)
                emulator.score()  # because scripts may write memory while they score
            if movie.differs(row, emulator.ram):
                raise MovieError(f"{path}: out of step from row {row} on; use another movie")
        return emulator.save_state()


@dataclass(frozen=True, slots=True)
class EnvState:
    """A moment of an environment, for :meth:`GameEnv.restore_state`.

    States of equal moments are equal. They can be pickled, and restored in other processes and
    after ``close``. ``made_of`` names everything that must be equal there: game, core, scenario,
    players, and options. ``random`` is the state of the random numbers that draw starts, as JSON.
    The later fields are those of an :class:`AgentEnv`: its steps, the buttons of the last step, the
    random numbers of sticky buttons, and the pictures of the stack."""

    made_of: tuple[str, ...]
    emulator: EmulatorState
    rewards: tuple[float, ...]
    random: str = ""
    steps: int = 0
    held: Masks | None = None
    sticky_random: str = ""
    kept: bytes = b""
