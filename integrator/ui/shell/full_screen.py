"""Full screen: only the picture, until F11 or Escape."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QObject, Qt
from PySide6.QtGui import QAction, QKeySequence, QShortcut
from PySide6.QtWidgets import QMainWindow, QWidget

from integrator.ui.screen.screen_panel import ScreenPanel
from integrator.ui.widgets.theme import SIZES


class FullScreen(QObject):
    """Hides everything around the picture, and puts it back as it was."""

    def __init__(
        self,
        window: QMainWindow,
        workbench: QMainWindow,
        panel: ScreenPanel,
        bars: tuple[QWidget, ...],
        action: QAction,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._workbench = workbench
        self._around = (*bars, panel.header, panel.transport, panel.timeline)
        self._hidden: list[QWidget] = []
        self._layout = QByteArray()
        self._was_maximized = False
        self._escape = QShortcut(QKeySequence(Qt.Key.Key_Escape), window, enabled=False)
        self._escape.activated.connect(lambda: action.setChecked(False))
        action.toggled.connect(self._set)

    def _set(self, on: bool) -> None:
        window = self._window
        self._escape.setEnabled(on)
        if on:
            self._was_maximized = window.isMaximized()
            self._layout = self._workbench.saveState()
            self._take_back(SIZES.gap)
            docks = [dock for dock in self._workbench.findChildren(QWidget) if _is_dock(dock)]
            self._hidden = [each for each in (*self._around, *docks) if not each.isHidden()]
            for each in self._hidden:
                each.hide()
            window.showFullScreen()
        else:
            for each in self._hidden:
                each.show()
            self._hidden = []
            self._take_back(0)
            self._workbench.restoreState(self._layout)
            if self._was_maximized:
                window.showMaximized()
            else:
                window.showNormal()

    def _take_back(self, gap: int) -> None:
        """Let the picture have the gap that the window's layout keeps around it."""
        around = self._window.centralWidget()
        if around is not None:
            around.setContentsMargins(-gap, -gap, -gap, -gap)


def _is_dock(widget: QWidget) -> bool:
    return widget.inherits("QDockWidget")
