"""Places of small windows, which are whole on the screen, and of widgets that lie over others."""

import pytest
from PySide6.QtCore import QRect, QSize
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from integrator.ui.widgets.fitting import place_near
from integrator.ui.widgets.parts import OverlaidFrame

ROOM = QRect(0, 30, 1280, 690)
CARD = QSize(300, 200)


@pytest.mark.parametrize("above", [False, True])
@pytest.mark.parametrize("right", [False, True])
@pytest.mark.parametrize("left", [0, 600, 1270])
@pytest.mark.parametrize("top", [30, 200, 700])
def test_a_card_is_whole_on_the_screen_and_hides_no_cell(
    left: int, top: int, *, right: bool, above: bool
) -> None:
    cell = QRect(left, top, 60, 20)
    card = QRect(place_near(cell, CARD, ROOM, above=above, right=right), CARD)
    assert ROOM.contains(card)
    assert not card.intersects(cell)


def test_a_card_goes_where_it_is_wanted_if_there_is_room() -> None:
    cell = QRect(600, 400, 60, 20)
    assert place_near(cell, CARD, ROOM).toTuple() == (600, 424)
    assert place_near(cell, CARD, ROOM, above=True, right=True).toTuple() == (360, 196)


def test_a_card_that_is_too_large_shows_its_upper_left_part() -> None:
    assert place_near(QRect(0, 0, 9, 9), QSize(2000, 900), ROOM).toTuple() == (0, 30)


def test_overlays_keep_their_order_when_the_widget_below_them_grows(qtbot: QtBot) -> None:
    below = QWidget()
    qtbot.addWidget(below)
    older, newer = OverlaidFrame(below), OverlaidFrame(below)
    below.show()
    for shown in (older, newer, older):
        shown.show()
        below.resize(below.width() + 10, 300)
        assert below.children()[-1] is shown
        assert shown.geometry() == below.rect()
