"""The help opens with F1, shows its pages, and copies a bug report."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QListWidget, QPushButton, QTextBrowser
from pytestqt.qtbot import QtBot

from integrator import __version__
from integrator.domain.findings import LINT_CODES
from integrator.domain.scenario.tree import OPS
from integrator.domain.values.memory import ENDIANS, KINDS
from integrator.paths import shipped
from integrator.ui.help import HelpDialog, book_pages
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
    assert titles[-2:] == ["Data types and ops", "Errors, warnings and notes"]
    assert {"Keyboard", "Memory panel", "Input log panel"} <= set(titles)
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


def test_links_lead_to_pages_that_ship_and_others_are_text(qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "1-one.md").write_text(
        "# One\n\n![a moth](moth.png)\n\nSee [two](../guide/2-two.md#part), "
        "[three](../reference/three.md) and [four](https://four.example).\n"
    )
    (tmp_path / "2-two.md").write_text("# Two\n\nThe end.\n\n| type |\n|---|\n| `\\|u1` |\n")
    dialog = HelpDialog(sorted(tmp_path.glob("*.md")))
    qtbot.addWidget(dialog)
    text = dialog.findChild(QTextBrowser)
    pages = dialog.findChild(QListWidget)
    assert text is not None
    assert pages is not None
    shown = text.toMarkdown()
    assert "three and" in " ".join(shown.split())
    assert "three.md" not in shown
    assert "https://four.example" in shown
    assert "moth" not in shown
    text.anchorClicked.emit(QUrl("../guide/2-two.md#part"))
    assert pages.currentRow() == 1
    assert "The end." in text.toPlainText()
    assert "\n|u1\n" in text.toPlainText()


def test_the_help_shows_the_pages_of_the_book() -> None:
    names = [page.relative_to(shipped("docs")).as_posix() for page in book_pages()]
    assert names[0] == "first-hour/1-first-integration.md"
    assert "guide/05-scoring.md" in names
    assert any(name.startswith("how-to/") for name in names)
