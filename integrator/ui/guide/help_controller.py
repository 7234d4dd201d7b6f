"""The Help menu: pages, the tour, and a bug report for the clipboard."""

from collections.abc import Iterable
from itertools import groupby
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication

from integrator.domain.findings.finding import help_page
from integrator.log_files import log_facts
from integrator.ui.actions.actions import ENTRIES
from integrator.ui.actions.shortcuts import Shortcuts, shown_keys
from integrator.ui.guide.panel_pages import panel_asked_about, panel_page
from integrator.ui.guide.tour_controller import TourController
from integrator.ui.help.bug_report import GameFacts, bug_report
from integrator.ui.help.help_dialog import HelpDialog, book_pages
from integrator.ui.help.help_reference import reference_page
from integrator.ui.settings.settings import UiSettings
from integrator.ui.shell.log_view import LogView
from integrator.ui.shell.main_window import MainWindow
from integrator.ui.widgets.notices import NoticeKind
from integrator.ui.widgets.theme import Theme
from integrator.ui.widgets.translation import translate

_INTRODUCTION = """\
# Keyboard

*Edit > Keyboard shortcuts…* changes these keys, and *Search actions…* finds each command by name.
F1 in a panel shows the page of that panel. The console's buttons have keys of their own
(*Play > Buttons…*), which play while the picture has the keyboard. There, Space runs fast and
Backspace rewinds while held. Tab goes from one control to the next."""


def keys_page(shortcuts: Shortcuts) -> str:
    """A page of Markdown: a table for each menu, the panels, workspaces, slots and macros."""
    tips = {spec.key: spec.tip for spec in ENTRIES}
    lines = [shortcuts.with_present(_INTRODUCTION)]
    groups = sorted(shortcuts.commands, key=lambda each: _order(shortcuts, each.group))
    for group, commands in groupby(groups, lambda each: each.group):
        lines += ["", f"## {group}", "", "| command | keys | does |", "|---|---|---|"]
        for each in commands:
            tip = translate("Menu", tips[each.key]) if tips.get(each.key) else ""
            lines.append(f"| {each.text} | {shown_keys(each.keys)} | {tip} |")
    return "\n".join((*lines, ""))


def _order(shortcuts: Shortcuts, group: str) -> int:
    """Groups in the order of their first commands, since parts of the window add theirs in turn."""
    known: Iterable[str] = (each.group for each in shortcuts.commands)
    return list(dict.fromkeys(known)).index(group)


class HelpController(QObject):
    """Built after the window, whose parts its bug reports describe."""

    def __init__(self, window: MainWindow, theme: Theme, settings: UiSettings) -> None:
        super().__init__(window)
        self._window = window
        self._theme = theme
        self._settings = settings
        self.tour = TourController(window, theme)
        actions = window.actions_by_key
        actions["help"].triggered.connect(lambda: self.show_pages())
        actions["tour"].triggered.connect(lambda: self.tour.start())
        actions["bug_report"].triggered.connect(lambda: self.copy_report())

    def show_pages(self) -> HelpDialog:
        window = self._window
        docks, shortcuts = window.docks, window.actions_by_key.shortcuts
        asked = panel_asked_about(docks)
        panels = {key: panel_page(key, docks, shortcuts) for key in docks.all}
        pages = (keys_page(shortcuts), *panels.values(), reference_page(), help_page())
        dialog = HelpDialog(book_pages(), pages, shortcuts.with_present, window)
        if asked is not None:
            dialog.show_page(panels[asked])
        dialog.report_requested.connect(self.copy_report)
        dialog.tour_requested.connect(self.tour.start)
        dialog.open()
        return dialog

    def offer_tour(self) -> None:
        if not self._settings.recent:
            self.tour.offer()

    def copy_report(self) -> None:
        window = self._window
        log = [
            line for line in window.parts[LogView].text.toPlainText().splitlines() if line.strip()
        ]
        settings = {
            "theme": self._theme.choice.value,
            "workspace": window.workspace,
            "pressed buttons": "shown" if self._settings.shows_buttons else "hidden",
            "recent games": str(len(self._settings.recent)),
        }

        files = log_facts()

        def copy(game: GameFacts | None) -> None:
            QGuiApplication.clipboard().setText(
                bug_report(game, settings, log, files, str(Path.home()))
            )
            text = self.tr("A bug report is on the clipboard; paste it where you report the bug")
            window.say(NoticeKind.GOOD, text)

        if window.bridge.is_open:
            # A core that hangs must not keep the report back.
            window.bridge.ask(GameFacts.of, copy, lambda _: copy(None))
        else:
            copy(None)
