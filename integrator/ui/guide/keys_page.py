"""The help's page of all commands and panels with their keys, made from the window's tables."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtGui import QAction, QKeySequence

from integrator.ui.actions.actions import SPECS, Actions
from integrator.ui.shell.docks import Docks
from integrator.ui.shell.workspaces import workspaces
from integrator.ui.widgets.panels import plain_text
from integrator.ui.widgets.translation import translate


def keys_page(actions: Actions, docks: Docks) -> str:
    """A page of Markdown. *Search actions…* finds all of these by name."""
    return "\n".join(
        (
            "# All commands and panels",
            "",
            "| command | keys | does |",
            "|---|---|---|",
            *_commands(actions),
            "",
            "## Panels",
            "",
            "*View > Panels* shows and hides them, and so do their keys.",
            "",
            "| panel | keys | workspaces |",
            "|---|---|---|",
            *_panels(docks),
            "",
        )
    )


def _commands(actions: Actions) -> Iterable[str]:
    for spec in SPECS:
        action = actions[spec.key]
        tip = translate("Actions", spec.tip) if spec.tip else ""
        yield f"| {plain_text(action)} | {_keys(action)} | {tip} |"


def _panels(docks: Docks) -> Iterable[str]:
    titles = {key: title for key, title, _ in workspaces()}
    for panel in docks.panels:
        dock = docks.all[panel.key]
        places = ", ".join(titles[place.workspace] for place in panel.places)
        yield f"| {dock.windowTitle()} | {_keys(dock.toggleViewAction())} | {places} |"


def _keys(action: QAction) -> str:
    return action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
