"""Undo and redo over several documents, with the keys that a user presses."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from ui_driver import banners, cell, frame_number, scenario, step

from integrator.ui.memory.variables import VariableColumn, VariablesView
from integrator.ui.play.states.states_view import StatesView
from integrator.ui.score.reward_view import RewardView
from integrator.ui.score.texts.script_panel import ScriptView
from integrator.ui.shell.main_window import MainWindow

pytestmark = pytest.mark.usefixtures("shared_window")


def press(window: MainWindow, qtbot: QtBot, *, redo: bool = False) -> None:
    modifiers = Qt.KeyboardModifier.ControlModifier
    if redo:
        modifiers |= Qt.KeyboardModifier.ShiftModifier
    with qtbot.waitSignal(window.controller.documents_changed):
        QTest.keyClick(window, Qt.Key.Key_Z, modifiers)


def default_state(window: MainWindow) -> str | None:
    documents = window.controller.documents
    return None if documents is None else documents.default_state


def test_edits_of_two_files_are_undone_in_their_order(open_game: MainWindow, qtbot: QtBot) -> None:
    parts = open_game.parts
    assert not open_game.actions_by_key["undo"].isEnabled()
    with qtbot.waitSignal(open_game.controller.documents_changed):
        parts[RewardView].add_time()
    with qtbot.waitSignal(open_game.controller.documents_changed):
        parts[VariablesView].remove("lives")
    assert "data.json" in open_game.actions_by_key["undo"].toolTip()
    press(open_game, qtbot)
    assert "lives" in parts[VariablesView].model.names
    assert "time" in str(scenario(open_game)["reward"])
    press(open_game, qtbot)
    assert "time" not in str(scenario(open_game)["reward"])
    assert not open_game.isWindowModified()
    assert not open_game.actions_by_key["undo"].isEnabled()
    press(open_game, qtbot, redo=True)
    assert "time" in str(scenario(open_game)["reward"])
    press(open_game, qtbot, redo=True)
    assert "lives" not in parts[VariablesView].model.names
    assert not open_game.actions_by_key["redo"].isEnabled()


def test_keys_pressed_faster_than_files_are_written_are_a_step_each(
    open_game: MainWindow, qtbot: QtBot
) -> None:
    variables, changed = open_game.parts[VariablesView], open_game.controller.documents_changed
    with qtbot.waitSignal(changed):
        variables.remove("lives")
    with qtbot.waitSignal(changed):
        variables.remove("score")
    control, shift = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
    for modifiers in (control, control, control | shift, control):
        QTest.keyClick(open_game, Qt.Key.Key_Z, modifiers)
    undo, redo = open_game.actions_by_key["undo"], open_game.actions_by_key["redo"]
    # Known at once, before any file was written.
    assert (undo.isEnabled(), redo.isEnabled()) == (False, True)
    qtbot.waitUntil(lambda: {"lives", "score"} <= set(variables.model.names))
    assert (undo.isEnabled(), redo.isEnabled()) == (False, True)
    QTest.keyClick(open_game, Qt.Key.Key_Z, control | shift)
    QTest.keyClick(open_game, Qt.Key.Key_Z, control | shift)
    qtbot.waitUntil(lambda: not {"lives", "score"} & set(variables.model.names))
    assert (undo.isEnabled(), redo.isEnabled()) == (True, False)


def test_an_edit_that_is_not_answered_yet_is_taken_back_first(
    open_game: MainWindow, qtbot: QtBot
) -> None:
    variables = open_game.parts[VariablesView]
    with qtbot.waitSignal(open_game.controller.documents_changed):
        open_game.parts[RewardView].add_time()
    changed = open_game.controller.documents_changed
    with qtbot.waitSignals([changed, changed]):
        variables.remove("lives")
        QTest.keyClick(open_game, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert "lives" in variables.model.names
    assert "data.json" in open_game.actions_by_key["redo"].toolTip()
    assert "time" in str(scenario(open_game)["reward"])
    press(open_game, qtbot, redo=True)
    assert "lives" not in variables.model.names


def test_keys_do_not_outrun_the_edits_before_them(open_game: MainWindow, qtbot: QtBot) -> None:
    variables = open_game.parts[VariablesView]
    undo, redo = open_game.actions_by_key["undo"], open_game.actions_by_key["redo"]
    control = Qt.KeyboardModifier.ControlModifier
    answered: list[object] = []
    open_game.controller.documents_changed.connect(lambda documents, _: answered.append(documents))
    # No answer of the session comes in between: the keys are as fast as keys can be.
    variables.remove("lives")
    QTest.keyClick(open_game, Qt.Key.Key_Z, control)
    variables.remove("score")
    open_game.parts[RewardView].add_time()
    for _ in range(3):
        QTest.keyClick(open_game, Qt.Key.Key_Z, control)
    QTest.keyClick(open_game, Qt.Key.Key_Z, control | Qt.KeyboardModifier.ShiftModifier)
    # Three edits and five keys: what is seen before the last answer may look like the end.
    qtbot.waitUntil(lambda: len(answered) == 8)
    assert redo.isEnabled()
    assert "lives" in variables.model.names
    assert "score" not in variables.model.names
    assert "time" not in str(scenario(open_game)["reward"])
    assert undo.isEnabled()
    assert "scenario.json" in redo.toolTip()
    press(open_game, qtbot)
    assert (undo.isEnabled(), redo.isEnabled()) == (False, True)
    assert not open_game.isWindowModified()


def test_a_frame_read_before_an_edit_brings_no_removed_variable_back(
    open_game: MainWindow, qtbot: QtBot
) -> None:
    variables, earlier = open_game.parts[VariablesView], open_game.controller.last
    assert earlier is not None
    with qtbot.waitSignal(open_game.controller.documents_changed):
        variables.remove("score")
    assert "score" in earlier.values
    open_game.bridge.readout_ready.emit(earlier)
    assert "score" not in variables.model.names


def test_a_refused_edit_takes_back_what_its_keys_were_allowed(
    open_game: MainWindow, qtbot: QtBot
) -> None:
    undo = open_game.actions_by_key["undo"]
    open_game.controller.set_in_scenario(("crop",), "everything")
    assert undo.isEnabled()
    QTest.keyClick(open_game, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: not undo.isEnabled())
    assert not open_game.isWindowModified()


def test_renaming_with_a_new_type_is_one_step(open_game: MainWindow, qtbot: QtBot) -> None:
    model = open_game.parts[VariablesView].model
    row = model.row_of("score") or 0
    with qtbot.waitSignal(open_game.controller.documents_changed):
        model.setData(model.index(row, 0), "points")
    press(open_game, qtbot)
    assert "score" in model.names
    assert not open_game.isWindowModified()


def test_a_refused_edit_leaves_nothing_to_undo(open_game: MainWindow, qtbot: QtBot) -> None:
    before = scenario(open_game)
    open_game.controller.set_in_scenario(("crop",), "everything")
    qtbot.waitUntil(lambda: any("crop" in text for text in banners(open_game)))
    assert scenario(open_game) == before
    assert not open_game.actions_by_key["undo"].isEnabled()


def test_a_new_script_is_one_step_with_its_place_in_the_scenario(
    open_game: MainWindow, qtbot: QtBot
) -> None:
    view = open_game.parts[ScriptView]
    with qtbot.waitSignal(open_game.controller.documents_changed):
        view.add_script()
    qtbot.waitUntil(lambda: view.current == "script.lua")
    assert scenario(open_game)["scripts"] == ["script.lua"]
    press(open_game, qtbot)
    assert "scripts" not in scenario(open_game)
    assert view.files.count() == 0
    assert not open_game.isWindowModified()
    press(open_game, qtbot, redo=True)
    assert view.files.count() == 1
    assert "function reward()" in view.editor.toPlainText()
    assert scenario(open_game)["scripts"] == ["script.lua"]


def test_what_was_typed_into_a_script_is_undone(open_game: MainWindow, qtbot: QtBot) -> None:
    view = open_game.parts[ScriptView]
    view.add_script()
    qtbot.waitUntil(lambda: view.current == "script.lua")
    template = view.editor.toPlainText()
    with qtbot.waitSignal(open_game.controller.documents_changed):
        view.editor.setPlainText("function reward() return 1 end\n")
    open_game.docks.all["reward"].setFocus()
    press(open_game, qtbot)
    assert view.editor.toPlainText() == template
    press(open_game, qtbot, redo=True)
    assert view.editor.toPlainText() == "function reward() return 1 end\n"
    with qtbot.waitSignal(open_game.controller.documents_changed):
        QTest.mouseClick(view.remove_button, Qt.MouseButton.LeftButton)
    assert view.files.count() == 0
    assert "scripts" not in scenario(open_game)
    press(open_game, qtbot)
    assert view.editor.toPlainText() == "function reward() return 1 end\n"


def states(window: MainWindow) -> set[str]:
    documents = window.controller.documents
    return set(documents.states) if documents else set()


def test_states_saved_renamed_and_deleted_are_undone(
    open_game: MainWindow, qtbot: QtBot, airstriker: Path
) -> None:
    def wait_for(names: set[str]) -> None:
        qtbot.waitUntil(lambda: states(open_game) == names)

    commands = open_game.parts[StatesView]
    before = {path.name: path.read_bytes() for path in airstriker.iterdir()}
    commands.save("Here")
    wait_for({"Level1", "Here"})
    commands.rename("Level1", "First")
    wait_for({"First", "Here"})
    commands.remove("Here")
    wait_for({"First"})
    assert default_state(open_game) == "First"
    for names in ({"First", "Here"}, {"Level1", "Here"}, {"Level1"}):
        press(open_game, qtbot)
        wait_for(names)
    assert (open_game.isWindowModified(), default_state(open_game)) == (False, "Level1")
    for names in ({"Level1", "Here"}, {"First", "Here"}, {"First"}):
        press(open_game, qtbot, redo=True)
        wait_for(names)
    assert open_game.isWindowModified()
    assert {path.name: path.read_bytes() for path in airstriker.iterdir()} == before
    open_game.actions_by_key["save"].trigger()
    qtbot.waitUntil(lambda: not open_game.isWindowModified())
    assert {path.stem for path in airstriker.glob("*.state")} == {"First"}


def test_deleting_the_state_where_episodes_begin_is_told_and_given_up_by_discard(
    open_game: MainWindow, qtbot: QtBot, airstriker: Path
) -> None:
    before = {path.name: path.read_bytes() for path in airstriker.iterdir()}
    with qtbot.waitSignal(open_game.controller.documents_changed):
        open_game.parts[StatesView].remove("Level1")
    assert "where episodes began: they begin at power-on now" in banners(open_game)[0]
    open_game.close()
    assert not open_game.isVisible()
    assert {path.name: path.read_bytes() for path in airstriker.iterdir()} == before


def test_redo_brings_new_files_back_with_their_edits(open_game: MainWindow, qtbot: QtBot) -> None:
    changed = open_game.controller.documents_changed
    with qtbot.waitSignal(changed):
        open_game.parts[RewardView].add_scenario("hard")
    with qtbot.waitSignal(changed):
        open_game.parts[RewardView].add_time()
    with qtbot.waitSignal(changed):
        open_game.parts[ScriptView].add_script()
    with qtbot.waitSignal(changed):
        open_game.parts[StatesView].save("Here")
    undo, redo = open_game.actions_by_key["undo"], open_game.actions_by_key["redo"]
    for _ in range(4):
        press(open_game, qtbot)
    # The file of the state is told of by the disk, too: not any answer is that to the last key.
    qtbot.waitUntil(lambda: not (open_game.isWindowModified() or undo.isEnabled()))
    for _ in range(4):
        press(open_game, qtbot, redo=True)
    qtbot.waitUntil(lambda: not redo.isEnabled())

    def everything() -> tuple[object, ...]:
        documents = open_game.controller.documents
        assert documents is not None
        return documents.scenario_names, list(documents.scripts), documents.states

    qtbot.waitUntil(
        lambda: everything() == (("scenario", "hard"), ["script.lua"], ("Here", "Level1"))
    )
    texts: list[str] = []
    open_game.bridge.ask(lambda s: s.integration.scenarios["hard"].text, texts.append)
    qtbot.waitUntil(lambda: bool(texts))
    assert '"time"' in texts[0]
    assert '"script.lua"' in texts[0]


def test_the_default_state_is_undone(open_game: MainWindow, qtbot: QtBot) -> None:
    states, changed = open_game.parts[StatesView], open_game.controller.documents_changed

    with qtbot.waitSignal(changed):
        states.save("Here")
    # The file of the state is told of by the disk, too: not any answer is that to the command.
    states.make_default("Here")
    qtbot.waitUntil(lambda: default_state(open_game) == "Here")
    press(open_game, qtbot)
    qtbot.waitUntil(lambda: default_state(open_game) == "Level1")


def test_a_scenario_file_that_was_added_is_undone_while_it_scores(
    open_game: MainWindow, qtbot: QtBot
) -> None:
    reward = open_game.parts[RewardView]
    with qtbot.waitSignal(open_game.controller.documents_changed):
        reward.add_scenario("hard")
    assert open_game.controller.documents is not None
    assert open_game.controller.documents.scenario_name == "hard"
    press(open_game, qtbot)
    assert open_game.controller.documents.scenario_names == ("scenario",)
    assert open_game.controller.documents.scenario_name == "scenario"
    assert not open_game.isWindowModified()


def test_a_poke_is_a_step_among_the_edits(open_game: MainWindow, qtbot: QtBot) -> None:
    controller = open_game.controller

    def wait_for_lives(text: str) -> None:
        qtbot.waitUntil(lambda: cell(open_game, "lives", VariableColumn.VALUE) == text)

    controller.poke("lives", 7)
    wait_for_lives("7")
    with qtbot.waitSignal(controller.documents_changed):
        open_game.parts[RewardView].add_time()
    controller.poke("lives", 9)
    wait_for_lives("9")
    QTest.keyClick(open_game, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    wait_for_lives("7")
    press(open_game, qtbot)
    assert "time" not in str(scenario(open_game).get("reward"))
    QTest.keyClick(open_game, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    wait_for_lives("3")
    both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    QTest.keyClick(open_game, Qt.Key.Key_Z, both)
    wait_for_lives("7")


def test_a_poke_is_undone_at_its_own_frame_only(open_game: MainWindow, qtbot: QtBot) -> None:
    controller, undo = open_game.controller, open_game.actions_by_key["undo"]
    with qtbot.waitSignal(controller.documents_changed):
        open_game.parts[RewardView].add_time()
    frame = frame_number(open_game)
    with qtbot.waitSignal(controller.poked):
        controller.poke("lives", 7)
    step(open_game, qtbot)
    undo.trigger()
    said = f"The poke at frame {frame} cannot be taken back"
    qtbot.waitUntil(lambda: any(said in text for text in banners(open_game)))
    lives: list[int] = []
    open_game.bridge.ask(lambda session: session.memory.read(0xFF025A, ">u2"), lives.append)
    qtbot.waitUntil(lambda: lives == [7])
    press(open_game, qtbot)
    assert "time" not in str(scenario(open_game).get("reward"))
