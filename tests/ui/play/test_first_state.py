"""The first state becomes the start of episodes; panels that are asked for come in sight."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QInputDialog
from pytestqt.qtbot import QtBot
from ui_driver import OPEN_TIMEOUT_MS, banners, open_and_wait

from integrator.session.session import Session
from integrator.ui.shell.bars.command_palette import Command
from integrator.ui.shell.main_window import MainWindow
from integrator.ui.widgets.panels import is_in_sight


def default_state(window: MainWindow, qtbot: QtBot) -> str | None:
    """The state that the metadata names."""
    answers: list[str | None] = []

    def read(session: Session) -> str | None:
        return session.integration.metadata.default_state()

    window.bridge.ask(read, answers.append)
    qtbot.waitUntil(lambda: bool(answers), timeout=OPEN_TIMEOUT_MS)
    return answers[0]


def save_state(window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, name: str) -> str:
    """Save a state as the menu does; returns the notices."""
    monkeypatch.setattr(QInputDialog, "getText", lambda *_, **__: (name, True))
    window.actions_by_key["save_state"].trigger()
    qtbot.waitUntil(lambda: any(name in text for text in banners(window)), timeout=OPEN_TIMEOUT_MS)
    return next(text for text in banners(window) if name in text)


def test_episodes_begin_at_the_first_state_that_is_saved(
    window: MainWindow, qtbot: QtBot, airstriker: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (airstriker / "Level1.state").unlink()
    (airstriker / "metadata.json").write_text("{}\n")
    open_and_wait(window, qtbot, airstriker)
    assert "begin there" in save_state(window, qtbot, monkeypatch, "First")
    assert default_state(window, qtbot) == "First"
    assert "begin there" not in save_state(window, qtbot, monkeypatch, "Second")
    assert default_state(window, qtbot) == "First"


def command(window: MainWindow, text: str) -> Command:
    return next(each for each in window.palette_commands.all() if each.text == text)


def test_the_palette_brings_a_panel_to_the_front_first(open_game: MainWindow, qtbot: QtBot) -> None:
    cheats = open_game.docks.all["cheats"]
    qtbot.waitUntil(lambda: not is_in_sight(cheats))
    assert command(open_game, "Cheats panel").hint == "hidden"
    command(open_game, "Cheats panel").run()
    qtbot.waitUntil(lambda: is_in_sight(cheats))
    assert command(open_game, "Cheats panel").hint == "shown"
    command(open_game, "Cheats panel").run()
    assert cheats.isHidden()


def test_many_panels_do_not_make_the_window_higher(open_game: MainWindow, qtbot: QtBot) -> None:
    height = open_game.height()
    for dock in open_game.docks.all.values():
        if dock.isHidden():
            dock.toggleViewAction().trigger()
            qtbot.waitUntil(lambda d=dock: is_in_sight(d))  # type: ignore[misc]  # binds the loop's value
    assert open_game.height() == height
    assert open_game.minimumSizeHint().height() <= height
