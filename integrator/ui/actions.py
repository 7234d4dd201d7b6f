"""Every command of the window as a QAction: its text, icon, shortcut and tooltip, in one table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QObject, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from integrator.ui.widgets.theme import Theme


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """One row of the table. ``game``: only usable while a game is open."""

    key: str
    text: str
    icon: str = ""
    shortcut: str = ""
    tip: str = ""
    role: str = "normal"
    game: bool = True
    checkable: bool = False
    menu: str = ""


SPECS: tuple[ActionSpec, ...] = (
    ActionSpec(
        "open_rom",
        "&Open ROM…",
        "rom",
        "Ctrl+O",
        "Open a ROM, movie or state file",
        game=False,
        menu="file",
    ),
    ActionSpec(
        "open_integration",
        "Open &integration…",
        "folder",
        "Ctrl+Shift+O",
        "Open an integration directory",
        game=False,
        menu="file",
    ),
    ActionSpec(
        "new_integration",
        "&New integration…",
        "plus",
        "Ctrl+N",
        "Make an integration of a ROM",
        game=False,
        menu="file",
    ),
    ActionSpec(
        "library",
        "&Library",
        "library",
        "Ctrl+L",
        "All integrations there are: search, filter, open",
        game=False,
        menu="file",
    ),
    ActionSpec(
        "import_roms",
        "I&mport ROMs…",
        "import",
        "Ctrl+I",
        "Copy the ROMs of known games out of folders and zips",
        game=False,
        menu="file",
    ),
    ActionSpec(
        "new_window",
        "New &window",
        "",
        "Ctrl+Shift+N",
        "Open another window, with a game of its own",
        game=False,
        menu="file",
    ),
    ActionSpec(
        "save",
        "&Save integration",
        "save",
        "Ctrl+S",
        "Write the integration's changed files",
        menu="file",
    ),
    ActionSpec(
        "save_as",
        "Save integration &as…",
        "",
        "",
        "Write a copy of the integration elsewhere",
        menu="file",
    ),
    ActionSpec(
        "close_game", "&Close game", "", "Ctrl+W", "Close the game that is open", menu="file"
    ),
    ActionSpec("quit", "&Quit", "", "Ctrl+Q", "Leave the program", game=False, menu="file"),
    ActionSpec("play", "&Play", "play", "Ctrl+P", "Play or pause", menu="play"),
    ActionSpec(
        "advance", "&Frame advance", "step-forward", "F", "Run exactly one frame", menu="play"
    ),
    ActionSpec(
        "step_back", "Step &back", "step-back", "Shift+F", "Show the frame before", menu="play"
    ),
    ActionSpec(
        "two_players",
        "T&wo players",
        "gamepad",
        "",
        "Open the game again with two controllers; player 2 has I J K L and the letters around",
        checkable=True,
        menu="play",
    ),
    ActionSpec(
        "fork",
        "For&k",
        "fork",
        "Ctrl+B",
        "Keep what was played as a branch, and play on from here",
        menu="play",
    ),
    ActionSpec(
        "record_episodes",
        "Record each episode…",
        "record",
        "",
        "Begin an episode; it and each one after it becomes a movie of its own in a folder",
        role="bad",
        menu="play",
    ),
    ActionSpec(
        "record_again",
        "Record again from &here…",
        "record",
        "",
        "A new movie of this run: all up to this frame, then what you play from here",
        role="bad",
        menu="play",
    ),
    ActionSpec(
        "export_range",
        "E&xport range as movie…",
        "clip",
        "Ctrl+E",
        "Write frames of the timeline as a movie with its state (Shift-drag on the slider)",
        menu="play",
    ),
    ActionSpec(
        "follow",
        "Follow the &recording",
        "",
        "",
        "After a seek, Play and Frame advance show what was recorded instead of taking over",
        checkable=True,
        menu="play",
    ),
    ActionSpec(
        "mark",
        "Mar&k this frame…",
        "pin",
        "Ctrl+Shift+M",
        "Put a mark on the timeline",
        menu="play",
    ),
    ActionSpec(
        "reset", "&Reset", "reset", "Ctrl+R", "Begin an episode at the start state", menu="play"
    ),
    ActionSpec(
        "fast_forward",
        "Fast-forward",
        "fast-forward",
        "",
        "Run as fast as the core can (hold Space on the screen)",
        checkable=True,
        menu="play",
    ),
    ActionSpec(
        "pause_on_done",
        "Pause when &done",
        "",
        "",
        "Pause on the frame that ends the episode, also while fast-forwarding",
        game=False,
        checkable=True,
        menu="play",
    ),
    ActionSpec(
        "record",
        "R&ecord movie…",
        "record",
        "Ctrl+Shift+R",
        "Record a .bk2 movie from here",
        role="bad",
        menu="play",
    ),
    ActionSpec(
        "stop_recording", "Stop recording", "stop", "", "Finish the movie", role="bad", menu="play"
    ),
    ActionSpec(
        "play_movie", "Play &movie…", "movie", "Ctrl+M", "Replay a .bk2 or .fm2 movie", menu="play"
    ),
    ActionSpec(
        "save_state",
        "Save s&tate…",
        "state",
        "Ctrl+Shift+S",
        "Keep this moment as a start state",
        menu="play",
    ),
    ActionSpec(
        "load_state",
        "&Load state…",
        "open",
        "Ctrl+Shift+L",
        "Go on from a .state file",
        menu="play",
    ),
    ActionSpec(
        "sound",
        "So&und",
        "volume",
        "Ctrl+Shift+U",
        "Play the game's sound; right-click for the volume",
        game=False,
        checkable=True,
        menu="play",
    ),
    ActionSpec(
        "on_screen_pad",
        "Pa&d on the screen",
        "gamepad",
        "",
        "A pad to click over the picture; right-click keeps a button down",
        game=False,
        checkable=True,
        menu="play",
    ),
    ActionSpec(
        "bindings",
        "&Buttons…",
        "keyboard",
        "",
        "Which key and which gamepad button plays what",
        menu="play",
    ),
    ActionSpec(
        "clip",
        "Save &clip…",
        "clip",
        "Ctrl+Shift+K",
        "Write the last seconds, or any frames played, as a video or GIF",
        menu="play",
    ),
    ActionSpec(
        "game_picture",
        "Save &game picture…",
        "camera",
        "F12",
        "Write the game's picture to a PNG file, in the console's own pixels",
        menu="play",
    ),
    ActionSpec(
        "preferences",
        "&Preferences…",
        "settings",
        "Ctrl+,",
        "Picture, sound, controllers, look",
        game=False,
        menu="edit",
    ),
    ActionSpec("undo", "&Undo edit", "undo", "Ctrl+Z", "Take back the last edit", menu="edit"),
    ActionSpec("redo", "Re&do edit", "redo", "Ctrl+Shift+Z", "Do the edit again", menu="edit"),
    ActionSpec(
        "add_variable", "&Add variable", "plus", "Ctrl+D", "Name an address by hand", menu="edit"
    ),
    ActionSpec(
        "add_reward", "Add &reward term", "plus", "", "Reward the change of a variable", menu="edit"
    ),
    ActionSpec(
        "add_condition",
        "Add &done condition",
        "plus",
        "",
        "End the episode on a variable",
        menu="edit",
    ),
    ActionSpec(
        "palette",
        "Search &actions…",
        "search",
        "Ctrl+K",
        "Every action by name",
        game=False,
        menu="view",
    ),
    ActionSpec(
        "screenshot",
        "Save window &picture…",
        "camera",
        "",
        "Write the window to a PNG file",
        game=False,
        menu="view",
    ),
    ActionSpec(
        "reset_layout",
        "Reset &layout",
        "",
        "",
        "Put the workspaces' panels back",
        game=False,
        menu="view",
    ),
    ActionSpec("help", "&Help", "", "F1", "How to integrate a game", game=False, menu="help"),
    ActionSpec(
        "tour",
        "Take the &tour",
        "",
        "",
        "The whole job on the demo game, in about five minutes",
        game=False,
        menu="help",
    ),
    ActionSpec(
        "bug_report",
        "Copy a &bug report",
        "",
        "",
        "Versions, system, game and the last log lines, for a bug tracker",
        game=False,
        menu="help",
    ),
    ActionSpec(
        "cores",
        "&Cores…",
        "core",
        "",
        "Which core runs which system, and its options",
        game=False,
        menu="view",
    ),
    ActionSpec(
        "show_buttons",
        "Show &buttons pressed",
        "gamepad",
        "Ctrl+Shift+B",
        "Draw the buttons that are pressed over the picture",
        game=False,
        checkable=True,
        menu="view",
    ),
    ActionSpec(
        "full_screen", "&Full screen", "", "F11", "", game=False, checkable=True, menu="view"
    ),
)


class Actions(QObject):
    """The actions by key, as attributes of a mapping: ``actions["reset"]``."""

    def __init__(self, window: QWidget, theme: Theme) -> None:
        super().__init__(window)
        self._specs = {spec.key: spec for spec in SPECS}
        self._actions = {spec.key: self._build(spec, window, theme) for spec in SPECS}
        self.set_game_open(opened=False)

    def __getitem__(self, key: str) -> QAction:
        return self._actions[key]

    def all(self) -> Iterator[QAction]:
        """Every action, in the table's order."""
        return iter(self._actions.values())

    def in_menu(self, menu: str) -> list[QAction]:
        """The actions of one menu."""
        return [self._actions[spec.key] for spec in SPECS if spec.menu == menu]

    def set_game_open(self, *, opened: bool) -> None:
        """Enable what needs a game."""
        for spec in SPECS:
            if spec.game:
                self._actions[spec.key].setEnabled(opened)

    def _build(self, spec: ActionSpec, window: QWidget, theme: Theme) -> QAction:
        text = QCoreApplication.translate("Actions", spec.text)
        action = QAction(text, window)
        action.setObjectName(spec.key)
        action.setCheckable(spec.checkable)
        if spec.icon:
            action.setIcon(theme.icons.icon(spec.icon, spec.role))
        tip = QCoreApplication.translate("Actions", spec.tip) or text.replace("&", "")
        if spec.shortcut:
            sequence = QKeySequence(spec.shortcut)
            action.setShortcut(sequence)
            action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
            tip = f"{tip} ({sequence.toString(QKeySequence.SequenceFormat.NativeText)})"
        action.setToolTip(tip)
        window.addAction(action)
        return action
