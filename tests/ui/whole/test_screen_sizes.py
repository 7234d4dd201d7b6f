"""The window on small screens, and on screens with several pixels to each of ours."""

import json
import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QBoxLayout, QLineEdit, QPushButton, QStyle, QStyleOptionFrame, QWidget
from pytestqt.qtbot import QtBot
from ui_driver import open_and_wait

from integrator.commands.shared.options import demo_game
from integrator.domain.suggest.suggestion import Suggestion
from integrator.domain.values.memory import DataType
from integrator.session.hidden.movies import MovieScore
from integrator.session.suggestions.hidden_look import Suggested
from integrator.ui.find.facts import FactsView
from integrator.ui.find.find_view import FindView
from integrator.ui.find.suggestions import SuggestionsView
from integrator.ui.memory.console_panel import ConsoleView
from integrator.ui.memory.memory_view import MemoryView
from integrator.ui.memory.variables import VariableColumn, VariablesView
from integrator.ui.review.movies.movies_view import MoviesView
from integrator.ui.score.actions_view import ActionsView
from integrator.ui.shell.main_window import MainWindow
from integrator.ui.widgets.docks import dock_of
from integrator.ui.widgets.fitting import fitted_pixmap, rgb_image
from integrator.ui.widgets.table import DataTable

_CHILD = """
import json, sys, tempfile
from pathlib import Path
from PySide6.QtCore import QEventLoop, QSize, QTimer
from PySide6.QtWidgets import QApplication
from integrator.app import build_window
from integrator.commands.shared.options import demo_game
from integrator.ui.memory.memory_view import MemoryView
from integrator.ui.memory.variables import VariablesView

app = QApplication([])
window = build_window(app, Path(tempfile.mkdtemp()) / "window.ini")
window.resize(1680, 1050)
window.show()
window.use_workspace("find")
loop = QEventLoop()
window.bridge.frame_ready.connect(lambda: QTimer.singleShot(600, loop.quit))
QTimer.singleShot(20000, loop.quit)
window.open_path(demo_game())
loop.exec()

def is_sharp(widget):
    # Not so if each row's pixels were equal in pairs: drawn at half the size, then blown up.
    image = widget.grab().toImage()
    assert image.width() == 2 * widget.width()
    pairs = range(0, image.width() - 1, 2)
    return any(
        image.pixel(x, y) != image.pixel(x + 1, y) for y in range(image.height()) for x in pairs
    )

panel = window.screen_panel
picture = window.actions_by_key["play"].icon().pixmap(QSize(18, 18), app.devicePixelRatio())
print(json.dumps({
    "icon": picture.width(),
    "timeline": panel.timeline._background.width() / panel.timeline.width(),
    "welcome": panel.welcome._picture.pixmap().width(),
    "blurred": [
        name
        for name, widget in {
            "transport": panel.transport,
            "memory": window.parts[MemoryView].grid.viewport(),
            "variables": window.parts[VariablesView].table.viewport(),
        }.items()
        if not is_sharp(widget)
    ],
    "pixels of the screen to one of the game": 2 * panel.game_screen.scale,
}))
window.close()
"""


def narrow(window: MainWindow, qtbot: QtBot, width: int, height: int) -> None:
    """Make the window as small as that, and wait until it is."""
    window.resize(width, height)
    qtbot.waitUntil(lambda: window.size() == QSize(width, height))


@pytest.mark.parametrize("size", [(1366, 768), (1280, 720)])
def test_all_columns_of_variables_fit_a_small_window(
    open_game: MainWindow, qtbot: QtBot, size: tuple[int, int]
) -> None:
    narrow(open_game, qtbot, *size)
    open_game.use_workspace("play")
    table = open_game.parts[VariablesView].table
    qtbot.waitUntil(lambda: table.horizontalScrollBar().maximum() == 0)
    assert table.columnWidth(VariableColumn.TREND) >= 40


def test_names_of_variables_are_whole_in_a_small_window(window: MainWindow, qtbot: QtBot) -> None:
    narrow(window, qtbot, 1280, 720)
    open_and_wait(window, qtbot, demo_game())
    window.use_workspace("play")
    table = window.parts[VariablesView].table
    digit = table.fontMetrics().horizontalAdvance("0")
    table.setMaximumWidth(54 * digit)  # as narrow as a user may drag it
    rows = range(table.model().rowCount())
    names = [table.model().index(row, VariableColumn.NAME) for row in rows]
    assert "frame_counter" in [index.data() for index in names]
    needed = max(table.sizeHintForIndex(index).width() for index in names)
    qtbot.waitUntil(lambda: table.horizontalScrollBar().maximum() == 0)
    qtbot.waitUntil(lambda: table.columnWidth(VariableColumn.NAME) >= needed)


def test_titles_of_variables_are_whole_in_a_small_window(
    open_game: MainWindow, qtbot: QtBot
) -> None:
    narrow(open_game, qtbot, 1280, 720)
    open_game.use_workspace("play")
    header = open_game.parts[VariablesView].table.horizontalHeader()

    def cut() -> list[int]:
        shown = [each for each in VariableColumn if not header.isSectionHidden(each)]
        return [each for each in shown if header.sectionSize(each) < header.sectionSizeHint(each)]

    qtbot.waitUntil(lambda: cut() == [])


def test_boxes_of_the_console_are_whole_in_a_small_window(
    open_game: MainWindow, qtbot: QtBot
) -> None:
    narrow(open_game, qtbot, 1280, 720)
    open_game.use_workspace("score")
    open_game.docks.all["console"].raise_()
    console = open_game.parts[ConsoleView]
    boxes = (console.writes, console.each_frame)
    qtbot.waitUntil(console.writes.isVisible)
    qtbot.waitUntil(lambda: all(box.width() >= box.sizeHint().width() for box in boxes))


def test_the_time_slider_is_high_where_there_is_room(open_game: MainWindow, qtbot: QtBot) -> None:
    slider = open_game.screen_panel.timeline
    open_game.use_workspace("play")
    narrow(open_game, qtbot, 1600, 1000)
    qtbot.waitUntil(lambda: slider.height() == slider.maximumHeight())
    narrow(open_game, qtbot, 1280, 680)
    qtbot.waitUntil(lambda: slider.height() < slider.maximumHeight())
    qtbot.waitUntil(lambda: open_game.screen_panel.game_screen.scale >= 2)


def test_candidates_are_in_sight_in_a_small_window(open_game: MainWindow, qtbot: QtBot) -> None:
    narrow(open_game, qtbot, 1280, 720)
    open_game.use_workspace("find")
    find = open_game.parts[FindView]
    with qtbot.waitSignal(find.status_changed):
        find.form.memory_buttons["unchanged"].click()
    table = find.table
    row = table.verticalHeader().minimumSectionSize()
    qtbot.waitUntil(lambda: table.viewport().height() >= 5 * row)
    title = table.horizontalHeader().fontMetrics().height()
    assert table.horizontalHeader().height() < 2 * title + row / 2


def test_reasons_of_suggestions_are_whole_in_a_small_window(
    open_game: MainWindow, qtbot: QtBot
) -> None:
    narrow(open_game, qtbot, 1280, 720)
    open_game.use_workspace("find")
    view = open_game.parts[SuggestionsView]
    dock_of(view).come_forward()
    reason = "+20, +10, +30, never falls, drawn at the bottom, right after FIRE"
    suggestion = Suggestion("score", 0x306, DataType.parse(">d3"), 0.7, reason)
    view.show_rows([Suggested(suggestion, np.arange(9)) for _ in range(3)])
    index = view.model.index(1, view.model.place("reason"))

    def is_whole() -> bool:
        cell = view.table.visualRect(index)
        flags = int(Qt.TextFlag.TextWordWrap)
        digit = view.table.fontMetrics().horizontalAdvance("0")
        text = view.table.fontMetrics().boundingRect(cell.adjusted(0, 0, -digit, 0), flags, reason)
        return text.height() <= cell.height() <= 4 * view.table.fontMetrics().height()

    qtbot.waitUntil(is_whole)
    assert view.table.horizontalScrollBar().maximum() == 0


def test_reasons_that_just_do_not_fit_are_whole_too(open_game: MainWindow, qtbot: QtBot) -> None:
    open_game.use_workspace("find")
    view = open_game.parts[SuggestionsView]
    dock_of(view).come_forward()
    byte = DataType.parse("|u1")
    reasons = ["a " * length + "end" for length in range(4, 40)]
    rows = [Suggestion("score", 0x80 + at, byte, 0.7, each) for at, each in enumerate(reasons)]
    view.show_rows([Suggested(each, np.arange(9)) for each in rows])
    table = view.table

    def cut() -> list[str]:
        """Reasons whose last words have no line, drawn over the style's padding."""
        box, flags = table.visualRect(table.model().index(0, 5)), Qt.TextFlag.TextWordWrap
        box.adjust(7, 0, -7, 1000)
        heights = {
            each: table.fontMetrics().boundingRect(box, flags, each).height() for each in reasons
        }
        return [each for at, each in enumerate(reasons) if table.rowHeight(at) < heights[each]]

    qtbot.waitUntil(lambda: table.rowHeight(len(reasons) - 1) > table.rowHeight(0))
    qtbot.waitUntil(lambda: cut() == [])


def test_all_groups_of_actions_are_in_sight_in_a_small_window(
    window: MainWindow, qtbot: QtBot
) -> None:
    narrow(window, qtbot, 1280, 690)
    open_and_wait(window, qtbot, demo_game())
    window.use_workspace("score")
    view = window.parts[ActionsView]
    assert len(view.groups) == 3
    chips = [chip for chip in view.findChildren(QPushButton) if chip.property("role") == "chip"]
    qtbot.waitUntil(
        lambda: all(chip.visibleRegion().boundingRect() == chip.rect() for chip in chips)
    )


def test_numbers_at_the_cursor_are_whole_or_left_out(open_game: MainWindow, qtbot: QtBot) -> None:
    open_game.use_workspace("find")
    memory = open_game.parts[MemoryView]
    dock_of(memory).setFloating(True)
    label = memory.readings
    digit = label.fontMetrics().horizontalAdvance("0")
    for width in (120, 40):
        memory.window().resize(width * digit, 400)
        qtbot.waitUntil(lambda w=width: memory.width() <= w * digit)  # type: ignore[misc]  # binds the loop's value
        assert "|u1" in label.text()
        needed = label.fontMetrics().horizontalAdvance(label.text())
        assert needed <= label.contentsRect().width()
    assert "<u4" not in label.text()


def test_memory_has_twelve_rows_on_a_full_screen_and_the_picture_its_size(
    window: MainWindow, qtbot: QtBot
) -> None:
    window.resize(1920, 1080)
    open_and_wait(window, qtbot, demo_game())
    window.use_workspace("find")
    grid, screen = window.parts[MemoryView].grid, window.screen_panel.game_screen
    qtbot.waitUntil(lambda: grid.viewport().height() >= 12 * grid.row_height)
    assert screen.scale >= 2


def test_movies_are_in_sight_in_a_small_window_while_they_are_scored(
    review: MainWindow, qtbot: QtBot
) -> None:
    narrow(review, qtbot, 1280, 690)
    view = review.parts[MoviesView]
    dock_of(view).come_forward()
    view.progress.begin("Scoring")
    view.curves.add_score(MovieScore(Path("a.bk2"), np.ones((9, 1), np.float32)))
    rows = view.table.verticalHeader().defaultSectionSize()
    qtbot.waitUntil(lambda: view.table.viewport().height() >= 3 * rows)


def test_columns_give_way_until_one_is_dragged(qtbot: QtBot) -> None:
    table = DataTable("numbers", QStandardItemModel(1, 3))
    qtbot.addWidget(table)
    table.set_widths((100, 100, 100), stretch=2)
    table.resize(600, 100)
    table.show()
    assert table.columnWidth(0) == 100
    table.resize(250, 100)
    assert 70 <= table.columnWidth(0) < 90
    assert table.horizontalScrollBar().maximum() == 0
    table.resize(100, 100)
    assert table.columnWidth(0) == 70
    table.resize(600, 100)
    table.setColumnWidth(0, 130)
    table.resize(250, 100)
    assert (table.columnWidth(0), table.columnWidth(1)) == (130, 100)


def overlaps(widgets: list[QWidget]) -> list[tuple[str, str]]:
    """Pairs that lie on each other, by their texts or names."""
    boxes = [
        (each.accessibleName() or str(each.property("text")), each.rect(), each) for each in widgets
    ]
    placed = [
        (name, box.translated(each.mapTo(each.window(), box.topLeft())))
        for name, box, each in boxes
    ]
    return [
        (one[0], other[0])
        for number, one in enumerate(placed)
        for other in placed[number + 1 :]
        if one[1].intersects(other[1])
    ]


@pytest.mark.parametrize("width", [1280, 1700])
def test_the_library_folds_where_there_is_little_room(
    open_game: MainWindow, qtbot: QtBot, width: int
) -> None:
    narrow(open_game, qtbot, width, 720)
    open_game.use_workspace("review" if width == 1280 else "play")
    open_game.actions_by_key["library"].trigger()
    library = open_game.welcome.library
    qtbot.waitUntil(library.bar.isVisible)
    down = QBoxLayout.Direction.TopToBottom
    qtbot.waitUntil(lambda: (library.bar.box.direction() is down) == (width == 1280))
    buttons = [*library.roms.buttons(), library.import_button]
    qtbot.waitUntil(lambda: overlaps([library.field, library.system, library.kind, *buttons]) == [])
    assert [b.text() for b in buttons if b.width() < b.sizeHint().width()] == []


def test_games_of_the_library_are_in_sight_in_a_low_window(
    open_game: MainWindow, qtbot: QtBot
) -> None:
    narrow(open_game, qtbot, 1280, 690)
    open_game.use_workspace("score")
    open_game.actions_by_key["library"].trigger()
    library = open_game.welcome.library
    buttons = [*library.roms.buttons(), library.import_button]
    qtbot.waitUntil(lambda: all(b.visibleRegion().boundingRect() == b.rect() for b in buttons))
    qtbot.waitUntil(lambda: library.grid.viewport().height() >= 4 * library.fontMetrics().height())
    open_game.use_workspace("play")
    qtbot.waitUntil(open_game.welcome.heading.isVisible)


def test_hints_of_fields_are_whole_in_a_small_window(open_game: MainWindow, qtbot: QtBot) -> None:
    narrow(open_game, qtbot, 1280, 720)
    open_game.use_workspace("find")
    for panel, field in (
        ("find", open_game.parts[FindView].name),
        ("facts", open_game.parts[FactsView].value),
    ):
        open_game.docks.all[panel].come_forward()
        open_game.parts[FactsView].show_frame(12_345)
        qtbot.waitUntil(partial(has_room_for_its_hint, field))


def has_room_for_its_hint(field: QLineEdit) -> bool:
    """True when a field is in sight, and its placeholder is whole."""
    option = QStyleOptionFrame()
    field.initStyleOption(option)
    contents = QStyle.SubElement.SE_LineEditContents
    room = field.style().subElementRect(contents, option, field).width()
    needed = field.fontMetrics().horizontalAdvance(field.placeholderText())
    return not field.visibleRegion().isEmpty() and needed <= room


def test_a_branch_picture_has_the_screens_own_pixels() -> None:
    picture = np.zeros((224, 256, 3), np.uint8)
    for ratio in (1.0, 1.5, 2.0):
        pixmap = fitted_pixmap(rgb_image(picture), QSize(112, 84), ratio)
        assert pixmap.height() == round(84 * ratio)
        assert pixmap.deviceIndependentSize().height() == pytest.approx(84, abs=1)


def test_nothing_is_blown_up_with_two_pixels_to_each() -> None:
    environment = {**os.environ, "QT_SCALE_FACTOR": "2", "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(
        [sys.executable, "-c", _CHILD], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    pixels = seen.pop("pixels of the screen to one of the game")
    assert seen == {"icon": 36, "timeline": 2, "welcome": 80, "blurred": []}
    assert pixels >= 2
    assert pixels == int(pixels)


@pytest.mark.parametrize(("size", "factor"), [((1280, 720), 1), ((2560, 1440), 2)])
def test_the_first_window_fits_a_small_screen_and_shows_everything(
    tmp_path: Path, size: tuple[int, int], factor: int
) -> None:
    screen = {"name": "small", "x": 0, "y": 0, "width": size[0], "height": size[1]}
    screen |= {"logicalDpi": 96, "logicalBaseDpi": 96, "dpr": 1}
    (tmp_path / "screen.json").write_text(json.dumps({"screens": [screen]}))
    environment = {
        **os.environ,
        "QT_SCALE_FACTOR": str(factor),
        "QT_QPA_PLATFORM": f"offscreen:configfile={tmp_path / 'screen.json'}",
    }
    program = [sys.executable, str(Path(__file__).parents[1] / "small_screen.py")]
    done = subprocess.run(program, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    room = seen.pop("room")
    assert room == [1280, 720]
    width, height = seen.pop("window")
    assert 1200 <= width <= 1280
    assert 650 <= height <= 690  # a title bar has room above it
    assert set(seen) == {"play", "find", "score", "review", "agents"}
    for workspace, found in seen.items():
        assert found["cut"] == [], workspace
        assert found["number"], workspace
        assert not found["notice covers the score line"], workspace
        assert found["scale"] >= 2, workspace
        assert found["scale with a notice"] == found["scale"], workspace
        assert found["least"][0] <= 1024
        assert found["least"][1] <= 650
