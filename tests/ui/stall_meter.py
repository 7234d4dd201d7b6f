"""Times in which the window's thread stays away from its event loop."""

import time
from types import TracebackType
from typing import Self

from PySide6.QtCore import QObject, Qt, QTimer

_BEAT_MS = 5


class StallMeter(QObject):
    """Beats a few times a hundredth of a second; ``longest_s`` is the longest time between beats.

    ``computing_s`` is the most processor time that the thread took between two beats: unlike the
    other it says the same on a busy machine."""

    def __init__(self) -> None:
        super().__init__()
        self.longest_s = 0.0
        self.computing_s = 0.0
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._beat)

    def __enter__(self) -> Self:
        self._last, self._busy = time.monotonic(), time.thread_time()
        self._timer.start(_BEAT_MS)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._timer.stop()
        self._beat()

    def _beat(self) -> None:
        now, busy = time.monotonic(), time.thread_time()
        self.longest_s = max(self.longest_s, now - self._last)
        self.computing_s = max(self.computing_s, busy - self._busy)
        self._last, self._busy = now, busy
