"""All commands of the window: a table for each menu, and the QAction of each command."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from integrator.domain.words import tr
from integrator.ui import widgets as ui
from integrator.ui.actions.shortcuts import Shortcuts


@dataclass(frozen=True, slots=True)
class Entry:
    """A command of a menu. ``game``: it needs an open game. ``line``: a separator is above it."""

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
        tr("&Open ROM…"), tr("Open a ROM, movie or state file")
    ),
    Entry("open_several", game=False).named(
        tr("Open several &files as one game…"),
        tr("Open a game that a core makes of several files, as by --subsystem"),
    ),
    Entry("open_integration", "folder", "Ctrl+Shift+O", game=False).named(
        tr("Open &integration…"), tr("Open an integration directory")
    ),
    Entry("new_integration", "plus", "Ctrl+N", game=False).named(
        tr("&New integration…"), tr("Make an integration of a ROM")
    ),
    Entry("library", "library", "Ctrl+L", game=False, line=True).named(
        tr("&Library"), tr("All integrations: search, filter, open")
    ),
    Entry("import_roms", "import", "Ctrl+I", game=False).named(
        tr("I&mport ROMs…"), tr("Copy the ROMs of known games out of folders and zips")
    ),
    Entry("drafts", game=False).named(
        tr("&Drafts…"), tr("Review the integrations that were made without a person")
    ),
    Entry("save", "save", "Ctrl+S", line=True).named(
        tr("&Save integration"), tr("Write the integration's changed files")
    ),
    Entry("save_as").named(
        tr("Save integration &as…"), tr("Write a copy of the integration elsewhere")
    ),
    Entry("verify", "check", "Ctrl+Shift+V").named(
        tr("&Verify integration…"),
        tr("Check the saved files, and compare 1,000 random steps with stable-retro"),
    ),
    Entry("new_window", "", "Ctrl+Shift+N", game=False, line=True).named(
        tr("New &window"), tr("Open another window, with a game of its own")
    ),
    Entry("close_game", "", "Ctrl+W").named(tr("&Close game"), tr("Close the game that is open")),
    Entry("quit", "", "Ctrl+Q", game=False).named(tr("&Quit"), tr("Leave the program")),
)
_PLAY = (
    Entry("play", "play", "Ctrl+P").named(tr("&Play"), tr("Play or pause")),
    Entry("advance", "step-forward", "F").named(tr("&Frame advance"), tr("Run exactly one frame")),
    Entry("step_back", "step-back", "Shift+F").named(tr("Step &back"), tr("Show the frame before")),
    Entry("fast_forward", "fast-forward", checkable=True).named(
        tr("Fast-forward"), tr("Run as fast as the core can (hold Space on the screen)")
    ),
    Entry("slower", "", "-").named(tr("Slower"), tr("Play at the next lower speed")),
    Entry("faster", "", "+").named(tr("Faster"), tr("Play at the next higher speed")),
    Entry("reset", "reset", "Ctrl+R", line=True).named(
        tr("&Reset"), tr("Begin an episode at the start state")
    ),
    Entry("pause_on_done", game=False, checkable=True).named(
        tr("P&ause when done"),
        tr("Pause on the frame that ends the episode, also while fast-forwarding"),
    ),
    Entry("pause_when").named(
        tr("Pause when…"),
        tr("Pause when conditions on variables and memory turn true, with counts of frames"),
    ),
    Entry("fork", "fork", "Ctrl+B", line=True).named(
        tr("For&k"), tr("Keep what was played as a branch, and play on from here")
    ),
    Entry("mark", "pin", "Ctrl+Shift+M").named(
        tr("&Mark this frame…"), tr("Put a mark on the timeline")
    ),
    Entry("follow", checkable=True).named(
        tr("F&ollow the recording"),
        tr("After a seek, Play and Frame advance show what was recorded until a button is pressed"),
    ),
    Entry("record", "record", "Ctrl+Shift+R", role="bad", line=True).named(
        tr("R&ecord movie…"), tr("Record a .bk2 movie from here")
    ),
    Entry("stop_recording", "stop", role="bad").named(
        tr("&Stop recording"), tr("Finish the movie")
    ),
    Entry("record_episodes", "record", role="bad").named(
        tr("Record eac&h episode…"),
        tr("Begin an episode; it and each one after it becomes a movie of its own in a folder"),
    ),
    Entry("record_again", "record", role="bad").named(
        tr("Record agai&n from here…"),
        tr("A new movie of this run: all up to this frame, then what you play from here"),
    ),
    Entry("export_range", "clip", "Ctrl+E").named(
        tr("E&xport range as movie…"),
        tr("Write frames of the timeline as a movie with its state (Shift-drag on the slider)"),
    ),
    Entry("play_movie", "movie", "Ctrl+M").named(tr("Play mo&vie…"), tr("Replay a movie")),
    Entry("record_macro", "record", checkable=True, line=True).named(
        tr("Record &input macro"),
        tr("Keep the buttons of the frames from here on, to press them again later"),
    ),
    Entry("stop_macro", "stop").named(
        tr("Stop input macro"), tr("End the playing macro and release its buttons")
    ),
    Entry("two_players", "gamepad", checkable=True, line=True).named(
        tr("T&wo players"),
        tr("Open the game again with two controllers; player 2 has I J K L and the letters around"),
    ),
    Entry("all_players", "gamepad", checkable=True).named(
        tr("Pla&yers behind a multitap"),
        tr(
            "Open the game again with all controllers that the console has room for; players "
            "after the second need gamepads"
        ),
    ),
    Entry("discs").named(tr("&Discs…"), tr("Open the disc tray, or put in another disc of a .m3u")),
    Entry("bindings", "keyboard").named(
        tr("B&uttons…"), tr("The key and gamepad button of each console button")
    ),
    Entry("on_screen_pad", "gamepad", game=False, checkable=True).named(
        tr("Pad on the screen"),
        tr("A pad to click over the picture; right-click keeps a button down"),
    ),
    Entry("sound", "volume", "Ctrl+Shift+U", game=False, checkable=True, line=True).named(
        tr("Sound"), tr("Play the game's sound; right-click for the volume")
    ),
    Entry("clip", "clip", "Ctrl+Shift+K").named(
        tr("Save &clip…"), tr("Write the last seconds, or any frames played, as a video or GIF")
    ),
    Entry("game_picture", "camera", "F12").named(
        tr("Save &game picture…"),
        tr("Write the game's picture to a PNG file, in the console's own pixels"),
    ),
    Entry("save_state", "state", "Ctrl+Shift+S", line=True).named(
        tr("Save s&tate…"), tr("Keep this moment as a start state")
    ),
    Entry("load_state", "open", "Ctrl+Shift+L").named(
        tr("&Load state…"), tr("Go on from a .state file")
    ),
)
_EDIT = (
    Entry("undo", "undo", "Ctrl+Z").named(tr("&Undo edit"), tr("Take back the last edit")),
    Entry("redo", "redo", "Ctrl+Shift+Z").named(tr("R&edo edit"), tr("Do the edit again")),
    Entry("add_variable", "plus", "Ctrl+D", line=True).named(
        tr("&Add variable"), tr("Name an address by hand")
    ),
    Entry("add_reward", "plus").named(
        tr("Add &reward term"), tr("Reward the change of a variable")
    ),
    Entry("add_condition", "plus").named(
        tr("Add &done condition"), tr("End the episode on a variable")
    ),
    Entry("suggest", "search").named(
        tr("Su&ggestions"), tr("See what the played frames say about memory")
    ),
    Entry("preferences", "settings", "Ctrl+,", game=False, line=True).named(
        tr("&Preferences…"), tr("Picture, sound, controllers, look")
    ),
    Entry("shortcuts", "keyboard", game=False).named(
        tr("&Keyboard shortcuts…"), tr("See and change the keys of every command")
    ),
)
_VIEW = (
    Entry("palette", "search", "Ctrl+K", game=False).named(
        tr("Search &actions…"), tr("Every action by name")
    ),
    Entry("full_screen", "", "F11", game=False, checkable=True, line=True).named(
        tr("&Full screen")
    ),
    Entry("show_buttons", "gamepad", "Ctrl+Shift+B", game=False, checkable=True).named(
        tr("Show &buttons pressed"), tr("Draw pressed buttons over the picture")
    ),
    Entry("screenshot", "camera", game=False).named(
        tr("Save window &picture…"), tr("Write the window to a PNG file")
    ),
    Entry("cores", "core", game=False, line=True).named(
        tr("&Cores…"), tr("The core of each system, and its options")
    ),
    Entry("consoles", "gamepad", game=False).named(
        tr("Consoles of your o&wn…"), tr("Add a console: drafted from a core, edited and tried")
    ),
    Entry("memory_ranges", "memory").named(
        tr("Memory that cou&nts…"),
        tr("Log, search and show only a part of a large console's memory"),
    ),
    Entry("reset_layout", game=False, line=True).named(
        tr("Reset &layout"), tr("Put the workspaces' panels back")
    ),
)
_TOOLS = (
    Entry("assistant", game=False).named(
        tr("Let an &assistant work…"),
        tr("An assistant plays and edits the open game, by the Model Context Protocol"),
    ),
)
_HELP = (
    Entry("help", "", "F1", game=False).named(tr("&Help"), tr("How to integrate a game")),
    Entry("tour", game=False).named(
        tr("Take the &tour"), tr("The whole job on the demo game, in about five minutes")
    ),
    Entry("bug_report", game=False).named(
        tr("Copy a &bug report"),
        tr("Versions, system, game and the last log lines, for a bug tracker"),
    ),
)

MENUS: dict[str, tuple[str, tuple[Entry, ...]]] = {
    "file": (tr("&File"), _FILE),
    "play": (tr("&Play"), _PLAY),
    "edit": (tr("&Edit"), _EDIT),
    "view": (tr("&View"), _VIEW),
    "tools": (tr("&Tools"), _TOOLS),
    "help": (tr("&Help"), _HELP),
}
"""The title and the commands of each menu, by the menu's key."""

ENTRIES = tuple(each for _, menu in MENUS.values() for each in menu)


class Actions(QObject):
    """The actions of the window by key: ``actions["reset"]``. ``shortcuts`` holds the keys of these
    actions, and of all commands that other parts of the window add."""

    def __init__(self, window: QWidget, shortcuts: Shortcuts) -> None:
        super().__init__(window)
        self.shortcuts = shortcuts
        self._actions: dict[str, QAction] = {}
        for title, specs in MENUS.values():
            group = ui.words(title).replace("&", "")
            for spec in specs:
                action = QAction(ui.words(spec.text), window, checkable=spec.checkable)
                action.setObjectName(spec.key)
                if spec.icon:
                    action.setIcon(ui.icon(f"{spec.icon} {spec.role}"))
                window.addAction(action)
                self._actions[spec.key] = action
                tip = ui.words(spec.tip) or ui.plain_text(action)
                shortcuts.add(spec.key, group, action, spec.shortcut, tip)
        self.set_game_open(opened=False)

    def __getitem__(self, key: str) -> QAction:
        return self._actions[key]

    def on(self, **commands: Callable[[], object]) -> None:
        """Call each function when the action of its key is triggered."""
        for key, command in commands.items():
            self._actions[key].triggered.connect(lambda _=False, command=command: command())

    def all(self) -> Iterator[QAction]:
        return iter(self._actions.values())

    def set_game_open(self, *, opened: bool) -> None:
        for spec in ENTRIES:
            if spec.game:
                self._actions[spec.key].setEnabled(opened)
