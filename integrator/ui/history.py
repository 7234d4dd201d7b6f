"""Undo and redo over all files of the open game, in the order in which edits were made."""

from __future__ import annotations

from collections import Counter

from PySide6.QtCore import QObject

from integrator.ui.actions import Actions
from integrator.ui.bridge import SessionBridge
from integrator.ui.controller import GameController
from integrator.ui.history_edits import step_history
from integrator.ui.snapshot import Documents
from integrator.ui.widgets.notices import NoticeKind

Step = tuple[str, ...]
"""Keys of the histories that one edit changed, one for each change."""


class EditHistory(QObject):
    """Each history knows its own edits; this knows which was edited when.

    What one command changed, in whatever files, is one step.
    """

    def __init__(
        self, bridge: SessionBridge, controller: GameController, actions: Actions, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._controller = controller
        self._undo_action, self._redo_action = actions["undo"], actions["redo"]
        self._depths: dict[str, int] = {}
        self._done: list[Step] = []
        self._undone: list[Step] = []
        self._asked = 0
        self._undo_action.triggered.connect(lambda: self._step(back=True))
        self._redo_action.triggered.connect(lambda: self._step(back=False))
        controller.documents_changed.connect(self._note_edits)
        bridge.opened.connect(lambda game: self._begin(game.documents))
        bridge.closed.connect(lambda: self._begin(None))

    def _begin(self, documents: Documents | None) -> None:
        self._depths = dict(documents.undo_depths) if documents else {}
        self._done, self._undone, self._asked = [], [], 0
        self._show()

    def _note_edits(self, documents: Documents) -> None:
        step: list[str] = []
        for key, depth in documents.undo_depths.items():
            step += [key] * (depth - self._depths.get(key, 0))
        if step:
            self._done.append(tuple(step))
            self._undone.clear()
        if not self._asked:
            self._forget_lost(documents)
        self._depths = dict(documents.undo_depths)
        self._show()

    def _forget_lost(self, documents: Documents) -> None:
        """Drop steps whose history is not there any more, or has let go of them."""
        left = Counter(documents.undo_depths)
        kept: list[Step] = []
        for step in reversed(self._done):
            needed = Counter(step)
            if all(left[key] >= count for key, count in needed.items()):
                left -= needed
                kept.insert(0, step)
        self._done = kept
        if not all(set(step) <= documents.redoable for step in self._undone):
            self._undone.clear()

    def _step(self, *, back: bool) -> None:
        """Take a step at once, as far as the window is concerned; the files follow.

        So keys may be pressed faster than files are written: each press is a step.
        """
        source, target = (self._done, self._undone) if back else (self._undone, self._done)
        if not source:
            return
        step = source.pop()
        target.append(step)
        self._asked += 1
        self._show()

        def done(documents: Documents) -> None:
            self._asked -= 1
            self._depths = dict(documents.undo_depths)
            self._controller.show_documents(documents)

        def refused(error: Exception) -> None:
            self._asked -= 1
            # An edit made meanwhile may have ended what can be done again.
            if step in target:
                del target[-1 - target[::-1].index(step)]
            source.append(step)
            self._show()
            self._controller.said.emit(NoticeKind.ERROR, str(error))

        self._bridge.ask(step_history(step, back=back), done, refused)

    def _show(self) -> None:
        for action, steps, what in (
            (self._undo_action, self._done, self.tr("Undo the last edit of {0}")),
            (self._redo_action, self._undone, self.tr("Redo the last edit of {0}")),
        ):
            action.setEnabled(bool(steps))
            if steps:
                shortcut = action.shortcut().toString()
                names = ", ".join(dict.fromkeys(map(self._words, steps[-1])))
                action.setToolTip(f"{what.format(names)} ({shortcut})")

    def _words(self, key: str) -> str:
        words = {
            "*.lua": self.tr("the scripts"),
            "*.state": self.tr("the start states"),
            "*.json": self.tr("the scenario files"),
        }
        return words.get(key, key)
