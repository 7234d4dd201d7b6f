"""A session: one game running on one core, with its documents, memory, timeline and movies."""

import math
from collections import deque
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import Literal

from integrator.domain.errors import MovieError, SessionError
from integrator.domain.integration.files import Integration
from integrator.domain.movies.model import Movie
from integrator.domain.search.search import Search
from integrator.domain.suggest.suggestion import KindName, Suggestion
from integrator.domain.timeline.line import Jump
from integrator.domain.timeline.timeline import Timeline
from integrator.domain.values.memory import DataType
from integrator.session.cheats import CheatDeck
from integrator.session.edits.editor import Editor
from integrator.session.frame import result as results
from integrator.session.frame.inputs import Held, Inputs, input_rows, widened
from integrator.session.frame.pipeline import LiveMemory, Pipeline, read_documents
from integrator.session.frame.result import ChunkResult, Event, FrameResult
from integrator.session.journal.drafts import Persistence
from integrator.session.movies import MovieDeck, MovieRecording, is_of_other_rom
from integrator.session.proof.proof import Verdict, prepare
from integrator.session.scoring.rescorer import Recorded
from integrator.session.searches import Searches, query_types
from integrator.session.setup.game import Game, file_stem, restore
from integrator.session.setup.plan import SessionPlan, address_space, start_core
from integrator.session.suggestions.questions import PlayQuestions
from integrator.session.suggestions.suggesting import SuggestRun
from integrator.session.timeline.travel import Travel
from libretro_host.errors import StateError
from libretro_host.host import CapturePlan, CoreHost
from libretro_host.inprocess import with_chip_of, without_chip

KEYFRAME_INTERVAL_FRAMES = 120  # distance between the timeline's states, from which seeks start


class Session(PlayQuestions, AbstractContextManager["Session"]):
    """Runs a game frame by frame. Not thread-safe: one thread owns a session (see Runner). A
    session starts before its first episode; ``reset`` begins one, and so does the first
    ``advance``. Use it as a context manager, or call ``close``."""

    def __init__(self, plan: SessionPlan) -> None:
        self._events: deque[Event] = deque()
        self._episode_name = ""
        self._since_keyframe = 0
        # Set by a console script: a call after each frame, and the buttons to press, by port.
        self.after_frame: Callable[[], object] | None = None
        self.script_masks: tuple[int, ...] = ()
        host, self._power_on = start_core(plan)
        space = address_space(plan.descriptor, host.info)
        self.system = plan.descriptor  # the console: its buttons, cores and types
        memory = self.memory = LiveMemory(host, space)  # RAM: ``read``, ``write``, ``freeze``
        timeline = Timeline(
            space.size_bytes,
            plan.columns,
            players=plan.players,
            tell=lambda text: self.tell(results.GameWarning(text)),
        )
        readout = read_documents(plan.integration, plan.scenario, plan.players, memory)
        self._pipeline = Pipeline(host, memory, timeline, readout)
        self.movies = MovieDeck(timeline, lambda: self.game.identity(), self.tell)
        memory.before_poke = self.movies.before_poke
        self.cheats = CheatDeck(memory, self.movies, lambda: self.integration)
        self.game = Game(
            plan,
            self._pipeline,
            self.cheats,
            tell=self.tell,
            note_opened=lambda plan: self.persistence.note_opened(plan),
            applied=self._score_again,
        )
        types = query_types(plan.descriptor.types, space.size_bytes)
        self.timeline = Travel(
            self._pipeline,
            types,
            self.game.identity,
            self._reopen,
            lambda found: self.tell(results.StatesInexact(found.text)),
            exact_loads=plan.request.reopen_frames is None,
        )
        take = self.timeline.take_scores
        self.recorded = Recorded(timeline, space, plan.players, take, self.tell, self.game.rules())
        self._pipeline.stale = lambda: self.recorded.stale
        self.searches = Searches(memory, types, self.timeline.ram_from_here)
        self.editor = Editor(self.game)
        self.persistence = Persistence(self.game, timeline, self.editor, self.tell)
        memory.on_frozen = self.persistence.note_frozen
        for doubt in plan.doubts:
            self.tell(results.GameWarning(doubt))

    def _score_again(self) -> None:
        self.recorded.follow(self.game.rules())
        if self.recorded.stale:
            # A sum of the old rules' rewards and the new ones' would belong to neither.
            engine = self._pipeline.readout.engine
            engine.restore(engine.frame, [math.nan] * engine.players)

    @property
    def integration(self) -> Integration:
        """The documents: variables, scenario, metadata, scripts, states."""
        return self.game.integration

    @property
    def last(self) -> FrameResult | None:
        """The frame that was played or sought last: the present one."""
        return self._pipeline.last

    @property
    def host(self) -> CoreHost:
        """The host that runs the core; another one replaces it after a crash."""
        return self._pipeline.host

    def reset(self) -> FrameResult:
        """Begin an episode as stable-retro's ``env.reset()`` does.

        Restores the start state with all buttons up, runs one idle frame, clears totals and custom
        variables, reloads scripts, and scores that frame once. Its deltas are 0. A movie being
        played stops; a movie being recorded is completed, or the next episode's is begun.

        Without a start state, the console is restored to its state at power on. Here it differs
        from stable-retro, which restores nothing, so that the game goes on from its last frame.
        ``check`` warns of that."""
        game = self.game
        self.movies.finish_run()
        self.movies.playback = None
        try:
            if self.movies.recording is not None and game.plan.request.reopen_frames is None:
                self._reopen()  # movies play in a new core, and states may leave something out
            state = game.read_state(game.state_name, self._power_on)
            return self._start_episode(state, file_stem(game.state_name))[-1].last
        except BaseException:
            self.movies.finish_run("an episode could not begin")
            raise

    def _repr_png_(self) -> bytes | None:
        """Return the picture of the present frame; notebooks call this to show a session."""
        return results.frame_png(self._pipeline.frame)

    def advance(
        self,
        masks: Sequence[int] = (),
        frames: int = 1,
        *,
        filtered: bool = False,
        axes: Held = None,
    ) -> FrameResult:
        """Run ``frames`` frames with one button mask per port; return the last frame's result.

        Bit i of a mask is ``system.buttons[i]``. ``filtered`` passes masks through the scenario's
        actions, as training does by default. ``axes`` moves sticks and the like, by their names in
        ``game.axes``; others are at rest. A movie that is playing overrides all inputs."""
        return self.run(self.game.input_rows(masks, frames, filtered=filtered, axes=axes))[-1].last

    def run(
        self,
        inputs: Inputs,
        plan: CapturePlan | None = None,
        show: Callable[[FrameResult], object] | None = None,
        *,
        exact: bool = False,
    ) -> list[ChunkResult]:
        """Run one frame for each row of ``inputs``, uint16 of shape (frames, players), unfiltered.

        Columns for ``game.axes`` may follow. Planned rows (see ``Timeline.plan``) replace rows
        without buttons, unless ``exact``. ``plan`` captures pictures, audio or whole RAM, besides
        what the session needs. Returns the chunks in order, usually one. ``show`` gets the last
        frame of each chunk before its states are stored, because that takes a while."""
        if not len(inputs):
            raise SessionError("no frames to run: the inputs have no rows")
        if not self._pipeline.started:
            self.reset()
        self._continue_from_here()
        if self._pipeline.scripts_behind:
            self.recorded.bring_scripts()
        plan = plan or CapturePlan()
        inputs = widened(inputs, self.game.players, self.game.columns)
        chunks: list[ChunkResult] = []
        while (playback := self.movies.playback) is not None and len(inputs):
            for event in playback.events_here():
                self._press(event.kind)
            rows = playback.override(inputs)
            chunks += self._run(rows, plan, show)
            inputs = inputs[len(rows) :]
        planned = self.timeline.log.ahead[: 0 if exact else len(inputs)]
        if len(planned):
            inputs = inputs.copy()
            idle = ~inputs[: len(planned)].any(axis=1)
            inputs[: len(planned)][idle] = planned[idle]
        return chunks + self._run(inputs, plan, show) if len(inputs) else chunks

    def _run(
        self, inputs: Inputs, plan: CapturePlan, show: Callable[[FrameResult], object] | None
    ) -> list[ChunkResult]:
        self.cheats.end_recording()
        # A search that is refined after every frame must see every frame.
        step = 1 if self.searches.has_rules or self.after_frame is not None else len(inputs)
        chunks: list[ChunkResult] = []
        for first in range(0, len(inputs), step):
            for port, mask in enumerate(self.script_masks[: self.game.players]):
                inputs[first, port] |= mask
            for chunk in self._pipeline.advance(inputs[first : first + step], plan):
                if show is not None:
                    show(chunk.last)
                self._after(chunk)
                chunks.append(chunk)
        return chunks

    @property
    def episode_begins(self) -> bool:
        """True if the next frame is an episode's first, which must be run singly."""
        return self._pipeline.episode_begins

    def tell(self, event: Event) -> None:
        """Add an event for :meth:`take_events`."""
        self._events.append(event)

    def take_events(self) -> tuple[Event, ...]:
        """Return the events since the last call, and forget them."""
        # Take them one by one, because the packing thread may report a full disk meanwhile.
        return tuple(self._events.popleft() for _ in range(len(self._events)))

    def save_state(self) -> bytes:
        """Return the core's raw state; ``.state`` files hold it gzipped. Raises StateError."""
        return without_chip(self._pipeline.host.serialize())

    def load_state(self, state: bytes, origin: str = "this state") -> None:
        """Restore a raw state and go on from it, in the same episode.

        Raises StateError, whose message begins with ``origin``, if the core rejects the state."""
        self.movies.finish_run()
        restore(self.host, state, origin)
        self.movies.playback = None
        self._go_on("state", state)

    def resume(
        self, state: bytes, kind: Jump, *, frame: int, totals: Sequence[float], origin: str
    ) -> None:
        """Restore a state of earlier play, at frame ``frame`` of its episode with its ``totals``.

        ``kind`` is the timeline's kind of jump; after ``episode``, the first frame of the episode
        must be run next. Raises StateError, whose message begins with ``origin``."""
        restore(self.host, state, origin)
        self._go_on(kind, state, file_stem(self.game.state_name))
        self._pipeline.readout.engine.restore(frame, totals or (0.0,) * self.game.players)

    def restore_state(self, name: str) -> None:
        """Load a start state of the integration, or a ``.state`` file by its path."""
        self.load_state(self.game.read_state(name, self._power_on), name)

    def search(self, name: str) -> Search:
        """Return the RAM search of that name, over the system's types; its first use starts it."""
        return self.searches.get(name)

    def suggest(
        self, kinds: Collection[KindName] | None = None, *, prove: bool = False
    ) -> tuple[Suggestion, ...]:
        """Return likely variables, best first in each kind, from the newest two minutes of play.

        ``kinds`` are some of ``KINDS``; None means all. ``prove`` runs an experiment about the best
        of each kind, as the window does. The play is run again for its pictures, and then the
        present frame is restored. Raises TimelineError, SearchError."""
        found = self._play_again(SuggestRun(self.recorded_play(), kinds).run)
        if not prove:
            return found
        best = {each.kind: each for each in reversed(found) if each.is_worth_a_proof}
        verdicts = self.prove([(each.address, each.type) for each in best.values()])
        pairs = zip(best.values(), verdicts, strict=True)
        proven = {id(each): each.proven(verdict.ruling) for each, verdict in pairs}
        return tuple(proven.get(id(each), each) for each in found)

    def prove(
        self, candidates: Iterable[tuple[int, str | DataType]], frames: Sequence[int] | None = None
    ) -> tuple[Verdict, ...]:
        """Return a verdict on each (address, type): original, copy, inert or unknown, with reasons.

        Each candidate is poked in a hidden core at the present frame, or at ``frames``, and shortly
        before one of its changes. Raises AddressError, DataTypeError, TimelineError."""
        return prepare(self, candidates, frames).run()

    def record(self, path: str | Path) -> FrameResult:
        """Record a ``.bk2`` movie from here on, or one movie per episode into a folder.

        A movie starts with a state and one idle frame, as stable-retro's playback runs one. Right
        after a reset, that frame has been run; otherwise it is run now. Returns the last frame."""
        self.cheats.check_recording()
        recording = MovieRecording(Path(path), self.game.identity(), self.timeline.log)
        self.movies.stop_recording()
        chip, first_chip = (with_chip_of(b"", s) for s in (self.host.serialize(), self._power_on))
        if chip != first_chip:
            lack = "a movie does not hold the cartridge's save chip, which the game has written"
            self.tell(results.GameWarning(f"{recording.path}: {lack}; its replay may differ"))
        if recording.by_episode:
            self.movies.recording = recording
            return self.reset()
        last = self.last if self._pipeline.started and self.last is not None else self.reset()
        travel, end = self.timeline, self.timeline.length
        as_played = travel.is_live or (travel.at_end and travel.trusts_states)
        held = travel.log.held_before(end + 1) == end
        changed = self.memory.written or held or travel.log.loads(end, end + 1)
        idled = last.outcome.frame == 1 and not any(last.inputs)
        row = input_rows((), 1, self.game.columns)
        start = without_chip(travel.log.keyframe_at_or_before(end - 1)[1]) if idled else b""
        if idled and as_played and not changed and travel.begins_movie(start):
            recording.begin(start, self._episode_name)
            recording.add_rows(end, row)
            self.movies.recording = recording
            return last
        self._continue_from_here()
        playback = self.movies.playback
        if playback is not None and playback.events_here():
            why = "the movie that plays presses reset or power next; run a frame, then record"
            raise MovieError(f"{path}: {why}")
        # The movie begins with this state in a new core, so the session's play must, too, because
        # the core's states may leave out memory.
        state = travel.restored_here("restored" if travel.trusts_states else "state", reopen=True)
        # A movie that is playing gives the first row.
        first = row if playback is None else playback.override(row)
        recording.begin(state, self._episode_name, reset_row=not first.any())
        self.movies.recording = recording
        return self.run(input_rows((), 1, self.game.players), exact=True)[-1].last

    def stop_recording(self) -> Path | None:
        """Complete the movie being recorded, if any; return its path. A SaveError ends it, too."""
        try:
            return self.movies.stop_recording()
        finally:
            self.movies.recording = None

    def play(self, path: str | Path) -> FrameResult:
        """Play a ``.bk2`` or ``.fm2`` movie from its start; its rows override live inputs.

        The first row is run at once, as the idle frame of an episode's reset. Raises MovieError
        when the movie is of another system, or empty."""
        return self.play_movie(self.game.read_movie(path))[-1].last

    def play_movie(self, movie: Movie, plan: CapturePlan | None = None) -> list[ChunkResult]:
        """Do as :meth:`play`, with a plan for the first row; return that row's chunk."""
        self.movies.finish_run("another movie is played")
        self.movies.playback = None
        state, name = movie.state or self._power_on, movie.path.stem
        try:
            return self._start_episode(state, name, plan, movie)
        except StateError as error:
            if not is_of_other_rom(movie, self.game.identity().rom):
                raise
            why = f"recorded with another ROM ({movie.rom_hash}), whose state does not load here"
            cure = "open the game that it was recorded in"
            raise StateError(f"{movie.path}: {why}; {cure}") from error

    def _start_episode(
        self, state: bytes, name: str, plan: CapturePlan | None = None, movie: Movie | None = None
    ) -> list[ChunkResult]:
        """Restore ``state``, run one frame (idle, or a movie's first row), and score it once."""
        restore(self.host, state, name)
        self._go_on("episode", state, name)
        if self.movies.recording is not None:
            self.movies.recording.begin(state, name)
        if movie is not None:
            self.movies.start(movie, held=bool(self.memory.frozen))
        return self.run(input_rows((), 1, self.game.players), plan)

    def _go_on(self, kind: Jump, state: bytes, name: str = "") -> None:
        """Note on the timeline that the next frame starts from ``state``, which is loaded."""
        pipeline = self._pipeline
        pipeline.started = True
        self.memory.refresh()
        if kind == "episode":
            pipeline.begin_episode()
            self._episode_name = name
        elif kind == "state" or pipeline.scored is None:
            pipeline.scored = pipeline.read_values()
        self._continue_from_here(loaded=True)
        self.memory.take_written()  # the state has undone any poke before it
        if without_chip(self._power_on) != self._power_on:
            state = with_chip_of(state, self.host.serialize())
        pipeline.timeline.discontinuity(kind, state, self.memory.ram)
        self._since_keyframe = 0

    def _continue_from_here(self, *, loaded: bool = False) -> None:
        """After a seek, keep the later frames as a branch, unless they only repeat a movie."""
        # Even at the end, the line may be another one, or shorter than it was.
        travel = self.timeline
        keep = not self.movies.go_back(travel.position, live=travel.is_live) or travel.at_end
        if not travel.continue_from_here(keep=keep, loaded=loaded):
            self.movies.finish_run()

    def _press(self, kind: Literal["reset", "power"]) -> None:
        """Press the console's reset button, or switch it off and on, as a movie asks."""
        self.movies.finish_run()
        loaded, state = kind == "power", self._power_on
        if loaded:
            restore(self.host, state, "power-on")
        else:
            self.host.reset()
            state = self.host.serialize()
        self.memory.refresh()
        self.memory.take_written()
        ram, log = self.memory.ram, self._pipeline.timeline
        log.discontinuity("reset", state, ram, label=kind, loaded=loaded)
        self._since_keyframe = 0

    def _after(self, chunk: ChunkResult) -> None:
        self._pipeline.last = chunk.last
        if self.after_frame is not None:
            self.after_frame()
        self.searches.after_frame(pressed=bool(chunk.inputs[-1].any()))
        self.movies.add(chunk.first_number, chunk.inputs)
        if len(chunk.inputs) == 1:
            self.timeline.keep_nearby()
        self._since_keyframe += len(chunk.inputs)
        if self._since_keyframe >= KEYFRAME_INTERVAL_FRAMES:
            self._since_keyframe = 0
            self.timeline.log.add_keyframe(self.timeline.length, self.host.serialize())

    def recover(self) -> FrameResult:
        """Start a new core after a crash and go on from the newest frame of the timeline.

        Raises HostError if the core cannot be started, or dies again."""
        self._reopen()
        return self.timeline.restore_newest() if self._pipeline.started else self.reset()

    def _reopen(self) -> None:
        host, self._power_on = start_core(self.game.plan, self._pipeline.loaded)
        self._pipeline.host = host
        self.memory.attach(host)

    def close(self, *, keep_journal: bool = False) -> None:
        """Complete a recording, and end the core. Idempotent.

        The journal is deleted unless ``keep_journal`` is true, as after an unexpected end, or the
        recording is incomplete, because then only the journal has its inputs. Raises SaveError."""
        with ExitStack() as ends:
            ends.callback(lambda: self.persistence.close(keep=keep_journal))
            ends.callback(self._pipeline.timeline.close)
            ends.callback(self._pipeline.loaded.close)
            try:
                self.stop_recording()
            except BaseException:
                keep_journal = True
                raise

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.close(keep_journal=kind is not None)
