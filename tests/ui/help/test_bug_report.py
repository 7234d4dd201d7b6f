"""A bug report names the game and the log files, and no folder."""

from pathlib import Path

from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from integrator.log_files import CRASH_NAME, LOG_NAME
from integrator.ui.guide.help_controller import without_folders
from integrator.ui.shell.main_window import MainWindow
from integrator.ui.widgets.notices import NoticeKind


def test_a_report_tells_of_the_game_without_folders(open_game: MainWindow, qtbot: QtBot) -> None:
    home = str(Path.home())
    open_game.say(NoticeKind.WARNING, f"{home}/secret/place/file.json: odd")
    QGuiApplication.clipboard().clear()
    open_game.actions_by_key["bug_report"].trigger()
    qtbot.waitUntil(lambda: "SHA-1" in QGuiApplication.clipboard().text())
    report = QGuiApplication.clipboard().text()
    assert "Airstriker-Genesis-v0 (Genesis)" in report
    assert "Genesis Plus GX" in report
    assert "theme" in report
    assert "file.json: odd" in report
    assert "log files in " in report
    assert LOG_NAME in report
    assert CRASH_NAME in report
    assert "secret" not in report
    assert home not in report


def test_paths_lose_their_folders() -> None:
    assert without_folders("/home/ann/games/x.nes: bad") == "…/x.nes: bad"
    assert without_folders("C:\\Users\\ann\\x.nes is bad") == "…/x.nes is bad"
    assert without_folders("1/2 of the frames") == "1/2 of the frames"
