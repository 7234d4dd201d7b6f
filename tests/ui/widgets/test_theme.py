"""Themes: their style sheet and icons, the choice that is kept."""

import gc
import importlib
import pkgutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction, QFontDatabase, QFontInfo, QIcon, QPixmap
from PySide6.QtWidgets import QApplication, QTableWidget, QTableWidgetItem, QToolButton
from pytestqt.qtbot import QtBot

from integrator import paths
from integrator.ui import widgets as ui
from integrator.ui.shell.main_window import MainWindow
from integrator.ui.widgets.theme import (
    DARK,
    LIGHT,
    Colors,
    Theme,
    ThemeChoice,
    build_style_sheet,
    mono_font,
    ui_font,
)


@pytest.mark.parametrize("colors", [DARK, LIGHT])
@pytest.mark.usefixtures("qapp")
def test_the_style_sheet_has_no_token_left(colors: Colors) -> None:
    resources = paths.shipped("resources")
    template = (resources / "theme" / "app.qss").read_text(encoding="utf-8")
    sheet = build_style_sheet(template, colors, resources / "theme" / "dark")
    assert "$" not in sheet
    for line in sheet.splitlines():
        if "url(" in line:
            assert Path(line.split("url(")[1].split(")")[0]).is_file()


def test_a_copy_of_an_icon_that_is_changed_draws_on(theme: Theme) -> None:
    copy = QIcon(theme.icons.icon("undo"))
    copy.addPixmap(QPixmap(4, 4))  # Qt makes a copy of the engine for it
    gc.collect()
    drawn = copy.pixmap(QSize(16, 16), 1.0).toImage()
    assert drawn == theme.icons.icon("undo").pixmap(QSize(16, 16), 1.0).toImage()


@pytest.mark.usefixtures("theme")
def test_the_fonts_are_those_of_the_pictures() -> None:
    drawn = [QFontInfo(font) for font in (ui_font(), ui_font(bold=True), mono_font())]
    assert [(info.family(), info.weight()) for info in drawn] == [
        ("Inter", 400),
        ("Inter", 600),
        ("Noto Sans Mono", 400),
    ]


def test_a_further_window_loads_no_icon_and_no_font_again(
    theme: Theme, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded: list[str] = []
    monkeypatch.setattr(QFontDatabase, "addApplicationFont", loaded.append)
    first = theme.icons.icon("reset")
    further = Theme(qapp, paths.shipped("resources"), ThemeChoice.DARK)
    assert further.icons.icon("reset").cacheKey() == first.cacheKey()
    assert not loaded
    further.deleteLater()


def test_icons_follow_the_theme_after_they_were_handed_out(theme: Theme, qtbot: QtBot) -> None:
    button = QToolButton()
    qtbot.addWidget(button)
    button.setIcon(theme.icons.icon("reset"))

    def brightest() -> int:
        image = button.icon().pixmap(QSize(20, 20)).toImage()
        points = [(x, y) for x in range(20) for y in range(20)]
        drawn = [image.pixelColor(x, y) for x, y in points if image.pixelColor(x, y).alpha() > 250]
        return max(color.lightness() for color in drawn)

    dark = brightest()
    theme.choose(ThemeChoice.LIGHT)
    assert brightest() < dark


def test_the_chosen_theme_is_kept(new_window: Callable[[], MainWindow], qapp: QApplication) -> None:
    first = new_window()
    first.context.choose_theme(ThemeChoice.LIGHT)
    checked = [each.text() for each in first.menus.findChildren(QAction) if each.isChecked()]
    assert "Light" in checked
    assert "Follow the system" not in checked
    first.close()
    new_window()
    assert Theme.now.choice is ThemeChoice.LIGHT
    assert qapp.palette().window().color().name() == LIGHT.canvas


def test_another_window_is_put_together_without_a_style_sheet(
    new_window: Callable[[], MainWindow], qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    new_window()
    sheet, meanwhile = qapp.styleSheet(), []

    def note(*parts: Any) -> MainWindow:
        meanwhile.append(qapp.styleSheet())
        return MainWindow(*parts)

    monkeypatch.setattr("integrator.app.MainWindow", note)
    new_window()
    assert meanwhile == [""]
    assert qapp.styleSheet() == sheet != ""


@pytest.mark.parametrize("choice", [ThemeChoice.DARK, ThemeChoice.LIGHT])
def test_an_empty_box_of_a_table_has_a_frame_that_can_be_seen(
    theme: Theme, qtbot: QtBot, choice: ThemeChoice
) -> None:
    theme.choose(choice)
    table = QTableWidget(1, 1)
    qtbot.addWidget(table)
    item = QTableWidgetItem()
    item.setCheckState(Qt.CheckState.Unchecked)
    table.setItem(0, 0, item)
    table.resize(200, 100)
    table.show()
    cell = table.viewport().grab(table.visualItemRect(item)).toImage()
    seen = {cell.pixelColor(x, y).name() for x in range(30) for y in range(cell.height())}
    assert theme.colors.faint.lower() in seen


def test_no_name_of_the_toolkit_hides_one_of_its_modules() -> None:
    for each in pkgutil.iter_modules(ui.__path__):
        module = importlib.import_module(f"{ui.__name__}.{each.name}")
        assert getattr(ui, each.name) is module
