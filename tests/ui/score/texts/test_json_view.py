"""The JSON panel: text and panels in step, both ways, errors in the margin, one step of undo."""

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot
from ui_driver import OPEN_TIMEOUT_MS, banners, open_and_wait, scenario

from integrator.session.edits import commands as edits
from integrator.ui.score.reward_view import RewardView
from integrator.ui.score.texts.json_panel import JsonView
from integrator.ui.shell.main_window import MainWindow
from integrator.ui.widgets.docks import is_in_sight
from integrator.ui.widgets.notices import NoticeKind

pytestmark = pytest.mark.usefixtures("shared_window")

TEXT = """{
  "reward": {"variables": {"score": {"reward": 1.0}}},
  "crop":   [0, 24, 320, 200],

  "done": {"variables": {"gameover": {"op": "equal", "reference": 1}}}
}
"""


@pytest.fixture
def writing(window: MainWindow, qtbot: QtBot, airstriker: Path) -> MainWindow:
    """Airstriker in the Score workspace, its scenario in a spelling of its own."""
    (airstriker / "scenario.json").write_text(TEXT)
    open_and_wait(window, qtbot, airstriker)
    window.use_workspace("score")
    qtbot.waitUntil(lambda: window.parts[JsonView].editor.toPlainText() == TEXT)
    return window


def type_over(view: JsonView, old: str, new: str) -> None:
    """Select the present text and type another."""
    text = view.editor.toPlainText()
    cursor = QTextCursor(view.editor.document())
    cursor.setPosition(text.index(old))
    cursor.setPosition(text.index(old) + len(old), QTextCursor.MoveMode.KeepAnchor)
    view.editor.setTextCursor(cursor)
    QTest.keyClicks(view.editor, new)


def test_the_text_comes_in_any_workspace(
    open_game: MainWindow, qtbot: QtBot, airstriker: Path
) -> None:
    open_game.docks.all["json"].come_forward()
    text = (airstriker / "scenario.json").read_text()
    qtbot.waitUntil(lambda: open_game.parts[JsonView].editor.toPlainText() == text)


def test_typing_moves_the_cards_as_one_step_of_undo(writing: MainWindow, qtbot: QtBot) -> None:
    view, card = writing.parts[JsonView], writing.parts[RewardView].card("score")
    assert card is not None
    type_over(view, "1.0", "2")
    qtbot.waitUntil(lambda: scenario(writing)["reward"]["variables"]["score"]["reward"] == 2)  # type: ignore[index]  # JSON
    QTest.keyClicks(view.editor, "5")
    qtbot.waitUntil(lambda: scenario(writing)["reward"]["variables"]["score"]["reward"] == 25)  # type: ignore[index]  # JSON
    qtbot.waitUntil(lambda: "25" in [field.text() for field in card.fields.values()])
    qtbot.waitUntil(lambda: view.in_step)
    writing.actions_by_key["undo"].trigger()
    qtbot.waitUntil(lambda: view.editor.toPlainText() == TEXT)
    assert not writing.actions_by_key["undo"].isEnabled()


def test_tab_leaves_right_after_esc_alone(writing: MainWindow, qtbot: QtBot) -> None:
    writing.activateWindow()
    qtbot.waitUntil(writing.isActiveWindow)
    editor = writing.parts[JsonView].editor
    editor.go_to_line(1)
    keys = Qt.Key
    for pressed, before in (
        ((keys.Key_Tab,), "\t"),
        ((keys.Key_Escape, keys.Key_Backspace, keys.Key_Tab), "\t"),
        ((keys.Key_Escape, keys.Key_Left, keys.Key_Tab), "\t\t"),
        ((keys.Key_Escape, keys.Key_Tab), "\t\t"),
    ):
        assert editor.hasFocus()
        for key in pressed:
            QTest.keyClick(editor, key)
        assert editor.toPlainText() == before + TEXT
    assert not editor.hasFocus()


def test_an_edit_in_a_card_keeps_cursor_and_spelling(writing: MainWindow, qtbot: QtBot) -> None:
    view = writing.parts[JsonView]
    cursor = view.editor.textCursor()
    cursor.setPosition(TEXT.index("gameover"))
    view.editor.setTextCursor(cursor)
    writing.controller.edit(edits.set_in_scenario(("reward", "variables", "score", "penalty"), 3))
    qtbot.waitUntil(lambda: "penalty" in view.editor.toPlainText())
    text = view.editor.toPlainText()
    assert text == TEXT.replace('"reward": 1.0', '"reward": 1.0, "penalty": 3')
    assert text[view.editor.textCursor().position() :].startswith("gameover")


def test_errors_go_with_the_text_that_had_them(writing: MainWindow, qtbot: QtBot) -> None:
    view = writing.parts[JsonView]
    type_over(view, '"crop":', '"crop"')
    qtbot.waitUntil(lambda: bool(view.editor.problems))
    writing.controller.edit(edits.set_in_scenario(("reward", "variables", "score", "penalty"), 3))
    qtbot.waitUntil(lambda: view.in_step and not view.editor.problems)
    assert "penalty" in view.editor.toPlainText()
    assert view.problem.isHidden()


def test_saving_keeps_the_spelling_that_was_typed(
    writing: MainWindow, qtbot: QtBot, airstriker: Path
) -> None:
    view = writing.parts[JsonView]
    type_over(view, "[0, 24, 320, 200]", "[0,  16, 320, 200]")
    qtbot.waitUntil(lambda: scenario(writing)["crop"] == [0, 16, 320, 200])
    with qtbot.waitSignal(writing.controller.documents_changed):
        writing.actions_by_key["save"].trigger()
    saved = (airstriker / "scenario.json").read_text()
    assert saved == TEXT.replace("[0, 24,", "[0,  16,")


def test_broken_text_is_marked_and_leaves_the_panels_alone(
    writing: MainWindow, qtbot: QtBot
) -> None:
    view, before = writing.parts[JsonView], scenario(writing)
    type_over(view, "[0, 24, 320, 200],", "[0, 24, 320, 200")
    qtbot.waitUntil(lambda: 5 in view.editor.problems)
    assert scenario(writing) == before
    assert view.revert.isVisible()
    assert "not used" in view.state.text()
    QTest.mouseClick(view.revert, Qt.MouseButton.LeftButton)
    assert view.editor.toPlainText() == TEXT
    assert not view.editor.problems


def test_schema_errors_stand_in_the_margin_with_their_path(
    writing: MainWindow, qtbot: QtBot
) -> None:
    view = writing.parts[JsonView]
    type_over(view, '"equal"', '"equals"')
    qtbot.waitUntil(lambda: 5 in view.editor.problems)
    assert view.editor.problems[5].startswith("done.variables.gameover.op: ")
    type_over(view, "gameover", "nobody")
    qtbot.waitUntil(lambda: "no variable" in view.problem.text())
    assert "done.variables.nobody" in view.problem.text()


def test_data_and_metadata_are_text_too(writing: MainWindow, qtbot: QtBot) -> None:
    view = writing.parts[JsonView]
    view.open_file("data.json")
    data = json.loads(view.editor.toPlainText())
    type_over(view, data["info"]["score"]["type"], "|u1")
    assert writing.controller.documents is not None
    qtbot.waitUntil(
        lambda: str(writing.controller.documents.variables["score"].type) == "|u1",  # type: ignore[union-attr]  # open
        timeout=OPEN_TIMEOUT_MS,
    )
    view.open_file("metadata.json")
    assert "default_state" in json.loads(view.editor.toPlainText())


def test_the_path_under_the_cursor_is_told(writing: MainWindow) -> None:
    view = writing.parts[JsonView]
    cursor = view.editor.textCursor()
    cursor.setPosition(TEXT.index("reference"))
    view.editor.setTextCursor(cursor)
    assert view.path.text() == "done.variables.gameover.reference"


def test_a_panel_wins_over_text_that_could_not_be_used(writing: MainWindow, qtbot: QtBot) -> None:
    view = writing.parts[JsonView]
    type_over(view, '"score"', '"sco')
    qtbot.waitUntil(lambda: bool(view.editor.problems))
    writing.controller.edit(edits.set_in_scenario(("reward", "time"), {"reward": -1}))
    qtbot.waitUntil(lambda: view.in_step)
    assert '"time"' in view.editor.toPlainText()
    view.editor.undo()
    assert '"sco' in view.editor.toPlainText()


def test_saving_says_which_text_is_not_in_effect(
    writing: MainWindow, qtbot: QtBot, airstriker: Path
) -> None:
    view = writing.parts[JsonView]
    type_over(view, "[0, 24, 320, 200]", "[0, 24, 320,")
    QTest.keyClick(view.editor, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    writing.actions_by_key["save"].trigger()
    qtbot.waitUntil(lambda: any("Saved" in each for each in banners(writing)))
    [said] = [b for b in writing.screen_panel.notices.banners() if "Saved" in b.text]
    assert said.kind is NoticeKind.WARNING
    assert said.text.endswith("scenario.json is not in effect")  # the fault stands in its margin
    assert (airstriker / "scenario.json").read_text() == TEXT
    # The refusal marks the first line until the check in the background has found the fault.
    qtbot.waitUntil(lambda: min(view.editor.problems, default=0) > 1)
    view.editor.moveCursor(QTextCursor.MoveOperation.Start)
    writing.use_workspace("find")
    [show] = [b for b in said.findChildren(QPushButton) if "Show" in b.text()]
    QTest.mouseClick(show, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: is_in_sight(view))
    assert view.editor.textCursor().blockNumber() > 0
    QTest.mouseClick(view.revert, Qt.MouseButton.LeftButton)
    writing.actions_by_key["save"].trigger()
    qtbot.waitUntil(
        lambda: NoticeKind.GOOD in {b.kind for b in writing.screen_panel.notices.banners()}
    )


def test_a_file_with_other_line_ends_is_shown_and_left_alone(
    window: MainWindow, qtbot: QtBot, airstriker: Path
) -> None:
    text = TEXT.replace("\n", "\r\n").replace("1.0", '1.0, "note": "a\u00a0b"')
    (airstriker / "scenario.json").write_bytes(text.encode())
    open_and_wait(window, qtbot, airstriker)
    window.use_workspace("score")
    view = window.parts[JsonView]
    qtbot.waitUntil(lambda: "crop" in view.editor.toPlainText())
    QTest.qWait(400)  # typed text would be taken by then
    view.editor.leave_requested.emit()
    QTest.qWait(100)
    assert view.in_step
    assert not window.actions_by_key["undo"].isEnabled()
    view.open_file("data.json")
    view.open_file("scenario.json")
    QTest.qWait(300)
    assert not window.actions_by_key["undo"].isEnabled()
    texts = window.bridge.post(lambda session: [d.text for d in session.integration.documents])
    assert text in texts.result()
