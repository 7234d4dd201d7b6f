"""The part that is the same for every controller of a panel."""

from __future__ import annotations

from functools import cached_property
from typing import Generic, TypeVar

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from integrator.ui.bridge.bridge import SessionBridge
from integrator.ui.bridge.game import GameController
from integrator.ui.widgets.notices import NoticeKind
from integrator.ui.widgets.panels.docks import PanelDock, dock_of

View = TypeVar("View", bound=QWidget)


class PanelController(QObject, Generic[View]):
    """Connects a panel's view with the session and with the open game's documents."""

    def __init__(
        self, bridge: SessionBridge, controller: GameController, view: View, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._controller = controller
        self._view = view

    def _announce(self, text: str, kind: NoticeKind = NoticeKind.GOOD) -> None:
        self._controller.said.emit(kind, text)

    def _warn(self, reason: object) -> None:
        self._announce(str(reason), NoticeKind.WARNING)

    def _report(self, error: object) -> None:
        self._announce(str(error), NoticeKind.ERROR)

    @cached_property
    def _dock(self) -> PanelDock:
        return dock_of(self._view)
