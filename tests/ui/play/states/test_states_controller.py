"""Episodes begin at the first start state that is saved."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QInputDialog
from pytestqt.qtbot import QtBot
from ui_driver import banners, open_and_wait

from integrator.session.session import Session
from integrator.ui.shell.main_window import MainWindow


def default_state(window: MainWindow, qtbot: QtBot) -> str | None:
    """The state that the metadata names."""
    answers: list[str | None] = []

    def read(session: Session) -> str | None:
        return session.integration.metadata.default_state()

    window.bridge.ask(read, answers.append)
    qtbot.waitUntil(lambda: bool(answers))
    return answers[0]


def save_state(window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, name: str) -> str:
    """Save a state as the menu does; returns the notices."""
    monkeypatch.setattr(QInputDialog, "getText", lambda *_, **__: (name, True))
    window.actions_by_key["save_state"].trigger()
    qtbot.waitUntil(lambda: any(name in text for text in banners(window)))
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
