"""Fields of whole numbers under the style sheet of the window."""

from pytestqt.qtbot import QtBot

from integrator.ui.widgets.parts import NumberBox
from integrator.ui.widgets.theme import Theme


def test_digits_keep_their_distance_from_the_border(qtbot: QtBot, theme: Theme) -> None:
    assert theme.is_dark
    box = NumberBox()
    qtbot.addWidget(box)
    box.show()
    field = box.lineEdit()
    field.setCursorPosition(0)
    begin = field.mapTo(box, field.cursorRect().center())
    assert begin.x() >= 6
