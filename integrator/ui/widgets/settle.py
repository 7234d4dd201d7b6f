"""Work that waits until what it follows has come to rest."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer


def settle_timer(parent: QObject, pause_ms: int, then: Callable[[], object]) -> QTimer:
    """A timer that calls ``then`` once, ``pause_ms`` after it was started last."""
    timer = QTimer(parent, singleShot=True, interval=pause_ms)
    timer.timeout.connect(then)
    return timer
