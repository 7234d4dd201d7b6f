"""Every command of the window: a row each in the tables of the menus, and its QAction."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from integrator.domain.words import MarkedTexts
from integrator.ui.actions.shortcuts import Shortcuts
from integrator.ui.widgets.parts import plain_text
from integrator.ui.widgets.texts import translate
from integrator.ui.widgets.theme import Theme


class Menu(MarkedTexts):
    """Texts of this table, for translators."""


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
        Menu.tr("&Open ROM…"), Menu.tr("Open a ROM, movie or state file")
    ),
    Entry("open_several", game=False).named(
        Menu.tr("Open several &files as one game…"),
        Menu.tr("Open a game that a core makes of several files, as by --subsystem"),
    ),
    Entry("open_integration", "folder", "Ctrl+Shift+O", game=False).named(
        Menu.tr("Open &integration…"), Menu.tr("Open an integration directory")
    ),
    Entry("new_integration", "plus", "Ctrl+N", game=False).named(
        Menu.tr("&New integration…"), Menu.tr("Make an integration of a ROM")
    ),
    Entry("library", "library", "Ctrl+L", game=False, line=True).named(
        Menu.tr("&Library"), Menu.tr("All integrations: search, filter, open")
    ),
    Entry("import_roms", "import", "Ctrl+I", game=False).named(
        Menu.tr("I&mport ROMs…"), Menu.tr("Copy the ROMs of known games out of folders and zips")
    ),
    Entry("drafts", game=False).named(
        Menu.tr("&Drafts…"), Menu.tr("Review the integrations that were made without a person")
    ),
    Entry("save", "save", "Ctrl+S", line=True).named(
        Menu.tr("&Save integration"), Menu.tr("Write the integration's changed files")
    ),
    Entry("save_as").named(
        Menu.tr("Save integration &as…"), Menu.tr("Write a copy of the integration elsewhere")
    ),
    Entry("verify", "check", "Ctrl+Shift+V").named(
        Menu.tr("&Verify integration…"),
        Menu.tr("Check the saved files, and compare 1,000 random steps with stable-retro"),
    ),
    Entry("new_window", "", "Ctrl+Shift+N", game=False, line=True).named(
        Menu.tr("New &window"), Menu.tr("Open another window, with a game of its own")
    ),
    Entry("close_game", "", "Ctrl+W").named(
        Menu.tr("&Close game"), Menu.tr("Close the game that is open")
    ),
    Entry("quit", "", "Ctrl+Q", game=False).named(Menu.tr("&Quit"), Menu.tr("Leave the program")),
)
_PLAY = (
    Entry("play", "play", "Ctrl+P").named(Menu.tr("&Play"), Menu.tr("Play or pause")),
    Entry("advance", "step-forward", "F").named(
        Menu.tr("&Frame advance"), Menu.tr("Run exactly one frame")
    ),
    Entry("step_back", "step-back", "Shift+F").named(
        Menu.tr("Step &back"), Menu.tr("Show the frame before")
    ),
    Entry("fast_forward", "fast-forward", checkable=True).named(
        Menu.tr("Fast-forward"), Menu.tr("Run as fast as the core can (hold Space on the screen)")
    ),
    Entry("slower", "", "-").named(Menu.tr("Slower"), Menu.tr("Play at the next lower speed")),
    Entry("faster", "", "+").named(Menu.tr("Faster"), Menu.tr("Play at the next higher speed")),
    Entry("reset", "reset", "Ctrl+R", line=True).named(
        Menu.tr("&Reset"), Menu.tr("Begin an episode at the start state")
    ),
    Entry("pause_on_done", game=False, checkable=True).named(
        Menu.tr("P&ause when done"),
        Menu.tr("Pause on the frame that ends the episode, also while fast-forwarding"),
    ),
    Entry("pause_when").named(
        Menu.tr("Pause when…"),
        Menu.tr("Pause when conditions on variables and memory turn true, with counts of frames"),
    ),
    Entry("fork", "fork", "Ctrl+B", line=True).named(
        Menu.tr("For&k"), Menu.tr("Keep what was played as a branch, and play on from here")
    ),
    Entry("mark", "pin", "Ctrl+Shift+M").named(
        Menu.tr("&Mark this frame…"), Menu.tr("Put a mark on the timeline")
    ),
    Entry("follow", checkable=True).named(
        Menu.tr("F&ollow the recording"),
        Menu.tr(
            "After a seek, Play and Frame advance show what was recorded until a button is pressed"
        ),
    ),
    Entry("record", "record", "Ctrl+Shift+R", role="bad", line=True).named(
        Menu.tr("R&ecord movie…"), Menu.tr("Record a .bk2 movie from here")
    ),
    Entry("stop_recording", "stop", role="bad").named(
        Menu.tr("&Stop recording"), Menu.tr("Finish the movie")
    ),
    Entry("record_episodes", "record", role="bad").named(
        Menu.tr("Record eac&h episode…"),
        Menu.tr(
            "Begin an episode; it and each one after it becomes a movie of its own in a folder"
        ),
    ),
    Entry("record_again", "record", role="bad").named(
        Menu.tr("Record agai&n from here…"),
        Menu.tr("A new movie of this run: all up to this frame, then what you play from here"),
    ),
    Entry("export_range", "clip", "Ctrl+E").named(
        Menu.tr("E&xport range as movie…"),
        Menu.tr(
            "Write frames of the timeline as a movie with its state (Shift-drag on the slider)"
        ),
    ),
    Entry("play_movie", "movie", "Ctrl+M").named(
        Menu.tr("Play mo&vie…"), Menu.tr("Replay a movie")
    ),
    Entry("record_macro", "record", checkable=True, line=True).named(
        Menu.tr("Record &input macro"),
        Menu.tr("Keep the buttons of the frames from here on, to press them again later"),
    ),
    Entry("stop_macro", "stop").named(
        Menu.tr("Stop input macro"), Menu.tr("Let the buttons of the macro go that plays")
    ),
    Entry("two_players", "gamepad", checkable=True, line=True).named(
        Menu.tr("T&wo players"),
        Menu.tr(
            "Open the game again with two controllers; player 2 has I J K L and the letters around"
        ),
    ),
    Entry("all_players", "gamepad", checkable=True).named(
        Menu.tr("Pla&yers behind a multitap"),
        Menu.tr(
            "Open the game again with all controllers that the console has room for; players "
            "after the second need gamepads"
        ),
    ),
    Entry("discs").named(
        Menu.tr("&Discs…"), Menu.tr("Open the disc tray, or put in another disc of a .m3u")
    ),
    Entry("bindings", "keyboard").named(
        Menu.tr("B&uttons…"), Menu.tr("The key and gamepad button of each console button")
    ),
    Entry("on_screen_pad", "gamepad", game=False, checkable=True).named(
        Menu.tr("Pad on the screen"),
        Menu.tr("A pad to click over the picture; right-click keeps a button down"),
    ),
    Entry("sound", "volume", "Ctrl+Shift+U", game=False, checkable=True, line=True).named(
        Menu.tr("Sound"), Menu.tr("Play the game's sound; right-click for the volume")
    ),
    Entry("clip", "clip", "Ctrl+Shift+K").named(
        Menu.tr("Save &clip…"),
        Menu.tr("Write the last seconds, or any frames played, as a video or GIF"),
    ),
    Entry("game_picture", "camera", "F12").named(
        Menu.tr("Save &game picture…"),
        Menu.tr("Write the game's picture to a PNG file, in the console's own pixels"),
    ),
    Entry("save_state", "state", "Ctrl+Shift+S", line=True).named(
        Menu.tr("Save s&tate…"), Menu.tr("Keep this moment as a start state")
    ),
    Entry("load_state", "open", "Ctrl+Shift+L").named(
        Menu.tr("&Load state…"), Menu.tr("Go on from a .state file")
    ),
)
_EDIT = (
    Entry("undo", "undo", "Ctrl+Z").named(
        Menu.tr("&Undo edit"), Menu.tr("Take back the last edit")
    ),
    Entry("redo", "redo", "Ctrl+Shift+Z").named(
        Menu.tr("R&edo edit"), Menu.tr("Do the edit again")
    ),
    Entry("add_variable", "plus", "Ctrl+D", line=True).named(
        Menu.tr("&Add variable"), Menu.tr("Name an address by hand")
    ),
    Entry("add_reward", "plus").named(
        Menu.tr("Add &reward term"), Menu.tr("Reward the change of a variable")
    ),
    Entry("add_condition", "plus").named(
        Menu.tr("Add &done condition"), Menu.tr("End the episode on a variable")
    ),
    Entry("suggest", "search").named(
        Menu.tr("Su&ggestions"), Menu.tr("See what the played frames say about memory")
    ),
    Entry("preferences", "settings", "Ctrl+,", game=False, line=True).named(
        Menu.tr("&Preferences…"), Menu.tr("Picture, sound, controllers, look")
    ),
    Entry("shortcuts", "keyboard", game=False).named(
        Menu.tr("&Keyboard shortcuts…"), Menu.tr("See and change the keys of every command")
    ),
)
_VIEW = (
    Entry("palette", "search", "Ctrl+K", game=False).named(
        Menu.tr("Search &actions…"), Menu.tr("Every action by name")
    ),
    Entry("full_screen", "", "F11", game=False, checkable=True, line=True).named(
        Menu.tr("&Full screen")
    ),
    Entry("show_buttons", "gamepad", "Ctrl+Shift+B", game=False, checkable=True).named(
        Menu.tr("Show &buttons pressed"), Menu.tr("Draw pressed buttons over the picture")
    ),
    Entry("screenshot", "camera", game=False).named(
        Menu.tr("Save window &picture…"), Menu.tr("Write the window to a PNG file")
    ),
    Entry("cores", "core", game=False, line=True).named(
        Menu.tr("&Cores…"), Menu.tr("The core of each system, and its options")
    ),
    Entry("consoles", "gamepad", game=False).named(
        Menu.tr("Consoles of your o&wn…"),
        Menu.tr("Add a console: drafted from a core, edited and tried"),
    ),
    Entry("memory_ranges", "memory").named(
        Menu.tr("Memory that cou&nts…"),
        Menu.tr("Log, search and show only a part of a large console's memory"),
    ),
    Entry("reset_layout", game=False, line=True).named(
        Menu.tr("Reset &layout"), Menu.tr("Put the workspaces' panels back")
    ),
)
_TOOLS = (
    Entry("assistant", game=False).named(
        Menu.tr("Let an &assistant work…"),
        Menu.tr("An assistant plays and edits the open game, by the Model Context Protocol"),
    ),
)
_HELP = (
    Entry("help", "", "F1", game=False).named(Menu.tr("&Help"), Menu.tr("How to integrate a game")),
    Entry("tour", game=False).named(
        Menu.tr("Take the &tour"), Menu.tr("The whole job on the demo game, in about five minutes")
    ),
    Entry("bug_report", game=False).named(
        Menu.tr("Copy a &bug report"),
        Menu.tr("Versions, system, game and the last log lines, for a bug tracker"),
    ),
)

MENUS: dict[str, tuple[str, tuple[Entry, ...]]] = {
    "file": (Menu.tr("&File"), _FILE),
    "play": (Menu.tr("&Play"), _PLAY),
    "edit": (Menu.tr("&Edit"), _EDIT),
    "view": (Menu.tr("&View"), _VIEW),
    "tools": (Menu.tr("&Tools"), _TOOLS),
    "help": (Menu.tr("&Help"), _HELP),
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
            group = translate("Menu", title).replace("&", "")
            for spec in specs:
                tip = translate("Menu", spec.tip) if spec.tip else ""
                text = translate("Menu", spec.text)
                action = QAction(text, window, checkable=spec.checkable)
                action.setObjectName(spec.key)
                if spec.icon:
                    action.setIcon(theme.icons.icon(spec.icon, spec.role))
                window.addAction(action)
                self._actions[spec.key] = action
                shortcuts.add(spec.key, group, action, spec.shortcut, tip or plain_text(action))
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
