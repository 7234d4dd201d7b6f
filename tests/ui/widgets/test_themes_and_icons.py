"""Themes, icons, notices and the dialog for a new integration."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from integrator import paths
from integrator.session.opening import systems
from integrator.ui.actions.actions import SPECS
from integrator.ui.library.new_integration import NewIntegrationDialog
from integrator.ui.shell.main_window import MainWindow
from integrator.ui.widgets.notices import MAX_BANNERS, NoticeArea, NoticeKind
from integrator.ui.widgets.theme import DARK, LIGHT, Colors, Theme, ThemeChoice, build_style_sheet


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


def test_every_action_has_its_icon_and_a_shortcut_of_its_own(window: MainWindow) -> None:
    shortcuts = [spec.shortcut for spec in SPECS if spec.shortcut]
    assert len(shortcuts) == len(set(shortcuts))
    for spec in SPECS:
        assert window.actions_by_key[spec.key].icon().isNull() == (not spec.icon)


def test_the_chosen_theme_is_kept(new_window: Callable[[], MainWindow], qapp: QApplication) -> None:
    first = new_window()
    first.desk.choose_theme(ThemeChoice.LIGHT)
    first.close()
    second = new_window()
    assert second.desk.theme.choice is ThemeChoice.LIGHT
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


def test_a_repeated_notice_is_counted_and_old_ones_make_room(qtbot: QtBot, theme: Theme) -> None:
    stage = QWidget()
    qtbot.addWidget(stage)
    stage.resize(600, 400)
    stage.show()
    area = NoticeArea(theme, stage)
    for _ in range(3):
        area.show_notice(NoticeKind.ERROR, "the same")
    assert [banner.count for banner in area.banners()] == [3]
    for number in range(MAX_BANNERS + 2):
        area.show_notice(NoticeKind.ERROR, f"message {number}")
    assert len(area.banners()) == MAX_BANNERS
    assert area.banners()[0].text == f"message {MAX_BANNERS + 1}"
    area.clear()
    assert not area.isVisible()


def test_a_new_integration_gets_a_clean_name_and_its_files(qtbot: QtBot, tmp_path: Path) -> None:
    rom = tmp_path / "Legend of Foo, The (U) [!].nes"
    rom.write_bytes(b"NES\x1a" + bytes(12) + bytes(range(256)) * 64)
    dialog = NewIntegrationDialog(systems(), tmp_path / "games", rom)
    qtbot.addWidget(dialog)
    assert dialog.system.currentData() == "Nes"
    assert dialog.name.text().startswith("LegendOfFoo-Nes")
    with qtbot.waitSignal(dialog.created) as made:
        QTest.mouseClick(dialog.make, Qt.MouseButton.LeftButton)
    assert made.args is not None
    directory = made.args[0]
    names = {path.name for path in directory.iterdir()}
    assert {"rom.nes", "rom.sha", "data.json", "scenario.json"} <= names
    again = NewIntegrationDialog(systems(), tmp_path / "games", rom)
    qtbot.addWidget(again)
    assert not again.make.isEnabled()
    assert "exists already" in again.problem.text()


def test_the_dialog_says_what_is_wrong_with_a_name(qtbot: QtBot, tmp_path: Path) -> None:
    rom = tmp_path / "game.nes"
    rom.write_bytes(bytes(64))
    dialog = NewIntegrationDialog(systems(), tmp_path, rom)
    qtbot.addWidget(dialog)
    dialog.name.clear()
    QTest.keyClicks(dialog.name, "a/b")
    assert not dialog.make.isEnabled()
    assert "a/b" in dialog.problem.text()
