"""Every command of the window: a row each in the tables of the menus, and its QAction."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from integrator.domain.words import Words
from integrator.ui.actions.shortcuts import Shortcuts
from integrator.ui.widgets.parts import plain_text
from integrator.ui.widgets.texts import words
from integrator.ui.widgets.theme import Theme


@dataclass(frozen=True, slots=True)
class Entry:
    """One row of the table. ``game``: only usable while a game is open. ``line``: its menu has a
    line above it."""

    key: str
    icon: str = ""
    shortcut: str = ""
    text: str = ""
    tip: str = ""
    role: str = "normal"
    game: bool = True
    checkable: bool = False
    line: bool = False

    def named(self, text: str, tip: str = "") -> "Entry":
        return replace(self, text=text, tip=tip)


_FILE = (
    Entry("open_rom", "rom", "Ctrl+O", game=False).named(
        Words.tr("&Open ROM…"), Words.tr("Open a ROM, movie or state file")
    ),
    Entry("open_several", game=False).named(
        Words.tr("Open several &files as one game…"),
        Words.tr("Open a game that a core makes of several files, as by --subsystem"),
    ),
    Entry("open_integration", "folder", "Ctrl+Shift+O", game=False).named(
        Words.tr("Open &integration…"), Words.tr("Open an integration directory")
    ),
    Entry("new_integration", "plus", "Ctrl+N", game=False).named(
        Words.tr("&New integration…"), Words.tr("Make an integration of a ROM")
    ),
    Entry("library", "library", "Ctrl+L", game=False, line=True).named(
        Words.tr("&Library"), Words.tr("All integrations: search, filter, open")
    ),
    Entry("import_roms", "import", "Ctrl+I", game=False).named(
        Words.tr("I&mport ROMs…"), Words.tr("Copy the ROMs of known games out of folders and zips")
    ),
    Entry("drafts", game=False).named(
        Words.tr("&Drafts…"), Words.tr("Review the integrations that were made without a person")
    ),
    Entry("save", "save", "Ctrl+S", line=True).named(
        Words.tr("&Save integration"), Words.tr("Write the integration's changed files")
    ),
    Entry("save_as").named(
        Words.tr("Save integration &as…"), Words.tr("Write a copy of the integration elsewhere")
    ),
    Entry("verify", "check", "Ctrl+Shift+V").named(
        Words.tr("&Verify integration…"),
        Words.tr("Check the saved files, and compare 1,000 random steps with stable-retro"),
    ),
    Entry("new_window", "", "Ctrl+Shift+N", game=False, line=True).named(
        Words.tr("New &window"), Words.tr("Open another window, with a game of its own")
    ),
    Entry("close_game", "", "Ctrl+W").named(
        Words.tr("&Close game"), Words.tr("Close the game that is open")
    ),
    Entry("quit", "", "Ctrl+Q", game=False).named(Words.tr("&Quit"), Words.tr("Leave the program")),
)
_PLAY = (
    Entry("play", "play", "Ctrl+P").named(Words.tr("&Play"), Words.tr("Play or pause")),
    Entry("advance", "step-forward", "F").named(
        Words.tr("&Frame advance"), Words.tr("Run exactly one frame")
    ),
    Entry("step_back", "step-back", "Shift+F").named(
        Words.tr("Step &back"), Words.tr("Show the frame before")
    ),
    Entry("fast_forward", "fast-forward", checkable=True).named(
        Words.tr("Fast-forward"), Words.tr("Run as fast as the core can (hold Space on the screen)")
    ),
    Entry("slower", "", "-").named(Words.tr("Slower"), Words.tr("Play at the next lower speed")),
    Entry("faster", "", "+").named(Words.tr("Faster"), Words.tr("Play at the next higher speed")),
    Entry("reset", "reset", "Ctrl+R", line=True).named(
        Words.tr("&Reset"), Words.tr("Begin an episode at the start state")
    ),
    Entry("pause_on_done", game=False, checkable=True).named(
        Words.tr("P&ause when done"),
        Words.tr("Pause on the frame that ends the episode, also while fast-forwarding"),
    ),
    Entry("pause_when").named(
        Words.tr("Pause when…"),
        Words.tr("Pause when conditions on variables and memory turn true, with counts of frames"),
    ),
    Entry("fork", "fork", "Ctrl+B", line=True).named(
        Words.tr("For&k"), Words.tr("Keep what was played as a branch, and play on from here")
    ),
    Entry("mark", "pin", "Ctrl+Shift+M").named(
        Words.tr("&Mark this frame…"), Words.tr("Put a mark on the timeline")
    ),
    Entry("follow", checkable=True).named(
        Words.tr("F&ollow the recording"),
        Words.tr(
            "After a seek, Play and Frame advance show what was recorded until a button is pressed"
        ),
    ),
    Entry("record", "record", "Ctrl+Shift+R", role="bad", line=True).named(
        Words.tr("R&ecord movie…"), Words.tr("Record a .bk2 movie from here")
    ),
    Entry("stop_recording", "stop", role="bad").named(
        Words.tr("&Stop recording"), Words.tr("Finish the movie")
    ),
    Entry("record_episodes", "record", role="bad").named(
        Words.tr("Record eac&h episode…"),
        Words.tr(
            "Begin an episode; it and each one after it becomes a movie of its own in a folder"
        ),
    ),
    Entry("record_again", "record", role="bad").named(
        Words.tr("Record agai&n from here…"),
        Words.tr("A new movie of this run: all up to this frame, then what you play from here"),
    ),
    Entry("export_range", "clip", "Ctrl+E").named(
        Words.tr("E&xport range as movie…"),
        Words.tr(
            "Write frames of the timeline as a movie with its state (Shift-drag on the slider)"
        ),
    ),
    Entry("play_movie", "movie", "Ctrl+M").named(
        Words.tr("Play mo&vie…"), Words.tr("Replay a movie")
    ),
    Entry("record_macro", "record", checkable=True, line=True).named(
        Words.tr("Record &input macro"),
        Words.tr("Keep the buttons of the frames from here on, to press them again later"),
    ),
    Entry("stop_macro", "stop").named(
        Words.tr("Stop input macro"), Words.tr("Let the buttons of the macro go that plays")
    ),
    Entry("two_players", "gamepad", checkable=True, line=True).named(
        Words.tr("T&wo players"),
        Words.tr(
            "Open the game again with two controllers; player 2 has I J K L and the letters around"
        ),
    ),
    Entry("all_players", "gamepad", checkable=True).named(
        Words.tr("Pla&yers behind a multitap"),
        Words.tr(
            "Open the game again with all controllers that the console has room for; players "
            "after the second need gamepads"
        ),
    ),
    Entry("discs").named(
        Words.tr("&Discs…"), Words.tr("Open the disc tray, or put in another disc of a .m3u")
    ),
    Entry("bindings", "keyboard").named(
        Words.tr("B&uttons…"), Words.tr("The key and gamepad button of each console button")
    ),
    Entry("on_screen_pad", "gamepad", game=False, checkable=True).named(
        Words.tr("Pad on the screen"),
        Words.tr("A pad to click over the picture; right-click keeps a button down"),
    ),
    Entry("sound", "volume", "Ctrl+Shift+U", game=False, checkable=True, line=True).named(
        Words.tr("Sound"), Words.tr("Play the game's sound; right-click for the volume")
    ),
    Entry("clip", "clip", "Ctrl+Shift+K").named(
        Words.tr("Save &clip…"),
        Words.tr("Write the last seconds, or any frames played, as a video or GIF"),
    ),
    Entry("game_picture", "camera", "F12").named(
        Words.tr("Save &game picture…"),
        Words.tr("Write the game's picture to a PNG file, in the console's own pixels"),
    ),
    Entry("save_state", "state", "Ctrl+Shift+S", line=True).named(
        Words.tr("Save s&tate…"), Words.tr("Keep this moment as a start state")
    ),
    Entry("load_state", "open", "Ctrl+Shift+L").named(
        Words.tr("&Load state…"), Words.tr("Go on from a .state file")
    ),
)
_EDIT = (
    Entry("undo", "undo", "Ctrl+Z").named(
        Words.tr("&Undo edit"), Words.tr("Take back the last edit")
    ),
    Entry("redo", "redo", "Ctrl+Shift+Z").named(
        Words.tr("R&edo edit"), Words.tr("Do the edit again")
    ),
    Entry("add_variable", "plus", "Ctrl+D", line=True).named(
        Words.tr("&Add variable"), Words.tr("Name an address by hand")
    ),
    Entry("add_reward", "plus").named(
        Words.tr("Add &reward term"), Words.tr("Reward the change of a variable")
    ),
    Entry("add_condition", "plus").named(
        Words.tr("Add &done condition"), Words.tr("End the episode on a variable")
    ),
    Entry("suggest", "search").named(
        Words.tr("Su&ggestions"), Words.tr("See what the played frames say about memory")
    ),
    Entry("preferences", "settings", "Ctrl+,", game=False, line=True).named(
        Words.tr("&Preferences…"), Words.tr("Picture, sound, controllers, look")
    ),
    Entry("shortcuts", "keyboard", game=False).named(
        Words.tr("&Keyboard shortcuts…"), Words.tr("See and change the keys of every command")
    ),
)
_VIEW = (
    Entry("palette", "search", "Ctrl+K", game=False).named(
        Words.tr("Search &actions…"), Words.tr("Every action by name")
    ),
    Entry("full_screen", "", "F11", game=False, checkable=True, line=True).named(
        Words.tr("&Full screen")
    ),
    Entry("show_buttons", "gamepad", "Ctrl+Shift+B", game=False, checkable=True).named(
        Words.tr("Show &buttons pressed"), Words.tr("Draw pressed buttons over the picture")
    ),
    Entry("screenshot", "camera", game=False).named(
        Words.tr("Save window &picture…"), Words.tr("Write the window to a PNG file")
    ),
    Entry("cores", "core", game=False, line=True).named(
        Words.tr("&Cores…"), Words.tr("The core of each system, and its options")
    ),
    Entry("consoles", "gamepad", game=False).named(
        Words.tr("Consoles of your o&wn…"),
        Words.tr("Add a console: drafted from a core, edited and tried"),
    ),
    Entry("memory_ranges", "memory").named(
        Words.tr("Memory that cou&nts…"),
        Words.tr("Log, search and show only a part of a large console's memory"),
    ),
    Entry("reset_layout", game=False, line=True).named(
        Words.tr("Reset &layout"), Words.tr("Put the workspaces' panels back")
    ),
)
_TOOLS = (
    Entry("assistant", game=False).named(
        Words.tr("Let an &assistant work…"),
        Words.tr("An assistant plays and edits the open game, by the Model Context Protocol"),
    ),
)
_HELP = (
    Entry("help", "", "F1", game=False).named(
        Words.tr("&Help"), Words.tr("How to integrate a game")
    ),
    Entry("tour", game=False).named(
        Words.tr("Take the &tour"),
        Words.tr("The whole job on the demo game, in about five minutes"),
    ),
    Entry("bug_report", game=False).named(
        Words.tr("Copy a &bug report"),
        Words.tr("Versions, system, game and the last log lines, for a bug tracker"),
    ),
)

MENUS: dict[str, tuple[str, tuple[Entry, ...]]] = {
    "file": (Words.tr("&File"), _FILE),
    "play": (Words.tr("&Play"), _PLAY),
    "edit": (Words.tr("&Edit"), _EDIT),
    "view": (Words.tr("&View"), _VIEW),
    "tools": (Words.tr("&Tools"), _TOOLS),
    "help": (Words.tr("&Help"), _HELP),
}
"""Title and commands of each menu, by its key."""

ENTRIES = tuple(each for _, menu in MENUS.values() for each in menu)


class Actions(QObject):
    """The actions by key, as attributes of a mapping: ``actions["reset"]``. ``shortcuts`` has the
    keys of these, and of all commands that other parts of the window add."""

    def __init__(self, window: QWidget, theme: Theme, shortcuts: Shortcuts) -> None:
        super().__init__(window)
        self.shortcuts = shortcuts
        self._actions: dict[str, QAction] = {}
        for title, specs in MENUS.values():
            group = words(title).replace("&", "")
            for spec in specs:
                action = QAction(words(spec.text), window, checkable=spec.checkable)
                action.setObjectName(spec.key)
                if spec.icon:
                    action.setIcon(theme.icons.icon(spec.icon, spec.role))
                window.addAction(action)
                self._actions[spec.key] = action
                tip = words(spec.tip) or plain_text(action)
                shortcuts.add(spec.key, group, action, spec.shortcut, tip)
        self.set_game_open(opened=False)

    def __getitem__(self, key: str) -> QAction:
        return self._actions[key]

    def on(self, key: str, command: Callable[[], object]) -> None:
        """Call ``command`` each time that the action is triggered."""
        self._actions[key].triggered.connect(lambda _=False: command())

    def all(self) -> Iterator[QAction]:
        return iter(self._actions.values())

    def set_game_open(self, *, opened: bool) -> None:
        for spec in ENTRIES:
            if spec.game:
                self._actions[spec.key].setEnabled(opened)
