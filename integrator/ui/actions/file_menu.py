"""The commands of the File menu, a row each."""

from __future__ import annotations

from integrator.domain.words import QT_TRANSLATE_NOOP
from integrator.ui.actions.spec import ActionSpec

FILE_MENU: tuple[ActionSpec, ...] = (
    ActionSpec(
        "open_rom",
        QT_TRANSLATE_NOOP("Actions", "&Open ROM…"),
        "rom",
        "Ctrl+O",
        QT_TRANSLATE_NOOP("Actions", "Open a ROM, movie or state file"),
        game=False,
    ),
    ActionSpec(
        "open_several",
        QT_TRANSLATE_NOOP("Actions", "Open several &files as one game…"),
        "",
        "",
        QT_TRANSLATE_NOOP(
            "Actions", "Open a game that a core makes of several files, as by --subsystem"
        ),
        game=False,
    ),
    ActionSpec(
        "open_integration",
        QT_TRANSLATE_NOOP("Actions", "Open &integration…"),
        "folder",
        "Ctrl+Shift+O",
        QT_TRANSLATE_NOOP("Actions", "Open an integration directory"),
        game=False,
    ),
    ActionSpec(
        "new_integration",
        QT_TRANSLATE_NOOP("Actions", "&New integration…"),
        "plus",
        "Ctrl+N",
        QT_TRANSLATE_NOOP("Actions", "Make an integration of a ROM"),
        game=False,
    ),
    ActionSpec(
        "library",
        QT_TRANSLATE_NOOP("Actions", "&Library"),
        "library",
        "Ctrl+L",
        QT_TRANSLATE_NOOP("Actions", "All integrations: search, filter, open"),
        game=False,
        begins_group=True,
    ),
    ActionSpec(
        "import_roms",
        QT_TRANSLATE_NOOP("Actions", "I&mport ROMs…"),
        "import",
        "Ctrl+I",
        QT_TRANSLATE_NOOP("Actions", "Copy the ROMs of known games out of folders and zips"),
        game=False,
    ),
    ActionSpec(
        "save",
        QT_TRANSLATE_NOOP("Actions", "&Save integration"),
        "save",
        "Ctrl+S",
        QT_TRANSLATE_NOOP("Actions", "Write the integration's changed files"),
        begins_group=True,
    ),
    ActionSpec(
        "save_as",
        QT_TRANSLATE_NOOP("Actions", "Save integration &as…"),
        "",
        "",
        QT_TRANSLATE_NOOP("Actions", "Write a copy of the integration elsewhere"),
    ),
    ActionSpec(
        "verify",
        QT_TRANSLATE_NOOP("Actions", "&Verify integration…"),
        "check",
        "Ctrl+Shift+V",
        QT_TRANSLATE_NOOP(
            "Actions", "Check the saved files, and compare 1,000 random steps with stable-retro"
        ),
    ),
    ActionSpec(
        "new_window",
        QT_TRANSLATE_NOOP("Actions", "New &window"),
        "",
        "Ctrl+Shift+N",
        QT_TRANSLATE_NOOP("Actions", "Open another window, with a game of its own"),
        game=False,
        begins_group=True,
    ),
    ActionSpec(
        "close_game",
        QT_TRANSLATE_NOOP("Actions", "&Close game"),
        "",
        "Ctrl+W",
        QT_TRANSLATE_NOOP("Actions", "Close the game that is open"),
    ),
    ActionSpec(
        "quit",
        QT_TRANSLATE_NOOP("Actions", "&Quit"),
        "",
        "Ctrl+Q",
        QT_TRANSLATE_NOOP("Actions", "Leave the program"),
        game=False,
    ),
)
