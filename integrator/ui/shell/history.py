"""Undo and redo over all files of the open game, in the order in which edits were made."""

from collections import deque

from integrator.session.edits.snapshot import Documents, Update
from integrator.session.session import Session
from integrator.ui.desk import Part
from integrator.ui.widgets.notices import NoticeKind


class EditHistory(Part):
    """The actions Undo and Redo. All changes of one command are one step, in any number of files.

    Keys may be pressed faster than files are written: each press is a step. The actions show at
    once the expected result of presses that are not answered yet. While an edit is not answered,
    nobody knows the steps that there will be, so each press goes to the session, which does.
    """

    def _set_up(self) -> None:
        desk, bridge, controller = self._desk, self._bridge, self._controller
        self._undo_action, self._redo_action = desk.actions["undo"], desk.actions["redo"]
        self._shortcuts = desk.actions.shortcuts
        self._done: list[tuple[str, ...]] = []
        self._undone: list[tuple[str, ...]] = []
        self._asked: deque[bool] = deque()
        self._undo_action.triggered.connect(lambda: self._step(back=True))
        self._redo_action.triggered.connect(lambda: self._step(back=False))
        controller.documents_changed.connect(self._take)
        controller.edits_counted.connect(self._show)
        bridge.opened.connect(lambda game: self._begin(game.documents))
        bridge.closed.connect(lambda: self._begin(None))

    def _begin(self, documents: Documents | None) -> None:
        self._asked.clear()
        self._take(documents)

    def _take(self, documents: Documents | None) -> None:
        self._done = list(documents.undo_steps) if documents else []
        self._undone = list(documents.redo_steps) if documents else []
        for back in self._asked:
            self._move(back=back)
        self._show()

    def _move(self, *, back: bool) -> bool:
        source, target = (self._done, self._undone) if back else (self._undone, self._done)
        if source:
            target.append(source.pop())
            return True
        return False

    def _step(self, *, back: bool) -> None:
        if not self._move(back=back) and not self._controller.unanswered_edits:
            return
        self._asked.append(back)
        self._show()

        def work(session: Session) -> Update:
            # Edits that are still queued come first, so only this thread knows the newest step.
            change = session.editor.undo() if back else session.editor.redo()
            return Update.of(session.game, change)

        def done(update: Update) -> None:
            self._asked.popleft()
            self._controller.show(update)

        def refused(error: Exception) -> None:
            self._asked.popleft()
            self._bridge.ask(lambda session: Documents.of(session.game), self._take)
            self._controller.said.emit(NoticeKind.ERROR, str(error))

        self._bridge.ask(work, done, refused)

    def _show(self) -> None:
        for action, steps, what in (
            (self._undo_action, self._done, self.tr("Undo the last edit of {0}")),
            (self._redo_action, self._undone, self.tr("Redo the last edit of {0}")),
        ):
            action.setEnabled(bool(steps or self._controller.unanswered_edits))
            if steps:
                self._shortcuts.set_tip(action.objectName(), what.format(", ".join(steps[-1])))
