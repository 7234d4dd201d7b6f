"""The commands of the Edit menu, a row each."""

from __future__ import annotations

from integrator.domain.words import QT_TRANSLATE_NOOP
from integrator.ui.actions.spec import ActionSpec

EDIT_MENU: tuple[ActionSpec, ...] = (
    ActionSpec(
        "undo",
        QT_TRANSLATE_NOOP("Actions", "&Undo edit"),
        "undo",
        "Ctrl+Z",
        QT_TRANSLATE_NOOP("Actions", "Take back the last edit"),
    ),
    ActionSpec(
        "redo",
        QT_TRANSLATE_NOOP("Actions", "R&edo edit"),
        "redo",
        "Ctrl+Shift+Z",
        QT_TRANSLATE_NOOP("Actions", "Do the edit again"),
    ),
    ActionSpec(
        "add_variable",
        QT_TRANSLATE_NOOP("Actions", "&Add variable"),
        "plus",
        "Ctrl+D",
        QT_TRANSLATE_NOOP("Actions", "Name an address by hand"),
        begins_group=True,
    ),
    ActionSpec(
        "add_reward",
        QT_TRANSLATE_NOOP("Actions", "Add &reward term"),
        "plus",
        "",
        QT_TRANSLATE_NOOP("Actions", "Reward the change of a variable"),
    ),
    ActionSpec(
        "add_condition",
        QT_TRANSLATE_NOOP("Actions", "Add &done condition"),
        "plus",
        "",
        QT_TRANSLATE_NOOP("Actions", "End the episode on a variable"),
    ),
    ActionSpec(
        "preferences",
        QT_TRANSLATE_NOOP("Actions", "&Preferences…"),
        "settings",
        "Ctrl+,",
        QT_TRANSLATE_NOOP("Actions", "Picture, sound, controllers, look"),
        game=False,
        begins_group=True,
    ),
    ActionSpec(
        "shortcuts",
        QT_TRANSLATE_NOOP("Actions", "&Keyboard shortcuts…"),
        "keyboard",
        "",
        QT_TRANSLATE_NOOP("Actions", "See and change the keys of every command"),
        game=False,
    ),
)
