"""The gaps between painted frames: the time for everything that can wait.

A frame that comes while the window's thread does something else is late. So while a game plays,
chores wait until a frame was painted; then nothing is due for most of a frame's time.
"""

from collections import deque
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer

PATIENCE_MS: Final = 120
"""Chores are not put off for longer, whatever becomes of the frames."""

_TURN: Final = QEvent.Type(QEvent.registerEventType())
_AFTER_PAINTING: Final = Qt.EventPriority.LowEventPriority.value - 1
"""Widgets post their painting with LowEventPriority."""

Chore = Callable[[], object]


class Gaps(QObject):
    """Runs chores in the order they came, one in each gap; at once when no frames are coming.

    One, because the chore's changes are painted after it, and that takes longer than the chore.
    """

    def __init__(self, coming: Callable[[], bool], parent: QObject) -> None:
        super().__init__(parent)
        self._coming = coming
        self._waiting: deque[Chore] = deque()
        self._asked = False
        self._patience = QTimer(self, singleShot=True, interval=PATIENCE_MS)
        self._patience.timeout.connect(self._run_all)

    def run(self, chore: Chore) -> None:
        """Run ``chore`` in the next gap; once, however often it is asked for until then."""
        if not self._coming():
            chore()
        elif chore not in self._waiting:
            self._waiting.append(chore)
            if not self._patience.isActive():
                self._patience.start()

    def begin(self) -> None:
        """A frame was given to the screen: a gap begins as soon as it is painted."""
        if self._waiting and not self._asked:
            self._asked = True
            QCoreApplication.postEvent(self, QEvent(_TURN), _AFTER_PAINTING)

    def event(self, event: QEvent) -> bool:
        if event.type() is not _TURN:
            return super().event(event)
        self._asked = False
        self._take_turn()
        return True

    def _take_turn(self) -> None:
        if self._waiting:
            self._waiting.popleft()()
        if self._waiting:
            self._patience.start()
        else:
            self._patience.stop()

    def _run_all(self) -> None:
        while self._waiting:
            self._waiting.popleft()()
