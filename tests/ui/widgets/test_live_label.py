"""Labels that change often, and panels behind other tabs."""

from pathlib import Path

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QHBoxLayout, QWidget
from pytestqt.qtbot import QtBot
from ui_driver import open_and_wait

from integrator.ui.shell.main_window import MainWindow
from integrator.ui.widgets.docks import HEADER_HEIGHT, is_in_sight
from integrator.ui.widgets.fitting import LiveLabel


class Layouts(QObject):
    """Counts how often a widget was asked to lay out its children."""

    def __init__(self, watched: QWidget) -> None:
        super().__init__(watched)
        self.count = 0
        watched.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() is QEvent.Type.LayoutRequest
        return super().eventFilter(watched, event)


def test_another_number_does_not_lay_the_window_out_anew(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    label = LiveLabel("frame <b>1000</b>")
    QHBoxLayout(window).addWidget(label)
    window.show()
    qtbot.wait(50)
    layouts = Layouts(window)
    for number in range(1001, 1010):
        label.setText(f"frame <b>{number}</b>")
    qtbot.wait(50)
    assert layouts.count == 0
    label.setText("frame <b>1010</b> " + "and much more " * 5)
    qtbot.waitUntil(lambda: layouts.count > 0)
    assert label.sizeHint().width() > 300
    assert label.accessibleName().startswith("frame 1010 and much more")


def test_play_does_not_lay_the_window_out_anew(
    window: MainWindow, qtbot: QtBot, airstriker: Path
) -> None:
    """A layout of the window takes as long as drawing it, and readouts come ten times a second."""
    open_and_wait(window, qtbot, airstriker)
    window.docks.fill_all()
    for dock in window.docks.all.values():
        dock.show()
    readouts: list[int] = []
    window.bridge.readout_ready.connect(lambda result: readouts.append(result.number))
    window.bridge.play()
    qtbot.waitUntil(lambda: len(readouts) > 3)
    layouts, begun = Layouts(window), len(readouts)
    qtbot.waitUntil(lambda: len(readouts) >= begun + 12)
    assert layouts.count <= 4


def test_rich_text_stays_on_one_line(qtbot: QtBot) -> None:
    label = LiveLabel("frame <b>548</b> · timestep <b>137</b>")
    qtbot.addWidget(label)
    font = label.font()
    font.setPointSizeF(font.pointSizeF() * 2)
    label.setFont(font)
    label.resize(400, 60)
    drawn = label.grab().toImage()
    background = drawn.pixelColor(399, 59)
    rows = [y for y in range(60) if any(drawn.pixelColor(x, y) != background for x in range(400))]
    assert max(rows) - min(rows) < label.fontMetrics().height()


def test_a_panel_behind_another_tab_is_not_in_sight(window: MainWindow, qtbot: QtBot) -> None:
    window.use_workspace("review")
    docks = window.docks.all
    qtbot.waitUntil(lambda: is_in_sight(docks["plots"]))
    assert not is_in_sight(docks["lint"].widget())
    docks["lint"].raise_()
    qtbot.waitUntil(lambda: is_in_sight(docks["lint"].widget()))
    assert not is_in_sight(docks["plots"])


def test_headers_keep_their_height_and_order(window: MainWindow) -> None:
    header = window.screen_panel.header
    assert header.height() == HEADER_HEIGHT
    assert header.title.x() < window.screen_panel.subtitle.x()
    assert window.docks.all["variables"].header.height() == HEADER_HEIGHT
