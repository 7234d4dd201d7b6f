"""Facts asked of recorded play, of movies, and searches that run along and are kept on disk."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from shutil import copy, copytree

import pytest

import integrator
from integrator import paths
from integrator.commands.shared.options import demo_game
from integrator.domain.errors import SearchError
from integrator.domain.integration.directory import load_integration
from integrator.domain.query.facts import Equals
from integrator.domain.query.solve import Evidence, Solution
from integrator.session.edits.commands import own_directory, save_own_copy
from integrator.session.hidden.movies import MovieLibrary
from integrator.session.searches import query_types, saved_searches
from integrator.session.session import Session
from integrator.session.setup.game import POWER_ON
from scripts.demo_script import play_script

pytestmark = pytest.mark.usefixtures("own_home")


@pytest.fixture
def game(tmp_path: Path) -> Iterator[Session]:
    """A copy of the demo game that may be written to, at its start state."""
    directory = tmp_path / demo_game().name
    copytree(demo_game(), directory)
    with integrator.open_session(directory) as session:
        session.reset()
        yield session


def readings(solution: Solution, match: int = 0) -> set[tuple[int, str, str]]:
    return {
        (reading.address, str(reading.type), str(reading.scale))
        for reading in solution.matches[match].readings
    }


def test_the_script_is_played_as_it_was_recorded() -> None:
    with integrator.open_session(demo_game(), state=POWER_ON) as session:
        for seen in play_script(session):
            shown = {name: session.timeline.column(name)[seen.frame - 1] for name in seen.values}
            assert shown == seen.values, seen.note


def test_typed_facts_find_the_score_and_both_its_forms(played: Session) -> None:
    solution = played.timeline.query("""
        220 = 10
        366 = 20
        650 = 680
        1806 = 0    # a new game
    """)
    assert {(0x306, ">d3", ""), (0x30C, ">n6", "")} <= readings(solution)
    high_score = {reading.address for match in solution.matches for reading in match.readings}
    assert 0x309 not in high_score


def test_lives_are_found_although_they_are_counted_from_zero(played: Session) -> None:
    solution = played.timeline.query("870..874: 2 -> 1\n1101..1136: 1 -> 0\n1806 = 2")
    assert solution.matches[0].address == 0x302
    as_shown = played.timeline.query("874 = 2\n1136 = 1\n1420 = 0\n1806 = 3")
    assert (0x302, "|i1", "+1") in readings(as_shown)


def test_a_wrong_fact_is_named(played: Session) -> None:
    solution = played.timeline.query("220 = 10\n366 = 20\n650 = 690\n803 = 720\n1806 = 0")
    assert solution.exact_count == 0
    missed = next(m for m in solution.matches if 0x306 in {each.address for each in m.readings})
    assert missed.failed == Equals(650, 690)


def test_several_movies_are_asked_at_once(game: Session, tmp_path: Path) -> None:
    movies = []
    for name, idle in (("short", 60), ("long", 150)):
        game.reset()
        game.record(tmp_path / f"{name}.bk2")
        game.advance(frames=idle)
        game.advance((1 << game.system.buttons.index("A"),), frames=12)
        movies.append(game.stop_recording())
    short, long = (path for path in movies if path is not None)
    frame = game.timeline.position
    with closing(MovieLibrary(game)) as library:
        with pytest.raises(SearchError, match="stopped before its end"):
            library.add(short, lambda done, _: done < 1)
        assert not library.movies
        assert library.add(short, lambda done, total: done <= total) == 1 + 60 + 12
        assert library.add(long) == 1 + 150 + 12
        # Frames of play in this game: the start state has some already, so only steps are known.
        begun = game.timeline.log.ram(game.timeline.length - 162)
        count = int(begun[0x316]) + 256 * int(begun[0x317])
        solution = library.query(
            {short: f"73 = {count + 72}", long: f"1 = {count}\n163 = {count + 162}"}
        )
        assert (0x316, "<u2", "") in readings(solution)
        also = Evidence(game.timeline.log, (Equals(game.timeline.length, count + 162),))
        assert library.query({short: f"73 = {count + 72}"}, also=[also]).exact_count
        with pytest.raises(SearchError, match="add the movie"):
            library.query({tmp_path / "other.bk2": "1 = 1"})
    assert game.timeline.position == frame


def test_types_are_those_of_the_system_first(game: Session) -> None:
    types = [str(each) for each in query_types(game.system.types, 2048)]
    assert types[: len(game.system.types)] == list(game.system.types)
    assert {">d3", "<u3", "|n1", ">n7"} <= set(types)
    assert len(set(types)) == len(types)
    assert [str(each) for each in query_types(["<u4"], 8 << 20)] == ["<u4"]
    words = [str(each) for each in query_types(["|u1", ">u4", ">i2", ">d4"], 8 << 20)]
    assert words == ["|u1", ">u4", ">i2", ">d4", "<u4", "<i2"]
    assert game.search("any").types == query_types(game.system.types, 2048)


def test_a_search_runs_along_with_the_game(game: Session) -> None:
    search = game.search("timer")
    search.refine("greater-than", 0)
    before = search.count
    game.advance(frames=30)
    assert game.searches.each_frame("timer", "increased-by", 1) == before
    game.advance(frames=90)
    assert (0x314, "<u2") in {(c.address, str(c.type)) for c in search.candidates()}
    assert search.count < 40
    left = search.count
    steps = game.searches.stop_each_frame("timer")
    assert steps == 91
    game.advance(frames=5)
    assert search.count == left
    for _ in range(steps):
        search.undo()
    assert search.count == before


def test_a_rule_that_makes_no_sense_is_refused(game: Session) -> None:
    with pytest.raises(SearchError):
        game.searches.each_frame("timer", "equal")
    assert game.searches.stop_each_frame("timer") == 0


def test_searches_are_kept_beside_the_integration(game: Session) -> None:
    search = game.search("lives 3")
    search.refine("equal", 2)
    path = game.searches.save("lives 3", game.integration.directory)
    assert path == game.integration.directory / "searches" / "lives 3.json"
    left = search.count
    search.refine("equal", 77)
    loaded = game.searches.load("lives 3", game.integration.directory)
    assert loaded is game.search("lives 3")
    assert loaded.count == left
    assert loaded.refine("unchanged") == left
    again = load_integration(game.integration.directory)
    assert again.states == game.integration.states
    assert set(again.scenarios) == set(game.integration.scenarios)


def test_searches_of_packaged_games_are_kept_among_ones_own_data(tmp_path: Path) -> None:
    before = sorted(demo_game().rglob("*"))
    with integrator.open_session(demo_game()) as session:
        session.reset()
        left = session.search("lives").refine("equal", 2)
        path = session.searches.save("lives", session.integration.directory)
        assert sorted(demo_game().rglob("*")) == before
        assert path == paths.user_data_dir() / "searches" / demo_game().name / "lives.json"
        assert saved_searches(demo_game()) == ("lives",)
        session.search("lives").refine("equal", 77)
        assert session.searches.load("lives", session.integration.directory).count == left
        own = own_directory(tmp_path, demo_game().name)
        save_own_copy(session.editor, own)
        assert saved_searches(own) == ("lives",)
        # From now on it is the copy's: the other one stays as it was.
        session.search("lives").refine("equal", 77)
        assert (
            session.searches.save("lives", session.integration.directory)
            == own / "searches" / "lives.json"
        )
        assert path.read_bytes() != (own / "searches" / "lives.json").read_bytes()


def test_a_search_of_a_bare_rom_makes_no_folder_for_it(tmp_path: Path) -> None:
    rom = copy(demo_game() / "rom.nes", tmp_path / "Moth.nes")
    with integrator.open_session(rom) as session:
        session.reset()
        left = session.search("lives").refine("equal", 2)
        session.searches.save("lives", session.integration.directory)
        assert not session.integration.directory.exists()
        session.game.keep_as(session.integration.directory.parent, session.integration.name)
        assert session.searches.load("lives", session.integration.directory).count == left


def test_changes_are_counted_on_every_frame_that_is_run(game: Session) -> None:
    search = game.search("counter")
    search.refine("equal", int(game.memory.read(0x314, "<u2")))
    [row] = [row for row in search.candidates() if (row.address, str(row.type)) == (0x314, "<u2")]
    game.advance(frames=7)
    game.advance()
    counts, ages = search.changes_of([row])
    assert (counts.tolist(), ages.tolist()) == ([8], [0])
    assert search.preview("increased-by", 1, against="last-frame") >= 1
    frame = game.timeline.position - 8
    assert search.preview("increased-by", 8, against=f"frame {frame}") >= 1


def test_searches_that_are_not_there_are_named(game: Session) -> None:
    with pytest.raises(SearchError, match="no search 'score'"):
        game.searches.save("score", game.integration.directory)
    with pytest.raises(SearchError, match=r"score\.json.*saved are: none"):
        game.searches.load("score", game.integration.directory)
    game.search("../out")
    with pytest.raises(SearchError, match="cannot be the name of a saved search"):
        game.searches.save("../out", game.integration.directory)
