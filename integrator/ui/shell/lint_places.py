"""Finds the place of a lint finding in the window: the panel, and the row or card in it."""

from __future__ import annotations

import re

from PySide6.QtCore import QObject

from integrator.domain.findings.finding import Finding
from integrator.ui.memory.variables_model import VariableColumn
from integrator.ui.shell.docks import Docks

_VARIABLE = re.compile(r"info\.([^.\[]+)")
_PLAYER = re.compile(r"rewards\[(\d+)\]")


class LintPlaces(QObject):
    """Shows what a finding is about in the panel that edits it."""

    def __init__(self, docks: Docks, parent: QObject) -> None:
        super().__init__(parent)
        self._docks = docks
        docks.lint.place_requested.connect(self.go_to)

    def go_to(self, finding: Finding) -> None:
        """Show what a finding is about in the panel that edits it."""
        name, path = finding.file.name, finding.path
        if name.endswith(".lua"):
            self._raise("script")
            self._docks.script.open_script(name, finding.line)
        elif (variable := _VARIABLE.match(path)) is not None:
            self._raise("variables")
            self._docks.variables.select(variable[1], VariableColumn.NAME)
        elif path.startswith("reward"):
            self._raise("reward")
            player = _PLAYER.match(path)
            self._docks.reward.show_player(int(player[1]) if player else 0)
            card = self._docks.reward.card(path.rpartition("variables.")[2].split(".")[0])
            if card is not None:
                card.setFocus()
        else:
            self._raise(_dock_of(name, path))

    def _raise(self, key: str) -> None:
        self._docks.all[key].come_forward()


def _dock_of(file: str, path: str) -> str:
    """The panel for a place that no row or card stands for."""
    for start in ("done", "actions", "crop"):
        if path.startswith(start):
            return start
    if file == "data.json":
        return "variables"
    return "states" if file in ("metadata.json", "rom.sha") or not path else "reward"
