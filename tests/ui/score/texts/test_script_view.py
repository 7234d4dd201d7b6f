"""Writing Lua in the Script panel: it runs, it completes, its errors stand at their line."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot
from ui_driver import banners, scenario, step

from integrator.domain.scenario.sandbox import library
from integrator.session.edits.commands import change_scenario
from integrator.session.setup.game import Game
from integrator.ui.score.reward_view import RewardView
from integrator.ui.score.texts.script_panel import ScriptView
from integrator.ui.shell.main_window import MainWindow
from integrator.ui.widgets.notices import Banner

pytestmark = pytest.mark.usefixtures("shared_window")


@pytest.fixture
def script(open_game: MainWindow, qtbot: QtBot) -> ScriptView:
    """A new script in the panel, listed by the scenario."""
    open_game.use_workspace("score")
    view = open_game.parts[ScriptView]
    QTest.mouseClick(view._first, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: view.current == "script.lua" and "scripts" in scenario(open_game))
    assert not view.listing.isVisible()
    return view


def test_a_script_gives_the_reward_after_it_was_run(
    script: ScriptView, open_game: MainWindow, qtbot: QtBot
) -> None:
    open_game.controller.set_in_scenario(("reward", "script"), "lua:reward")
    qtbot.waitUntil(lambda: "script" in scenario(open_game)["reward"])  # type: ignore[operator]  # a JSON object
    script.editor.setPlainText("function reward()\n  return 7\nend\n")
    QTest.keyClick(script.editor, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    step(open_game, qtbot, 2)
    last = open_game.controller.last
    assert last is not None
    assert last.outcome.rewards == (7.0,)


def _run(script: ScriptView, window: MainWindow, qtbot: QtBot, text: str) -> Banner:
    """Run a text, and see the banner about it."""
    window.screen_panel.notices.clear()
    script.editor.setPlainText(text)
    QTest.mouseClick(script.run_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bool(banners(window)))
    return window.screen_panel.notices.banners()[0]


def _accept(banner: Banner) -> str:
    """Press the banner's button; its text."""
    [remedy] = banner.findChildren(QPushButton)
    remedy.click()
    return remedy.text()


def test_run_offers_what_a_script_lacks(
    script: ScriptView, open_game: MainWindow, qtbot: QtBot
) -> None:
    banner = _run(script, open_game, qtbot, "local x = 1\n")
    assert "defines no function" in banner.text
    text = "function points()\n  return 7\nend\n"
    open_game.controller.edit(change_scenario(lambda root: root.pop("scripts")))
    qtbot.waitUntil(lambda: "scripts" not in scenario(open_game))
    banner = _run(script, open_game, qtbot, text)
    assert "script.lua does nothing yet: the scenario does not list it" in banner.text
    assert _accept(banner) == "Use it"
    qtbot.waitUntil(lambda: "neither reward nor done" in "".join(banners(open_game)))
    assert scenario(open_game)["scripts"] == ["script.lua"]
    banner = open_game.screen_panel.notices.banners()[0]
    assert _accept(banner) == "Use points() as the reward"
    qtbot.waitUntil(lambda: "script" in scenario(open_game)["reward"])  # type: ignore[operator]  # a JSON object
    open_game.screen_panel.notices.clear()
    step(open_game, qtbot, 2)
    last = open_game.controller.last
    assert last is not None
    assert last.outcome.rewards == (7.0,)
    script.editor.setPlainText(text.replace("7", "8"))
    QTest.mouseClick(script.run_button, Qt.MouseButton.LeftButton)
    step(open_game, qtbot, 2)
    assert banners(open_game) == []


def test_a_syntax_error_is_marked_at_its_line(script: ScriptView, qtbot: QtBot) -> None:
    script.editor.setPlainText("function reward()\n  retur 7\nend\n")
    qtbot.waitUntil(lambda: 2 in script.editor.problems)
    assert script.problem.isVisible()
    script.editor.setPlainText("function reward()\n  return 7\nend\n")
    qtbot.waitUntil(lambda: not script.editor.problems)


def fail_in_the_game(script: ScriptView, open_game: MainWindow, qtbot: QtBot) -> None:
    """Use a script whose third line fails on the next frame, and wait for its mark."""
    open_game.controller.set_in_scenario(("reward", "script"), "lua:reward")
    qtbot.waitUntil(lambda: "script" in scenario(open_game)["reward"])  # type: ignore[operator]  # a JSON object
    script.editor.setPlainText("function reward()\n  local x = 1\n  return data.nothing\nend\n")
    QTest.keyClick(script.editor, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    step(open_game, qtbot)
    qtbot.waitUntil(lambda: 3 in script.editor.problems)


def test_an_error_while_the_game_runs_is_marked_too(
    script: ScriptView, open_game: MainWindow, qtbot: QtBot
) -> None:
    fail_in_the_game(script, open_game, qtbot)
    assert "nothing" in script.problem.text()


def test_a_repaired_script_loses_its_old_error(
    script: ScriptView, open_game: MainWindow, qtbot: QtBot
) -> None:
    fail_in_the_game(script, open_game, qtbot)
    # Repaired in the text; a frame still runs the old one, before the new one is used.
    script.editor.setPlainText("function reward()\n  return 7\nend\n")
    qtbot.waitUntil(lambda: not script.editor.problems)
    step(open_game, qtbot)
    qtbot.waitUntil(lambda: bool(script.editor.problems))
    QTest.keyClick(script.editor, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: not script.editor.problems)
    assert not script.problem.isVisible()


def test_variables_are_offered_after_data(script: ScriptView, qtbot: QtBot) -> None:
    editor = script.editor
    editor.setPlainText("")
    editor.setFocus()
    QTest.keyClicks(editor, "return data.sc")
    qtbot.waitUntil(lambda: editor.completing)
    editor.completer.activated.emit("score")
    assert editor.toPlainText() == "return data.score"


def test_completions_are_the_sandbox_s_own_names(script: ScriptView, qtbot: QtBot) -> None:
    script.editor.setFocus()
    QTest.keyClicks(script.editor, "return math.flo")
    qtbot.waitUntil(lambda: script.editor.completing)
    assert script.editor.completer.currentCompletion() == "floor"
    assert {"math.floor", "string.sub", "table.concat", "pairs"} <= set(library())
    assert not {"os.time", "io.open", "string.dump", "require", "load"} & set(library())


def test_a_line_after_then_is_indented(script: ScriptView) -> None:
    editor = script.editor
    editor.setPlainText("  if x then")
    editor.moveCursor(QTextCursor.MoveOperation.End)
    QTest.keyClick(editor, Qt.Key.Key_Return)
    assert editor.toPlainText() == "  if x then\n    "


def test_saving_writes_what_was_just_typed(
    script: ScriptView, open_game: MainWindow, qtbot: QtBot, airstriker: Path
) -> None:
    script.editor.setFocus()
    script.editor.setPlainText("-- last words\n")
    QTest.keyClick(script.editor, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil((airstriker / "script.lua").exists)
    qtbot.waitUntil(lambda: (airstriker / "script.lua").read_text() == "-- last words\n")
    qtbot.waitUntil(lambda: not open_game.isWindowModified())


def test_a_script_being_written_does_not_refuse_other_edits(
    script: ScriptView, open_game: MainWindow, qtbot: QtBot
) -> None:
    script.editor.setPlainText("function reward(")
    qtbot.waitUntil(lambda: bool(script.editor.problems))
    open_game.parts[RewardView].add_time()
    qtbot.waitUntil(lambda: "time" in str(scenario(open_game)["reward"]))
    script.editor.setPlainText("function reward() return 0 end")
    QTest.mouseClick(script.run_button, Qt.MouseButton.LeftButton)
    step(open_game, qtbot, 2)
    last = open_game.controller.last
    assert last is not None
    assert last.outcome.rewards[0] < 0


def test_a_new_script_begins_with_a_template_and_files_keep_their_own_text(
    script: ScriptView, open_game: MainWindow, qtbot: QtBot
) -> None:
    template = script.editor.toPlainText()
    assert "function reward()" in template
    script.add_script()
    qtbot.waitUntil(lambda: script.current == "script2.lua")
    script.editor.setPlainText("-- second\n")
    script.files.setCurrentText("script.lua")
    script.files.activated.emit(script.files.currentIndex())
    assert script.editor.toPlainText() == template
    expected = {"script.lua": template, "script2.lua": "-- second\n"}
    qtbot.waitUntil(lambda: getattr(open_game.controller.documents, "scripts", {}) == expected)


def test_a_script_with_other_line_ends_is_shown_and_left_alone(
    script: ScriptView, open_game: MainWindow, qtbot: QtBot
) -> None:
    text = "function reward()\r\n  return 7\r\nend\r\n"

    def write(game: Game) -> None:
        game.integration.scripts["script.lua"] = text

    open_game.controller.edit(write)
    qtbot.waitUntil(lambda: "return 7" in script.editor.toPlainText())
    script.editor.leave_requested.emit()
    kept = open_game.bridge.post(lambda session: dict(session.integration.scripts))
    assert kept.result()["script.lua"] == text
