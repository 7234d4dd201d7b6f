"""A core with exact states is offered once those of the open game turn out to be inexact."""

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot
from ui_driver import banners, open_and_wait

from integrator.session.session import Session
from integrator.ui.shell.main_window import MainWindow
from scripts.campaign import toys

A = 1 << 8


def test_the_game_opens_again_on_the_offered_core(
    own_home: Path,
    toy_cores: Path,
    monkeypatch: pytest.MonkeyPatch,
    window: MainWindow,
    qtbot: QtBot,
) -> None:
    other = toys.build_toycore(own_home / "other", "TOYCORE_HIDDEN=0")
    monkeypatch.setenv("INTEGRATOR_CORES", f"{toy_cores}:{other.parent}")
    toys.describe_toy(cores=[{"core": "toycore", "residue": True}], platform="Toy")
    game = toys.make_game(own_home / "Game-Toy-v0", hidden=1)
    open_and_wait(window, qtbot, game)

    def play(session: Session) -> None:
        for _ in range(41):
            session.run(np.full((10, 1), A, np.uint16))
        session.timeline.seek(390)
        assert not session.timeline.exactness.is_exact

    window.bridge.ask(play)

    def offered() -> bool:
        return any("has exact states" in text for text in banners(window))

    qtbot.waitUntil(offered)
    [text] = [text for text in banners(window) if "has exact states" in text]
    assert str(other) in text
    assert "pictures differ from frame" in text
    [banner] = [b for b in window.screen_panel.notices.banners() if b.text == text]
    with qtbot.waitSignal(window.bridge.opened):
        [button] = banner.findChildren(QPushButton)
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert window.controller.game is not None
    assert window.controller.game.core_path == other
