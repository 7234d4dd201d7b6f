"""F1 in a panel shows its page, and one page lists all keys."""

from PySide6.QtCore import QPoint
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QApplication, QListWidget, QTabBar, QTextBrowser, QWidget
from pytestqt.qtbot import QtBot

from integrator.ui.guide.help_controller import PANEL_TEXTS, keys_page, panel_page
from integrator.ui.help import HelpDialog
from integrator.ui.memory.memory_view import MemoryView
from integrator.ui.memory.variables import VariablesView
from integrator.ui.shell.main_window import MainWindow


def shown_page(window: MainWindow) -> tuple[str, str]:
    """Title and text of the page that F1 opens."""
    window.actions_by_key["help"].trigger()
    dialog = window.findChildren(HelpDialog)[-1]
    pages, text = dialog.findChild(QListWidget), dialog.findChild(QTextBrowser)
    assert pages is not None
    assert text is not None
    found = pages.currentIndex().data(), text.toPlainText()
    dialog.reject()
    return found


def point_at(widget: QWidget, place: QPoint) -> None:
    """Put the pointer over a place of a widget."""
    QCursor.setPos(widget.mapToGlobal(place))
    assert QApplication.widgetAt(QCursor.pos()) is not None


def tab_of(window: MainWindow, title: str) -> tuple[QTabBar, int]:
    """The tab of a panel that lies behind others."""
    for bar in window.findChildren(QTabBar):
        for tab in range(bar.count()):
            if bar.isVisible() and bar.tabText(tab) == title:
                return bar, tab
    raise AssertionError(title)


def test_the_help_opens_at_the_panel_that_has_the_keyboard_or_the_pointer(
    open_game: MainWindow, qtbot: QtBot
) -> None:
    window = open_game
    window.activateWindow()
    screen = window.screen_panel.game_screen
    screen.setFocus()
    qtbot.waitUntil(screen.hasFocus)
    point_at(screen, screen.rect().center())
    assert shown_page(window)[0] == "Your first integration"
    view = window.parts[VariablesView]
    point_at(view, view.rect().center())
    assert shown_page(window)[0] == "Variables panel"
    bar, tab = tab_of(window, "Macros")
    point_at(bar, bar.tabRect(tab).center())
    assert shown_page(window)[0] == "Macros panel"
    window.use_workspace("find")
    field = window.parts[MemoryView].go_to
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)
    window.actions_by_key.shortcuts.assign("panel-memory", "Ctrl+Alt+M")
    title, text = shown_page(window)
    assert title == "Memory panel"
    assert "digits poke" in text
    assert "Ctrl+Alt+M" in text
    assert "Ctrl+G" in text


def test_every_panel_has_a_page_and_every_command_a_row(window: MainWindow) -> None:
    shortcuts = window.actions_by_key.shortcuts
    assert set(PANEL_TEXTS) == set(window.docks.all)
    for key, dock in window.docks.all.items():
        assert panel_page(key, window.docks, shortcuts).startswith(f"# {dock.windowTitle()} panel")
    shortcuts.assign("play", "Ctrl+Alt+P")
    page = keys_page(shortcuts)
    rows = [line for line in page.splitlines() if line.startswith("| ")]
    assert len(rows) == len(shortcuts.commands) + page.count("## ")
    assert "| Play | Ctrl+Alt+P | Play or pause |" in rows
    assert "| Save into slot 9 | Shift+F9 |  |" in rows
    assert page.count("## Panels") == 1
