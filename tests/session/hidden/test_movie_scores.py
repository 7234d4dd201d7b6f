"""Movies are scored in a hidden core, by the documents as they were when it was asked for."""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path

import pytest
from desynced import give_another_rom, put_out_of_step

import integrator
from integrator.commands.shared.options import demo_game
from integrator.domain.errors import MovieError, SessionError
from integrator.session.edits import commands as edits
from integrator.session.hidden.movies import MovieLibrary, MoviePair, first_other_ram, score_movies
from integrator.session.session import Session

pytestmark = pytest.mark.usefixtures("own_home")


def record(session: Session, movie: Path, frames: int) -> None:
    session.record(movie)
    session.advance((0,), frames=frames)
    session.stop_recording()


def test_every_player_has_a_sum(tmp_path: Path) -> None:
    game = shutil.copytree(demo_game(), tmp_path / "Demo-Nes-v0")
    movie = tmp_path / "two.bk2"
    with integrator.open_session(game, players=2) as session:
        terms = [{"time": {"reward": reward}} for reward in (-1, 2)]
        session.editor.do(edits.set_in_scenario(("rewards",), terms))
        session.reset()
        session.record(movie)
        session.advance((0, 0), frames=29)
        session.stop_recording()
        plan = session.game.plan.hidden()
        # Edited meanwhile, in the thread of the game: the scores are those of the plan.
        session.editor.do(edits.set_in_scenario(("rewards",), []))
        [score] = score_movies(plan, [movie], lambda: False)
    assert score.problem == ""
    assert score.rewards.shape == (30, 2)
    assert score.totals == (-30.0, 60.0)


def test_a_pair_of_movies_that_is_stopped_ends_with_the_piece_that_runs(tmp_path: Path) -> None:
    movie = tmp_path / "long.bk2"
    with integrator.open_session(demo_game()) as session:
        record(session, movie, 1999)
        plan = session.game.plan.hidden()
    looks: list[bool] = []

    def stopped() -> bool:
        looks.append(len(looks) > 1)
        return looks[-1]

    with pytest.raises(SessionError, match="stopped before its end"):
        MoviePair(plan, (movie, movie), stopped)
    assert looks == [False, False, True]


def test_frames_that_are_not_as_recorded_are_named(tmp_path: Path) -> None:
    one, other = tmp_path / "one.bk2", tmp_path / "other.bk2"
    with integrator.open_session(demo_game()) as session:
        record(session, one, 59)
        shutil.copy(one, other)
        row = put_out_of_step(other, 20)
        with closing(MoviePair(session.game.plan.hidden(), (one, other), lambda: False)) as pair:
            apart = [[side.desync_row for side in pair.at(frame).sides] for frame in (row, row + 1)]
        assert apart == [[None, None], [None, row]]
        with closing(MovieLibrary(session)) as library:
            library.add(one)
            with pytest.raises(MovieError, match=rf"other\.bk2: out of step from row {row} on"):
                library.add(other)
            assert list(library.movies) == [one]


def test_a_movie_of_another_rom_has_no_score(tmp_path: Path) -> None:
    movie = tmp_path / "m.bk2"
    with integrator.open_session(demo_game()) as session:
        record(session, movie, 9)
        give_another_rom(movie)
        [score] = score_movies(session.game.plan.hidden(), [movie], lambda: False)
    assert score.problem == f"{movie}: it was recorded with another ROM; leave it out"


def test_the_first_other_ram_follows_the_first_other_input(tmp_path: Path) -> None:
    one, other = tmp_path / "one.bk2", tmp_path / "other.bk2"
    with integrator.open_session(demo_game()) as session:
        right = 1 << session.system.buttons.index("RIGHT")
        for path, held in ((one, 0), (other, right)):
            session.reset()
            session.record(path)
            session.advance((0,), frames=20)
            session.advance((held,), frames=20)
            session.stop_recording()
        plan = session.game.plan.hidden()
    assert first_other_ram(plan, (one, one), lambda: False) is None
    assert first_other_ram(plan, (one, other), lambda: False) in (21, 22)
    assert first_other_ram(plan, (one, other), lambda: True) is None
