"""The commands of the View menu, a row each."""

from __future__ import annotations

from integrator.domain.words import QT_TRANSLATE_NOOP
from integrator.ui.actions.spec import ActionSpec

VIEW_MENU: tuple[ActionSpec, ...] = (
    ActionSpec(
        "palette",
        QT_TRANSLATE_NOOP("Actions", "Search &actions…"),
        "search",
        "Ctrl+K",
        QT_TRANSLATE_NOOP("Actions", "Every action by name"),
        game=False,
    ),
    ActionSpec(
        "full_screen",
        QT_TRANSLATE_NOOP("Actions", "&Full screen"),
        "",
        "F11",
        "",
        game=False,
        checkable=True,
        begins_group=True,
    ),
    ActionSpec(
        "show_buttons",
        QT_TRANSLATE_NOOP("Actions", "Show &buttons pressed"),
        "gamepad",
        "Ctrl+Shift+B",
        QT_TRANSLATE_NOOP("Actions", "Draw pressed buttons over the picture"),
        game=False,
        checkable=True,
    ),
    ActionSpec(
        "screenshot",
        QT_TRANSLATE_NOOP("Actions", "Save window &picture…"),
        "camera",
        "",
        QT_TRANSLATE_NOOP("Actions", "Write the window to a PNG file"),
        game=False,
    ),
    ActionSpec(
        "cores",
        QT_TRANSLATE_NOOP("Actions", "&Cores…"),
        "core",
        "",
        QT_TRANSLATE_NOOP("Actions", "The core of each system, and its options"),
        game=False,
        begins_group=True,
    ),
    ActionSpec(
        "consoles",
        QT_TRANSLATE_NOOP("Actions", "Consoles of your o&wn…"),
        "gamepad",
        "",
        QT_TRANSLATE_NOOP("Actions", "Add a console: drafted from a core, edited and tried"),
        game=False,
    ),
    ActionSpec(
        "memory_ranges",
        QT_TRANSLATE_NOOP("Actions", "Memory that cou&nts…"),
        "memory",
        "",
        QT_TRANSLATE_NOOP(
            "Actions", "Log, search and show only a part of a large console's memory"
        ),
    ),
    ActionSpec(
        "reset_layout",
        QT_TRANSLATE_NOOP("Actions", "Reset &layout"),
        "",
        "",
        QT_TRANSLATE_NOOP("Actions", "Put the workspaces' panels back"),
        game=False,
        begins_group=True,
    ),
)
