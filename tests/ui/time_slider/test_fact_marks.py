"""Words of facts on the slider are whole, also at its end."""

import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter
from PySide6.QtWidgets import QApplication

from integrator.ui.time_slider.painting import FactMark, PlotArea, paint_marks
from integrator.ui.widgets.theme import DARK

WIDTH, FRAMES = 300, 100
GRIP = 8


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize(("frame", "right"), [(50, True), (FRAMES, False), (FRAMES - 3, False)])
def test_the_words_stand_where_there_is_room(frame: int, right: bool) -> None:
    image = QImage(WIDTH + 20, 60, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.black)

    marks = (FactMark(0, 0, frame, "123456", on=True),)
    area = PlotArea(QRectF(0, 0, WIDTH, 50), 0, FRAMES)
    painter = QPainter(image)
    painter.setFont(QApplication.font())
    room = QFontMetricsF(painter.font()).horizontalAdvance("123456")
    paint_marks(painter, area, marks, DARK)
    painter.end()
    color, handle = QColor(DARK.warn).rgb(), area.x_of(frame)
    lettered = {
        x for x in range(image.width()) for y in range(38, 50) if image.pixel(x, y) == color
    }
    beside = {x for x in lettered if abs(x - handle) >= GRIP}
    assert beside
    assert all((x > handle) == right for x in beside)
    assert max(beside) - min(beside) > room / 2
    assert max(beside) <= WIDTH
