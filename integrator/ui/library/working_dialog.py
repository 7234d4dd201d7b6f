"""Dialogs whose work outlives a click: it runs on a thread, and closing the dialog stops it."""

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent, QShowEvent
from PySide6.QtWidgets import QDialog, QWidget


class WorkingDialog(QDialog):
    """Runs one piece of work at a time, which looks at ``stopping`` now and then.

    A dialog that is closed while it works hides at once and is deleted when the work has ended,
    unless it was shown again. ``changed``: there are other games, or other consoles.
    """

    changed = Signal()
    _ended = Signal(object)

    def __init__(self, thread_name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.stopping = threading.Event()
        self._thread_name = thread_name
        self._worker: ThreadPoolExecutor | None = None
        self._left = False
        self._then: Callable[[Future[Any]], None] | None = None
        self._ended.connect(self._work_ended, Qt.ConnectionType.QueuedConnection)

    @property
    def running(self) -> bool:
        return self._worker is not None

    def begin(self, work: Callable[[], object], then: Callable[[Future[Any]], None]) -> None:
        """Start work; the window's thread gives its future to ``then``, unless the dialog went."""
        self.stopping.clear()
        self._then = then
        self._worker = ThreadPoolExecutor(1, thread_name_prefix=self._thread_name)
        self._worker.submit(work).add_done_callback(self._ended.emit)
        self._worker.shutdown(wait=False)

    def _work_ended(self, done: Future[Any]) -> None:
        if self._worker is not None:
            self._worker.shutdown(wait=True)  # its thread is on its way out
        self._worker = None
        if self._left:
            self.close()
        elif self._then is not None:
            self._then(done)

    def finish(self) -> None:
        self._leave()
        if self._worker is not None:
            self._worker.shutdown(wait=True, cancel_futures=True)

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802 - Qt's name
        """Hide while the work goes on, and close after it."""
        if self.running:
            event.ignore()
            self.reject()
            return
        super().closeEvent(event)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """Stay after the end of work that was to be the last."""
        self._left = False
        super().showEvent(event)

    def reject(self) -> None:
        """Escape and *Close*; Qt's closing of a dialog ends up here, too."""
        self._leave()
        if self.running:
            self.hide()
        else:
            super().reject()

    def _leave(self) -> None:
        self._left = True
        self.stopping.set()
