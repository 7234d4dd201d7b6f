"""The tour on the demo game: it notices the user's steps by the real state of the session."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from ui_driver import do_and_show, open_and_wait

from integrator.commands.demo import PlayScript
from integrator.domain.integration.directory import load_integration
from integrator.domain.values.memory import DataType
from integrator.domain.values.variables import VariableSpec
from integrator.paths import shipped
from integrator.session.edits import commands as edits
from integrator.session.frame.result import FrameResult
from integrator.session.session import Session
from integrator.ui.find.facts import FactsView
from integrator.ui.guide.help_controller import HelpController
from integrator.ui.guide.tour_controller import TourController
from integrator.ui.play.states.states_view import StatesView
from integrator.ui.score.done_view import DoneView
from integrator.ui.score.reward_view import RewardView
from integrator.ui.shell.main_window import MainWindow


def tour_of(window: MainWindow) -> TourController:
    """The window's tour."""
    helper = window.findChild(HelpController)
    assert isinstance(helper, HelpController)
    return helper.tour


@pytest.fixture
def touring(window: MainWindow, qtbot: QtBot) -> MainWindow:
    """A window in which the tour has begun."""
    window.actions_by_key["tour"].trigger()
    qtbot.waitUntil(lambda: tour_of(window).is_running)
    tour_of(window).cheer_ms = 0
    return window


def play(window: MainWindow, qtbot: QtBot, start: int, stop: int) -> int:
    """Fly as somebody did for the input script, and stand at the last frame."""

    def fly(session: Session) -> FrameResult:
        source = shipped("resources") / "demo-game" / "input-script.json"
        script = PlayScript.load(source, session.system.buttons)
        if stop - start > 1:
            session.run(script.inputs[start : stop - 1])
        return session.advance((int(script.inputs[stop - 1][0]),))

    return do_and_show(window, qtbot, fly).number


def pin(window: MainWindow, text: str) -> None:
    """Type a fact and press Enter."""
    facts = window.parts[FactsView]
    facts.value.setText(text)
    QTest.keyClick(facts.value, Qt.Key.Key_Return)


def put(window: MainWindow, qtbot: QtBot, name: str, address: int, data_type: str) -> None:
    """Correct or add a variable, as the Variables table does."""
    spec = VariableSpec(name, address, DataType.parse(data_type))
    with qtbot.waitSignal(window.controller.documents_changed):
        window.controller.put_variable(spec)


def at_step(window: MainWindow, qtbot: QtBot, key: str) -> None:
    """Wait until the tour asks for a step."""

    def asked() -> bool:
        step = tour_of(window).step
        return step is not None and step.key == key

    qtbot.waitUntil(asked)


def test_the_whole_job_is_noticed_step_by_step(touring: MainWindow, qtbot: QtBot) -> None:
    window, parts = touring, touring.parts
    at_step(window, qtbot, "play")
    play(window, qtbot, 1, 367)
    at_step(window, qtbot, "first_fact")
    assert parts[FactsView].isVisible()
    pin(window, "20")
    at_step(window, qtbot, "second_fact")
    play(window, qtbot, 367, 1300)
    pin(window, "130")
    at_step(window, qtbot, "name")
    qtbot.waitUntil(lambda: parts[FactsView].model.rowCount() > 0)
    put(window, qtbot, "score", 0x309, ">d3")  # equals the score while that is the best
    qtbot.waitUntil(lambda: "high" in tour_of(window).coach.hint.text())
    put(window, qtbot, "score", 0x308, "|d1")  # its last two digits
    qtbot.waitUntil(lambda: "at most" in tour_of(window).coach.hint.text())
    put(window, qtbot, "score", 0x306, ">d3")
    at_step(window, qtbot, "lives")
    qtbot.waitUntil(lambda: "unchanged" in tour_of(window).coach.text.text())
    assert parts[FactsView].text == ""
    put(window, qtbot, "lives", 0x302, "|i1")
    at_step(window, qtbot, "reward")
    parts[RewardView].add_term("score")
    at_step(window, qtbot, "done")
    parts[DoneView].add_condition("lives")  # as it comes, with "zero": one life too early
    qtbot.waitUntil(lambda: "Not yet" in tour_of(window).coach.hint.text())
    window.controller.edit(edits.set_in_scenario(("done", "variables", "lives", "op"), "negative"))
    at_step(window, qtbot, "state")
    window.parts[StatesView].save("Fly")
    qtbot.waitUntil(lambda: "Fly" in states(window))
    window.controller.edit(edits.make_default("Fly", 0))
    at_step(window, qtbot, "save")
    window.actions_by_key["save"].trigger()
    at_step(window, qtbot, "check")
    tour_of(window).show_target()
    qtbot.waitUntil(lambda: tour_of(window).step is None)
    assert "whole job" in tour_of(window).coach.title.text()
    game = window.controller.game
    assert game is not None
    saved = load_integration(game.directory)
    assert saved.variables["score"].address == 0x306
    assert saved.scenario.value["done"]["variables"]["lives"] == {"op": "negative"}  # type: ignore[index,call-overload]  # JSON


def states(window: MainWindow) -> tuple[str, ...]:
    """Start states that there are."""
    documents = window.controller.documents
    return documents.states if documents else ()


def test_it_can_be_left_and_taken_up_again(touring: MainWindow, qtbot: QtBot) -> None:
    tour = tour_of(touring)
    at_step(touring, qtbot, "play")
    QTest.mouseClick(tour.coach.skip, Qt.MouseButton.LeftButton)
    at_step(touring, qtbot, "first_fact")
    game = touring.controller.game
    QTest.mouseClick(tour.coach.leave, Qt.MouseButton.LeftButton)
    assert not tour.is_running
    touring.actions_by_key["tour"].trigger()
    at_step(touring, qtbot, "first_fact")
    assert touring.controller.game is game
    QTest.mouseClick(tour.coach.back, Qt.MouseButton.LeftButton)
    at_step(touring, qtbot, "play")


def test_show_me_frames_the_place(touring: MainWindow, qtbot: QtBot) -> None:
    tour = tour_of(touring)
    for _ in range(5):
        QTest.mouseClick(tour.coach.skip, Qt.MouseButton.LeftButton)
    at_step(touring, qtbot, "reward")
    touring.use_workspace("play")
    QTest.mouseClick(tour.coach.point, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: tour.pointer.target is touring.parts[RewardView].add)
    assert touring.workspace == "score"


def test_it_is_offered_before_the_first_game_only(window: MainWindow, qtbot: QtBot) -> None:
    helper = window.findChild(HelpController)
    assert isinstance(helper, HelpController)
    helper.tour.offer()
    coach = helper.tour.coach
    assert coach.take.isVisible()
    assert helper.tour.step is None
    QTest.mouseClick(coach.take, Qt.MouseButton.LeftButton)
    at_step(window, qtbot, "play")
    assert not coach.take.isVisible()
    helper.tour.leave()
    helper.tour.offer()
    assert not coach.isVisible()


def test_another_game_ends_the_tour(touring: MainWindow, qtbot: QtBot, airstriker: Path) -> None:
    at_step(touring, qtbot, "play")
    open_and_wait(touring, qtbot, airstriker)
    qtbot.waitUntil(lambda: not tour_of(touring).is_running)


def test_a_second_tour_gets_a_copy_of_its_own(
    new_window: Callable[[], MainWindow], qtbot: QtBot
) -> None:
    directories = []
    for _ in range(2):
        window = new_window()
        window.actions_by_key["tour"].trigger()
        at_step(window, qtbot, "play")
        assert window.controller.game is not None
        directories.append(window.controller.game.directory)
        window.close()
    assert directories[0] != directories[1]
    assert all(directory.is_dir() for directory in directories)
