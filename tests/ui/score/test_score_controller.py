"""The Score workspace: scenario files, players, groups, actions and crop, as a user edits them."""

import json
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QModelIndex, QPointF, QSize, Qt
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QInputDialog, QPushButton
from pytestqt.qtbot import QtBot
from ui_driver import banners, open_and_wait, scenario, step

from integrator.domain.values.variables import TIME_TERM
from integrator.ui.score.actions_view import ActionsView, CombinationPopup
from integrator.ui.score.done_view import DoneView
from integrator.ui.score.observation_panel import CropView
from integrator.ui.score.reward_view import RewardView
from integrator.ui.shell.main_window import MainWindow
from libretro_host.host import Frame, PixelFormat

pytestmark = pytest.mark.usefixtures("shared_window")


@pytest.fixture
def scoring(open_game: MainWindow, qtbot: QtBot) -> MainWindow:
    """Airstriker in the Score workspace."""
    open_game.use_workspace("score")
    qtbot.waitUntil(open_game.parts[ActionsView].isVisible)
    return open_game


def test_a_card_shows_what_its_term_gives(scoring: MainWindow, qtbot: QtBot) -> None:
    scoring.parts[RewardView].add_time()
    qtbot.waitUntil(lambda: scoring.parts[RewardView].card(TIME_TERM) is not None)
    step(scoring, qtbot)
    card = scoring.parts[RewardView].card(TIME_TERM)
    assert card is not None
    assert card.now.text().startswith("-0.01")


def test_the_second_players_reward_becomes_a_list(scoring: MainWindow, qtbot: QtBot) -> None:
    view = scoring.parts[RewardView]
    first = scenario(scoring)["reward"]
    QTest.mouseClick(view.players_box.button("1"), Qt.MouseButton.LeftButton)
    assert view.cards == []
    with qtbot.waitSignal(scoring.controller.documents_changed):
        view.add_term("lives")
    assert scenario(scoring)["rewards"] == [first, {"variables": {"lives": {"reward": 1.0}}}]
    assert "reward" not in scenario(scoring)
    assert view.card("lives") is not None
    QTest.mouseClick(view.players_box.button("0"), Qt.MouseButton.LeftButton)
    assert view.card("score") is not None


def test_another_scenario_file_is_made_used_and_saved(
    scoring: MainWindow, qtbot: QtBot, airstriker: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QInputDialog, "getText", lambda *_, **__: ("hard", True))
    view = scoring.parts[RewardView]
    with qtbot.waitSignal(scoring.controller.documents_changed):
        view.ask_scenario()
    assert view.scenario_box.currentData() == "hard"
    with qtbot.waitSignal(scoring.controller.documents_changed):
        view.add_time()
    with qtbot.waitSignal(scoring.controller.documents_changed):
        scoring.actions_by_key["save"].trigger()
    assert "time" in json.loads((airstriker / "hard.json").read_text())["reward"]
    assert "time" not in json.loads((airstriker / "scenario.json").read_text())["reward"]
    with qtbot.waitSignal(scoring.controller.documents_changed):
        view.use_scenario("scenario")
    assert view.card(TIME_TERM) is None


def test_a_broken_scenario_file_is_told_and_not_used(
    window: MainWindow, qtbot: QtBot, airstriker: Path
) -> None:
    (airstriker / "broken.json").write_text('{"reward": {"script": "py:x"}}')
    open_and_wait(window, qtbot, airstriker)
    window.parts[RewardView].use_scenario("broken")
    qtbot.waitUntil(lambda: any("script" in text for text in banners(window)))
    assert window.parts[RewardView].scenario_box.currentData() == "scenario"
    step(window, qtbot)


def drop(view: DoneView, source: QModelIndex, target: QModelIndex) -> None:
    """Let go a row that is dragged over another one."""
    view.tree.setCurrentIndex(source)
    place, left = QPointF(view.tree.visualRect(target).center()), Qt.MouseButton.LeftButton
    data, none = view.model.mimeData([source]), Qt.KeyboardModifier.NoModifier
    event = QDropEvent(place, Qt.DropAction.MoveAction, data, left, none)
    view.tree.dropEvent(event)
    assert not event.isAccepted(), "or the view would take the row out of the model"


def test_a_condition_is_dragged_into_a_group(scoring: MainWindow, qtbot: QtBot) -> None:
    view = scoring.parts[DoneView]
    with qtbot.waitSignal(scoring.controller.documents_changed):
        view.add_group("all")
    model = view.model
    root = model.index(0, 0)
    test = next(
        model.index(row, 0, root)
        for row in range(model.rowCount(root))
        if not model.node_at(model.index(row, 0, root)).is_group
    )
    group = model.index(model.rowCount(root) - 1, 0, root)
    name = model.node_at(test).name
    with qtbot.waitSignal(scoring.controller.documents_changed):
        drop(view, test, group)
    assert model.value_at(("done", "nodes", "group1", "variables", name))
    assert not model.value_at(("done", "variables", name))
    drop(view, model.index(model.rowCount(root) - 1, 0, root), model.index(0, 0))
    view.rename_group(("done", "nodes", "group1"), "stuck")
    qtbot.waitUntil(lambda: ("done", "nodes", "stuck") in model.groups())


def test_a_group_can_not_be_put_into_itself(scoring: MainWindow, qtbot: QtBot) -> None:
    view = scoring.parts[DoneView]
    with qtbot.waitSignal(scoring.controller.documents_changed):
        view.add_group("all")
    before = scenario(scoring)
    group = view.model.groups()["done", "nodes", "group1"]
    drop(view, group, group)
    qtbot.waitUntil(lambda: any("into itself" in text for text in banners(scoring)))
    assert scenario(scoring) == before


def test_start_is_allowed_with_one_click(scoring: MainWindow, qtbot: QtBot) -> None:
    view = scoring.parts[ActionsView]
    assert "START" in view.hint.text()
    before = view.model.rowCount()
    with qtbot.waitSignal(scoring.controller.documents_changed):
        QTest.mouseClick(view.allow, Qt.MouseButton.LeftButton)
    assert view.model.rowCount() == 2 * before
    assert [[], ["START"]] in scenario(scoring)["actions"]  # type: ignore[operator]  # a JSON array
    assert not view.allow.isVisible()
    with qtbot.waitSignal(scoring.controller.documents_changed):
        QTest.mouseClick(view.default, Qt.MouseButton.LeftButton)
    assert "actions" not in scenario(scoring)
    assert view.model.rowCount() == before


def words(popup: CombinationPopup) -> list[str]:
    """The buttons that can be pressed below the toggles."""
    return [each.text() for each in popup.findChildren(QPushButton) if each.isVisible()]


def test_a_combination_is_composed_from_buttons(scoring: MainWindow, qtbot: QtBot) -> None:
    view = scoring.parts[ActionsView]
    groups = len(view.groups)
    size = len(view.groups[0])
    assert "Remove" in words(view.open_popup(view, 0, 0))
    popup = view.open_popup(view, 0, None)
    assert "Use" in words(popup)
    assert "Remove" not in words(popup)
    QTest.mouseClick(popup.toggles["A"], Qt.MouseButton.LeftButton)
    QTest.mouseClick(popup.toggles["UP"], Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(scoring.controller.documents_changed):
        popup._use()
    assert len(view.groups) == groups
    assert len(view.groups[0]) == size + 1
    assert set(view.groups[0][-1]) == {"A", "UP"}
    rows = [view.model.index(row, 1).data() for row in range(view.model.rowCount())]
    assert "↑ + A" in [" + ".join(sorted(row.split(" + "), reverse=True)) for row in rows]


def draw_crop(scoring: MainWindow, qtbot: QtBot, *box: int) -> list[int]:
    """Drag over a box (x, y, width, height) of the picture; the scenario's crop after that."""
    screen, tool = scoring.screen_panel.game_screen, scoring.parts[CropView].tool
    QTest.mouseClick(scoring.parts[CropView].draw, Qt.MouseButton.LeftButton)
    assert tool.isVisible()
    area = screen.rect_of(*box)
    start, end = area.topLeft().toPoint(), area.bottomRight().toPoint()
    QTest.mousePress(tool, Qt.MouseButton.LeftButton, pos=start)
    QTest.mouseMove(tool, end)
    with qtbot.waitSignal(scoring.controller.documents_changed):
        QTest.mouseRelease(tool, Qt.MouseButton.LeftButton, pos=end)
    assert not tool.isVisible()
    crop = scenario(scoring)["crop"]
    assert isinstance(crop, list)
    return crop


def test_the_crop_is_drawn_on_the_screen(scoring: MainWindow, qtbot: QtBot) -> None:
    screen = scoring.screen_panel.game_screen
    qtbot.waitUntil(lambda: screen.scale > 0)
    assert draw_crop(scoring, qtbot, 10, 20, 100, 80) == [10, 20, 100, 80]
    assert scoring.parts[CropView].fields["w"].text() == "100"


def test_a_crop_ends_with_the_picture_that_agents_get(scoring: MainWindow, qtbot: QtBot) -> None:
    screen = scoring.screen_panel.game_screen
    wide = np.zeros((224, 640 * 4), np.uint8)
    screen.show_frame(Frame(wide, 640, 224, PixelFormat.XRGB8888))
    left, _, width, height = draw_crop(scoring, qtbot, 300, 20, 200, 80)
    assert abs(left - 300) <= 1
    assert left + width == 320
    assert abs(height - 80) <= 1


def test_a_crop_drawn_on_a_turned_picture_is_written_before_the_turn(
    scoring: MainWindow, qtbot: QtBot
) -> None:
    screen = scoring.screen_panel.game_screen
    pixels = np.zeros((224, 320 * 4), np.uint8)
    screen.show_frame(Frame(pixels, 320, 224, PixelFormat.XRGB8888, rotation=1))
    assert screen.picture_size() == QSize(224, 320)
    crop = draw_crop(scoring, qtbot, 40, 10, 60, 100)
    assert np.abs(np.array(crop) - (320 - 10 - 100, 40, 100, 60)).max() <= 1


def test_a_crop_for_each_player_is_warned_of(scoring: MainWindow, qtbot: QtBot) -> None:
    view = scoring.parts[CropView]
    with qtbot.waitSignal(scoring.controller.documents_changed):
        view.set_crop(0, (1, 2, 3, 4))
    view.show_player(1)
    with qtbot.waitSignal(scoring.controller.documents_changed):
        view.set_crop(1, (5, 6, 7, 8))
    assert scenario(scoring)["crops"] == [[1, 2, 3, 4], [5, 6, 7, 8]]
    assert view.warning.isVisible()
    scoring.resize(1280, 720)
    warning = view.warning
    qtbot.waitUntil(lambda: warning.height() >= warning.heightForWidth(warning.width()))
    assert warning.geometry().bottom() < view.height()
    assert not warning.geometry().intersects(view.draw.geometry())
    assert view.fields["x"].text() == "5"
    view.show_player(0)
    assert view.fields["x"].text() == "1"
    view.show_player(1)
    with qtbot.waitSignal(scoring.controller.documents_changed):
        view.set_crop(1, None)
    assert scenario(scoring)["crop"] == [1, 2, 3, 4]
    assert "crops" not in scenario(scoring)


def test_a_card_shows_the_variable_now_and_what_its_choices_mean(
    scoring: MainWindow, qtbot: QtBot
) -> None:
    card = scoring.parts[RewardView].card("score")
    assert card is not None
    scoring.controller.poke("score", 250)
    step(scoring, qtbot)
    qtbot.waitUntil(lambda: card.value.text().startswith("250"))
    boxes = card.boxes.values()
    tips = [
        str(box.itemData(row, Qt.ItemDataRole.ToolTipRole))
        for box in boxes
        for row in range(box.count())
    ]
    assert any("how much the variable changed" in tip for tip in tips)
    assert all(tips)
