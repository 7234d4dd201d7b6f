"""Lints the open integration after edits, away from the window."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer

from integrator.domain.findings.finding import Finding
from integrator.domain.lint.lint import LintOptions
from integrator.session.library.checks.checking import lint_options, lint_session
from integrator.session.session import Session
from integrator.ui.bridge.bridge import SessionBridge
from integrator.ui.bridge.game import GameController
from integrator.ui.bridge.panel_controller import PanelController
from integrator.ui.score.texts.lint_view import LintView
from integrator.ui.widgets.translation import counted

_SETTLE_MS = 500


class LintController(PanelController[LintView]):
    """``lint_session`` reads documents only, so it fits between two frames."""

    def __init__(
        self, bridge: SessionBridge, controller: GameController, view: LintView, parent: QObject
    ) -> None:
        super().__init__(bridge, controller, view, parent)
        self._options: list[LintOptions] = []
        self._settle = QTimer(self, singleShot=True, interval=_SETTLE_MS)
        self._settle.timeout.connect(self.lint)
        controller.documents_changed.connect(lambda _: self._settle.start())
        bridge.closed.connect(self._closed)
        view.counted.connect(self._show_counts)

    def lint(self) -> None:
        """Check the present documents."""
        kept = self._options

        def work(session: Session) -> tuple[Finding, ...]:
            # Reading the schemas takes some milliseconds: once, and not in the window's thread.
            if not kept:
                kept.append(lint_options())
            return lint_session(session, kept[0])

        self._bridge.ask(work, self._view.show_findings)

    def _closed(self) -> None:
        self._settle.stop()
        self._view.show_nothing()

    def _show_counts(self, errors: int, warnings: int, notes: int) -> None:
        texts = (
            (errors, self.tr("{0} error[|s]", None, errors)),
            (warnings, self.tr("{0} warning[|s]", None, warnings)),
            (notes, self.tr("{0} note[|s]", None, notes)),
        )
        parts = [counted(text, count).format(count) for count, text in texts if count]
        self._dock.header.note.setText(", ".join(parts))
