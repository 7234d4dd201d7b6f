"""The Help menu: pages, the page of each panel, the tour, and bug reports for the clipboard."""

import contextlib
import platform
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Final

import PySide6
from PySide6.QtCore import QObject, qVersion
from PySide6.QtGui import QAction, QCursor, QGuiApplication
from PySide6.QtWidgets import QApplication, QTabBar, QWidget

from integrator.domain.errors import DomainError
from integrator.domain.files.reading import rom_sha1
from integrator.domain.findings import help_page
from integrator.domain.words import QT_TRANSLATE_NOOP
from integrator.log_files import LogFacts, log_facts
from integrator.session.session import Session
from integrator.ui.actions.actions import ENTRIES
from integrator.ui.actions.shortcuts import NATIVE, Shortcuts, shown_keys
from integrator.ui.guide.tour_controller import TourController
from integrator.ui.help import HelpDialog, book_pages, reference_page
from integrator.ui.settings import UiSettings
from integrator.ui.shell.docks.docks import Docks
from integrator.ui.shell.docks.workspaces import workspaces
from integrator.ui.shell.log_view import LogView
from integrator.ui.shell.main_window import MainWindow
from integrator.ui.widgets.docks import PanelDock
from integrator.ui.widgets.notices import NoticeKind
from integrator.ui.widgets.parts import plain_text
from integrator.ui.widgets.texts import translate
from integrator.ui.widgets.theme import Theme
from integrator.version import __version__

LOG_LINES = 40

_PATH = re.compile(r"(?:[A-Za-z]:)?(?:[/\\][^/\\\s:;,\"'()<>]+){2,}[/\\]?")


@dataclass(frozen=True, slots=True)
class GameFacts:
    """Facts of the open game in a report; ``sha1`` is of its ROM."""

    name: str
    system: str
    core: str
    sha1: str
    players: int
    frames: int
    scenario: str
    variables: int
    scripts: int
    modified: bool
    options: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, session: Session) -> "GameFacts":
        """Read them on the thread that owns the session; hashes the ROM."""
        integration, rom = session.integration, session.integration.rom
        sha1 = "unknown"
        with contextlib.suppress(DomainError):
            sha1 = next(iter(integration.rom_sha), sha1)
            sha1 = rom_sha1(rom) if rom is not None else sha1
        return cls(
            name=integration.name,
            system=session.system.name,
            core=f"{session.game.core.library_name} {session.game.core.library_version}",
            sha1=sha1,
            players=session.game.players,
            frames=session.timeline.length,
            scenario=session.game.scenario_name,
            variables=len(integration.variables),
            scripts=len(integration.scripts),
            modified=integration.modified,
        )


def bug_report(
    game: GameFacts | None,
    settings: Mapping[str, str],
    log: Sequence[str],
    files: LogFacts,
    home: str = "",
) -> str:
    """The report's text. Paths lose their folders, ``home`` and all, but for the log folder's."""
    lines = [
        f"integrator {__version__}",
        f"Python {platform.python_version()}, Qt {qVersion()}, PySide {PySide6.__version__}",
        f"{platform.platform()}, window system {QGuiApplication.platformName()}",
        *_screens(),
    ]
    if game is None:
        lines.append("game: none")
    else:
        lines += [
            f"game: {game.name} ({game.system}), SHA-1 {game.sha1}",
            f"core: {game.core}",
            f"players: {game.players}, frames on the timeline: {game.frames}",
            f"scenario {game.scenario}, {game.variables} variables, {game.scripts} scripts, "
            + ("edits not saved" if game.modified else "all saved"),
        ]
    lines.append("settings: " + ", ".join(f"{key} {text}" for key, text in settings.items()))
    lines.append("log:")
    lines += [f"  {line}" for line in log[-LOG_LINES:]] or ["  empty"]
    if files.trace:
        lines += ["newest crash:", *(f"  {line}" for line in files.trace)]
    private = [without_folders(line, home) for line in lines]
    named = [f"log files in {_tilde(files.folder, home)}:", *(f"  {line}" for line in files.lines)]
    return "\n".join([*private, *named])


def without_folders(text: str, home: str = "") -> str:
    """``text`` with every absolute path cut to its last part."""
    if home:
        text = text.replace(home, "/~/~")

    def last(found: re.Match[str]) -> str:
        parts = [part for part in re.split(r"[/\\]", found[0]) if part and part != "~"]
        return "…/" + parts[-1] if parts else "~"

    return _PATH.sub(last, text)


def _tilde(folder: Path, home: str) -> str:
    """A folder below the home folder, without the home's name, which is private."""
    if home and folder.is_relative_to(home):
        return f"~/{folder.relative_to(home).as_posix()}"
    return without_folders(str(folder))


def _screens() -> list[str]:
    return [
        f"screen {screen.size().width()} x {screen.size().height()}, "
        f"{screen.refreshRate():.0f} Hz, scale {screen.devicePixelRatio():g}"
        for screen in QGuiApplication.screens()
    ]


PANEL_TEXTS: Final = {
    "variables": QT_TRANSLATE_NOOP(
        "PanelPages",
        "The variables of the game with their values now. F2 edits a cell, Del removes the row; "
        "a click on the pin freezes a value, and the menu pauses the game when it changes.",
    ),
    "find": QT_TRANSLATE_NOOP(
        "PanelPages",
        "Searches memory for a number. Type the number on the screen and press Enter, or say how "
        "it moved; each step keeps the candidates that agree. *Prove* tells an original from "
        "its copies.",
    ),
    "facts": QT_TRANSLATE_NOOP(
        "PanelPages",
        "Numbers that the screen showed, each pinned to its frame with Enter, and the addresses "
        "that agree with all of them. Del removes a fact; Enter on a match names it. A number in "
        "pieces is written as variables and a script.",
    ),
    "suggestions": QT_TRANSLATE_NOOP(
        "PanelPages",
        "Likely variables, told from what was played alone. Enter accepts the row under the name "
        "in the field.",
    ),
    "watches": QT_TRANSLATE_NOOP(
        "PanelPages", "Addresses to keep an eye on, with their course and notes. Del removes a row."
    ),
    "memory": QT_TRANSLATE_NOOP(
        "PanelPages",
        "Every byte of memory. Arrows move the cursor, hexadecimal digits poke, Esc forgets a "
        "half-typed byte. Ctrl+G goes to an address, Ctrl+F finds a number, Ctrl+C copies.",
    ),
    "console": QT_TRANSLATE_NOOP(
        "PanelPages",
        "Answers Lua expressions on the frame that is shown: *data.score* is a variable, "
        "*data[16]* a byte, as in scripts; with *May write* ticked, *data.lives = 9* pokes. In "
        "Python, *session* is the running game with all of its API, and *Stop* ends an entry. "
        "Enter runs, Shift+Enter begins a line, Up and Down bring back entries.",
    ),
    "reward": QT_TRANSLATE_NOOP(
        "PanelPages",
        "The reward terms of the scenario, each with its part of this frame's reward. Del removes "
        "the chosen term.",
    ),
    "done": QT_TRANSLATE_NOOP(
        "PanelPages",
        "The conditions that end an episode, in groups of any and all. Del removes the chosen one.",
    ),
    "ends": QT_TRANSLATE_NOOP(
        "PanelPages",
        "Marks ends of episodes on what was played, and proposes the done conditions that agree "
        "with all marks.",
    ),
    "actions": QT_TRANSLATE_NOOP(
        "PanelPages", "The button combinations that an agent may press, and their number."
    ),
    "crop": QT_TRANSLATE_NOOP(
        "PanelPages",
        "The part of the picture that an agent sees: by number, or drawn on the picture; Esc ends "
        "drawing.",
    ),
    "observation": QT_TRANSLATE_NOOP(
        "PanelPages", "The picture of this frame as training gets it, pixel by pixel."
    ),
    "script": QT_TRANSLATE_NOOP(
        "PanelPages",
        "The Lua scripts of the scenario. Ctrl+Enter uses the text from the next frame on; Tab and "
        "Enter take a completion. Tab indents: Esc, then Tab or Shift+Tab, leaves the text.",
    ),
    "json": QT_TRANSLATE_NOOP(
        "PanelPages",
        "The integration's files as text. An edit counts as soon as it is right; errors say their "
        "line. Tab indents: Esc, then Tab or Shift+Tab, leaves the text.",
    ),
    "lint": QT_TRANSLATE_NOOP(
        "PanelPages", "Faults of the integration, each with a code. Enter on a row shows the place."
    ),
    "plots": QT_TRANSLATE_NOOP(
        "PanelPages",
        "Variables and reward over the recorded frames. Click to seek; the wheel zooms.",
    ),
    "attribution": QT_TRANSLATE_NOOP(
        "PanelPages",
        "The terms of the reward, stacked over the recorded frames. Click a frame, or choose a "
        "range of the time slider: the table says which term gave what, through which variable.",
    ),
    "what_if": QT_TRANSLATE_NOOP(
        "PanelPages",
        "The reward of everything played, before and after the last edit of the scenario.",
    ),
    "states": QT_TRANSLATE_NOOP(
        "PanelPages",
        "The start states of episodes, and slots for moments that you come back to. Enter begins "
        "an episode, F2 renames, Del deletes; Shift-click saves into a slot.",
    ),
    "macros": QT_TRANSLATE_NOOP(
        "PanelPages",
        "Buttons of recorded frames that are pressed again, once or in a loop. Enter on the list "
        "plays; *Keys…* gives a macro its keys.",
    ),
    "cheats": QT_TRANSLATE_NOOP(
        "PanelPages", "Values that are written again after every frame. Del removes a row."
    ),
    "movies": QT_TRANSLATE_NOOP(
        "PanelPages",
        "The movies of a folder with their length and score. Enter plays the chosen one.",
    ),
    "audit": QT_TRANSLATE_NOOP(
        "PanelPages",
        "Traps that agents fall into, the worst first, found in the listed movies and in play "
        "without a player. Enter opens a trap at its frame.",
    ),
    "agents": QT_TRANSLATE_NOOP(
        "PanelPages",
        "Agents that play the game while you do, from its start states: nothing pressed, random, "
        "each button held, JERK, the Brute, or your own (*others* takes module:factory). Each "
        "episode is a row, a dot and a movie; Enter opens one in Review. The same seed gives the "
        "same movies; *Keep movies…* copies them into a folder.",
    ),
    "branches": QT_TRANSLATE_NOOP(
        "PanelPages", "Lines of play that were left, each with a picture. Enter goes back to one."
    ),
    "input_log": QT_TRANSLATE_NOOP(
        "PanelPages",
        "The buttons of every frame, as on a piano roll. Click a cell to press it in the past, "
        "click a frame's number to go there.",
    ),
    "expectations": QT_TRANSLATE_NOOP(
        "PanelPages",
        "Numbers that a movie has to reach: replayed after each edit, green or red. Enter on a row "
        "goes to the first frame that differs; *Accept all* takes over the present numbers.",
    ),
    "log": QT_TRANSLATE_NOOP("PanelPages", "Messages of the program and of the core."),
}
"""By the panel's key."""

_COMMANDS: Final = {
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
"""Commands of the window that belong to a panel's work, by the panel's key."""


def panel_page(key: str, docks: Docks, shortcuts: Shortcuts) -> str:
    """A page of Markdown about one panel, with the keys as they are now."""
    dock = docks.all[key]
    titles = {each: title for each, title, _ in workspaces()}
    panel = next(each for each in docks.panels if each.key == key)
    docks.fill(panel)
    places = ", ".join(titles[place.workspace] for place in panel.places)
    toggle = shortcuts[f"panel-{key}"]
    rows = [
        *_own_keys(dock),
        *(
            (shown_keys(command.keys), command.text)
            for command in (shortcuts[each] for each in _COMMANDS.get(key, ()))
        ),
        (shown_keys(toggle.keys), translate("PanelPages", "show or hide this panel")),
        (shown_keys(shortcuts["help"].keys), translate("PanelPages", "this page")),
    ]
    lines = [f"| {keys or '—'} | {text} |" for keys, text in rows]
    workspace = translate("PanelPages", "Workspaces: {0}").format(places or "—")
    text = shortcuts.with_present(translate("PanelPages", PANEL_TEXTS.get(key, "")), key)
    title = translate("PanelPages", "{0} panel").format(dock.windowTitle())
    return "\n".join(
        (f"# {title}", "", text, "", workspace, "", "| keys | does |", "|---|---|", *lines, "")
    )


def panel_asked_about(docks: Docks) -> str | None:
    """The key of the panel that has the keyboard, or else of the one under the pointer."""
    place = QCursor.pos()
    pointed = QApplication.widgetAt(place)
    if isinstance(pointed, QTabBar):
        title = pointed.tabText(pointed.tabAt(pointed.mapFromGlobal(place)))
        pointed = next((dock for dock in docks.all.values() if dock.windowTitle() == title), None)
    return _panel_of(QApplication.focusWidget(), docks) or _panel_of(pointed, docks)


def _panel_of(widget: QWidget | None, docks: Docks) -> str | None:
    """The key of the panel that a widget is in."""
    while widget is not None and not isinstance(widget, PanelDock):
        widget = widget.parentWidget()
    return next((key for key, dock in docks.all.items() if dock is widget), None)


def _own_keys(dock: PanelDock) -> Iterator[tuple[str, str]]:
    """Keys that work inside of the panel only, with the texts of their actions."""
    seen: set[tuple[str, str]] = set()
    for action in dock.findChildren(QAction):
        keys = action.shortcut().toString(NATIVE)
        text = plain_text(action)
        if keys and text and (keys, text) not in seen:
            seen.add((keys, text))
            yield keys, text


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
