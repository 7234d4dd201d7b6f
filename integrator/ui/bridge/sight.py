"""Lets a panel that cannot be seen do no work, and update when it appears."""

import contextlib
from collections.abc import Callable
from functools import partial
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QElapsedTimer, QObject, Signal, SignalInstance
from PySide6.QtWidgets import QWidget

from integrator.ui import widgets as ui
from integrator.ui.bridge.bridge import Command, Otherwise, SessionBridge, Show

T = TypeVar("T")
Look = Callable[[], Command[T] | None]


class Sight(QObject):
    """True while a panel can be seen. ``appeared`` is emitted when it comes into sight."""

    appeared = Signal()

    def __init__(self, bridge: SessionBridge, view: QWidget) -> None:
        super().__init__(view)
        self.bridge, self._view = bridge, view
        self._held: dict[Callable[..., object], tuple[object, ...]] = {}
        # Qt reports the change while it is still moving the docks, so the panel is checked later.
        self._settle = ui.settle_timer(self, 0, self._look)
        with contextlib.suppress(LookupError):
            ui.dock_of(view).visibilityChanged.connect(lambda _: self._settle.start())
        bridge.closed.connect(self._held.clear)

    def __bool__(self) -> bool:
        return ui.is_in_sight(self._view)

    def follow(self, signal: SignalInstance, show: Callable[..., object]) -> None:
        """Call ``show`` with a signal's values; out of sight, with the newest once it appears."""

        def take(*values: object) -> None:
            self._held.pop(show, None)
            if ui.is_in_sight(self._view):
                show(*values)
            else:
                self._held[show] = values

        signal.connect(take)

    def _look(self) -> None:
        if self:
            held = dict(self._held)
            self._held.clear()
            for show, values in held.items():
                show(*values)
            self.appeared.emit()


class LiveReader(QObject, Generic[T]):
    """Reads the session for a view: after :meth:`touch`, in sight, and not more often than the
    interval. ``look`` returns the command that reads, on the session's thread, or None if there is
    nothing to read; ``show`` gets the result, and ``failed`` an error. Nothing runs between
    touches. With a bridge as its ``source`` it reads even while no panel is in sight."""

    def __init__(
        self,
        source: Sight | SessionBridge,
        look: Look[T],
        show: Show[T],
        interval_ms: int,
        failed: Otherwise = None,
    ) -> None:
        super().__init__(source)
        self._sight = sight = source if isinstance(source, Sight) else None
        self._bridge = bridge = source.bridge if isinstance(source, Sight) else source
        self._interval_ms = interval_ms
        self._look, self._show = look, show
        self._failed = failed or bridge.failed.emit
        self._stale = self._asked = False
        self._since_asked = QElapsedTimer()
        self._timer = ui.settle_timer(self, 0, lambda: bridge.frame_gaps.run(self._ask))
        if sight is not None:
            sight.appeared.connect(self._plan)
        bridge.opened.connect(lambda _: self._plan())
        bridge.closed.connect(self._drop)

    def touch(self, *_: object) -> None:
        """Note that the session may differ from the shown values. Takes any signal's arguments."""
        self._stale = True
        self._plan()

    def _plan(self) -> None:
        if not self._stale or self._asked or self._timer.isActive():
            return
        if self._sight is None or self._sight:
            since = self._since_asked
            rest_ms = self._interval_ms - since.elapsed() if since.isValid() else 0
            self._timer.start(max(0, rest_ms))

    def forget(self) -> None:
        """Read nothing until the next touch, not even what waits for a gap between frames."""
        self._timer.stop()
        self._stale = False

    def _drop(self) -> None:
        self.forget()
        self._asked = False

    def _ask(self) -> None:
        if self._asked or not self._stale or not self._bridge.is_open:
            return
        self._stale = False
        if (command := self._look()) is not None:
            self._asked = True
            self._since_asked.start()
            shown, failed = partial(self._end, self._show), partial(self._end, self._failed)
            self._bridge.ask(command, shown, failed)

    def _end(self, show: Callable[[Any], object], answer: object) -> None:
        self._asked = False
        show(answer)
        self._plan()
