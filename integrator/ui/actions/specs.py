"""The commands of the File and Play menus: text, icon, shortcut and tooltip of each."""

from __future__ import annotations

from dataclasses import dataclass

from integrator.domain.words import QT_TRANSLATE_NOOP


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


PLAY_SPECS: tuple[ActionSpec, ...] = (
    ActionSpec(
        "open_rom",
        QT_TRANSLATE_NOOP("Actions", "&Open ROM…"),
        "rom",
        "Ctrl+O",
        QT_TRANSLATE_NOOP("Actions", "Open a ROM, movie or state file"),
        game=False,
        menu="file",
    ),
    ActionSpec(
        "open_integration",
        QT_TRANSLATE_NOOP("Actions", "Open &integration…"),
        "folder",
        "Ctrl+Shift+O",
        QT_TRANSLATE_NOOP("Actions", "Open an integration directory"),
        game=False,
        menu="file",
    ),
    ActionSpec(
        "new_integration",
        QT_TRANSLATE_NOOP("Actions", "&New integration…"),
        "plus",
        "Ctrl+N",
        QT_TRANSLATE_NOOP("Actions", "Make an integration of a ROM"),
        game=False,
        menu="file",
    ),
    ActionSpec(
        "library",
        QT_TRANSLATE_NOOP("Actions", "&Library"),
        "library",
        "Ctrl+L",
        QT_TRANSLATE_NOOP("Actions", "All integrations: search, filter, open"),
        game=False,
        menu="file",
    ),
    ActionSpec(
        "import_roms",
        QT_TRANSLATE_NOOP("Actions", "I&mport ROMs…"),
        "import",
        "Ctrl+I",
        QT_TRANSLATE_NOOP("Actions", "Copy the ROMs of known games out of folders and zips"),
        game=False,
        menu="file",
    ),
    ActionSpec(
        "new_window",
        QT_TRANSLATE_NOOP("Actions", "New &window"),
        "",
        "Ctrl+Shift+N",
        QT_TRANSLATE_NOOP("Actions", "Open another window, with a game of its own"),
        game=False,
        menu="file",
    ),
    ActionSpec(
        "save",
        QT_TRANSLATE_NOOP("Actions", "&Save integration"),
        "save",
        "Ctrl+S",
        QT_TRANSLATE_NOOP("Actions", "Write the integration's changed files"),
        menu="file",
    ),
    ActionSpec(
        "save_as",
        QT_TRANSLATE_NOOP("Actions", "Save integration &as…"),
        "",
        "",
        QT_TRANSLATE_NOOP("Actions", "Write a copy of the integration elsewhere"),
        menu="file",
    ),
    ActionSpec(
        "close_game",
        QT_TRANSLATE_NOOP("Actions", "&Close game"),
        "",
        "Ctrl+W",
        QT_TRANSLATE_NOOP("Actions", "Close the game that is open"),
        menu="file",
    ),
    ActionSpec(
        "quit",
        QT_TRANSLATE_NOOP("Actions", "&Quit"),
        "",
        "Ctrl+Q",
        QT_TRANSLATE_NOOP("Actions", "Leave the program"),
        game=False,
        menu="file",
    ),
    ActionSpec(
        "play",
        QT_TRANSLATE_NOOP("Actions", "&Play"),
        "play",
        "Ctrl+P",
        QT_TRANSLATE_NOOP("Actions", "Play or pause"),
        menu="play",
    ),
    ActionSpec(
        "advance",
        QT_TRANSLATE_NOOP("Actions", "&Frame advance"),
        "step-forward",
        "F",
        QT_TRANSLATE_NOOP("Actions", "Run exactly one frame"),
        menu="play",
    ),
    ActionSpec(
        "step_back",
        QT_TRANSLATE_NOOP("Actions", "Step &back"),
        "step-back",
        "Shift+F",
        QT_TRANSLATE_NOOP("Actions", "Show the frame before"),
        menu="play",
    ),
    ActionSpec(
        "two_players",
        QT_TRANSLATE_NOOP("Actions", "T&wo players"),
        "gamepad",
        "",
        QT_TRANSLATE_NOOP(
            "Actions",
            "Open the game again with two controllers; player 2 has I J K L and the letters around",
        ),
        checkable=True,
        menu="play",
    ),
    ActionSpec(
        "fork",
        QT_TRANSLATE_NOOP("Actions", "For&k"),
        "fork",
        "Ctrl+B",
        QT_TRANSLATE_NOOP("Actions", "Keep what was played as a branch, and play on from here"),
        menu="play",
    ),
    ActionSpec(
        "record_episodes",
        QT_TRANSLATE_NOOP("Actions", "Record each episode…"),
        "record",
        "",
        QT_TRANSLATE_NOOP(
            "Actions",
            "Begin an episode; it and each one after it becomes a movie of its own in a folder",
        ),
        role="bad",
        menu="play",
    ),
    ActionSpec(
        "record_again",
        QT_TRANSLATE_NOOP("Actions", "Record again from &here…"),
        "record",
        "",
        QT_TRANSLATE_NOOP(
            "Actions", "A new movie of this run: all up to this frame, then what you play from here"
        ),
        role="bad",
        menu="play",
    ),
    ActionSpec(
        "export_range",
        QT_TRANSLATE_NOOP("Actions", "E&xport range as movie…"),
        "clip",
        "Ctrl+E",
        QT_TRANSLATE_NOOP(
            "Actions",
            "Write frames of the timeline as a movie with its state (Shift-drag on the slider)",
        ),
        menu="play",
    ),
    ActionSpec(
        "follow",
        QT_TRANSLATE_NOOP("Actions", "Follow the &recording"),
        "",
        "",
        QT_TRANSLATE_NOOP(
            "Actions",
            "After a seek, Play and Frame advance show what was recorded instead of taking over",
        ),
        checkable=True,
        menu="play",
    ),
    ActionSpec(
        "mark",
        QT_TRANSLATE_NOOP("Actions", "Mar&k this frame…"),
        "pin",
        "Ctrl+Shift+M",
        QT_TRANSLATE_NOOP("Actions", "Put a mark on the timeline"),
        menu="play",
    ),
    ActionSpec(
        "reset",
        QT_TRANSLATE_NOOP("Actions", "&Reset"),
        "reset",
        "Ctrl+R",
        QT_TRANSLATE_NOOP("Actions", "Begin an episode at the start state"),
        menu="play",
    ),
    ActionSpec(
        "fast_forward",
        QT_TRANSLATE_NOOP("Actions", "Fast-forward"),
        "fast-forward",
        "",
        QT_TRANSLATE_NOOP("Actions", "Run as fast as the core can (hold Space on the screen)"),
        checkable=True,
        menu="play",
    ),
    ActionSpec(
        "pause_on_done",
        QT_TRANSLATE_NOOP("Actions", "Pause when &done"),
        "",
        "",
        QT_TRANSLATE_NOOP(
            "Actions", "Pause on the frame that ends the episode, also while fast-forwarding"
        ),
        game=False,
        checkable=True,
        menu="play",
    ),
    ActionSpec(
        "record",
        QT_TRANSLATE_NOOP("Actions", "R&ecord movie…"),
        "record",
        "Ctrl+Shift+R",
        QT_TRANSLATE_NOOP("Actions", "Record a .bk2 movie from here"),
        role="bad",
        menu="play",
    ),
    ActionSpec(
        "stop_recording",
        QT_TRANSLATE_NOOP("Actions", "Stop recording"),
        "stop",
        "",
        QT_TRANSLATE_NOOP("Actions", "Finish the movie"),
        role="bad",
        menu="play",
    ),
    ActionSpec(
        "play_movie",
        QT_TRANSLATE_NOOP("Actions", "Play &movie…"),
        "movie",
        "Ctrl+M",
        QT_TRANSLATE_NOOP("Actions", "Replay a .bk2 or .fm2 movie"),
        menu="play",
    ),
    ActionSpec(
        "save_state",
        QT_TRANSLATE_NOOP("Actions", "Save s&tate…"),
        "state",
        "Ctrl+Shift+S",
        QT_TRANSLATE_NOOP("Actions", "Keep this moment as a start state"),
        menu="play",
    ),
    ActionSpec(
        "load_state",
        QT_TRANSLATE_NOOP("Actions", "&Load state…"),
        "open",
        "Ctrl+Shift+L",
        QT_TRANSLATE_NOOP("Actions", "Go on from a .state file"),
        menu="play",
    ),
    ActionSpec(
        "sound",
        QT_TRANSLATE_NOOP("Actions", "So&und"),
        "volume",
        "Ctrl+Shift+U",
        QT_TRANSLATE_NOOP("Actions", "Play the game's sound; right-click for the volume"),
        game=False,
        checkable=True,
        menu="play",
    ),
    ActionSpec(
        "on_screen_pad",
        QT_TRANSLATE_NOOP("Actions", "Pa&d on the screen"),
        "gamepad",
        "",
        QT_TRANSLATE_NOOP(
            "Actions", "A pad to click over the picture; right-click keeps a button down"
        ),
        game=False,
        checkable=True,
        menu="play",
    ),
    ActionSpec(
        "bindings",
        QT_TRANSLATE_NOOP("Actions", "&Buttons…"),
        "keyboard",
        "",
        QT_TRANSLATE_NOOP("Actions", "The key and gamepad button of each console button"),
        menu="play",
    ),
    ActionSpec(
        "clip",
        QT_TRANSLATE_NOOP("Actions", "Save &clip…"),
        "clip",
        "Ctrl+Shift+K",
        QT_TRANSLATE_NOOP(
            "Actions", "Write the last seconds, or any frames played, as a video or GIF"
        ),
        menu="play",
    ),
    ActionSpec(
        "game_picture",
        QT_TRANSLATE_NOOP("Actions", "Save &game picture…"),
        "camera",
        "F12",
        QT_TRANSLATE_NOOP(
            "Actions", "Write the game's picture to a PNG file, in the console's own pixels"
        ),
        menu="play",
    ),
)
