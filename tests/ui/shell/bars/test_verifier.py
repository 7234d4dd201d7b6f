"""The Verify button: verification of the open game, and its report to copy."""

from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from integrator.session.edits import commands as edits
from integrator.session.library.checks import checking, live_check
from integrator.ui.library.new_integration import NewIntegrationDialog
from integrator.ui.shell.bars import TopBar
from integrator.ui.shell.main_window import MainWindow
from integrator.ui.shell.steps_bar import Verifier, VerifyDialog

VERIFIED_MS = 300_000
"""More than a loaded machine needs for a check and two times a thousand steps."""


def begin(window: MainWindow) -> VerifyDialog:
    window.parts[TopBar].verify_button.click()
    dialog = window.parts[Verifier].dialog
    assert dialog is not None
    return dialog


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """A part of a verification: the whole is in tests/session/library/checks."""
    monkeypatch.setattr(checking, "RANDOM_STEPS", 100)
    monkeypatch.setattr(live_check, "_PLAYED_FRAMES", 240)


@pytest.mark.usefixtures("short")
def test_an_integration_is_verified_and_the_report_copied(
    open_game: MainWindow, qtbot: QtBot
) -> None:
    dialog = begin(open_game)
    assert not dialog.unsaved.isVisible()
    assert not dialog.copy.isEnabled()
    qtbot.waitUntil(dialog.copy.isEnabled, timeout=VERIFIED_MS)
    assert dialog.state.text() == "Verified"
    assert not dialog.stop.isVisible()
    QGuiApplication.clipboard().clear()
    dialog.copy.click()
    report = QGuiApplication.clipboard().text()
    assert "Airstriker-Genesis-v0: verified" in report
    assert "100 random steps" in report


@pytest.mark.usefixtures("short")
def test_a_verification_can_be_stopped_and_leaves_unsaved_edits_out(
    open_game: MainWindow, qtbot: QtBot
) -> None:
    open_game.controller.edit(edits.set_in_scenario(("crop",), [0, 0, 32, 32]))
    qtbot.waitUntil(open_game.isWindowModified)
    dialog = begin(open_game)
    assert dialog.unsaved.isVisible()
    dialog.stop.click()
    qtbot.waitUntil(dialog.copy.isEnabled, timeout=VERIFIED_MS)
    assert dialog.state.text() == "Not verified"
    assert "stopped" in dialog.report.toPlainText()
    dialog.close()
    assert open_game.parts[Verifier].dialog is None


def test_a_rom_alone_can_not_be_verified(
    window: MainWindow, qtbot: QtBot, airstriker: Path, tmp_path: Path
) -> None:
    rom = tmp_path / "alone.md"
    rom.write_bytes((airstriker / "rom.md").read_bytes())
    with qtbot.waitSignal(window.bridge.frame_ready, timeout=VERIFIED_MS):
        window.open_path(rom)
    window.parts[TopBar].verify_button.click()
    assert window.parts[Verifier].dialog is None
    [banner] = [b for b in window.screen_panel.notices.banners() if "Only an" in b.text]
    button = banner.findChild(QPushButton)
    assert button is not None
    assert button.text() == "Make integration…"
    button.click()
    assert window.findChild(NewIntegrationDialog) is not None


def test_progress_shows_the_steps(window: MainWindow) -> None:
    works = window.parts[Verifier].background
    dialog = VerifyDialog(works, "Some-Nes-v0", window, unsaved=False)
    dialog.show_progress(0, 1000)
    assert dialog.bar.maximum() == 0
    dialog.show_progress(500, 1000)
    assert (dialog.bar.value(), dialog.bar.maximum()) == (500, 1000)
    assert "500 of 1,000" in dialog.state.text()
