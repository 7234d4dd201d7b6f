"""The editor: one way to edit, whose changes are returned and told to those who listen."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from integrator.commands.shared.options import demo_game
from integrator.domain.errors import DocumentError
from integrator.domain.values.memory import DataType
from integrator.domain.values.variables import VariableSpec
from integrator.session.edits import commands
from integrator.session.edits.editor import EVERYTHING, SUBJECTS, Change, ChangedPlace, Editor
from integrator.session.edits.snapshot import Documents, Update
from integrator.session.opening import open_session
from integrator.session.session import Session
from integrator.session.setup.game import Game

pytestmark = pytest.mark.usefixtures("own_home")

LIVES = VariableSpec("extra", 0x40, DataType.parse("|u1"))


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    copy = shutil.copytree(demo_game(), tmp_path / "EmberMoth-Nes-v0")
    with open_session(copy, isolated=False) as session:
        yield session


@pytest.fixture
def told(session: Session) -> list[Change]:
    """All changes that a listener is told of."""
    told: list[Change] = []
    session.editor.listen(told.append)
    return told


def time_reward(editor: Editor, value: float, *, merge: bool = False) -> Change:
    edit = commands.set_in_scenario(("reward", "time", "reward"), value)
    return editor.do(edit, merge=merge)


def test_a_change_names_file_path_old_and_new(session: Session, told: list[Change]) -> None:
    editor = session.editor
    added = editor.do(commands.put_variable(None, LIVES))
    [place] = added.places
    assert (place.file, place.path, place.old) == ("data.json", ("info", "extra"), None)
    assert place.new == {"address": 0x40, "type": "|u1"}
    assert added.subjects == {"variables"}
    time_reward(editor, 1.0)
    changed = time_reward(editor, 2.0)
    assert changed.places == (
        ChangedPlace("scenario.json", ("reward", "time", "reward"), 1.0, 2.0),
    )
    assert changed.subjects == {"scenario"}
    assert told == [added, told[1], changed]


def test_undo_and_redo_tell_the_change_the_other_way(session: Session, told: list[Change]) -> None:
    editor = session.editor
    done = editor.do(commands.put_variable(None, LIVES))
    back, forth = editor.undo(), editor.redo()
    [place] = done.places
    assert back.places == (ChangedPlace(place.file, place.path, place.new, None),)
    assert forth.places == done.places
    assert told == [done, back, forth]
    editor.undo()
    assert editor.undo() == Change()
    assert "extra" not in session.integration.variables


def test_a_step_in_several_files_has_a_place_in_each(session: Session) -> None:
    change = session.editor.do(lambda game: game.integration.rename_state("Start", "First"))
    assert {place.file for place in change.places} == {
        "Start.state",
        "First.state",
        "metadata.json",
    }
    assert change.subjects == {"states"}


def test_an_edit_that_fails_changes_and_tells_nothing(session: Session, told: list[Change]) -> None:
    def edit(_: object) -> None:
        session.integration.variables.set("extra", LIVES)
        raise DocumentError("no")

    with pytest.raises(DocumentError, match="no"):
        session.editor.do(edit)
    assert (told, session.integration.modified) == ([], False)


def test_another_scenario_or_start_state_in_use_is_a_change_too(session: Session) -> None:
    editor = session.editor
    assert editor.do(lambda game: game.use_state("Level2")).subjects == {"states"}
    assert editor.do(lambda game: game.use_state("Level2")) == Change()
    added = editor.do(commands.add_scenario("hard"))
    assert added.subjects == {"scenario"}
    assert editor.do(lambda game: game.use_scenario(None)).subjects == {"scenario"}
    assert len(session.integration.history.done) == 1, "only a file's change is a step"


def test_saving_and_moving_are_told(session: Session, told: list[Change], tmp_path: Path) -> None:
    editor = session.editor
    editor.do(commands.put_variable(None, LIVES))
    assert editor.save().subjects == {"disk"}
    assert editor.move_to(tmp_path / "Other-Nes-v0") == EVERYTHING
    assert [change.subjects for change in told] == [{"variables"}, {"disk"}, SUBJECTS]


def test_a_reloaded_file_is_a_step(session: Session) -> None:
    path = session.integration.directory / "metadata.json"
    path.write_text('{"default_state": "Level2"}')
    change = session.editor.reload(path)
    assert change.places[0].file == "metadata.json"
    assert change.subjects == {"states", "disk"}
    assert session.game.state_name == "Level2"
    session.editor.undo()
    assert session.game.state_name == "Start"


def test_taking_a_snapshot_has_no_side_effect(session: Session) -> None:
    editor = session.editor
    time_reward(editor, 1.0)
    steps = session.integration.history.done
    first = Documents.of(session.game)
    assert Documents.of(session.game) == first
    time_reward(editor, 12.0, merge=True)
    assert len(session.integration.history.done) == len(steps), "typing goes on in its step"
    assert first.scenario["reward"]["time"] == {"reward": 1.0}, "a snapshot stays as it is"


def test_an_update_makes_old_documents_those_of_now(session: Session) -> None:
    editor = session.editor
    documents = Documents.of(session.game)
    edits = (
        commands.put_variable(None, LIVES),
        commands.set_in_scenario(("reward", "time"), {"reward": 1.0}),
        lambda game: game.integration.rename_state("Level2", "Second"),
        commands.add_scenario("hard"),
        commands.make_default("Second", 1),
    )
    for edit in edits:
        update = Update.of(session.game, editor.do(edit))
        documents = update.apply(documents)
        assert documents == Documents.of(session.game)
    for step in (*[editor.undo] * len(edits), editor.redo, editor.save):
        documents = Update.of(session.game, step()).apply(documents)
        assert documents == Documents.of(session.game)


def test_an_update_copies_only_what_changed(session: Session) -> None:
    update = Update.of(session.game, session.editor.do(commands.put_variable(None, LIVES)))
    assert {"variables", "values", "skipped"} < update.facts.keys()
    assert update.facts.keys().isdisjoint({"scenario", "scripts", "states"})


def test_a_script_that_writes_while_it_loads_changes_no_running_game(session: Session) -> None:
    def script(game: Game) -> None:
        game.integration.history.touch("script.lua")
        game.integration.scripts["script.lua"] = (
            "data.lives = 7\n"
            "function pay() if scenario.frame > 38 then data.lives = 5 end return 0 end"
        )
        rules = {"scripts": ["script.lua"], "reward": {"script": "lua:pay"}}
        commands.change_scenario(lambda root: root.update(rules))(game)

    session.reset()
    session.advance(frames=30)
    ram = session.memory.ram.copy()
    session.editor.do(script)
    assert np.array_equal(session.host.read_ram(), ram)
    assert not session.memory.written
    assert session.advance(frames=5).values["lives"] == 2
    assert not session.timeline.markers("poke")
    assert session.advance(frames=4).values["lives"] == 5  # functions write
    assert session.reset().values["lives"] == 7
