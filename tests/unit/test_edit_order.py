"""One undo over all files of an integration, in the order in which they were edited."""

from __future__ import annotations

from pathlib import Path

import pytest

from integrator.domain.edit_order import Step
from integrator.domain.errors import ChangedOnDiskError, DocumentError
from integrator.domain.integration import Integration, load_integration


@pytest.fixture
def game(tmp_path: Path) -> Integration:
    """An integration with one start state that metadata names."""
    directory = tmp_path / "Game-Nes-v0"
    directory.mkdir()
    (directory / "metadata.json").write_text('{"default_state": "A"}')
    game = load_integration(directory)
    game.write_state("A", b"first")
    game.edit_order.note()
    return game


def set_crop(game: Integration, width: int) -> None:
    with game.scenario.edit() as value:
        value["crop"] = [0, 0, width, 10]


def undo(game: Integration) -> Step:
    with game.edit_order.stepping(back=True) as step:
        return step


def redo(game: Integration) -> Step:
    with game.edit_order.stepping(back=False) as step:
        return step


def test_the_newest_edit_of_any_file_is_taken_back_first(game: Integration) -> None:
    set_crop(game, 1)
    game.edit_order.note()
    game.rename_state("A", "B")
    game.edit_order.note()
    set_crop(game, 2)
    game.edit_order.note()
    assert undo(game) == ("scenario.json",)
    assert undo(game) == ("metadata.json", "*.state")
    assert (game.states, game.metadata.value["default_state"]) == (["A"], "A")
    assert game.scenario.value["crop"] == [0, 0, 1, 10]
    assert redo(game) == ("metadata.json", "*.state")
    assert (game.states, game.metadata.value["default_state"]) == (["B"], "B")
    assert [undo(game), undo(game), undo(game)][1:] == [("scenario.json",), ("*.state",)]
    assert undo(game) == ()
    assert game.edit_order.done == ()


def test_an_edit_that_was_not_noted_yet_is_the_newest(game: Integration) -> None:
    set_crop(game, 1)
    game.edit_order.note()
    game.write_state("C", b"third")
    assert undo(game) == ("*.state",)
    assert game.states == ["A"]
    assert game.edit_order.undone == (("*.state",),)


def test_a_new_edit_ends_what_could_be_done_again(game: Integration) -> None:
    set_crop(game, 1)
    undo(game)
    game.write_state("C", b"third")
    assert redo(game) == ()
    assert "crop" not in game.scenario.value


def test_when_a_file_refuses_all_are_as_before(game: Integration) -> None:
    game.rename_state("A", "B")
    game.edit_order.note()
    done = game.edit_order.done
    game.state_path("B").write_bytes(b"theirs")
    with pytest.raises(ChangedOnDiskError, match=r"B\.state"):
        undo(game)
    assert game.metadata.value["default_state"] == "B"
    assert game.edit_order.done == done
    assert game.edit_order.undone == ()


def test_when_the_edit_can_not_be_used_all_files_are_as_before(game: Integration) -> None:
    game.rename_state("A", "B")

    def use() -> None:
        with game.edit_order.stepping(back=True):
            assert game.states == ["A"]
            raise DocumentError("not to be used")

    with pytest.raises(DocumentError, match="not to be used"):
        use()
    assert (game.states, game.metadata.value["default_state"]) == (["B"], "B")
    assert undo(game) == ("metadata.json", "*.state")


def test_steps_of_a_history_that_is_gone_are_forgotten(game: Integration, tmp_path: Path) -> None:
    set_crop(game, 1)
    game.edit_order.note()
    game.write_state("C", b"third")
    game.edit_order.note()
    # The states there are others, with a history of their own.
    game.save(tmp_path / "Copy-Nes-v0")
    assert undo(game) == ("scenario.json",)
    assert undo(game) == ()
    assert game.states == ["A", "C"]
