"""Tables, empty places and curves in panels that are lower or narrower than they would like."""

import pytest
from PySide6.QtGui import QAction, QFontMetrics, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QLabel, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget
from pytestqt.qtbot import QtBot

from integrator.ui.review.movies.movies_compared import MovieCurves
from integrator.ui.widgets.parts import EmptyOr, EmptyState
from integrator.ui.widgets.table import DataTable
from integrator.ui.widgets.theme import Theme

TITLES = ("a", "a much longer title", "core", "name")


def table_of(qtbot: QtBot, width: int) -> DataTable:
    """A table of four columns; the second needs its room, the third is spare."""
    model = QStandardItemModel(1, len(TITLES))
    model.setHorizontalHeaderLabels(TITLES)
    table = DataTable("numbers", model)
    qtbot.addWidget(table)
    table.resize(width, 100)
    table.set_widths((100, 200, 100, 100), stretch=3, spare=(2,))
    table.show()
    return table


def cut_titles(table: DataTable) -> list[int]:
    """Columns in sight whose titles are not whole."""
    header = table.horizontalHeader()
    return [
        column
        for column in range(len(TITLES))
        if not table.isColumnHidden(column)
        and header.sectionSize(column) < header.sectionSizeHint(column)
    ]


def test_a_spare_column_goes_before_a_title_is_cut(qtbot: QtBot) -> None:
    table = table_of(qtbot, 520)
    assert not table.isColumnHidden(2)
    table.resize(330, 100)
    assert table.isColumnHidden(2)
    assert cut_titles(table) == []
    qtbot.waitUntil(lambda: table.horizontalScrollBar().maximum() == 0)
    table.resize(520, 100)
    assert not table.isColumnHidden(2)


def test_a_column_that_was_left_out_stays_so_when_rows_come(qtbot: QtBot) -> None:
    model = QStandardItemModel(1, 2)
    model.setHorizontalHeaderLabels(["a", "a title as wide as its column"])
    table = DataTable("numbers", model)
    qtbot.addWidget(table)
    needed = table.horizontalHeader().sectionSizeHint(1)
    table.set_widths((100, needed), stretch=0, spare=(1,))
    table.resize(needed + 60, 100)
    table.show()
    assert table.isColumnHidden(1)
    model.insertRow(0)
    assert table.isColumnHidden(1), "a title out of sight needs its room, too"


def test_a_text_beside_a_box_to_tick_is_whole(qtbot: QtBot, theme: Theme) -> None:
    theme.style()
    model = QStandardItemModel(1, 2)
    item = QStandardItem("1094  ·  00:18.2")
    item.setCheckable(True)
    model.setItem(0, 0, item)
    table = DataTable("ends", model)
    qtbot.addWidget(table)
    table.set_widths((40, 200), stretch=1, whole=(0,))
    table.resize(400, 100)
    table.show()
    option, index = QStyleOptionViewItem(), model.index(0, 0)
    table.initViewItemOption(option)
    option.rect = table.visualRect(index)
    delegate = table.itemDelegate()
    assert isinstance(delegate, QStyledItemDelegate)
    delegate.initStyleOption(option, index)
    style = table.style()
    text = style.subElementRect(QStyle.SubElement.SE_ItemViewItemText, option, table)
    margins = 2 * (style.pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin) + 1)
    assert text.width() - margins >= QFontMetrics(option.font).horizontalAdvance(item.text())


def test_a_short_column_gives_way_before_a_title_is_cut(qtbot: QtBot) -> None:
    model = QStandardItemModel(1, 2)
    model.setHorizontalHeaderLabels(["a title as wide as its column", "a"])
    table = DataTable("numbers", model)
    qtbot.addWidget(table)
    needed = table.horizontalHeader().sectionSizeHint(0)
    table.set_widths((needed, 200), stretch=1)
    table.resize(needed + 150, 100)
    table.show()
    assert table.columnWidth(0) == needed


@pytest.mark.parametrize("spare", [0, 20, 36, 60, 120])
@pytest.mark.usefixtures("theme")
def test_the_words_of_an_empty_place_are_whole(qtbot: QtBot, spare: int) -> None:
    panel = QWidget()
    qtbot.addWidget(panel)
    place = EmptyState("search", "Nothing here yet", "Play a little, then look again.")
    place.setParent(panel)
    panel.show()
    words = [place.heading, place.text]
    needed = sum(w.heightForWidth(252) for w in words) + 7
    place.resize(300, needed + spare)
    icon = next(each for each in place.findChildren(QLabel) if each not in words)

    def is_cut(label: QLabel) -> bool:
        return label.height() < label.heightForWidth(label.width())

    qtbot.waitUntil(lambda: not any(map(is_cut, words)))
    assert icon.isVisible() == (spare >= 37)


@pytest.mark.usefixtures("theme")
def test_the_text_of_an_empty_place_gives_way_to_its_button(qtbot: QtBot) -> None:
    panel = QWidget()
    qtbot.addWidget(panel)
    place = EmptyState("search", "Nothing here yet", "Play on. " * 9, [QAction("Look")])
    place.setParent(panel)
    panel.show()
    (button,) = place.buttons
    place.resize(300, place.heading.sizeHint().height() + button.sizeHint().height() + 30)
    qtbot.waitUntil(lambda: not place.text.isVisible())
    qtbot.waitUntil(lambda: button.geometry().bottom() < place.height())
    assert button.height() >= button.minimumSizeHint().height()
    assert place.heading.toolTip() == place.text.text()
    place.resize(300, 300)
    qtbot.waitUntil(place.text.isVisible)
    assert place.heading.toolTip() == ""


@pytest.mark.usefixtures("theme")
def test_a_hidden_empty_place_takes_no_room(qtbot: QtBot) -> None:
    empty, content = EmptyState("search", "Nothing", "words " * 60), QWidget()
    pages = EmptyOr(empty, content)
    qtbot.addWidget(pages)
    high = pages.minimumSizeHint().height()
    content.setMinimumSize(20, 20)
    pages.show_content(present=True)
    assert pages.minimumSizeHint().height() < high


@pytest.mark.usefixtures("theme")
def test_low_curves_have_no_numbers_below(qtbot: QtBot) -> None:
    curves = MovieCurves()
    qtbot.addWidget(curves)
    curves.resize(300, curves.minimumHeight())
    assert curves._area().bottom() > curves.height() - curves.fontMetrics().height()
    curves.resize(300, curves.sizeHint().height())
    assert curves._area().bottom() < curves.height() - curves.fontMetrics().height()
