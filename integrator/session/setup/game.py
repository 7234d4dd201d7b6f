"""The open game of a session: content, console, core, and its present readout."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from integrator.domain.errors import DocumentError, DomainError, MovieError, SessionError
from integrator.domain.files.reading import decoding, read_file
from integrator.domain.integration import states
from integrator.domain.integration.files import Integration
from integrator.domain.integration.states import STATE_SUFFIX, foreign_state
from integrator.domain.movies.model import Movie
from integrator.domain.movies.reading import read_movie
from integrator.domain.scenario.spec import ActionSet
from integrator.session.cheats import CheatDeck
from integrator.session.frame import pipeline as pipelines
from integrator.session.frame.inputs import Held, Inputs, input_rows, with_axes
from integrator.session.frame.pipeline import DEFAULT_SCENARIO, Pipeline, Readout
from integrator.session.frame.result import Event, StateWarning
from integrator.session.movies import MovieIdentity
from integrator.session.scoring.rescorer import Rules
from integrator.session.setup.plan import OptionSetting, SessionPlan
from libretro_host.errors import StateError
from libretro_host.host import CoreHost, CoreInfo
from libretro_host.inprocess import without_chip
from libretro_host.remote import RemoteHost

POWER_ON = "<power-on>"
"""The name for no start state, as stable-retro's ``State.NONE``: the console at power-on."""


def read_start_state(
    integration: Integration, name: str, stamp: str, *, anywhere: bool = True
) -> tuple[bytes, StateWarning | None]:
    """Return a raw state, and a warning if another core saved it. Raises DocumentError."""
    known = name.removesuffix(STATE_SUFFIX)
    if known in integration.states and not Path(name).exists():
        name = known  # stable-retro takes NAME.state, too
    if anywhere and name.endswith(STATE_SUFFIX):
        path, unpacked = Path(name), foreign_state
        data = read_state_file(path)
    else:
        path, unpacked = integration.state_files.path(name), states.unpack_state
        data = integration.state_files.data(name)
    raw, made_by = unpacked(data, path), states.state_stamp(data)
    if made_by is None or made_by == stamp:
        return raw, None
    text = f"{path}: saved by {made_by}, but this is {stamp}; if it misbehaves, save it again"
    return raw, StateWarning(text, path=path)


def read_state_file(path: Path) -> bytes:
    """Return the bytes of a ``.state`` file at any path. Raises DocumentError."""
    with decoding(DocumentError, path, "check the path"):
        return read_file(path, states.MAX_STATE_FILE_BYTES)


def read_raw_state(path: Path) -> bytes:
    """Return the raw state in a ``.state`` file at any path. Raises DocumentError."""
    return foreign_state(read_state_file(path), path)


def file_stem(state: str) -> str:
    return "power-on" if state == POWER_ON else Path(state).name.removesuffix(".state")


def restore(host: CoreHost, state: bytes, origin: str) -> None:
    """Load a state; an error names its ``origin``, a file or movie, and the cure."""
    try:
        host.unserialize(state)
    except StateError as error:
        core = f"{host.info.library_name} {host.info.library_version}"
        cure = "it was saved by another core or version: save the state again with this one"
        raise StateError(f"{origin}: {core} does not take this state ({error}); {cure}") from error


class Game:
    """The game of a session: its console, core and documents, and the choice among them."""

    def __init__(
        self,
        plan: SessionPlan,
        pipeline: Pipeline,
        cheats: CheatDeck,
        *,
        tell: Callable[[Event], object],
        note_opened: Callable[[SessionPlan], object],
        applied: Callable[[], object],
    ) -> None:
        # The plan of the session, updated with each choice of scenario, state and core option.
        self.plan, self._pipeline = plan, pipeline
        self._tell, self._note_opened, self._applied = tell, note_opened, applied
        self.cheats, self.memory = cheats, pipeline.memory
        self.system, self.players = plan.descriptor, plan.players
        self.content, self.core_path = plan.request.content, plan.request.core
        # Sticks, touch screen and the like, whose columns follow the players' in a row of inputs.
        self.axes, self.columns = plan.axes, plan.columns

    @property
    def integration(self) -> Integration:
        return self.plan.integration

    @property
    def core(self) -> CoreInfo:
        return self._pipeline.loaded.info

    @property
    def core_memory_bytes(self) -> int | None:
        """The resident memory of the core's process; None if it runs in this process."""
        loaded = self._pipeline.loaded
        return loaded.memory_bytes() if isinstance(loaded, RemoteHost) else None

    @property
    def core_stamp(self) -> str:
        return f"{self.core.library_name} {self.core.library_version}"

    def core_options(self) -> tuple[OptionSetting, ...]:
        """Return the core's options, with training's values and those kept for this game."""
        return self.plan.options.settings(self._pipeline.host) if self.plan.options else ()

    def set_core_option(self, key: str, value: str | None) -> None:
        """Set an option and keep it; None is the console's value. Raises HostError, SaveError."""
        if self.plan.options is None:
            raise SessionError("this session was planned without a place to keep core options")
        request = self.plan.options.change(self._pipeline.host, self.plan.request, key, value)
        self.plan = replace(self.plan, request=request)

    @property
    def fps(self) -> float:
        return self.core.av.fps

    def input_rows(
        self, masks: Sequence[int], frames: int, *, filtered: bool, axes: Held
    ) -> Inputs:
        """Return rows with the same inputs; see ``Session.advance``. Raises SessionError."""
        if frames < 1:
            raise SessionError(f"cannot advance by {frames} frames")
        if filtered:
            masks = [self.actions.filter(mask) for mask in masks]
        return with_axes(input_rows(masks, frames, self.players), self.axes, axes)

    @property
    def actions(self) -> ActionSet:
        spec = self._pipeline.readout.engine.spec
        return ActionSet.of(self.system.buttons, spec.actions or self.system.actions)

    @property
    def state_name(self) -> str:
        """The name of the start state of the next episode; POWER_ON without one."""
        return self.plan.state or self.integration.metadata.default_state(self.players) or POWER_ON

    @property
    def readout(self) -> Readout:
        return self._pipeline.readout

    @property
    def scenario_name(self) -> str:
        return self.plan.scenario or DEFAULT_SCENARIO

    def rules(self) -> Rules:
        return Rules.present(self.integration, self.scenario_name)

    def read_movie(self, path: str | Path) -> Movie:
        """Read a movie of the open game. Raises MovieError for a movie of another system."""
        movie = read_movie(path, self.plan.systems)
        if movie.system != self.system.name:
            other = f"of {movie.system}, the open game of {self.system.name}"
            raise MovieError(f"{path}: this movie is {other}; open {movie.game} first")
        if not movie.frames:
            raise MovieError(f"{path}: this movie has no rows; there is nothing to play")
        return movie

    def identity(self) -> MovieIdentity:
        return self.plan.identity(self.core)

    def read_state(self, name: str, power_on: bytes) -> bytes:
        """Return the raw state of a start state or ``.state`` file. Raises DocumentError."""
        if name == POWER_ON:
            return power_on
        named = self.plan.state is not None or name != self.state_name  # by the user, not metadata
        raw, warning = read_start_state(self.integration, name, self.core_stamp, anywhere=named)
        if warning is not None:
            self._tell(warning)
        return raw

    def write_state(self, name: str) -> Path:
        """Make a start state of the present frame; return its path, which a save creates."""
        state = without_chip(self._pipeline.host.serialize())
        return self.integration.write_state(name, state, self.core_stamp)

    def use_state(self, name: str | None) -> None:
        """Choose the start state of later episodes; None is the integration's default."""
        self.plan = replace(self.plan, state=name)
        self.note_opened()

    def apply_documents(self) -> None:
        """Use the present documents and score again. Raises ScenarioError, ScriptError."""
        pipeline, plan = self._pipeline, self.plan
        old, scored_by = pipeline.readout.engine, pipeline.readout.reader
        memory = pipeline.memory
        # A script may write memory while it loads, which is for an episode's first frame only.
        copy = pipelines.RecordedMemory(memory.space, memory.ram.copy())
        readout = pipelines.read_documents(plan.integration, plan.scenario, plan.players, copy)
        if pipeline.started:
            readout.engine.reset()
            pipeline.scripts_behind = not readout.engine.vectorisable
        readout.engine.restore(old.frame, old.total_rewards)
        readout.engine.attach(pipelines.LiveScriptMemory(memory, dict(plan.integration.variables)))
        pipeline.readout = readout
        if pipeline.scored is not None:
            poked = pipeline.last.number if pipeline.last and memory.written else 0
            ram = pipeline.timeline.ram(poked, resumed=True) if poked else memory.ram
            # Scripts may have written memory on the frame after its variables were scored.
            read = readout.reader.specs.items() & scored_by.specs.items()
            kept = {name: pipeline.scored[name] for name, _ in read if name in pipeline.scored}
            pipeline.scored = readout.reader.read(ram) | kept
        self.cheats.refresh()
        self._applied()

    def keep_as(self, root: Path, name: str | None = None) -> Integration:
        """Make an integration directory of a bare ROM. Raises SaveError if it exists."""
        self.plan = self.plan.kept(root, name)
        self.note_opened()
        self.apply_documents()
        return self.integration

    def use_scenario(self, name: str | None) -> None:
        """Score with another scenario file. Raises ScenarioError, ScriptError, changing nothing."""
        before = self.plan
        self.plan = replace(before, scenario=name)
        try:
            self.apply_documents()
        except DomainError:
            self.plan = before
            raise
        self.note_opened()

    def note_opened(self) -> None:
        """Write down the present paths of the game, and its scenario and start state in use."""
        self._note_opened(self.plan)
