"""Finds the place of a lint finding in the window: the panel, and the row or card in it."""

from __future__ import annotations

import re

from PySide6.QtWidgets import QWidget

from integrator.domain.findings.finding import Finding
from integrator.domain.integration.expectations import EXPECTATIONS_FILE
from integrator.ui.memory.variables.variables_model import VariableColumn
from integrator.ui.memory.variables.variables_view import VariablesView
from integrator.ui.play.states.states_view import StatesView
from integrator.ui.review.expectations_view import ExpectationsView
from integrator.ui.score.actions_view import ActionsView
from integrator.ui.score.crop_view import CropView
from integrator.ui.score.done_view import DoneView
from integrator.ui.score.reward_view import RewardView
from integrator.ui.score.texts.script_view import ScriptView
from integrator.ui.shell.desk import Parts
from integrator.ui.widgets.panels.docks import dock_of

_VARIABLE = re.compile(r"info\.([^.\[]+)")
_PLAYER = re.compile(r"rewards\[(\d+)\]")


def show_place(parts: Parts, finding: Finding) -> None:
    """Show the place of a finding in the panel that edits it."""
    name, path = finding.file.name, finding.path
    if name.endswith(".lua"):
        script = parts[ScriptView]
        dock_of(script).come_forward()
        script.open_script(name, finding.line)
    elif (variable := _VARIABLE.match(path)) is not None:
        variables = parts[VariablesView]
        dock_of(variables).come_forward()
        variables.select(variable[1], VariableColumn.NAME)
    elif path.startswith("reward"):
        reward = parts[RewardView]
        dock_of(reward).come_forward()
        player = _PLAYER.match(path)
        reward.show_player(int(player[1]) if player else 0)
        card = reward.card(path.rpartition("variables.")[2].split(".")[0])
        if card is not None:
            card.setFocus()
    elif name == EXPECTATIONS_FILE:
        dock_of(parts[ExpectationsView]).come_forward()
    else:
        dock_of(parts[_view_of(name, path)]).come_forward()


def _view_of(file: str, path: str) -> type[QWidget]:
    """The panel for a place that no row or card stands for."""
    views = {"done": DoneView, "actions": ActionsView, "crop": CropView}
    for start, view in views.items():
        if path.startswith(start):
            return view
    if file == "data.json":
        return VariablesView
    return StatesView if file in ("metadata.json", "rom.sha") or not path else RewardView
