"""Steps that several window tests take."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QHeaderView,
    QLineEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot
from pytestqt.wait_signal import MultiSignalBlocker, SignalBlocker
from shiboken6 import isValid

from integrator.session.frame.result import FrameResult
from integrator.session.session import Session
from integrator.session.timeline_facts import TimelineFacts
from integrator.ui.memory.variables import VariableColumn, VariablesView
from integrator.ui.shell.main_window import MainWindow
from integrator.ui.time_slider.timeline_view import TimelineView

OPEN_TIMEOUT_MS = 60_000
"""More than a loaded machine needs to start a core, or for anything else that a window does."""
PLAYED_FRAMES = 150
"""Frames of the fixture ``played``, after the episode's first and before the one on the screen."""
MOVIE_FRAMES = 60
"""Frames of the fixture ``review``'s movie, after the episode's first."""


class PatientQtBot(QtBot):
    """Waits for a fact as long as a busy machine may need; one that holds ends the wait at once."""

    def waitUntil(
        self, callback: Callable[[], bool | None], *, timeout: int = OPEN_TIMEOUT_MS
    ) -> None:
        super().waitUntil(callback, timeout=timeout)

    def waitSignal(
        self, signal: Any, *, timeout: int = OPEN_TIMEOUT_MS, **options: Any
    ) -> SignalBlocker:
        return super().waitSignal(signal, timeout=timeout, **options)

    def waitSignals(
        self, signals: list[Any], *, timeout: int = OPEN_TIMEOUT_MS, **options: Any
    ) -> MultiSignalBlocker:
        return super().waitSignals(signals, timeout=timeout, **options)


def open_and_wait(window: MainWindow, qtbot: QtBot, path: Path) -> None:
    """Open a game and wait for its first frame."""
    with qtbot.waitSignal(window.bridge.frame_ready):
        window.open_path(path)


def do_and_show(
    window: MainWindow, qtbot: QtBot, work: Callable[[Session], FrameResult]
) -> FrameResult:
    """Let the session do something, and show where it stands then."""
    shown: list[FrameResult] = []
    window.bridge.ask(work, shown.append)
    qtbot.waitUntil(lambda: bool(shown))
    with qtbot.waitSignal(window.bridge.frame_ready):
        window.bridge.show(shown[0])
    return shown[0]


def banners(window: MainWindow) -> list[str]:
    """Texts of the notices shown, newest first."""
    return [banner.text for banner in window.screen_panel.notices.banners()]


def cell(window: MainWindow, name: str, column: VariableColumn) -> str:
    """The text of a variable's cell in the Variables table."""
    model = window.parts[VariablesView].model
    row = model.row_of(name)
    assert row is not None
    return str(model.index(row, column).data())


def step(window: MainWindow, qtbot: QtBot, frames: int = 1) -> None:
    """Press frame advance and wait for the frame and its numbers, each time."""
    bridge = window.bridge
    for _ in range(frames):
        with qtbot.waitSignals([bridge.frame_ready, bridge.readout_ready], order="simple"):
            window.actions_by_key["advance"].trigger()


def wait_for_timers(qtbot: QtBot, controller: QObject) -> None:
    """Wait until no timer of a controller is under way."""
    timers = controller.findChildren(QTimer)
    assert timers
    qtbot.waitUntil(lambda: not any(timer.isActive() for timer in timers))


def frame_number(window: MainWindow) -> int:
    """The frame on the screen; 0 before the first."""
    return window.controller.last.number if window.controller.last else 0


def settled_frame(window: MainWindow, qtbot: QtBot) -> int:
    """The frame on the screen, once the game has done all that it was asked for before."""
    positions: list[int] = []
    window.bridge.ask(lambda session: session.timeline.position, positions.append)
    qtbot.waitUntil(lambda: positions == [frame_number(window)])
    return positions[0]


def slider(window: MainWindow) -> TimelineView:
    """The time slider below the screen."""
    return window.screen_panel.timeline


def timeline_facts(window: MainWindow) -> TimelineFacts:
    """The timeline as the time slider shows it."""
    found = slider(window).facts
    assert found is not None
    return found


def scenario(window: MainWindow) -> dict[str, object]:
    """The scenario as the window knows it."""
    documents = window.controller.documents
    return dict(documents.scenario) if documents else {}


def put_back(window: MainWindow, qtbot: QtBot) -> None:
    """Close the game and all notices, and return to the first workspace."""
    bridge = window.bridge
    qtbot.waitUntil(lambda: not bridge.is_opening)
    bridge.close_game()
    qtbot.waitUntil(lambda: not bridge.is_busy())
    window.screen_panel.notices.clear()
    window.use_workspace("play")


class Choice(NamedTuple):
    """The value that is entered or chosen in a widget, and how to read and write it."""

    widget: Any
    value: object
    read: Callable[[Any], object]
    write: Callable[[Any, Any], object]

    @property
    def is_left(self) -> bool:
        """True where the widget is there and shows something else now."""
        return isValid(self.widget) and self.read(self.widget) != self.value


def choices(window: MainWindow) -> list[Choice]:
    """All that is entered or chosen in a window."""
    return [
        Choice(widget, read(widget), read, write)
        for kind, read, write in _CHOICES
        for widget in window.findChildren(kind)
    ]


def choose_again(before: Iterable[Choice]) -> None:
    """Enter and choose what was entered and chosen before."""
    for each in before:
        if each.is_left:
            each.write(each.widget, each.value)


def _sorted_by(header: QHeaderView) -> tuple[int, Qt.SortOrder]:
    return header.sortIndicatorSection(), header.sortIndicatorOrder()


def _type_in(box: QAbstractSpinBox, text: str) -> None:
    box.lineEdit().setText(text)
    box.interpretText()


_CHOICES: Sequence[tuple[type[QWidget], Callable[[Any], object], Callable[[Any, Any], object]]] = (
    (QLineEdit, QLineEdit.text, QLineEdit.setText),
    (QAbstractButton, QAbstractButton.isChecked, QAbstractButton.setChecked),
    (QAbstractSpinBox, QAbstractSpinBox.text, _type_in),
    # A list without a game may be empty.
    (QComboBox, lambda box: max(box.currentIndex(), 0), QComboBox.setCurrentIndex),
    (QHeaderView, _sorted_by, lambda header, by: header.setSortIndicator(*by)),
)


def delete_windows(app: QApplication, windows: Iterable[MainWindow]) -> None:
    """Close windows and let Qt delete them now, not when some later test runs its event loop."""
    for window in windows:
        window.close()
        window.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    # Widgets of the next test are put together twice as fast when they are not styled meanwhile.
    app.setStyleSheet("")
