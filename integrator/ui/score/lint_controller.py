"""Lints the open integration after edits, away from the window, and goes to what was found."""

from __future__ import annotations

import re

from PySide6.QtCore import QObject, QTimer

from integrator.domain.finding import Finding
from integrator.domain.lint import LintOptions
from integrator.session.checking import lint_options, lint_session
from integrator.session.session import Session
from integrator.ui.bridge import SessionBridge
from integrator.ui.controller import GameController
from integrator.ui.docks import Docks
from integrator.ui.models.variables_model import Column

_SETTLE_MS = 500
_VARIABLE = re.compile(r"info\.([^.\[]+)")
_PLAYER = re.compile(r"rewards\[(\d+)\]")


class LintController(QObject):
    """``lint_session`` reads documents only, so it fits between two frames."""

    def __init__(
        self, bridge: SessionBridge, controller: GameController, docks: Docks, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._docks = docks
        self._options: list[LintOptions] = []
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(_SETTLE_MS)
        self._settle.timeout.connect(self.lint)
        controller.documents_changed.connect(lambda _: self._settle.start())
        bridge.closed.connect(self._closed)
        docks.lint.place_requested.connect(self.go_to)
        docks.lint.counted.connect(self._show_counts)

    def lint(self) -> None:
        """Check the documents as they are now."""
        kept = self._options

        def work(session: Session) -> tuple[Finding, ...]:
            # Reading the schemas takes some milliseconds: once, and not in the window's thread.
            if not kept:
                kept.append(lint_options())
            return lint_session(session, kept[0])

        self._bridge.ask(work, self._docks.lint.show_findings)

    def _closed(self) -> None:
        self._settle.stop()
        self._docks.lint.show_nothing()

    def _show_counts(self, errors: int, warnings: int, notes: int) -> None:
        parts = []
        for count, one, many in (
            (errors, self.tr("1 error"), self.tr("{0} errors")),
            (warnings, self.tr("1 warning"), self.tr("{0} warnings")),
            (notes, self.tr("1 note"), self.tr("{0} notes")),
        ):
            if count:
                parts.append(one if count == 1 else many.format(count))
        self._docks.all["lint"].header.note.setText(", ".join(parts))

    def go_to(self, finding: Finding) -> None:
        """Show what a finding is about in the panel that edits it."""
        name, path = finding.file.name, finding.path
        if name.endswith(".lua"):
            self._raise("script")
            self._docks.script.open_script(name, finding.line)
        elif (variable := _VARIABLE.match(path)) is not None:
            self._raise("variables")
            self._docks.variables.select(variable[1], Column.NAME)
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
        dock = self._docks.all[key]
        dock.show()
        dock.raise_()


def _dock_of(file: str, path: str) -> str:
    """The panel for a place that no row or card stands for."""
    for start in ("done", "actions", "crop"):
        if path.startswith(start):
            return start
    if file == "data.json":
        return "variables"
    return "states" if file in ("metadata.json", "rom.sha") or not path else "reward"
