"""The commands of the Play menu, a row each."""

from __future__ import annotations

from integrator.domain.words import QT_TRANSLATE_NOOP
from integrator.ui.actions.spec import ActionSpec

PLAY_MENU: tuple[ActionSpec, ...] = (
    ActionSpec(
        "play",
        QT_TRANSLATE_NOOP("Actions", "&Play"),
        "play",
        "Ctrl+P",
        QT_TRANSLATE_NOOP("Actions", "Play or pause"),
    ),
    ActionSpec(
        "advance",
        QT_TRANSLATE_NOOP("Actions", "&Frame advance"),
        "step-forward",
        "F",
        QT_TRANSLATE_NOOP("Actions", "Run exactly one frame"),
    ),
    ActionSpec(
        "step_back",
        QT_TRANSLATE_NOOP("Actions", "Step &back"),
        "step-back",
        "Shift+F",
        QT_TRANSLATE_NOOP("Actions", "Show the frame before"),
    ),
    ActionSpec(
        "fast_forward",
        QT_TRANSLATE_NOOP("Actions", "Fast-forward"),
        "fast-forward",
        "",
        QT_TRANSLATE_NOOP("Actions", "Run as fast as the core can (hold Space on the screen)"),
        checkable=True,
    ),
    ActionSpec(
        "reset",
        QT_TRANSLATE_NOOP("Actions", "&Reset"),
        "reset",
        "Ctrl+R",
        QT_TRANSLATE_NOOP("Actions", "Begin an episode at the start state"),
    ),
    ActionSpec(
        "pause_on_done",
        QT_TRANSLATE_NOOP("Actions", "P&ause when done"),
        "",
        "",
        QT_TRANSLATE_NOOP(
            "Actions", "Pause on the frame that ends the episode, also while fast-forwarding"
        ),
        game=False,
        checkable=True,
    ),
    ActionSpec(
        "fork",
        QT_TRANSLATE_NOOP("Actions", "For&k"),
        "fork",
        "Ctrl+B",
        QT_TRANSLATE_NOOP("Actions", "Keep what was played as a branch, and play on from here"),
        begins_group=True,
    ),
    ActionSpec(
        "mark",
        QT_TRANSLATE_NOOP("Actions", "&Mark this frame…"),
        "pin",
        "Ctrl+Shift+M",
        QT_TRANSLATE_NOOP("Actions", "Put a mark on the timeline"),
    ),
    ActionSpec(
        "follow",
        QT_TRANSLATE_NOOP("Actions", "F&ollow the recording"),
        "",
        "",
        QT_TRANSLATE_NOOP(
            "Actions",
            "After a seek, Play and Frame advance show what was recorded instead of taking over",
        ),
        checkable=True,
    ),
    ActionSpec(
        "record",
        QT_TRANSLATE_NOOP("Actions", "R&ecord movie…"),
        "record",
        "Ctrl+Shift+R",
        QT_TRANSLATE_NOOP("Actions", "Record a .bk2 movie from here"),
        role="bad",
        begins_group=True,
    ),
    ActionSpec(
        "stop_recording",
        QT_TRANSLATE_NOOP("Actions", "&Stop recording"),
        "stop",
        "",
        QT_TRANSLATE_NOOP("Actions", "Finish the movie"),
        role="bad",
    ),
    ActionSpec(
        "record_episodes",
        QT_TRANSLATE_NOOP("Actions", "Record eac&h episode…"),
        "record",
        "",
        QT_TRANSLATE_NOOP(
            "Actions",
            "Begin an episode; it and each one after it becomes a movie of its own in a folder",
        ),
        role="bad",
    ),
    ActionSpec(
        "record_again",
        QT_TRANSLATE_NOOP("Actions", "Record agai&n from here…"),
        "record",
        "",
        QT_TRANSLATE_NOOP(
            "Actions", "A new movie of this run: all up to this frame, then what you play from here"
        ),
        role="bad",
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
    ),
    ActionSpec(
        "play_movie",
        QT_TRANSLATE_NOOP("Actions", "Play mo&vie…"),
        "movie",
        "Ctrl+M",
        QT_TRANSLATE_NOOP("Actions", "Replay a movie"),
    ),
    ActionSpec(
        "record_macro",
        QT_TRANSLATE_NOOP("Actions", "Record &input macro"),
        "record",
        "",
        QT_TRANSLATE_NOOP(
            "Actions", "Keep the buttons of the frames from here on, to press them again later"
        ),
        checkable=True,
        begins_group=True,
    ),
    ActionSpec(
        "stop_macro",
        QT_TRANSLATE_NOOP("Actions", "Stop input macro"),
        "stop",
        "",
        QT_TRANSLATE_NOOP("Actions", "Let the buttons of the macro go that plays"),
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
        begins_group=True,
    ),
    ActionSpec(
        "all_players",
        QT_TRANSLATE_NOOP("Actions", "Pla&yers behind a multitap"),
        "gamepad",
        "",
        QT_TRANSLATE_NOOP(
            "Actions",
            "Open the game again with all controllers that the console has room for; players "
            "after the second need gamepads",
        ),
        checkable=True,
    ),
    ActionSpec(
        "discs",
        QT_TRANSLATE_NOOP("Actions", "&Discs…"),
        "",
        "",
        QT_TRANSLATE_NOOP("Actions", "Open the disc tray, or put in another disc of a .m3u"),
    ),
    ActionSpec(
        "bindings",
        QT_TRANSLATE_NOOP("Actions", "B&uttons…"),
        "keyboard",
        "",
        QT_TRANSLATE_NOOP("Actions", "The key and gamepad button of each console button"),
    ),
    ActionSpec(
        "on_screen_pad",
        QT_TRANSLATE_NOOP("Actions", "Pad on the screen"),
        "gamepad",
        "",
        QT_TRANSLATE_NOOP(
            "Actions", "A pad to click over the picture; right-click keeps a button down"
        ),
        game=False,
        checkable=True,
    ),
    ActionSpec(
        "sound",
        QT_TRANSLATE_NOOP("Actions", "Sound"),
        "volume",
        "Ctrl+Shift+U",
        QT_TRANSLATE_NOOP("Actions", "Play the game's sound; right-click for the volume"),
        game=False,
        checkable=True,
        begins_group=True,
    ),
    ActionSpec(
        "clip",
        QT_TRANSLATE_NOOP("Actions", "Save &clip…"),
        "clip",
        "Ctrl+Shift+K",
        QT_TRANSLATE_NOOP(
            "Actions", "Write the last seconds, or any frames played, as a video or GIF"
        ),
    ),
    ActionSpec(
        "game_picture",
        QT_TRANSLATE_NOOP("Actions", "Save &game picture…"),
        "camera",
        "F12",
        QT_TRANSLATE_NOOP(
            "Actions", "Write the game's picture to a PNG file, in the console's own pixels"
        ),
    ),
    ActionSpec(
        "save_state",
        QT_TRANSLATE_NOOP("Actions", "Save s&tate…"),
        "state",
        "Ctrl+Shift+S",
        QT_TRANSLATE_NOOP("Actions", "Keep this moment as a start state"),
        begins_group=True,
    ),
    ActionSpec(
        "load_state",
        QT_TRANSLATE_NOOP("Actions", "&Load state…"),
        "open",
        "Ctrl+Shift+L",
        QT_TRANSLATE_NOOP("Actions", "Go on from a .state file"),
    ),
)
