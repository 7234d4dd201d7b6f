"""Cores whose states leave something out: movies, copies and clips of play replay all the same."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from inexact import A, Open, is_in_step, play

import integrator
from integrator.domain.errors import MovieError, SaveError, TimelineError
from integrator.domain.values.memory import BYTE
from integrator.domain.values.variables import VariableSpec
from integrator.session.edits.commands import put_variable, set_in_scenario
from integrator.session.expect import expect_range
from integrator.session.frame.inputs import Inputs
from integrator.session.hidden.clips import ClipOptions, clip_source, write_clip
from integrator.session.recorded_rows import import_movie, record_again
from integrator.session.setup.plan import start_core
from integrator.session.timeline import restorer
from libretro_host.errors import ContentError
from libretro_host.host import CapturePlan, RunResult
from libretro_host.inprocess import InProcessHost
from libretro_host.remote import RemoteHost


@pytest.mark.parametrize("known", [False, True])
@pytest.mark.parametrize("hidden", [2, 3, 4])
def test_a_recording_replays_also_if_states_are_not_known_to_be_inexact(
    toy: Open, tmp_path: Path, hidden: int, known: bool
) -> None:
    session, path = toy(hidden=hidden, residue=False), tmp_path / "m.bk2"
    play(session, 150)
    if known:
        session.timeline.try_states([(100, session.timeline.state_at(100))], 40)
    session.record(path)
    play(session, 60)
    session.stop_recording()
    assert is_in_step(session, path)


def test_a_poke_before_a_recording_is_paid_as_when_play_is_scored_again(
    toy: Open, tmp_path: Path
) -> None:
    session = toy(hidden=3, residue=False)
    put_variable(None, VariableSpec("poked", 200, BYTE))(session.game)
    set_in_scenario(("reward", "variables"), {"poked": {"reward": 1}})(session.game)
    session.game.apply_documents()
    play(session, 50)
    session.timeline._exact_loads = False
    session.memory.write(200, "|u1", 77)
    session.record(tmp_path / "m.bk2")
    play(session, 10)
    paid = session.timeline.log.rewards()
    set_in_scenario(("reward", "variables"), {"poked": {"reward": 2}})(session.game)
    session.game.apply_documents()
    while session.recorded.pending:
        session.recorded.work(1)
    assert np.array_equal(session.timeline.log.rewards(), 2 * paid)


def test_play_goes_on_if_a_recording_cannot_begin_in_a_new_core(toy: Open, tmp_path: Path) -> None:
    path, game = tmp_path / "m.bk2", toy(hidden=3).integration.directory
    with integrator.open_session(game) as session:
        session.reset()
        play(session, 50)
        os.utime(session.game.content, ns=(1, 1))
        with pytest.raises(ContentError, match="open the game again"):
            session.record(path)
        assert session.movies.recording is None
        assert not path.exists()
        play(session, 10)
        assert session.timeline.length == 61


def test_a_core_ends_before_another_opens_the_same_save_chip(
    toy: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = list[str]()
    for name in ("load", "close"):
        original = getattr(RemoteHost, name)

        def noted(host: RemoteHost, *request: object, name=name, original=original) -> object:  # type: ignore[no-untyped-def]
            done.append(name)
            return original(host, *request)

        monkeypatch.setattr(RemoteHost, name, noted)
    with integrator.open_session(toy(hidden=3).integration.directory) as session:
        session.reset()
        play(session, 5)
        session.record(tmp_path / "m.bk2")
    assert done == ["load", "close", "load", "close"]


@pytest.mark.parametrize("from_here", [False, True], ids=["exported", "recorded"])
def test_movies_show_what_was_played(toy: Open, tmp_path: Path, from_here: bool) -> None:
    session = toy(hidden=2)
    play(session, 100)
    path = tmp_path / "movie.bk2"
    if from_here:
        session.record(path)
        play(session, 60)
        session.stop_recording()
    else:
        session.timeline.seek(90)
        session.timeline.export(path, 60, 90)
    assert import_movie(session, path).desync_row is None


def test_another_core_runs_copied_frames_as_they_were_played(toy: Open) -> None:
    session = toy(hidden=1)
    seen = play(session, 200)
    session.memory.write(0x60, "|u1", 9)
    seen |= play(session, 200)
    stretch = session.timeline.stretch(179, 340)
    host, _ = start_core(session.game.plan.hidden())
    try:
        found = {
            played.begin + number: picture.rgb().tobytes()
            for played in stretch.run(host, CapturePlan(picture_every=1))
            for number, picture in enumerate(played.run.pictures, start=1)
        }
    finally:
        host.close()
    assert found == {number: seen[number][0] for number in range(180, 341)}


def test_a_clip_of_frames_that_are_not_repeated_is_refused(toy: Open, tmp_path: Path) -> None:
    session = toy(hidden=1, residue=False)
    play(session, 100)
    session.reset()
    play(session, 100)
    path = tmp_path / "clip.gif"
    with pytest.raises(TimelineError, match="frame"):
        write_clip(clip_source(session, 150, 160), ClipOptions(path), lambda *_: True)
    assert not path.exists()


@pytest.mark.parametrize("ahead", [2, 0], ids=["few frames", "no frames"])
def test_an_exported_movie_replays_also_over_play_after_a_seek(
    toy: Open, ahead: int, tmp_path: Path
) -> None:
    # States of frames 100 to 119 leave out a timer, and what is recorded ahead does not show that.
    session = toy(hidden=4, residue=False, dupe_every=1)
    idle = np.zeros((110, 1), np.uint16)
    session.run(idle)
    session.run(idle)
    for frame in (106, 220, 108):
        session.timeline.seek(frame, keep=(105,))
    session.timeline.fork_at(110)
    session.timeline.seek(110 - ahead)
    assert session.timeline.exactness.is_exact
    left = session.timeline.position
    session.run(idle[:80])
    assert not session.timeline.markers("state", "poke")
    with pytest.raises(TimelineError, match=f"frames up to {left}, or from {left + 1} on"):
        session.timeline.export(tmp_path / "whole.bk2", 1)
    for number, frames in enumerate(((1, left + 1), (left + 1, None), (left + 40, None))):
        exported = session.timeline.export(tmp_path / f"{number}.bk2", *frames)
        assert is_in_step(session, exported.path)
    assert session.timeline.position == left + 80


def test_a_movie_recorded_again_after_play_was_restored_replays(toy: Open, tmp_path: Path) -> None:
    session = toy(hidden=4, residue=False, dupe_every=1)
    idle = np.zeros((110, 1), np.uint16)
    session.run(idle)
    with session.timeline.lent() as host:
        host.run(idle, CapturePlan())
    session.run(idle)
    record_again(session, tmp_path / "again.bk2")
    session.stop_recording()
    session.timeline.export(tmp_path / "whole.bk2", 1)
    for name in ("again.bk2", "whole.bk2"):
        assert is_in_step(session, tmp_path / name)


@pytest.mark.parametrize("hidden", [1, 2, 3])
def test_a_movie_from_a_state_that_was_not_loaded_whole_is_refused(
    toy: Open, tmp_path: Path, hidden: int
) -> None:
    session, path = toy(hidden=hidden, residue=False), tmp_path / "m.bk2"
    play(session, 30)
    session.load_state(session.save_state())
    play(session, 60)
    with pytest.raises(TimelineError, match="the states of this core leave something out"):
        session.timeline.export(path, 32)
    with pytest.raises(MovieError, match="the states of this core leave something out"):
        record_again(session, path)
    assert not path.exists()


def test_a_movie_recorded_again_after_a_poke_replays_or_is_refused(
    toy: Open, tmp_path: Path
) -> None:
    session = toy(hidden=1)
    play(session, 100)
    session.memory.write(0x60, "|u1", 9)
    play(session, 30)
    with pytest.raises(MovieError, match="the states of this core leave something out"):
        record_again(session, tmp_path / "again.bk2")
    assert not session.movies.recording
    assert not (tmp_path / "again.bk2").exists()


def test_frames_held_on_another_line_are_compared_on_this_one(toy: Open) -> None:
    session = toy(hidden=3, residue=False)
    travel, idle = session.timeline, np.zeros((100, 1), np.uint16)
    session.run(np.full((20, 1), A, np.uint16))
    session.memory.freeze(0x60, "|u1", 9)
    session.run(idle)
    session.memory.thaw(0x60, "|u1")
    travel.seek(10)
    session.run(idle)
    assert not travel.log.rewritten(1, travel.length + 1)
    assert travel.first_repeating([60], travel.length) is None
    travel.switch_to(travel.branches[0].name)
    assert travel.log.rewritten(1, travel.length + 1) == [*range(22, 122)]
    assert travel.first_repeating([60], travel.length) is not None


@pytest.mark.parametrize("way", ["fork", "again"])
def test_a_recording_ends_where_play_goes_on_from_a_loaded_state(
    toy: Open, tmp_path: Path, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(restorer, "_REPLAYED_FRAMES", 10)
    session = toy(hidden=2)
    session.reset()
    path, other = tmp_path / "m.bk2", session.save_state()
    session.record(path)
    play(session, 160)
    if way == "fork":
        session.timeline.seek(session.timeline.length - 40)
        session.timeline.fork()
    else:
        session.load_state(other)
        record_again(session, path)
    play(session, 40)
    session.stop_recording()
    assert is_in_step(session, path)


def test_play_from_a_loaded_state_waits_until_the_movie_can_be_written(
    toy: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(restorer, "_REPLAYED_FRAMES", 10)
    session, folder = toy(hidden=2), tmp_path / "movies"
    folder.mkdir()
    session.record(folder / "m.bk2")
    play(session, 160)
    session.timeline.seek(session.timeline.length - 40)
    session.timeline.fork()
    folder.rmdir()
    for _ in range(3):
        with pytest.raises(SaveError):
            session.advance()
    folder.mkdir()
    play(session, 40)
    assert session.movies.recording is None
    assert is_in_step(session, folder / "m.bk2")


def test_a_long_try_of_a_movie_can_be_stopped_and_leaves_all_as_it_was(
    toy: Open, tmp_path: Path
) -> None:
    session = toy(residue=False)
    play(session, 100)
    session.timeline.seek(50)
    play(session, 100)
    session.record(tmp_path / "first.bk2")
    play(session, 10)
    asked, length = list[tuple[int, int]](), session.timeline.length

    def stop(done: int, total: int) -> bool:
        asked.append((done, total))
        return False

    with pytest.raises(restorer.ReplayStopped):
        record_again(session, tmp_path / "again.bk2", stop)
    with pytest.raises(restorer.ReplayStopped):
        expect_range(session, 2, 140, stop)
    assert [total for _, total in asked] == [length, 140]
    assert session.timeline.position == length
    assert session.movies.recording is not None
    assert not (session.integration.directory / "expected.bk2").exists()
    assert not session.integration.expectations.entries


def test_an_export_overlooks_the_first_picture_after_a_state(
    toy: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = toy(residue=False)
    run, unserialize, restored = InProcessHost.run, InProcessHost.unserialize, [False]

    def noted(host: InProcessHost, state: bytes) -> None:
        unserialize(host, state)
        restored[0] = True

    def drawn(host: InProcessHost, inputs: Inputs, plan: CapturePlan) -> RunResult:
        result = run(host, inputs, plan)
        if result.hashes is not None:
            result.hashes[0] ^= restored[0]
        restored[0] = False
        return result

    monkeypatch.setattr(InProcessHost, "unserialize", noted)
    monkeypatch.setattr(InProcessHost, "run", drawn)
    monkeypatch.setattr(restorer, "_REPEATED_BYTES", 10 * session.memory.ram.size)
    play(session, 300)
    session.timeline.seek(200)
    play(session, 100)
    assert session.timeline.export(tmp_path / "m.bk2", 150).stop == 301
    assert session.timeline.trusts_states


def test_a_recording_begins_at_a_state_loaded_after_a_reset(toy: Open, tmp_path: Path) -> None:
    session = toy(residue=False)
    session.run(np.full((50, 1), A, np.uint16))
    state = session.save_state()
    session.reset()
    session.load_state(state)
    session.record(tmp_path / "loaded.bk2")
    session.run(np.full((20, 1), A, np.uint16))
    session.stop_recording()
    assert is_in_step(session, tmp_path / "loaded.bk2")


def test_a_recording_right_after_a_reset_begins_the_episode(toy: Open, tmp_path: Path) -> None:
    session = toy(residue=False)
    start = session.reset().number
    with session.timeline.lent() as host:
        host.run(np.full((5, 1), A, np.uint16), CapturePlan())
    assert session.record(tmp_path / "m.bk2").number == start


def test_a_recording_on_another_branch_after_a_reset_begins_there(
    toy: Open, tmp_path: Path
) -> None:
    session = toy(residue=False)
    play(session, 100)
    session.timeline.seek(60)
    play(session, 30)
    session.reset()
    session.timeline.switch_to(session.timeline.branches[0].name)
    session.record(tmp_path / "elsewhere.bk2")
    play(session, 20)
    session.stop_recording()
    assert is_in_step(session, tmp_path / "elsewhere.bk2")


@pytest.mark.parametrize(("way", "rows"), [("switch", 51), ("fork", 61), ("cut", 61)])
def test_a_movie_that_is_recorded_has_no_rows_of_another_line(
    toy: Open, tmp_path: Path, way: str, rows: int
) -> None:
    session, path = toy(residue=False), tmp_path / "m.bk2"
    play(session, 100)
    session.timeline.seek(60)
    play(session, 30)
    session.record(path)
    play(session, 50)
    if way == "switch":
        session.timeline.switch_to(session.timeline.branches[0].name)
    else:
        session.timeline.seek(session.timeline.length - 20)
    if way == "fork":
        session.timeline.fork()
    elif way == "cut":
        session.timeline.continue_from_here(keep=False)
    play(session, 30)
    assert (session.movies.recording is None) == (way == "switch")
    session.stop_recording()
    with integrator.open_session(session.integration.directory) as other:
        found = import_movie(other, path)
        assert (found.stop - found.start, found.desync_row) == (rows, None)


@pytest.mark.parametrize("way", ["switch", "seek", "fork"])
def test_a_movie_plays_on_its_own_line_only(toy: Open, tmp_path: Path, way: str) -> None:
    session = toy(residue=False)
    play(session, 180)
    session.timeline.export(tmp_path / "m.bk2", 20, 170)
    session.timeline.seek(60)
    play(session, 30)
    session.play(tmp_path / "m.bk2")
    session.advance(frames=20)
    if way == "switch":
        session.timeline.switch_to(session.timeline.branches[0].name)
    else:
        session.timeline.seek(session.timeline.length - 5)
    if way == "fork":
        session.timeline.fork()
    session.advance(frames=5)
    assert (session.movies.playback is None) == (way == "switch")


def test_a_recording_after_a_movie_s_first_row_does_not_hold_it_for_idle(
    toy: Open, tmp_path: Path
) -> None:
    session = toy(residue=False)
    play(session, 100)
    first, second = tmp_path / "first.bk2", tmp_path / "second.bk2"
    writer = session.game.identity().writer(first, session.timeline.state_at(50))
    with writer:
        writer.append(np.full((30, 1), A, np.uint16))
    session.play(first)
    session.record(second)
    session.advance((A,), frames=20)
    session.stop_recording()
    assert is_in_step(session, second)


def test_buttons_without_a_name_are_played_recorded_and_exported(toy: Open, tmp_path: Path) -> None:
    session, exported = toy(residue=False), tmp_path / "exported.bk2"
    assert session.system.buttons[1] is None
    session.record(tmp_path / "recorded.bk2")
    seen = [session.advance((mask,)).number for mask in (2, A | 2, 1 << 12, 0, 2)]
    session.stop_recording()
    rams = session.timeline.log.ram_range(seen[0], seen[-1] + 1)
    assert rams[:, 4:6].tobytes() == np.array([2, A | 2, 1 << 12, 0, 2], "<u2").tobytes()
    session.timeline.export(exported, 1)
    for path in (tmp_path / "recorded.bk2", exported):
        with integrator.open_session(session.integration.directory) as other:
            played = import_movie(other, path)
            assert played.desync_row is None
            assert np.array_equal(other.timeline.log.ram_range(played.stop - 5, played.stop), rams)


@pytest.mark.parametrize("by_episode", [False, True])
@pytest.mark.parametrize("hidden", [2, 3, 4])
def test_a_recording_right_after_a_reset_replays(
    toy: Open, tmp_path: Path, hidden: int, by_episode: bool
) -> None:
    session = toy(hidden=hidden, residue=False)
    play(session, 50)
    session.reset()
    path = tmp_path / ("movies" if by_episode else "m.bk2")
    session.record(path)
    play(session, 60)
    session.stop_recording()
    assert is_in_step(session, next(path.glob("*.bk2")) if by_episode else path)
