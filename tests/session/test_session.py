"""A session on real cores: episodes, chunks, states, the timeline, pokes and documents."""

from __future__ import annotations

import io
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from unittest.mock import patch

import av
import numpy as np
import pytest

import integrator
from integrator.commands.shared.options import airstriker, demo_game
from integrator.domain.errors import SaveError, ScenarioError, SessionError, TimelineError
from integrator.domain.integration.files import Integration
from integrator.domain.values.memory import DataType
from integrator.domain.values.variables import VariableSpec
from integrator.session import movies
from integrator.session.frame.result import RecordingStopped
from integrator.session.opening import core_for
from integrator.session.recorded_rows import record_again
from integrator.session.session import Session
from integrator.session.setup.roots import systems

pytestmark = pytest.mark.usefixtures("own_home")


@pytest.fixture
def game() -> Iterator[Session]:
    """The demo game in a child process, at the start of its first episode."""
    with integrator.open_session(demo_game()) as session:
        session.reset()
        yield session


def random_rows(frames: int, buttons: int = 9, seed: int = 3) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.repeat(rng.integers(0, 1 << buttons, frames // 10 + 1), 10)[:frames]


def rows_of(masks: np.ndarray) -> np.ndarray:
    return masks.astype(np.uint16).reshape(-1, 1)


def test_reset_begins_an_episode(game: Session) -> None:
    first = game.reset()
    assert first.outcome.frame == 1
    assert first.previous is None
    assert first.outcome.rewards == (0.0,)
    assert first.values["lives"] == 2
    game.advance((0x80,), frames=30)
    again = game.reset()
    assert again.values == first.values
    assert again.outcome == first.outcome
    assert again.number == first.number + 31


def test_the_first_advance_begins_an_episode() -> None:
    with integrator.open_session(demo_game()) as session:
        result = session.advance()
        assert result.outcome.frame == 2


def test_a_chunk_gives_what_single_frames_give() -> None:
    masks = random_rows(600)
    with integrator.open_session(airstriker()) as session:
        session.reset()
        singles = [session.advance((int(mask),)) for mask in masks]
        session.reset()
        [chunk] = session.run(rows_of(masks))
    assert chunk.outcomes.rewards[:, 0].tolist() == [r.outcome.rewards[0] for r in singles]
    assert chunk.outcomes.done.tolist() == [r.outcome.done for r in singles]
    for name, column in chunk.values.items():
        assert column.tolist() == [r.values[name] for r in singles]
    last = singles[-1]
    assert chunk.last.outcome == last.outcome
    assert (chunk.last.values, chunk.last.previous) == (last.values, last.previous)


def test_a_state_brings_back_ram_and_picture(game: Session) -> None:
    game.advance((0x80,), frames=60)
    state = game.save_state()
    then = game.advance((0x10,), frames=45)
    ram = game.memory.ram.copy()
    game.load_state(state)
    now = game.advance((0x10,), frames=45)
    assert np.array_equal(game.memory.ram, ram)
    assert then.frame is not None
    assert now.frame is not None
    assert np.array_equal(then.frame.rgb(), now.frame.rgb())


def test_a_movie_that_cannot_be_written_is_recorded_on_until_it_can(
    game: Session, tmp_path: Path
) -> None:
    state, folder, other = game.save_state(), tmp_path / "movies", tmp_path / "other.bk2"
    folder.mkdir()
    game.record(other)
    game.advance((0x80,), frames=90)
    game.stop_recording()
    game.play(other)
    game.record(folder / "full.bk2")
    end = game.advance((0x80,), frames=60)
    folder.rmdir()
    jumps: list[Callable[[], object]] = [
        game.reset,
        partial(game.load_state, state),
        partial(game.play, other),
        partial(game.record, tmp_path / "next.bk2"),
        partial(record_again, game, tmp_path / "next.bk2"),
    ]
    for jump in jumps:
        with pytest.raises(SaveError, match=r"full\.bk2"):
            jump()
    assert np.array_equal(game.host.read_ram(), game.timeline.log.ram(end.number)), "no jump"
    assert game.movies.playing is not None
    assert game.advance((0x80,)).number == end.number + 1
    game.memory.freeze(0x302, "|i1", 7)
    with pytest.raises(SaveError, match=r"full\.bk2"):
        game.advance()
    folder.mkdir()
    game.play(other)
    [told] = [event for event in game.take_events() if isinstance(event, RecordingStopped)]
    assert (told.path, game.movies.recording) == (folder / "full.bk2", None)
    assert game.game.read_movie(folder / "full.bk2").frames == 62


def test_a_folder_that_takes_no_movie_leaves_nothing_recorded(
    game: Session, tmp_path: Path
) -> None:
    (tmp_path / "full").mkdir()
    with (
        patch.object(movies, "begin_episode", side_effect=OSError("no space")),
        pytest.raises(SaveError, match="no space"),
    ):
        game.record(tmp_path / "full")
    assert game.movies.recording is None


@pytest.mark.parametrize("fails", ["begin_episode", "read_state"])
def test_an_episode_that_cannot_begin_ends_the_recording(
    game: Session, tmp_path: Path, fails: str
) -> None:
    game.record(tmp_path)
    game.advance(frames=5)
    owner = movies if fails == "begin_episode" else type(game.game)
    with (
        patch.object(owner, fails, side_effect=OSError("no space")),
        pytest.raises((SaveError, OSError), match="no space"),
    ):
        game.reset()
    [complete, ended] = [each for each in game.take_events() if isinstance(each, RecordingStopped)]
    assert (complete.path.suffix, complete.goes_on) == (".bk2", True)
    assert (ended.path, ended.goes_on) == (tmp_path, False)
    assert ended.text == f"{tmp_path}: recording has ended, because an episode could not begin"
    assert game.movies.recording is None


def test_seeking_shows_any_frame_again_and_playing_on_keeps_the_future(game: Session) -> None:
    seen = [game.advance((int(mask),)) for mask in random_rows(400)]
    target = seen[250]
    shown = game.timeline.seek(target.number)
    assert shown.values == target.values
    assert shown.outcome == target.outcome
    assert shown.frame is not None
    assert target.frame is not None
    assert np.array_equal(shown.frame.rgb(), target.frame.rgb())
    played = game.advance((0,), frames=10)
    assert played.number == target.number + 10
    [branch] = game.timeline.branches
    assert branch.length == seen[-1].number
    back = game.timeline.switch_to(branch.name)
    assert back.values == seen[-1].values


def test_seeking_past_pokes_and_frozen_values_is_exact(game: Session) -> None:
    game.advance(frames=50)
    game.memory.write(0x306, ">d3", 1234)
    assert game.advance(frames=5).values["score"] == 1234
    game.memory.freeze(0x302, "|i1", 7)
    assert game.advance((0x80,), frames=200).values["lives"] == 7
    game.memory.thaw(0x302, "|i1")
    end = game.advance(frames=20)
    middle = game.timeline.seek(end.number - 120)
    assert middle.messages == ()
    assert middle.values["lives"] == 7
    assert game.timeline.seek(end.number).values == end.values


def test_frames_that_are_not_held_are_refused(game: Session) -> None:
    with pytest.raises(TimelineError, match="frames 1 to 1"):
        game.timeline.seek(5)


def test_a_variable_defined_later_is_known_for_earlier_frames(game: Session) -> None:
    game.integration.variables.remove("embers")
    game.game.apply_documents()
    game.advance(frames=30)
    spec = VariableSpec("frames", 0x314, DataType.parse("<u2"))
    game.integration.variables.set("frames", spec)
    game.game.apply_documents()
    column = game.timeline.column("frames", 2, 31)
    assert np.all(np.diff(column) == 1)


def test_an_edit_that_can_not_be_scored_is_refused_and_the_old_one_stays(game: Session) -> None:
    before = game.advance().outcome
    with game.integration.scenario.edit() as scenario:
        scenario["done"] = {"variables": 5}
    with pytest.raises(ScenarioError):
        game.game.apply_documents()
    assert game.advance().outcome.nodes.keys() == before.nodes.keys()


def test_totals_go_on_from_what_an_edit_makes_of_the_episode(game: Session) -> None:
    game.memory.write(0x306, ">d3", 500)
    before = game.advance()
    assert before.outcome.total_rewards == (500.0,)
    with game.integration.scenario.edit() as scenario:
        scenario["reward"] = {"variables": {"score": {"reward": 2.0}}}
    game.game.apply_documents()
    game.memory.write(0x306, ">d3", 510)
    after = game.advance()
    assert after.outcome.rewards == (20.0,)
    assert after.outcome.total_rewards == (1020.0,)
    assert after.outcome.frame == before.outcome.frame + 1


def test_search_sees_live_memory(game: Session) -> None:
    search = game.search("lives")
    search.refine("equal", 2)
    game.memory.write(0x302, "|i1", 1)
    search.refine("decreased-by", 1)
    assert 0x302 in {candidate.address for candidate in search.candidates()}
    assert game.search("lives") is search


def test_a_bare_rom_becomes_an_integration_with_what_was_found(tmp_path: Path) -> None:
    rom = tmp_path / "Ember Moth (World) [!].nes"
    rom.write_bytes((demo_game() / "rom.nes").read_bytes())
    with integrator.open_session(rom) as session:
        session.reset()
        spec = VariableSpec("score", 0x306, DataType.parse(">d3"))
        session.integration.variables.set("score", spec)
        session.game.apply_documents()
        created = session.game.keep_as(tmp_path / "made")
        assert created.name == "EmberMoth-Nes"
        assert session.advance().values == {"score": 0}
    reloaded = integrator.load_integration(tmp_path / "made" / "EmberMoth-Nes")
    assert dict(reloaded.variables) == {"score": spec}
    assert reloaded.rom is not None
    assert reloaded.rom_sha == integrator.load_integration(demo_game()).rom_sha


def test_an_integration_that_can_not_be_saved_is_not_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_room(_: Integration) -> None:
        raise SaveError("no room left; choose another folder")

    rom = Path(shutil.copy(demo_game() / "rom.nes", tmp_path / "Moth.nes"))
    with integrator.open_session(rom) as session:
        monkeypatch.setattr(Integration, "save", no_room)
        with pytest.raises(SaveError, match="no room"):
            session.game.keep_as(tmp_path / "made")
    assert list((tmp_path / "made").iterdir()) == []


@pytest.mark.parametrize("masks", [(1, 1), (1 << 16,), (-1,)])
def test_bad_masks_are_refused(game: Session, masks: tuple[int, ...]) -> None:
    with pytest.raises(SessionError, match="mask"):
        game.advance(masks)


def test_filtered_masks_follow_the_scenario(game: Session) -> None:
    start, right = 1 << 3, 1 << 7
    filtered = game.advance((start | right,), filtered=True)
    assert filtered.inputs == (right,)
    assert game.advance((start | right,)).inputs == (start | right,)


def test_a_notebook_shows_the_picture(game: Session) -> None:
    fresh = game.advance((0,), frames=40)
    assert fresh.frame is not None
    shown = game._repr_png_()
    assert shown is not None
    assert shown == fresh._repr_png_()
    with av.open(io.BytesIO(shown), "r", format="png_pipe") as picture:
        decoded = next(picture.decode(video=0)).to_ndarray(format="rgb24")
    np.testing.assert_array_equal(decoded, fresh.frame.rgb())
    assert replace(fresh, frame=None)._repr_png_() is None
    with integrator.open_session(demo_game(), isolated=False) as unplayed:
        assert unplayed._repr_png_() is None
    earlier = game.timeline.seek(5)._repr_png_()
    assert earlier != shown
    assert game._repr_png_() == earlier


def test_a_core_may_be_a_path_in_words() -> None:
    core = core_for(systems()["Nes"]).path
    with integrator.open_session(demo_game(), core=str(core), isolated=False) as session:
        assert session.game.core_path == core
