"""Collects reference cycles only in the window's thread, as long as there is a window. Python
collects cycles wherever the next object happens to be created. Collecting a cycle that contains a
widget crashes the process in two cases: in another thread, because Qt's objects belong to the
window's thread, or while Qt walks over all widgets, for example for a new palette."""

import contextlib
import ctypes
import gc
from collections.abc import Callable, Iterator
from typing import Self

from PySide6.QtCore import QCoreApplication, QObject, QTimer


def return_memory() -> None:
    """Return free memory to the system, if the C library is glibc. glibc keeps memory that threads
    have freed, separately for each thread, and every game has threads of its own."""
    with contextlib.suppress(AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


class WindowThreadGarbage(QObject):
    """The collector of an application. While a window holds it, a timer collects cycles. Looking
    through all objects of a window takes as long as three frames. While a game plays, only objects
    made since it began are looked through; the others follow once it is paused or closed."""

    def __init__(self, app: QCoreApplication) -> None:
        super().__init__(app)
        self._plays: list[Callable[[], bool]] = []
        self._is_frozen = False
        self._thresholds = gc.get_threshold()
        self._timer = QTimer(self, interval=250)
        self._timer.timeout.connect(self._look)

    @classmethod
    def of(cls, app: QCoreApplication) -> Self:
        return app.findChild(cls) or cls(app)

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Return a context in which Python collects nothing by itself, with or without a window."""

        def plays() -> bool:
            return False

        self.hold(plays)
        try:
            yield
        finally:
            self.release(plays)

    def hold(self, plays: Callable[[], bool]) -> None:
        """Note a new window. ``plays`` returns True while its game plays or is being closed."""
        self._plays.append(plays)
        if len(self._plays) == 1:
            gc.disable()
            self._timer.start()

    def release(self, plays: Callable[[], bool]) -> None:
        """Note that a window is gone. After the last one, Python collects as it does without
        windows. Idempotent, because a window may be closed twice."""
        if plays not in self._plays:
            return
        self._plays.remove(plays)
        if not self._plays:
            self._timer.stop()
            self._freeze(frozen=False)
            gc.enable()

    def _freeze(self, *, frozen: bool) -> None:
        before, self._is_frozen = self._is_frozen, frozen
        if frozen and not before:
            gc.freeze()
        elif before and not frozen:
            gc.unfreeze()
            gc.collect()  # a closed game is large, and would be frozen with the next one
            return_memory()

    def _look(self) -> None:
        """Collect the oldest generation whose count exceeds Python's own threshold."""
        plays = any(plays() for plays in self._plays)
        self._timer.setInterval(250 if plays else 1000)
        self._freeze(frozen=plays)
        for generation in (2, 1, 0):
            if gc.get_count()[generation] > self._thresholds[generation] > 0:
                gc.collect(generation)
                return
