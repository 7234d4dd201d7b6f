"""Checks that need a running game: states load, variables are mapped, scripts do not fail."""

import re
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from integrator.domain.errors import DomainError, IntegratorError, ScriptError, SessionError
from integrator.domain.findings import Finding, Severity
from integrator.domain.integration.metadata import ScenarioDocument
from integrator.session.frame.pipeline import DEFAULT_SCENARIO, observation_rule, scenario_spec
from integrator.session.frame.result import StateWarning
from integrator.session.library.checks.core_findings import core_findings, inexact_states
from integrator.session.library.consoles.console_check import checksums
from integrator.session.library.consoles.console_draft import state_remark
from integrator.session.opening import open_session
from integrator.session.session import Session
from integrator.session.setup.game import POWER_ON
from integrator.session.timeline.restorer import Exactness
from libretro_host.errors import CoreNotFoundError, HostError, StateError
from libretro_host.host import CoreHost, LoadRequest
from libretro_host.processes.temporary import OwnedFolder


def open_to_check(directory: Path) -> Session | Finding:
    """The game, for as many players as its scenarios reward; a finding when it does not start."""
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
        # No core or no BIOS is this computer's lack, not the integration's.
        lacking = isinstance(error, CoreNotFoundError | SessionError)
        code, severity = ("live-skipped", Severity.WARNING) if lacking else (
            "game-not-started", Severity.ERROR
        )  # fmt: skip
        message, _, cure = str(error).partition("; ")
        return Finding(code, severity, directory, message.removeprefix(f"{directory}: "), cure)
    return session


def live_findings(
    session: Session, note: Callable[[Exactness], object] = lambda _: None
) -> Iterator[Finding]:
    """Run the game and yield its faults; a core that dies ends it. ``note`` gets the exactness of
    its states."""
    try:
        yield from core_findings(session)
        yield from _states(session)
        yield from inexact_states(session, note)
        yield from _scenarios(session)
    except HostError as error:
        yield Finding(
            "core-failed", Severity.ERROR, session.game.content, str(error),
            "try another core, or another dump of the game",
        )  # fmt: skip


def _states(session: Session) -> Iterator[Finding]:

    def about(code: str, severity: Severity, text: str) -> Finding:
        file = session.integration.directory / f"{name}.state"
        message = text.removeprefix(f"{file}: ").removeprefix(f"{name}: ").partition("; ")[0]
        return Finding(code, severity, file, message, "save the state again with this core")

    for name in session.integration.states or [POWER_ON]:
        session.game.use_state(name)
        try:
            session.reset()
        except DomainError:
            continue  # a damaged file: lint says so
        except StateError as error:
            yield about("state-refused", Severity.ERROR, str(error))
            continue
        for event in session.take_events():
            if isinstance(event, StateWarning):
                yield about("state-other-core", Severity.WARNING, event.text)
        if session.advance().outcome.done:
            yield _done_at_start(session, name)
    session.game.use_state(None)


def _done_at_start(session: Session, state: str) -> Finding:
    scenario = session.integration.scenarios[session.game.scenario_name]
    return Finding(
        "done-at-start", Severity.ERROR, scenario.path,
        f"the first step from {state} is done already, so every episode has one step",
        "correct done, or save the state at a later moment", "done",
        scenario.line_of("done"),
    )  # fmt: skip


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
            continue  # lint says it of scenarios, and the check of states of states
        if error is None and name != DEFAULT_SCENARIO and session.advance().outcome.done:
            yield _done_at_start(session, session.game.state_name)
        drawn: set[tuple[int, int]] = set()
        error = error or _run_at_random(session, drawn)
        if error is not None:
            place = re.search(r"([\w.-]+\.lua):(\d+):", error)
            file = session.integration.directory / place[1] if place else document.path
            yield Finding(
                "script-error", Severity.ERROR, file, " ".join(error.splitlines()[0].split()),
                "correct the script", line=int(place[2]) if place else 0,
            )  # fmt: skip
        yield from _observations(session, document, drawn)


def _observations(
    session: Session, scenario: ScenarioDocument, drawn: set[tuple[int, int]]
) -> Iterator[Finding]:
    """Differences between the game's pictures, by their sizes, and those that agents get."""
    spec = session.game.readout.engine.spec
    rule = observation_rule(session.system, session.game.core.av, spec.crops[0])
    told = [(rule.lost(*size), "") for size in sorted(drawn)]
    for message, path in (*told, (rule.crop_fault, "crop")):
        if message:
            yield Finding(
                "observation-differs", Severity.WARNING, scenario.path, message,
                "look at the Observation panel", path, scenario.line_of(path),
            )  # fmt: skip


def _run_at_random(session: Session, drawn: set[tuple[int, int]]) -> str | None:
    """Run with random actions and restarts; the first script's error. ``drawn`` gets sizes."""
    generator = np.random.default_rng(0)
    groups = session.game.actions.groups
    held: list[int] = []
    for frame in range(600):
        # Presses of less than 8 frames move little in many games.
        if frame % 8 == 0:
            # Groups name different buttons as a rule, so one combination of each adds up.
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
_HELD_FRAMES: Final = 6


@dataclass(frozen=True, slots=True)
class OptionEffect:
    """The first frames with another memory and picture, None: all same; a remark on states."""

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
    """Play a game with either value of an option and random buttons. Raises HostError."""
    pressed = np.random.default_rng(1).random((FRAMES // _HELD_FRAMES, 12)) < 0.2
    masks = (pressed * (1 << np.arange(12))).sum(axis=1).astype(np.uint16)
    inputs = np.repeat(masks, _HELD_FRAMES)[:, None]
    runs: list[list[tuple[int, int]]] = []
    remark = ""
    for value in values:
        seen: list[tuple[int, int]] = []
        with OwnedFolder() as saves, closing(new_host()) as host:
            options = {**request.options, key: value}
            host.load(replace(request, options=options, save_dir=saves))
            for at in range(0, len(inputs), _HELD_FRAMES):
                if not wanted():
                    raise HostError("stopped")
                seen += checksums(host, inputs[at : at + _HELD_FRAMES])
            remark = state_remark(host)
        runs.append(seen)

    def first_difference(part: int) -> int | None:
        both = enumerate(zip(*runs, strict=True), 1)
        return next((frame for frame, (a, b) in both if a[part] != b[part]), None)

    return OptionEffect(first_difference(0), first_difference(1), remark)
