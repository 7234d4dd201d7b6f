"""One undo over all files of an integration, in the order in which they were edited."""

from __future__ import annotations

from pathlib import Path

import pytest
import undoing

from integrator.domain.errors import ChangedOnDiskError, DocumentError
from integrator.domain.files import undo as undo_module
from integrator.domain.integration.directory import load_integration
from integrator.domain.integration.files import Integration


@pytest.fixture
def game(tmp_path: Path) -> Integration:
    """An integration with one start state that metadata names."""
    directory = tmp_path / "Game-Nes-v0"
    directory.mkdir()
    (directory / "metadata.json").write_text('{"default_state": "A"}')
    game = load_integration(directory)
    game.write_state("A", b"first")
    game.save()
    return load_integration(directory)


def set_crop(game: Integration, width: int) -> None:
    with game.scenario.edit() as value:
        value["crop"] = [0, 0, width, 10]


def undo(game: Integration) -> list[str]:
    return [change.file for change in undoing.undo(game.history)]


def redo(game: Integration) -> list[str]:
    return [change.file for change in undoing.redo(game.history)]


def test_the_newest_edit_of_any_file_is_taken_back_first(game: Integration) -> None:
    set_crop(game, 1)
    game.rename_state("A", "B")
    set_crop(game, 2)
    assert undo(game) == ["scenario.json"]
    assert set(undo(game)) == {"A.state", "B.state", "metadata.json"}
    assert (game.states, game.metadata.value["default_state"]) == (["A"], "A")
    assert game.scenario.value["crop"] == [0, 0, 1, 10]
    assert set(redo(game)) == {"A.state", "B.state", "metadata.json"}
    assert (game.states, game.metadata.value["default_state"]) == (["B"], "B")
    assert [set(undo(game)), undo(game), undo(game)][1:] == [["scenario.json"], []]
    assert not game.modified


def test_redo_brings_back_files_that_were_new(game: Integration) -> None:
    with game.add_scenario("hard").edit() as value:
        value["crop"] = [1, 2, 3, 4]
    game.scripts["new.lua"] = "-- new"
    game.scripts["new.lua"] = "-- newer"
    game.write_state("C", b"third")
    game.rename_state("C", "D")
    while undo(game):
        assert len(game.history.done) + len(game.history.undone) == 6
    assert (list(game.scenarios), list(game.scripts), game.states) == (["scenario"], [], ["A"])
    assert not game.modified
    while redo(game):
        pass
    assert game.scenarios["hard"].value["crop"] == [1, 2, 3, 4]
    assert game.scripts == {"new.lua": "-- newer"}
    assert game.states == ["A", "D"]
    game.save()
    names = {path.name for path in game.directory.iterdir()}
    assert {"hard.json", "new.lua", "A.state", "D.state"} <= names


def test_what_was_saved_is_taken_back_on_disk_by_the_next_save(game: Integration) -> None:
    with game.add_scenario("hard").edit() as value:
        value["crop"] = [1, 2, 3, 4]
    game.write_state("C", b"third")
    game.remove_state("A")
    game.save()
    before = {path.name: path.read_bytes() for path in game.directory.iterdir()}
    while undo(game):
        pass
    assert game.states == ["A"]
    game.save()
    names = {path.name for path in game.directory.iterdir()}
    assert ("A.state" in names, "C.state" in names, "hard.json" in names) == (True, False, False)
    while redo(game):
        pass
    game.save()
    assert {path.name: path.read_bytes() for path in game.directory.iterdir()} == before


def test_a_new_edit_ends_what_could_be_done_again(game: Integration) -> None:
    set_crop(game, 1)
    undo(game)
    game.write_state("C", b"third")
    assert redo(game) == []
    assert "crop" not in game.scenario.value


def test_an_edit_that_fails_takes_all_its_files_back(game: Integration) -> None:
    def edit() -> None:
        with game.history.step():
            set_crop(game, 1)
            game.scripts["new.lua"] = "-- new"
            game.rename_state("A", "B")
            game.add_scenario("hard")
            raise DocumentError("not to be used")

    with pytest.raises(DocumentError, match="not to be used"):
        edit()
    assert not game.modified
    assert (game.history.done, game.states, list(game.scripts)) == ((), ["A"], [])
    assert list(game.scenarios) == ["scenario"]


def test_a_part_of_an_edit_may_fail_alone(game: Integration) -> None:
    with game.history.step():
        game.scripts["new.lua"] = "-- new"
        with pytest.raises(DocumentError, match="exists already"):
            game.rename_state("A", "A")
    assert undo(game) == ["new.lua"]


def test_when_the_files_can_not_be_used_undo_changes_nothing(game: Integration) -> None:
    game.rename_state("A", "B")

    def use() -> None:
        with game.history.stepping(back=True):
            assert game.states == ["A"]
            raise DocumentError("not to be used")

    with pytest.raises(DocumentError, match="not to be used"):
        use()
    assert (game.states, game.metadata.value["default_state"]) == (["B"], "B")
    assert "metadata.json" in undo(game)


def test_the_history_goes_with_the_integration_to_another_directory(
    game: Integration, tmp_path: Path
) -> None:
    set_crop(game, 1)
    game.write_state("C", b"third")
    game.save(tmp_path / "Copy-Nes-v0")
    assert undo(game) == ["C.state"]
    game.save()
    assert sorted(path.name for path in game.directory.glob("*.state")) == ["A.state"]
    assert not (tmp_path / "Game-Nes-v0" / "C.state").exists()


def test_a_value_changed_without_an_edit_is_not_lost_by_undo_and_redo(game: Integration) -> None:
    set_crop(game, 1)
    game.scenario.value["by hand"] = 1
    undo(game)
    redo(game)
    assert game.scenario.value["by hand"] == 1


def test_states_that_the_history_holds_have_a_limit(
    game: Integration, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(undo_module, "MAX_STATE_BYTES", 200)
    for number in range(30):
        game.write_state("A", bytes([number]))
    assert 1 < len(game.history.done) < 10
    while undo(game):
        pass
    assert game.read_state("A") > b"\x10", "the oldest were forgotten"


def test_a_change_outside_of_a_step_is_a_mistake(game: Integration) -> None:
    with pytest.raises(RuntimeError, match="outside of a step"):
        game.history.touch("A.state")


def test_saving_refuses_a_state_that_another_program_replaced(game: Integration) -> None:
    game.write_state("A", b"second")
    game.state_files.path("A").write_bytes(b"theirs")
    with pytest.raises(ChangedOnDiskError, match=r"A\.state"):
        game.save()
    assert game.changed_on_disk() == (game.state_files.path("A"),)
    assert game.state_files.path("A").read_bytes() == b"theirs"
    with game.reloading(game.state_files.path("A")):
        pass
    assert (game.content("A.state"), game.modified) == (b"theirs", False)
    undo(game)
    assert game.read_state("A") == b"second"
    game.save()
    assert load_integration(game.directory).read_state("A") == b"second"


def test_a_removed_default_state_goes_from_metadata_with_it(game: Integration) -> None:
    game.write_state("B", b"second")
    game.metadata.set_default_state("B", players=2)
    game.metadata.set_default_state("B", players=1)
    game.save()
    before = {path.name: path.read_bytes() for path in game.directory.iterdir()}
    assert game.remove_state("B") == (1, 2)
    assert game.metadata.default_state(1) is None
    assert {path.name: path.read_bytes() for path in game.directory.iterdir()} == before
    # Given up instead of saved: the folder is as it was.
    fresh = load_integration(game.directory)
    assert (fresh.states, fresh.metadata.default_state(2)) == (["A", "B"], "B")
    undo(game)
    assert (game.metadata.default_state(2), game.modified) == ("B", False)
