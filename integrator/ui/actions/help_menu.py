"""The commands of the Help menu, a row each."""

from __future__ import annotations

from integrator.domain.words import QT_TRANSLATE_NOOP
from integrator.ui.actions.spec import ActionSpec

HELP_MENU: tuple[ActionSpec, ...] = (
    ActionSpec(
        "help",
        QT_TRANSLATE_NOOP("Actions", "&Help"),
        "",
        "F1",
        QT_TRANSLATE_NOOP("Actions", "How to integrate a game"),
        game=False,
    ),
    ActionSpec(
        "tour",
        QT_TRANSLATE_NOOP("Actions", "Take the &tour"),
        "",
        "",
        QT_TRANSLATE_NOOP("Actions", "The whole job on the demo game, in about five minutes"),
        game=False,
    ),
    ActionSpec(
        "bug_report",
        QT_TRANSLATE_NOOP("Actions", "Copy a &bug report"),
        "",
        "",
        QT_TRANSLATE_NOOP(
            "Actions", "Versions, system, game and the last log lines, for a bug tracker"
        ),
        game=False,
    ),
)
