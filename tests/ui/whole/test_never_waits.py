"""The window's thread waits for no core, no disk and no search: they are made slow here."""

import gc
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from stall_meter import StallMeter
from ui_driver import banners, frame_number, open_and_wait

from integrator.domain.integration.files import Integration
from integrator.domain.search.search import Search
from integrator.domain.values.memory import DataType
from integrator.domain.values.variables import VariableSpec
from integrator.session.opening import open_journaled
from integrator.session.session import Session
from integrator.ui.find.find_view import FindView
from integrator.ui.review.travel_controller import TravelController
from integrator.ui.shell.docks.workspaces import WORKSPACES
from integrator.ui.shell.main_window import MainWindow
from integrator.ui.widgets.theme import ThemeChoice

SLOW_S = 60.0
"""Longest time of each touch of core, disk and search, unless the test lets it go on."""
MOST_S = 15.0
"""Longest time of our own work, on a machine that is busy with others."""


class Sluggish:
    """A host whose calls take until ``go_on``, or SLOW_S, once ``slow`` is set."""

    def __init__(self, host: Any, go_on: threading.Event) -> None:
        self._host = host
        self._go_on = go_on
        self.slow = False

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._host, name)
        if not callable(value):
            return value

        def call(*arguments: Any, **named: Any) -> Any:
            if self.slow:
                self._go_on.wait(SLOW_S)
            return value(*arguments, **named)

        return call


@pytest.fixture
def hosts() -> list[Sluggish]:
    return []


@pytest.fixture
def go_on() -> Iterator[threading.Event]:
    """Set it to let everything that was made slow go on."""
    event = threading.Event()
    yield event
    event.set()


@pytest.fixture
def slow_game(
    window: MainWindow,
    qtbot: QtBot,
    airstriker: Path,
    hosts: list[Sluggish],
    go_on: threading.Event,
    monkeypatch: pytest.MonkeyPatch,
) -> MainWindow:
    """A window with a game, paused, whose core, disk and searches have just become slow."""

    def opener(path: Path) -> Session:
        session = open_journaled(path)
        host = Sluggish(session._pipeline.host, go_on)
        hosts.append(host)
        session._pipeline.host = host
        session._pipeline.memory.attach(host)
        return session

    def slowly(work: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **named: Any) -> Any:
            go_on.wait(SLOW_S)
            return work(*arguments, **named)

        return call

    monkeypatch.setattr(window.bridge, "_opener", opener)
    open_and_wait(window, qtbot, airstriker)
    hosts[-1].slow = True
    monkeypatch.setattr(Integration, "save", slowly(Integration.save))
    monkeypatch.setattr(Search, "refine", slowly(Search.refine))
    return window


def test_no_command_waits_for_the_core_the_disk_or_a_search(
    slow_game: MainWindow, qtbot: QtBot, go_on: threading.Event
) -> None:
    window = slow_game
    spec = VariableSpec("found", 0xFF0000, DataType.parse("|u1"))
    commands: dict[str, Callable[[], object]] = {
        "advance": window.bridge.advance_frame,
        "seek": lambda: window.parts[TravelController].seek(1),
        "step back": window.bridge.step_back,
        "fork": window.parts[TravelController].fork,
        "search": lambda: window.parts[FindView].search(lambda search: search.refine("changed")),
        "edit": lambda: window.controller.put_variable(spec),
        "poke": lambda: window.controller.poke("lives", 5),
        "save": window.controller.save,
        "play": window.actions_by_key["play"].trigger,
        "workspace": lambda: window.use_workspace("find"),
        "pause": window.bridge.pause,
        "close": window.bridge.close_game,
    }
    stalls = {}
    for name, command in commands.items():
        with StallMeter() as meter:
            command()
            qtbot.wait(60)
        stalls[name] = meter.longest_s
    go_on.set()
    assert {name: round(s, 2) for name, s in stalls.items() if s > MOST_S} == {}
    assert not window.bridge.is_open


def test_a_game_that_goes_is_not_heard_any_more(
    slow_game: MainWindow,
    qtbot: QtBot,
    airstriker: Path,
    hosts: list[Sluggish],
    go_on: threading.Event,
) -> None:
    window = slow_game
    window.bridge.play()
    window.bridge.ask(lambda _: go_on.wait(SLOW_S), lambda _: window.say(*_never()))
    qtbot.wait(50)
    window.bridge.close_game()
    window.open_path(airstriker)
    go_on.set()
    qtbot.waitUntil(lambda: len(hosts) == 2)
    qtbot.waitUntil(lambda: frame_number(window) == 1)
    qtbot.wait(1000)
    assert frame_number(window) == 1
    assert not any("never" in text for text in banners(window))


def _never() -> tuple[Any, str]:
    raise AssertionError("the answer of a game that was closed came")


def _settle(qtbot: QtBot) -> None:
    """Wait until the window's thread has done the work that a command left for later.

    A game that plays keeps the thread busy for a third of the time; 5 s are enough for all else."""
    used, rests = time.thread_time(), 0
    for _ in range(100):
        qtbot.wait(50)
        before, used = used, time.thread_time()
        rests = rests + 1 if used - before < 0.03 else 0
        if rests == 3:
            return


@pytest.fixture
def nothing_collected(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave garbage alone: a search among the objects of all other tests takes half a second."""
    monkeypatch.setattr(gc, "collect", lambda _generation=2: 0)


@pytest.mark.usefixtures("nothing_collected")
def test_usual_commands_compute_for_a_blink_at_most(
    open_game: MainWindow, qtbot: QtBot, qapp: QApplication
) -> None:
    """The limit is the time of Qt itself to style a window again: a fifth of a second, if quiet."""
    window, sheet = open_game, qapp.styleSheet()

    def style() -> None:
        qapp.setStyleSheet("")
        qapp.setStyleSheet(sheet)

    commands: dict[str, Callable[[], object]] = {
        "play": window.actions_by_key["play"].trigger,
        **{
            f"workspace {key}": lambda key=key: window.use_workspace(key)  # type: ignore[misc] # a default binds the loop's value
            for key in (each.key for each in WORKSPACES)
        },
        "palette": window.palette_commands.open,
        "light": lambda: window.context.choose_theme(ThemeChoice.LIGHT),
        "dark": lambda: window.context.choose_theme(ThemeChoice.DARK),
        "search": lambda: window.parts[FindView].search(lambda search: search.refine("changed")),
        "seek": lambda: window.parts[TravelController].seek(2),
        "style": style,
        "close": window.actions_by_key["close_game"].trigger,
    }
    computing = {}
    for name, command in commands.items():
        with StallMeter() as meter:
            command()
            _settle(qtbot)
        computing[name] = round(meter.computing_s, 3)
    print(computing)  # noqa: T201 - shown when the test fails
    styling = computing.pop("style")
    # A theme styles the window and paints everything; one that is seen first also makes its icons.
    assert min(computing.pop("light"), computing.pop("dark")) < 2 * styling
    assert {name: s for name, s in computing.items() if s > 1.5 * styling} == {}
