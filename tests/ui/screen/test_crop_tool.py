"""Drawing a crop on a small picture, such as the Observation panel's."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from integrator.ui.screen.crop_tool import CropTool
from integrator.ui.screen.pad_overlay import FRAME
from integrator.ui.screen.screen_view import ScreenView
from integrator.ui.widgets.theme import Theme
from libretro_host.host import Frame, PixelFormat


@pytest.fixture
def screen(qtbot: QtBot, theme: Theme) -> ScreenView:
    """A black picture of 240 x 224 pixels in a room of 299 x 145."""
    assert Theme.now is theme
    screen = ScreenView()
    qtbot.addWidget(screen)
    screen.setMinimumSize(80, 60)
    screen.resize(299, 145)
    pixels = np.zeros((224, 240 * 4), np.uint8)
    screen.show_frame(Frame(pixels, 240, 224, PixelFormat.XRGB8888))
    screen.show()
    return screen


@pytest.fixture
def tool(screen: ScreenView) -> CropTool:
    """The tool over this picture."""
    tool = CropTool(screen)
    tool.begin()
    return tool


def lettered(tool: CropTool) -> list[tuple[int, int]]:
    """The pixels in the full color of notes."""
    image, color = tool.grab().toImage(), QColor(FRAME).rgb()
    return [
        (x, y)
        for y in range(image.height())
        for x in range(image.width())
        if image.pixel(x, y) == color
    ]


def test_the_hint_is_whole_on_a_small_picture(tool: CropTool) -> None:
    columns = {x for x, _ in lettered(tool)}
    assert columns
    assert min(columns) >= 4
    assert max(columns) < tool.width() - 4


def test_the_numbers_stay_in_sight_at_the_lower_edge(screen: ScreenView, tool: CropTool) -> None:
    QTest.mousePress(tool, Qt.MouseButton.LeftButton, pos=QPoint(1, 1))
    QTest.mouseMove(tool, tool.rect().bottomRight())
    QApplication.processEvents()
    inner = screen.picture_rect().adjusted(4, 4, -4, -4)
    assert [each for each in lettered(tool) if inner.contains(*each)]
