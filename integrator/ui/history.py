"""Undo and redo over all documents of the open game, in the order in which edits were made."""

from __future__ import annotations

from PySide6.QtCore import QObject

from integrator.ui import edits
from integrator.ui.actions import Actions
from integrator.ui.bridge import SessionBridge
from integrator.ui.controller import GameController
from integrator.ui.notices import NoticeKind
from integrator.ui.snapshot import Documents


class EditHistory(QObject):
    """Each document knows its own edits; this knows which document was edited when."""

    def __init__(
        self, bridge: SessionBridge, controller: GameController, actions: Actions, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._controller = controller
        self._undo_action, self._redo_action = actions["undo"], actions["redo"]
        self._depths: dict[str, int] = {}
        self._done: list[str] = []
        self._undone: list[str] = []
        self._busy = False
        self._undo_action.triggered.connect(lambda: self._step(back=True))
        self._redo_action.triggered.connect(lambda: self._step(back=False))
        controller.documents_changed.connect(self._note_edits)
        bridge.opened.connect(lambda game: self._begin(game.documents))
        bridge.closed.connect(lambda: self._begin(None))

    def _begin(self, documents: Documents | None) -> None:
        self._depths = dict(documents.undo_depths) if documents else {}
        self._done, self._undone, self._busy = [], [], False
        self._show()

    def _note_edits(self, documents: Documents) -> None:
        if self._busy:
            return
        for file, depth in documents.undo_depths.items():
            grown = depth - self._depths.get(file, 0)
            if grown > 0:
                self._done += [file] * grown
                self._undone.clear()
        self._depths = dict(documents.undo_depths)
        self._show()

    def _step(self, *, back: bool) -> None:
        source, target = (self._done, self._undone) if back else (self._undone, self._done)
        if not source or self._busy:
            return
        self._busy = True
        file = source[-1]

        def done(documents: Documents) -> None:
            target.append(source.pop())
            self._depths = dict(documents.undo_depths)
            self._controller.show_documents(documents)
            self._busy = False
            self._show()

        def refused(error: Exception) -> None:
            self._busy = False
            self._controller.said.emit(NoticeKind.ERROR, str(error))

        self._bridge.ask(edits.step_history(file, back=back), done, refused)

    def _show(self) -> None:
        for action, files, what in (
            (self._undo_action, self._done, self.tr("Undo the last edit of {0}")),
            (self._redo_action, self._undone, self.tr("Redo the last edit of {0}")),
        ):
            action.setEnabled(bool(files))
            if files:
                shortcut = action.shortcut().toString()
                action.setToolTip(f"{what.format(files[-1])} ({shortcut})")
