"""A game is opened while the window starts."""

from __future__ import annotations

from pathlib import Path

import pytest

from integrator.commands.shared.options import demo_game
from integrator.domain.errors import SessionError
from integrator.session.journal.journal_file import recoverable
from integrator.session.opening import begin_opening, is_game


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("rom.nes", True),
        ("Game-Nes-v0", True),
        ("a.BK2", False),
        ("a.fm2", False),
        ("a.state", False),
    ],
)
def test_movies_and_states_are_no_games(name: str, wanted: bool) -> None:
    assert is_game(Path(name)) is wanted


def test_the_game_comes_with_a_journal(own_home: Path) -> None:
    assert own_home.is_dir()
    opening = begin_opening(demo_game())
    assert opening.path == demo_game()
    with opening.session.result(timeout=60) as session:
        session.reset()
        session.advance(frames=3)
        assert recoverable() == []  # its program is alive
        assert list(own_home.rglob("*.journal"))
    assert not list(own_home.rglob("*.journal"))


def test_what_can_not_be_opened_says_so_to_whoever_asks(tmp_path: Path) -> None:
    opening = begin_opening(tmp_path / "nowhere.nes")
    with pytest.raises(SessionError, match=r"nowhere\.nes"):
        opening.session.result(timeout=60)
