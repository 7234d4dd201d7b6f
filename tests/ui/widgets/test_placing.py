"""Small windows stand whole on the screen, wherever the widget is that they belong to."""

import pytest
from PySide6.QtCore import QRect, QSize

from integrator.ui.widgets.fitting import place_near

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
