"""The help opens with F1, shows its pages, and copies a bug report."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QListWidget, QPushButton, QTextBrowser
from pytestqt.qtbot import QtBot

from integrator import __version__
from integrator.domain.findings.lint_codes import LINT_CODES
from integrator.domain.scenario.ops import OPS
from integrator.domain.scenario.tree import Measurement
from integrator.domain.values.datatype import ENDIANS, KINDS, DataType
from integrator.log_files import CRASH_NAME, LOG_NAME
from integrator.ui.help.bug_report import without_folders
from integrator.ui.help.help_dialog import HelpDialog
from integrator.ui.shell.main_window import MainWindow
from integrator.ui.terms.help_texts import (
    ENDIAN_TEXTS,
    KIND_TEXTS,
    measurement_tip,
    op_tip,
    type_tip,
)
from integrator.ui.widgets.notices import NoticeKind


def test_help_shows_its_pages_and_copies_a_report(
    new_window: Callable[[], MainWindow],
) -> None:
    window = new_window()
    window.actions_by_key["help"].trigger()
    dialog = window.findChild(HelpDialog)
    assert dialog is not None
    pages = dialog.findChild(QListWidget)
    text = dialog.findChild(QTextBrowser)
    assert pages is not None
    assert text is not None
    titles = [pages.item(row).text() for row in range(pages.count())]
    assert titles[0] == "Your first integration"
    assert "Scoring, what-if and JSON" in titles
    assert titles[-3:] == ["All commands and panels", "Data types and ops", "Findings"]
    assert len(set(titles)) == len(titles)
    pages.setCurrentRow(pages.count() - 2)
    reference = text.toPlainText()
    assert "packed BCD" in reference
    assert "12 30" in reference  # 1230 as >d2, by the code itself
    assert all(name in reference for name in OPS)
    assert all(kind in KIND_TEXTS for kind in KINDS)
    assert set(ENDIAN_TEXTS) == set(ENDIANS)
    pages.setCurrentRow(pages.count() - 1)
    assert all(code in text.toPlainText() for code in LINT_CODES)
    copy = next(b for b in dialog.findChildren(QPushButton) if "bug report" in b.text())
    copy.click()
    assert f"integrator {__version__}" in QGuiApplication.clipboard().text()
    dialog.reject()


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


def test_tips_teach() -> None:
    assert "BCD" in type_tip(DataType.parse(">d3"))
    assert "0 to 999,999" in type_tip(DataType.parse(">d3"))
    assert all(op_tip(name) for name in OPS)
    assert all(measurement_tip(each.value) for each in Measurement)
    assert op_tip("nonsense") == ""
