"""Checks that need a running game: its core, its states, variables and scripts."""

import filecmp
import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np

from integrator.domain.errors import DomainError, IntegratorError, ScriptError, SessionError
from integrator.domain.findings import Finding
from integrator.domain.integration.json_files import ScenarioDocument
from integrator.session.frame.pipeline import DEFAULT_SCENARIO, observation_rule, scenario_spec
from integrator.session.frame.result import StateWarning, first_difference
from integrator.session.library.consoles.console_check import Checksums, checksums
from integrator.session.library.consoles.console_draft import state_remark
from integrator.session.opening import open_session, other_cores_than, plan_session
from integrator.session.session import Session
from integrator.session.setup.game import POWER_ON
from integrator.session.timeline.restorer import Exactness
from libretro_host.errors import CoreNotFoundError, HostError, StateError
from libretro_host.host import CoreHost, LoadRequest
from libretro_host.processes.temporary import OwnedFolder
from libretro_host.remote import RemoteHost
from libretro_host.systems.discovery import core_name, training_core, wheel_core_dir

_PLAYED_FRAMES = 1440
_HELD_FRAMES = 12
_APART_FRAMES = 24
_AFTER_FRAMES = 48


@dataclass(frozen=True, slots=True)
class ExactCore:
    """A core with exact states; ``difference`` says how its play differs from the used core's."""

    path: Path
    name: str
    difference: str


def try_states(session: Session) -> Exactness:
    """Play for some seconds, then play on from states of that play again, and compare.

    A few states in a hundred may be inexact, so dozens are tried. They are tried in random order,
    because some cores keep a part of the play before a load."""
    session.reset()
    states: dict[int, bytes] = {}
    press_buttons(session, states)
    order = np.random.default_rng(2).permutation(list(states)).tolist()
    return session.timeline.try_states(((frame, states[frame]) for frame in order), _AFTER_FRAMES)


def exact_cores(
    path: Path, system: str, players: int, used: Path, stopped: Callable[[], bool] = lambda: False
) -> list[ExactCore]:
    """Return the other cores here on which a game's states are exact; each runs in a process."""
    others = other_cores_than(system, used)
    if not others:
        return []
    found = []
    with OwnedFolder() as folder, _opened(path, system, players, used, folder) as here:
        here.reset()
        press_buttons(here)
        for other in others:
            if stopped():
                break
            with suppress(IntegratorError), _opened(path, system, players, other, folder) as there:
                if try_states(there).is_exact:
                    name, apart = there.game.core_stamp, _difference(here, there)
                    found.append(ExactCore(other, name, apart))
    return found


def _opened(path: Path, system: str, players: int, core: Path, saves: Path) -> Session:
    plan = plan_session(path, system=system, players=players, core=core).hidden()
    own = Path(tempfile.mkdtemp(dir=saves))
    return Session(replace(plan, request=replace(plan.request, save_dir=own)))


def press_buttons(session: Session, states: dict[int, bytes] | None = None) -> None:
    """Play on for some seconds with random buttons, the same ones each time.

    ``states`` gets the states of frames on the way, fewer of them if they are large."""
    inputs = np.zeros((_PLAYED_FRAMES, session.game.columns), np.uint16)
    bits = [bit for bit, name in enumerate(session.system.buttons) if name]
    pressed = np.random.default_rng(1).choice(bits, _PLAYED_FRAMES // _HELD_FRAMES)
    inputs[:, 0] = np.repeat(1 << pressed, _HELD_FRAMES)
    # States are taken while no button is held, because Genesis Plus GX forgets a held Pause in all
    # games of the Master System, and no episode begins with a held button.
    inputs[_HELD_FRAMES - 1 :: _HELD_FRAMES, 0] = 0
    for at in range(0, _PLAYED_FRAMES, _APART_FRAMES):
        session.run(inputs[at : at + _APART_FRAMES])
        if states is not None and at + _AFTER_FRAMES < _PLAYED_FRAMES:
            state = session.host.serialize()
            if len(state) * (len(states) + 1) < 96 << 20:  # bytes that all states may take
                states[session.timeline.length] = state


def _difference(here: Session, there: Session) -> str:
    if here.memory.space.regions != there.memory.space.regions:
        return "it shows other memory"
    frames = min(here.timeline.length, there.timeline.length)
    both = ((n, here.timeline.ram(n), there.timeline.ram(n)) for n in range(1, frames + 1))
    ram = next((n for n, one, other in both if not np.array_equal(one, other)), None)
    hashes = (each.timeline.log.hashes(1, frames + 1) for each in (here, there))
    apart = {"memory differs": ram, "pictures differ": first_difference(*hashes)}
    parts = [f"{what} from frame {first} on" for what, first in apart.items() if first]
    found = " and ".join(parts) or "memory and pictures are the same"
    return f"with the same buttons for {frames} frames {found}"


def _lack(session: Session, code: str, message: str, cure: str) -> Finding:
    return Finding.of(code, session.integration.directory, message, cure)


def core_findings(session: Session) -> Iterator[Finding]:
    """Yield a finding for each lack of a game's core, and each difference from training's core."""
    game = session.game
    core, training = game.core_path, training_core(session.system)
    lack = partial(_lack, session)
    if not game.core.whole_ram_bytes:
        message = f"{core.name} shows no memory, so no variable can be found"
        yield lack("core-without-memory", message, "try another core")
    if subsystem := game.plan.request.subsystem:
        made = f"its files make a game of {core.name}'s subsystem {subsystem}"
        cure = "train on it with integrator.make_env or make_vec"
        yield lack("subsystem-not-training", f"{made}, and stable-retro opens none", cure)
    if training is not None and not filecmp.cmp(core, training, shallow=False):
        message = f"{core} is not the core that training uses, {training}"
        cure = "remove it from the folders of cores, or train on it: integrator systems export"
        yield lack("core-not-training", message, cure)
        yield from _other_memory(session, training)
    elif training is None and wheel_core_dir() is not None:
        title = session.system.title
        message = f"stable-retro ships no core for {title}, so training does not have {core}"
        yield lack("core-not-training", message, "copy it there with integrator systems export")
    for setting in game.core_options():
        if not setting.as_in_training:
            option, usual = setting.option, setting.training
            message = f"{option.key} is {option.value!r}, in training {usual!r}"
            cure = "choose training's value in Cores, or in your descriptor of the console"
            yield lack("option-not-training", message, cure)


def inexact_states(
    session: Session, note: Callable[[Exactness], object] = lambda _: None
) -> Iterator[Finding]:
    """Yield a finding if states are not exact; ``note`` gets the numbers of states."""
    try:
        exactness = try_states(session)
    except DomainError:  # the scenario does not score, which another check reports
        return
    note(exactness)
    if not exactness.is_exact:
        few = exactness.inexact * 2 < exactness.restored
        moment = "at states of quiet moments, or at power-on" if few else "at power-on"
        failed = f"{exactness.inexact} of {exactness.restored} states"
        message = f"{failed} of {session.game.core_path.name} led to other frames than were played"
        cure = "to work on it, open it on a core with exact states, if there is one here"
        cure = f"begin training {moment}; {cure}: integrator GAME --core FILE"
        yield _lack(session, "states-inexact", message, cure)


def _other_memory(session: Session, training: Path) -> Iterator[Finding]:
    """Yield a finding if the game's memory has other addresses on training's core."""
    game = session.game
    options = session.system.options.get(core_name(training), {})
    host, core = RemoteHost(), game.core
    # If training's core does not run the game, there is no memory to compare.
    with suppress(HostError), OwnedFolder() as saves, closing(host):
        request = replace(game.plan.request, core=training, options=options, save_dir=saves)
        core = host.load(request)
    own, other = (
        {f"{region.size} bytes at 0x{region.address:X}" for region in each.regions}
        for each in (game.core, core)
    )
    if own != other:
        here, there = (", ".join(sorted(each)) or "none" for each in (own - other, other - own))
        shown = f"{game.core_path.name} shows other memory than training's core"
        message = f"{shown}; only here: {here}; only in training: {there}"
        cure = "find the variables again on training's core"
        yield _lack(session, "core-other-memory", message, cure)


def open_to_check(directory: Path) -> Session | Finding:
    """Open a game for as many players as its scenarios reward; return a finding if that fails."""
    try:
        session = open_session(directory)
        players = 1
        for name, document in session.integration.scenarios.items():
            with suppress(DomainError):  # lint reports the fault
                if document.on_disk:
                    players = max(players, len(scenario_spec(session.integration, name).rewards))
        if players > 1:
            session.close()
            session = open_session(directory, players=players)
    except IntegratorError as error:
        # A missing core or BIOS is a lack of this computer, not of the integration.
        lacking = isinstance(error, CoreNotFoundError | SessionError)
        code = "live-skipped" if lacking else "game-not-started"
        message, _, cure = str(error).partition("; ")
        return Finding.of(code, directory, message.removeprefix(f"{directory}: "), cure)
    return session


def live_findings(
    session: Session, note: Callable[[Exactness], object] = lambda _: None
) -> Iterator[Finding]:
    """Run the game, and yield its faults until a core dies; ``note`` gets states' exactness."""
    try:
        yield from core_findings(session)
        yield from _states(session)
        yield from inexact_states(session, note)
        yield from _scenarios(session)
    except HostError as error:
        cure = "try another core, or another dump of the game"
        yield Finding.of("core-failed", session.game.content, str(error), cure)


def _states(session: Session) -> Iterator[Finding]:

    def about(code: str, text: str) -> Finding:
        file = session.integration.directory / f"{name}.state"
        message = text.removeprefix(f"{file}: ").removeprefix(f"{name}: ").partition("; ")[0]
        return Finding.of(code, file, message, "save the state again with this core")

    for name in session.integration.states or [POWER_ON]:
        session.game.use_state(name)
        try:
            session.reset()
        except DomainError:
            continue  # lint reports a damaged file
        except StateError as error:
            yield about("state-refused", str(error))
            continue
        for event in session.take_events():
            if isinstance(event, StateWarning):
                yield about("state-other-core", event.text)
        if session.advance().outcome.done:
            yield _done_at_start(session, name)
    session.game.use_state(None)


def _done_at_start(session: Session, state: str) -> Finding:
    scenario = session.integration.scenarios[session.game.scenario_name]
    text = f"the first step from {state} is done already, so every episode has one step"
    cure = "correct done, or save the state at a later moment"
    return scenario.finding("done-at-start", text, cure, ("done",))


def _scenarios(session: Session) -> Iterator[Finding]:
    for name, document in session.integration.scenarios.items():
        if not document.on_disk:
            continue
        try:
            session.game.use_scenario(name)
            error = session.reset().script_error
        except ScriptError as failure:
            error = str(failure)
        except (DomainError, StateError):
            continue  # lint reports faults of scenarios, and _states faults of states
        if error is None and name != DEFAULT_SCENARIO and session.advance().outcome.done:
            yield _done_at_start(session, session.game.state_name)
        drawn: set[tuple[int, int]] = set()
        error = error or _run_at_random(session, drawn)
        if error is not None:
            place = re.search(r"([\w.-]+\.lua):(\d+):", error)
            file, line = document.path, 0
            if place is not None:
                file, line = session.integration.directory / place[1], int(place[2])
            text = " ".join(error.splitlines()[0].split())
            yield Finding.of("script-error", file, text, "correct the script", line=line)
        yield from _observations(session, document, drawn)


def _observations(
    session: Session, scenario: ScenarioDocument, drawn: set[tuple[int, int]]
) -> Iterator[Finding]:
    """Yield findings about parts of pictures, of the sizes ``drawn``, that agents do not get."""
    spec = session.game.readout.engine.spec
    rule = observation_rule(session.system, session.game.core.av, spec.crops[0])
    lost = [(rule.lost(*size), ()) for size in sorted(drawn)]
    for message, keys in (*lost, (rule.crop_fault, ("crop",))):
        if message:
            cure = "look at the Observation panel"
            yield scenario.finding("observation-differs", message, cure, keys)


def _run_at_random(session: Session, drawn: set[tuple[int, int]]) -> str | None:
    """Run at random with restarts; return the first script error. ``drawn`` gets picture sizes."""
    generator = np.random.default_rng(0)
    groups = session.game.actions.groups
    held: list[int] = []
    for frame in range(600):
        if frame % 8 == 0:  # shorter presses have little effect in many games
            # Groups usually have different buttons, so one combination of each is a valid sum.
            held = [
                sum({int(generator.choice(group)) for group in groups if group})
                for _ in range(session.game.players)
            ]
        result = session.advance(held, filtered=True)
        # Sizes of the first pictures, before the core has settled, do not count.
        if result.frame is not None and frame >= 60:
            drawn.add((result.frame.width, result.frame.height))
        if result.script_error is not None:
            return result.script_error
        if result.outcome.done:
            result = session.reset()
            if result.script_error is not None:
                return result.script_error
    return None


FRAMES: Final = 180
_TAP_FRAMES: Final = 6


@dataclass(frozen=True, slots=True)
class OptionEffect:
    """The first frames on which RAM and picture differ, None if none does, and a state remark."""

    memory: int | None
    picture: int | None
    state_remark: str


def option_effect(
    request: LoadRequest,
    key: str,
    values: tuple[str, str],
    new_host: Callable[[], CoreHost],
    wanted: Callable[[], bool] = lambda: True,
) -> OptionEffect:
    """Play a game with random buttons and each of two values of an option. Raises HostError."""
    pressed = np.random.default_rng(1).random((FRAMES // _TAP_FRAMES, 12)) < 0.2
    masks = (pressed * (1 << np.arange(12))).sum(axis=1).astype(np.uint16)
    inputs = np.repeat(masks, _TAP_FRAMES)[:, None]
    runs: list[Checksums] = []
    remark = ""
    for value in values:
        seen: list[Checksums] = []
        with OwnedFolder() as saves, closing(new_host()) as host:
            host.load(replace(request, options={**request.options, key: value}, save_dir=saves))
            for at in range(0, len(inputs), _TAP_FRAMES):
                if not wanted():
                    raise HostError("stopped")
                seen.append(checksums(host, inputs[at : at + _TAP_FRAMES]))
            remark = state_remark(host)
        runs.append(np.concatenate(seen))
    one, other = runs
    memory, picture = (first_difference(one[:, part], other[:, part]) for part in (0, 1))
    return OptionEffect(memory, picture, remark)
