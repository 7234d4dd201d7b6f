"""Views redraw for the changes that concern them, and for no others."""

import pytest
from pytestqt.qtbot import QtBot

from integrator.domain.values.memory import DataType
from integrator.domain.values.variables import VariableSpec
from integrator.session.edits import commands
from integrator.session.edits.editor import Edit
from integrator.ui.memory.variables import VariablesView
from integrator.ui.play.states.states_view import StatesView
from integrator.ui.score.reward_view import RewardView
from integrator.ui.score.texts.script_panel import ScriptView
from integrator.ui.shell.files.disk_changes import DiskChanges
from integrator.ui.shell.main_window import MainWindow

pytestmark = pytest.mark.usefixtures("shared_window")

LIVES = VariableSpec("extra", 0xFF0000, DataType.parse("|u1"))


@pytest.fixture
def drawn(open_game: MainWindow, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the panels that were given documents to show."""
    drawn: list[str] = []
    parts = open_game.parts
    for name, view, method in (
        ("variables", parts[VariablesView].model, "set_specs"),
        ("reward", parts[RewardView], "_show_scenario"),
        ("scripts", parts[ScriptView].pages, "show_content"),
        ("states", parts[StatesView], "_show_survey"),
    ):
        monkeypatch.setattr(view, method, lambda *_, name=name, **__: drawn.append(name))
    return drawn


@pytest.mark.parametrize(
    ("edit", "panels"),
    [
        (commands.put_variable(None, LIVES), ["reward", "scripts", "variables"]),
        (commands.set_in_scenario(("reward", "time"), {"reward": 1.0}), ["reward", "scripts"]),
        (commands.save_state("Here"), ["states"]),
        (lambda game: game.integration.scripts.update({"a.lua": "-- a"}), ["scripts"]),
        (lambda _: None, ["reward", "scripts", "states", "variables"]),
    ],
    ids=["variable", "scenario", "state", "script", "nothing"],
)
def test_a_change_is_drawn_where_it_is_shown(
    open_game: MainWindow, qtbot: QtBot, drawn: list[str], edit: Edit, panels: list[str]
) -> None:
    with qtbot.waitSignal(open_game.controller.documents_changed):
        open_game.controller.edit(edit)
    answered: list[None] = []  # after the survey of states, which is asked for before
    open_game.bridge.ask(lambda _: None, answered.append)
    qtbot.waitUntil(lambda: bool(answered))
    assert sorted(drawn) == panels


def test_a_look_at_the_disk_during_an_edit_draws_nothing_more(
    open_game: MainWindow, qtbot: QtBot, drawn: list[str]
) -> None:
    open_game.controller.edit(commands.save_state("Here"))
    open_game.parts[DiskChanges].check()
    answered: list[None] = []
    open_game.bridge.ask(lambda _: None, answered.append)
    qtbot.waitUntil(lambda: bool(answered))
    assert {*drawn} <= {"states"}


def test_saving_redraws_neither_variables_nor_scenario(
    open_game: MainWindow, qtbot: QtBot, drawn: list[str]
) -> None:
    with qtbot.waitSignal(open_game.controller.documents_changed):
        open_game.controller.save()
    assert drawn == []
