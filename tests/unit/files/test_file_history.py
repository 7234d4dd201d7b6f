"""Scripts, states and scenario files: every edit of them can be taken back and made again."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest
import undoing
import warm_children

from integrator.domain.errors import ChangedOnDiskError, DocumentError, SaveError
from integrator.domain.integration.directory import create_integration, load_integration
from integrator.domain.integration.files import Integration
from libretro_host.processes.temporary import OwnedFolder

DIES_WHILE_IT_MAKES_ONE = """
import os, sys
from pathlib import Path
from libretro_host.processes.temporary import OwnedFolder
with OwnedFolder(Path(sys.argv[1])) as folder:
    (folder / "rom.nes").write_bytes(b"x")
    os.kill(os.getpid(), 9)
"""


@pytest.fixture
def game(tmp_path: Path) -> Integration:
    folder = tmp_path / "Game-Nes-v0"
    folder.mkdir()
    (folder / "data.json").write_text('{"info": {}}')
    (folder / "scenario.json").write_text('{"done": {}}')
    (folder / "metadata.json").write_text(
        '{"default_state": "A", "default_player_state": ["A", "B"]}'
    )
    (folder / "a.lua").write_text("-- a\n")
    (folder / "b.lua").write_text("-- b\n")
    integration = load_integration(folder)
    integration.write_state("A", b"first", "core 1")
    integration.save()
    return load_integration(folder)


def is_modified(game: Integration) -> bool:
    return game.modified


def files(game: Integration) -> set[str]:
    return {path.name for path in game.directory.iterdir()}


def test_edits_of_scripts_are_undone_and_done_again(game: Integration) -> None:
    scripts, history = game.scripts, game.history
    scripts["a.lua"] = "-- changed\n"
    scripts["new.lua"] = "-- new\n"
    del scripts["b.lua"]
    assert list(scripts) == ["a.lua", "new.lua"]
    assert undoing.undo(history)
    assert scripts["b.lua"] == "-- b\n"
    assert undoing.undo(history)
    assert "new.lua" not in scripts
    assert undoing.undo(history)
    assert not undoing.undo(history)
    assert scripts == {"a.lua": "-- a\n", "b.lua": "-- b\n"}
    assert not is_modified(game)
    while undoing.redo(history):
        pass
    assert scripts == {"a.lua": "-- changed\n", "new.lua": "-- new\n"}


def test_an_edit_of_several_scripts_is_one_step_or_none(game: Integration) -> None:
    with game.history.step():
        game.scripts["a.lua"] = "1"
        game.scripts["b.lua"] = "2"
    assert len(game.history.done) == 1

    def change_one_that_is_not_there() -> None:
        with game.history.step():
            game.scripts["a.lua"] = "3"
            game.scripts.pop("none.lua")

    with pytest.raises(KeyError):
        change_one_that_is_not_there()
    assert game.scripts["a.lua"] == "1"
    game.scripts["a.lua"] = "1"
    assert len(game.history.done) == 1, "what changes nothing is no edit"


def test_a_removed_script_goes_with_the_next_save_and_comes_back(game: Integration) -> None:
    del game.scripts["b.lua"]
    assert is_modified(game)
    assert "b.lua" in files(game)
    game.save()
    assert "b.lua" not in files(game)
    assert not is_modified(game)
    undoing.undo(game.history)
    assert is_modified(game)
    game.save()
    assert (game.directory / "b.lua").read_text() == "-- b\n"


def test_a_removed_script_that_another_program_changed_is_not_deleted(game: Integration) -> None:
    del game.scripts["b.lua"]
    (game.directory / "b.lua").write_text("-- theirs\n")
    with pytest.raises(ChangedOnDiskError, match=r"b\.lua"):
        game.save()
    assert game.changed_on_disk() == (game.directory / "b.lua",)
    game.keep_mine(game.directory / "b.lua")
    game.save()
    assert "b.lua" not in files(game)


def test_only_files_that_were_there_can_have_been_deleted(game: Integration) -> None:
    fresh = Integration(game.directory / "fresh")  # as for a bare ROM
    assert fresh.deleted_on_disk() == ()
    fresh.save()
    assert fresh.deleted_on_disk() == ()
    del game.scripts["b.lua"]
    for name in ("a.lua", "b.lua", "scenario.json"):
        (game.directory / name).unlink()
    directory = game.directory
    assert game.deleted_on_disk() == (directory / "scenario.json", directory / "a.lua")
    shutil.rmtree(directory)
    assert game.deleted_on_disk() == (directory,)


def test_files_that_another_program_added_are_taken_in(game: Integration) -> None:
    (game.directory / "theirs.lua").write_text("-- theirs\n")
    (game.directory / "theirs.json").write_text('{"done": {}}')
    (game.directory / "notes.json").write_text('{"nothing": 1}')
    assert game.changed_on_disk() == ()
    assert game.adopt_new() == ("theirs.json", "theirs.lua")
    assert game.scripts["theirs.lua"] == "-- theirs\n"
    assert list(game.scenarios) == ["scenario", "theirs"]
    assert game.adopt_new() == ()
    assert not is_modified(game)


def test_a_reload_that_can_not_be_used_leaves_all_as_it_was(game: Integration) -> None:
    game.scripts["a.lua"] = "-- mine\n"
    paths = (game.directory / "a.lua", game.directory / "scenario.json")
    for path in paths:
        path.write_text('{"theirs": 1}')

    def refuse(path: Path) -> None:
        with game.reloading(path):
            raise RuntimeError

    for path in paths:
        with pytest.raises(RuntimeError):
            refuse(path)
    assert game.scripts["a.lua"] == "-- mine\n"
    assert game.scenario.value == {"done": {}}
    assert set(game.changed_on_disk()) == set(paths)
    with pytest.raises(ChangedOnDiskError):
        game.save()


def test_a_copy_elsewhere_lacks_removed_scripts(game: Integration, tmp_path: Path) -> None:
    del game.scripts["b.lua"]
    game.save(tmp_path / "Copy-Nes")
    assert files(game) == {"a.lua", "data.json", "metadata.json", "scenario.json", "A.state"}
    assert (tmp_path / "Game-Nes-v0" / "b.lua").exists()


def test_states_written_renamed_and_deleted_are_undone(game: Integration) -> None:
    history = game.history
    game.write_state("A", b"second", "core 2")
    game.write_state("C", b"third")
    game.remove_state("C")
    assert game.states == ["A"]
    assert undoing.undo(history)
    assert game.read_state("C") == b"third"
    assert undoing.undo(history)
    assert game.states == ["A"]
    assert undoing.undo(history)
    assert game.read_state("A") == b"first"
    assert game.state_files.facts("A")[0] == "core 1"
    assert not undoing.undo(history)
    assert undoing.redo(history)
    assert game.read_state("A") == b"second"


def test_states_are_written_and_deleted_by_the_save(game: Integration) -> None:
    game.write_state("C", b"third")
    game.rename_state("A", "First")
    assert files(game) >= {"A.state"}
    assert not files(game) & {"C.state", "First.state"}
    assert game.states == ["C", "First"]
    game.save()
    assert not is_modified(game)
    assert files(game) & {"A.state", "C.state", "First.state"} == {"C.state", "First.state"}
    assert load_integration(game.directory).metadata.default_state() == "First"


def test_metadata_never_names_a_state_that_is_not_there_yet(
    game: Integration, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A save that is cut off leaves states too many, and none too few."""
    game.rename_state("A", "First")

    def full(*_: object, **__: object) -> None:
        raise SaveError("no room")

    monkeypatch.setattr(type(game.metadata), "save", full)
    with pytest.raises(SaveError, match="no room"):
        game.save()
    assert {"A.state", "First.state"} <= files(game)


def test_a_renamed_state_is_renamed_in_the_metadata(game: Integration) -> None:
    game.rename_state("A", "Level.1")
    assert game.states == ["Level.1"]
    assert game.metadata.value == {
        "default_state": "Level.1",
        "default_player_state": ["Level.1", "B"],
    }
    assert undoing.undo(game.history)
    assert game.states == ["A"]
    assert not is_modified(game)


def test_a_state_is_not_renamed_over_another(game: Integration) -> None:
    game.write_state("B", b"b")
    with pytest.raises(DocumentError, match="exists already"):
        game.rename_state("A", "B")
    with pytest.raises(DocumentError, match="cannot be the name"):
        game.rename_state("A", "../B")
    with pytest.raises(DocumentError, match="no such state"):
        game.remove_state("None")
    assert len(game.history.done) == 1


def test_a_scenario_file_that_was_added_is_undone(game: Integration) -> None:
    history = game.history
    game.add_scenario("hard", {"done": {"condition": "all"}})
    assert undoing.undo(history)
    assert list(game.scenarios) == ["scenario"]
    assert not is_modified(game)
    assert undoing.redo(history)
    game.save()
    assert "hard.json" in files(game)
    assert undoing.undo(history)
    assert is_modified(game)
    game.save()
    assert "hard.json" not in files(game)
    assert undoing.redo(history)
    game.save()
    assert "hard.json" in files(game)


def test_the_folder_of_a_killed_creation_is_removed_by_the_next(tmp_path: Path) -> None:
    rom = tmp_path / "Cat.nes"
    rom.write_bytes(b"NES\x1a" + bytes(12) + b"game")
    root = tmp_path / "root"
    root.mkdir()
    killed = warm_children.run(
        [sys.executable, "-c", DIES_WHILE_IT_MAKES_ONE, str(root)], check=False
    )
    assert killed.returncode == -9
    assert [path.name[:12] for path in root.iterdir()] == [".integrator-"]
    with OwnedFolder(root) as living:
        assert list(root.iterdir()) == [living]
        create_integration(rom, root, None, "Nes", "nes")
        assert living.is_dir(), "one that is being made is left alone"
    assert os.listdir(root) == ["Cat-Nes"]  # noqa: PTH208 - names as the system lists them
