"""The help opens with F1, shows its pages, and copies a bug report."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QListWidget, QPushButton, QTextBrowser

from integrator import __version__
from integrator.domain.findings.lint_codes import LINT_CODES
from integrator.domain.scenario.ops import OPS
from integrator.domain.values.datatype import ENDIANS, KINDS
from integrator.ui.help.help_dialog import HelpDialog
from integrator.ui.shell.main_window import MainWindow


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
    assert all(kind.words in reference for kind in KINDS.values())
    assert all(words in reference for words in ENDIANS.values())
    pages.setCurrentRow(pages.count() - 1)
    assert all(code in text.toPlainText() for code in LINT_CODES)
    copy = next(b for b in dialog.findChildren(QPushButton) if "bug report" in b.text())
    copy.click()
    assert f"integrator {__version__}" in QGuiApplication.clipboard().text()
    dialog.reject()
