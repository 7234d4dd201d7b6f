"""Verifies the open integration's files in the background."""

from __future__ import annotations

from PySide6.QtCore import QObject

from integrator.session.library.checks.verification import Verification, verify
from integrator.ui.bridge.background import Background
from integrator.ui.shell.desk import Desk
from integrator.ui.shell.files.verify_dialog import VerifyDialog
from integrator.ui.widgets.notices import NoticeKind


class Verifier(QObject):
    """One verification at a time; its dialog shows the progress and the report."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.window)
        self._desk = desk
        self._background = Background(desk.bridge, "verify", self)
        self._background.progressed.connect(self._show_progress)
        self.dialog: VerifyDialog | None = None
        desk.actions.on("verify", self.verify)
        desk.bridge.closed.connect(self._leave)

    def verify(self) -> None:
        """Verify the files as they are on disk."""
        game, documents = self._desk.controller.game, self._desk.controller.documents
        if game is None or documents is None:
            return
        if not game.is_integration:
            text = self.tr("Only an integration can be verified: make one of this ROM first.")
            remedy = self.tr("Make integration…"), self._desk.actions["save"].trigger
            self._desk.say(NoticeKind.INFO, text, remedy)
            return
        self._leave()
        self.dialog = dialog = VerifyDialog(
            game.name, unsaved=documents.modified, parent=self._desk.window
        )
        job = self._background.start(
            lambda job: verify(game.directory, job.progress, job.stopped),
            self._show_result,
            self._show_failure,
        )
        dialog.stop_requested.connect(job.stop)
        dialog.finished.connect(lambda _: self._forget(dialog))
        dialog.show()

    def _forget(self, dialog: VerifyDialog) -> None:
        if self.dialog is dialog:
            self.dialog = None

    def _leave(self) -> None:
        if self.dialog is not None:
            self.dialog.close()
            self.dialog = None

    def _show_progress(self, done: int, total: int) -> None:
        if self.dialog is not None:
            self.dialog.show_progress(done, total)

    def _show_result(self, result: Verification) -> None:
        if self.dialog is not None:
            self.dialog.show_result(result)

    def _show_failure(self, error: Exception) -> None:
        if self.dialog is not None:
            self.dialog.show_failure(error)
