"""The Help menu: help pages, a page for each panel, the tour, and bug reports."""

import contextlib
import platform
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import PySide6
from PySide6.QtCore import QObject, qVersion
from PySide6.QtGui import QAction, QCursor, QGuiApplication
from PySide6.QtWidgets import QApplication, QTabBar

from integrator.domain.errors import DomainError
from integrator.domain.files.reading import rom_sha1
from integrator.domain.findings import help_page
from integrator.domain.words import sections
from integrator.log_files import log_facts
from integrator.session.session import Session
from integrator.ui import widgets as ui
from integrator.ui.actions.shortcuts import ENTRIES, NATIVE, Shortcuts, shown_keys
from integrator.ui.guide.tour_controller import TourController
from integrator.ui.help import HelpDialog, book_pages, reference_page
from integrator.ui.shell.docks.docks import Docks
from integrator.ui.shell.docks.workspaces import workspaces
from integrator.ui.shell.log_view import LogView
from integrator.ui.shell.main_window import MainWindow
from integrator.version import __version__

_PATH = re.compile(r"(?:[A-Za-z]:)?(?:[/\\][^/\\\s:;,\"'()<>]+){2,}[/\\]?")


def _game_lines(session: Session) -> list[str]:
    """Return facts of the open game, and hash its ROM. Runs on the session's thread."""
    integration, game = session.integration, session.game
    sha1 = "unknown"
    with contextlib.suppress(DomainError):
        sha1 = next(iter(integration.rom_sha), sha1)
        sha1 = rom_sha1(integration.rom) if integration.rom is not None else sha1
    return [
        f"game: {integration.name} ({session.system.name}), SHA-1 {sha1}",
        f"core: {game.core.library_name} {game.core.library_version}",
        f"players: {game.players}, frames on the timeline: {session.timeline.length}",
        f"scenario {game.scenario_name}, {len(integration.variables)} variables, "
        f"{len(integration.scripts)} scripts, "
        + ("edits not saved" if integration.modified else "all saved"),
    ]


def _bug_report(game: Sequence[str], settings: Mapping[str, str], log: Sequence[str]) -> str:
    """Return a bug report's text. Paths are cut to their last part, except the log folder's."""
    home, (folder, files, trace) = Path.home(), log_facts()
    lines = [
        f"integrator {__version__}",
        f"Python {platform.python_version()}, Qt {qVersion()}, PySide {PySide6.__version__}",
        f"{platform.platform()}, window system {QGuiApplication.platformName()}",
        *(
            f"screen {screen.size().width()} x {screen.size().height()}, "
            f"{screen.refreshRate():.0f} Hz, scale {screen.devicePixelRatio():g}"
            for screen in QGuiApplication.screens()
        ),
        *(game or ["game: none"]),
        "settings: " + ", ".join(f"{key} {text}" for key, text in settings.items()),
        "log:",
        *([f"  {line}" for line in log[-40:]] or ["  empty"]),
        *(["newest crash:"] if trace else []),
        *(f"  {line}" for line in trace),
    ]
    place = without_folders(str(folder))
    if folder.is_relative_to(home):
        place = f"~/{folder.relative_to(home).as_posix()}"
    named = [f"log files in {place}:", *(f"  {line}" for line in files)]
    return "\n".join([*(without_folders(line, str(home)) for line in lines), *named])


def without_folders(text: str, home: str = "") -> str:
    """Return ``text`` with every absolute path cut to its last part."""
    if home:
        text = text.replace(home, "/~/~")

    def last(found: re.Match[str]) -> str:
        parts = [part for part in re.split(r"[/\\]", found[0]) if part and part != "~"]
        return "…/" + parts[-1] if parts else "~"

    return _PATH.sub(last, text)


PANEL_TEXTS: Final = sections(Path(__file__).with_name("panels.md"))
"""The text of each panel's help page, by the panel's key."""

_COMMANDS: Final = {  # the window's commands on a panel's help page, by the panel's key
    "variables": ("add_variable",),
    "memory": ("memory_ranges",),
    "reward": ("add_reward",),
    "done": ("add_condition",),
    "states": ("save_state", "load_state", "save-slot-2", "load-slot-2"),
    "macros": ("record_macro", "stop_macro"),
    "movies": ("record", "play_movie", "export_range"),
    "branches": ("fork",),
    "input_log": ("advance", "step_back", "record_again"),
}


def panel_page(key: str, docks: Docks, shortcuts: Shortcuts) -> str:
    dock = docks.all[key]
    panel = next(each for each in docks.panels if each.key == key)
    docks.fill(panel)
    titles = {each: title for each, title, _ in workspaces()}
    places = ", ".join(titles[place.workspace] for place in panel.places)
    # The panel's own keys, with the texts of their actions, come first.
    actions = dock.findChildren(QAction)
    own = ((each.shortcut().toString(NATIVE), ui.plain_text(each)) for each in actions)
    commands = (shortcuts[each] for each in _COMMANDS.get(key, ()))
    shows = ui.translate("PanelPages", "show or hide this panel")
    rows = [
        *dict.fromkeys(row for row in own if all(row)),
        *((shown_keys(command.keys), command.text) for command in commands),
        (shown_keys(shortcuts[f"panel-{key}"].keys), shows),
        (shown_keys(shortcuts["help"].keys), ui.translate("PanelPages", "this page")),
    ]
    title = ui.translate("PanelPages", "{0} panel").format(dock.windowTitle())
    text = shortcuts.with_present(ui.words(PANEL_TEXTS.get(key, "")), key)
    workspace = ui.translate("PanelPages", "Workspaces: {0}").format(places or "—")
    lines = (f"| {keys or '—'} | {text} |" for keys, text in rows)
    head = (f"# {title}", "", text, "", workspace, "", "| keys | does |", "|---|---|")
    return "\n".join((*head, *lines, ""))


def panel_asked_about(docks: Docks) -> str | None:
    """Return the key of the panel with the focus, or else of the one under the pointer."""
    place = QCursor.pos()
    pointed = QApplication.widgetAt(place)
    if isinstance(pointed, QTabBar):
        title = pointed.tabText(pointed.tabAt(pointed.mapFromGlobal(place)))
        pointed = next((dock for dock in docks.all.values() if dock.windowTitle() == title), None)
    for widget in (QApplication.focusWidget(), pointed):
        for key, dock in docks.all.items():
            if widget is dock or (widget is not None and dock.isAncestorOf(widget)):
                return key
    return None


_INTRODUCTION = """\
# Keyboard

*Edit > Keyboard shortcuts…* changes these keys, and *Search actions…* finds each command by name.
F1 in a panel shows the page of that panel. The console's buttons have keys of their own
(*Play > Buttons…*), which play while the picture has the keyboard. There, Space runs fast and
Backspace rewinds while held. Tab goes from one control to the next."""


def keys_page(shortcuts: Shortcuts) -> str:
    """Return the page of all keys as Markdown: a table for each group of commands."""
    tips = {spec.key: spec.tip for spec in ENTRIES}
    # Commands of a group may be apart, because each part of the window adds its own.
    groups: dict[str, list[str]] = {}
    for each in shortcuts.commands:
        row = f"| {each.text} | {shown_keys(each.keys)} | {ui.words(tips.get(each.key, ''))} |"
        groups.setdefault(each.group, []).append(row)
    lines = [shortcuts.with_present(_INTRODUCTION)]
    for group, rows in groups.items():
        lines += ["", f"## {group}", "", "| command | keys | does |", "|---|---|---|", *rows]
    return "\n".join((*lines, ""))


class HelpController(QObject):
    """The commands of the Help menu. It is built after the window, which bug reports describe."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.tour = TourController(window)
        on = window.actions_by_key.on
        on(help=self._show_pages, tour=self.tour.start, bug_report=self.copy_report)

    def _show_pages(self) -> None:
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

    def copy_report(self) -> None:
        window, context = self._window, self._window.context
        text = window.parts[LogView].text.toPlainText()
        log = [line for line in text.splitlines() if line.strip()]
        settings = {
            "theme": ui.Theme.now.choice.value,
            "workspace": window.workspace,
            "pressed buttons": "shown" if context.settings.shows_buttons else "hidden",
            "recent games": str(len(context.settings.recent)),
        }

        def copy(game: Sequence[str]) -> None:
            QGuiApplication.clipboard().setText(_bug_report(game, settings, log))
            text = self.tr("A bug report is on the clipboard; paste it where you report the bug")
            window.say(ui.NoticeKind.GOOD, text)

        if window.bridge.is_open:
            # Copy the report without facts of the game if the core does not answer.
            window.bridge.ask(_game_lines, copy, lambda _: copy(()))
        else:
            copy(())
