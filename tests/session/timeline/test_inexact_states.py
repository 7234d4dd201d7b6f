"""Cores whose states leave something out: each frame is shown as it was played all the same."""

from __future__ import annotations

from contextlib import closing

import numpy as np
import pytest
from inexact import FRAMES, A, Open, pixels, play, shows, stray

from integrator.domain.errors import TimelineError
from integrator.domain.timeline.line import Jump
from integrator.session.edits.commands import save_state
from integrator.session.frame.inputs import Inputs
from integrator.session.frame.result import StatesInexact
from integrator.session.library.watch_list import memory_image
from integrator.session.proof.experiment import Experiment, MomentTaker
from integrator.session.session import Session
from integrator.session.setup.plan import start_core
from integrator.session.suggestions.recorded_play import RecordedPlay
from integrator.session.timeline.travel import Travel
from libretro_host.host import CapturePlan, RunResult
from libretro_host.inprocess import InProcessHost


def test_a_shorter_line_can_be_chosen_after_steps_back(toy: Open) -> None:
    session = toy(hidden=2)
    seen = play(session, 2)
    kept = session.timeline.fork()
    play(session, 60)
    session.timeline.seek(30)
    session.timeline.step_back()
    shown = session.timeline.switch_to(kept)
    assert (shown.number, session.timeline.length) == (3, 3)
    assert shows(session, shown, seen)
    assert session.advance().number == 4


@pytest.mark.parametrize("then", ["play", "poke", "fork"])
def test_steps_back_need_the_core_only_when_something_is_done(
    toy: Open, then: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = toy(hidden=2)
    seen = play(session)
    session.timeline.seek(FRAMES // 2)
    session.timeline.seek(FRAMES)
    ran, run = [0], InProcessHost.run

    def counted(host: InProcessHost, inputs: Inputs, plan: CapturePlan) -> RunResult:
        ran[0] += len(inputs)
        return run(host, inputs, plan)

    monkeypatch.setattr(InProcessHost, "run", counted)
    for number in range(FRAMES - 1, FRAMES - 101, -1):
        frame = session.timeline.step_back()
        assert frame.number == number
        assert shows(session, frame, seen)
    once = ran[0]
    assert once <= 2 * FRAMES  # a hundred ways from the beginning would be a hundred times as many
    for _ in range(10):
        frame = session.timeline.step_forward()
        assert shows(session, frame, seen)
    assert ran[0] == once
    here = session.timeline.position
    mask = int(session.timeline.log.inputs(here + 1, here + 2)[0, 0])
    if then == "fork":
        session.timeline.fork()
    elif then == "poke":
        session.memory.write(session.memory.space.regions[0].address + 60, "|u1", 7)
        assert session.host.read_ram().tobytes() == session.memory.ram.tobytes()
    frame = session.advance((mask,))
    assert frame.number == here + 1
    assert then == "poke" or shows(session, frame, seen)
    assert session.host.read_ram().tobytes() == session.memory.ram.tobytes()


@pytest.mark.parametrize("hidden", [1, 2], ids=["picture", "picture and RAM"])
def test_each_frame_is_shown_as_it_was_played(toy: Open, hidden: int) -> None:
    session = toy(hidden=hidden)
    seen = play(session)
    rng = np.random.default_rng(7)
    for number in rng.integers(2, FRAMES, 20).tolist():
        frame = session.timeline.seek(number)
        assert frame.number == number
        assert shows(session, frame, seen)
    for _ in range(12):
        assert shows(session, session.timeline.step_back(), seen)
    for _ in range(12):
        assert shows(session, session.timeline.step_forward(), seen)
    assert not session.timeline.exactness.is_exact
    told = [event for event in session.take_events() if isinstance(event, StatesInexact)]
    assert len(told) == 1


def test_a_long_seek_spares_the_steps_back_their_way(
    toy: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = toy(hidden=1)
    rng = np.random.default_rng(3)
    for _ in range(8):
        session.run((rng.integers(0, 2, (600, 1)) * A).astype(np.uint16))
    session.timeline.seek(1000)
    assert not session.timeline.exactness.is_exact
    ran, run = [0], InProcessHost.run

    def counted(host: InProcessHost, inputs: Inputs, plan: CapturePlan) -> RunResult:
        ran[0] += len(inputs)
        return run(host, inputs, plan)

    monkeypatch.setattr(InProcessHost, "run", counted)
    session.timeline.seek(4700)
    once = ran[0]
    for number in range(4699, 4419, -1):
        assert session.timeline.step_back().number == number
    assert ran[0] == once


def test_memory_that_states_leave_out_is_restored_from_the_recording(toy: Open) -> None:
    session = toy(hidden=3, residue=False)
    seen = play(session)
    for number in (300, 250, 390, 40):
        assert shows(session, session.timeline.seek(number), seen)
    assert session.timeline.exactness.is_exact
    host, _ = start_core(session.game.plan.hidden())
    try:
        for played in session.timeline.stretch(180, 340).run(host, CapturePlan()):
            assert played.same.all()
        assert np.array_equal(host.read_ram(), session.timeline.ram(340))
    finally:
        host.close()


def test_branches_end_as_they_were_left(toy: Open) -> None:
    session = toy(hidden=1)
    seen = play(session)
    session.timeline.seek(200)
    other = play(session, 50)
    [branch] = session.timeline.branches
    assert shows(session, session.timeline.switch_to(branch.name), seen)
    [branch] = session.timeline.branches
    assert session.timeline.picture_of(branch.name) is not None
    assert shows(session, session.timeline.here(), seen)
    assert shows(session, session.timeline.switch_to(branch.name), other)


def test_pokes_are_repeated_on_the_way(toy: Open) -> None:
    session = toy(hidden=2)
    play(session, 100)
    session.memory.write(20, "|u1", 9)
    session.memory.take_written()
    session.memory.write(20, "|u1", 8)
    seen = play(session, 200)
    assert session.memory.ram[20] == 8
    assert shows(session, session.timeline.seek(250), seen)


def test_a_poke_after_a_seek_leads_to_the_same_frames_as_in_play(toy: Open) -> None:
    seen = []
    for sought in (False, True):
        session = toy(hidden=2)
        play(session, 200)
        number = session.timeline.length
        if sought:
            play(session, 100)
            session.timeline.seek(number)
        session.memory.write(20, "|u1", 9)
        seen.append(play(session, 50))
        session.close()
    assert seen[0] == seen[1]


def test_exact_states_run_no_more_than_from_one_to_the_next(toy: Open) -> None:
    session = toy(residue=False, hidden=0)
    seen = play(session)
    for number in (390, 130, 270):
        assert shows(session, session.timeline.seek(number), seen)
    assert session.timeline.exactness.is_exact
    assert session.timeline.trusts_states


def test_a_core_that_repeats_nothing_refuses_the_frame(toy: Open) -> None:
    session = toy(residue=False, hidden=1)
    play(session, 50)
    stray(session)
    play(session, 30)
    with pytest.raises(TimelineError, match="does not repeat what was recorded"):
        session.timeline.seek(session.timeline.length - 5)


def test_a_stopped_replay_stands_at_the_frame_that_it_shows(toy: Open) -> None:
    session = toy(hidden=2)
    seen = play(session)
    session.timeline.seek(300)
    session.timeline.seek(390)
    frame = session.timeline.seek(395, lambda done, _total: done < 120)
    assert frame.number < 395
    assert session.timeline.position == frame.number
    assert shows(session, frame, seen)


def test_pictures_of_recorded_play_are_those_that_were_played(toy: Open) -> None:
    session = toy(hidden=1)
    seen = play(session)
    session.timeline.seek(390)
    recorded = RecordedPlay.take(
        session.memory.space, session.timeline.log, session.system.buttons, 150, exact=False
    )
    with session.timeline.lent() as host:
        found = dict(recorded.pictures(host, 1))
    assert len(found) > 100
    assert all(frame.rgb().tobytes() == seen[number][0] for number, frame in found.items())
    assert session.timeline.position == 390


def test_a_moment_of_a_proof_is_the_frame_that_was_played(toy: Open) -> None:
    session = toy(hidden=2)
    play(session)
    moment = MomentTaker(session).at(350)
    with closing(Experiment(session.game.plan.hidden(), session.memory.space)) as experiment:
        fork = experiment.fork(moment, ranges=((0, 32),), frames=40)
    assert np.array_equal(fork.watched[0], session.timeline.ram(350)[:32])


def test_a_moment_that_the_core_does_not_come_to_is_refused(toy: Open) -> None:
    session = toy(hidden=2, residue=False)
    play(session, 100)
    session.reset()
    play(session, 100)
    moment = MomentTaker(session).at(190)
    experiment = Experiment(session.game.plan.hidden(), session.memory.space)
    with closing(experiment), pytest.raises(TimelineError, match="frame 190"):
        experiment.fork(moment, ranges=((0, 32),), frames=40)


def test_memory_of_a_state_leaves_the_game_where_it_was(toy: Open) -> None:
    session = toy(hidden=2)
    play(session, 100)
    session.editor.do(save_state("here"))
    play(session, 100)
    memory_image(session, "here")
    assert session.timeline.at_end
    play(session, 60)
    end = session.timeline.length
    assert session.timeline.seek(end - 1).number == end - 1


@pytest.mark.parametrize("moved", [False, True])
def test_after_a_refused_frame_play_goes_on_where_it_was(toy: Open, moved: bool) -> None:
    session = toy(hidden=1, residue=False)
    play(session, 50)
    stray(session)
    seen = play(session, 60)
    with session.timeline.lent(moved=moved) as host:
        host.run(np.full((3, 1), A, np.uint16), CapturePlan())
    with pytest.raises(TimelineError, match="cannot be shown"):
        session.timeline.seek(80)
    assert session.timeline.at_end
    assert np.array_equal(session.memory.ram, session.timeline.ram(session.timeline.length))
    seen |= play(session, 60)
    last = session.timeline.length
    assert session.timeline.ram(last).tobytes() == seen[last][1]
    assert shows(session, session.timeline.seek(last - 10), seen)


@pytest.mark.parametrize("begin", [0, 3500], ids=["short", "long"])
def test_play_after_a_seek_goes_on_as_it_was_played_or_from_a_loaded_state(
    toy: Open, begin: int
) -> None:
    # States of the 20 frames after this one leave out a timer; its end shows in RAM alone.
    first = begin + 100
    session = toy(hidden=4, residue=False, dupe_every=1)
    session.run(np.zeros((begin + 300, 1), np.uint16))
    session.timeline.seek(first + 6, keep=(first + 5,))
    for frame in (first + 90, first + 7):
        session.timeline.seek(frame)
    assert session.timeline.exactness.inexact == 0
    session.run(np.zeros((80, 1), np.uint16))
    assert session.timeline.exactness.inexact == 1
    played = session.timeline.log.line(session.timeline.branches[-1].name)
    again = {frame: session.timeline.ram(frame) for frame in range(first + 8, first + 80)}
    same = all(np.array_equal(ram, played.ram(frame)) for frame, ram in again.items())
    jumps = [marker.frame for marker in session.timeline.markers("state")]
    assert (same, jumps) == ((False, [first + 7]) if begin else (True, []))
    for frame in (first + 79, first + 30, first + 8):
        session.timeline.seek(frame)
        assert np.array_equal(session.host.read_ram(), again[frame])


def test_play_from_the_newest_frame_leaves_a_loaded_state_that_was_not_played(toy: Open) -> None:
    session = toy(residue=False)
    session.run(np.full((50, 1), A, np.uint16))
    state = session.save_state()
    end = session.run(np.full((50, 1), A, np.uint16))[-1].last.number
    session.load_state(state)
    session.timeline.seek(end)
    session.advance((A,))
    ram = session.timeline.ram(end + 1)
    assert np.array_equal(ram, session.memory.ram)
    assert np.array_equal(ram, session.host.read_ram())
    counted = [session.timeline.ram(frame)[:4].view("<u4")[0] for frame in (end, end + 1)]
    assert counted[0] + 1 == counted[1]
    assert not session.timeline.markers("state")


def test_no_picture_holds_parts_of_another_one_than_that_before_it(toy: Open) -> None:
    session = toy(hidden=5, residue=False)
    seen = play(session)
    for number in (241, 121, 361, 122):
        assert shows(session, session.timeline.seek(number), seen)
    for _ in range(40):
        assert shows(session, session.timeline.step_back(), seen)
    here = session.timeline.position
    session.timeline.state_at(50)
    assert shows(session, session.timeline.step_forward(), seen)
    session.timeline.state_at(50)
    mask = int(session.timeline.log.inputs(here + 2, here + 3)[0, 0])
    assert shows(session, session.advance((mask,)), seen)
    assert session.timeline.trusts_states


@pytest.mark.parametrize("then", ["seek", "lend", "load", "reset"])
def test_first_pictures_after_a_state_are_shown_as_they_were_played(toy: Open, then: str) -> None:
    session = toy(hidden=5, residue=False)
    seen, state = play(session), session.save_state()
    if then == "seek":
        session.timeline.seek(200)
    elif then == "lend":
        session.timeline.state_at(50)
    elif then == "load":
        seen |= play(session, 50)
        session.load_state(state)
    begin = session.timeline.position
    if then == "reset":
        first = session.reset()
        seen[first.number] = pixels(first), session.memory.ram.tobytes()
    seen |= play(session, 60)
    for number in (begin + 1, begin + 40, begin + 2, begin + 1):
        assert shows(session, session.timeline.seek(number), seen)
    assert session.timeline.trusts_states
    host, _ = start_core(session.game.plan.hidden())
    try:
        stretch = session.timeline.stretch(begin, begin + 3)
        runs = [*stretch.run(host, CapturePlan(picture_every=1))]
    finally:
        host.close()
    pictures = [frame.rgb().tobytes() for each in runs for frame in each.run.pictures]
    assert pictures == [seen[begin + number][0] for number in (1, 2, 3)]


def test_what_a_used_core_shows_at_first_is_not_held_against_its_states(toy: Open) -> None:
    session = toy(hidden=5, residue=False)
    seen = play(session)
    for number in (1, 2, 1):
        frame = session.timeline.seek(number)
        assert number == 1 or shows(session, frame, seen)
    assert session.timeline.exactness.is_exact


def test_play_goes_on_from_a_loaded_state_after_the_core_was_lent(
    moth: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Travel, "trusts_states", False)
    rows = np.random.default_rng(1).integers(0, 256, (200, 1)).astype(np.uint16)
    moth.run(rows)
    state, ends = moth.save_state(), []
    for lends in (False, True):
        moth.run(rows)
        moth.load_state(state)
        if lends:
            with moth.timeline.lent() as host:
                host.run(rows[:5], CapturePlan())
        moth.run(rows[:3])
        ends.append(moth.host.serialize())
    assert ends[0] == ends[1]


def test_a_core_that_work_moved_comes_back_when_play_goes_on(
    toy: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Travel, "trusts_states", False)
    with closing(toy(hidden=2)) as plain:
        play(plain, 100)
        wanted = play(plain, 60)
    session = toy(hidden=2)
    play(session, 100)
    ran, run = [0], InProcessHost.run

    def counted(host: InProcessHost, inputs: Inputs, plan: CapturePlan) -> RunResult:
        ran[0] += len(inputs)
        return run(host, inputs, plan)

    monkeypatch.setattr(InProcessHost, "run", counted)
    for _ in range(3):
        with session.timeline.lent(moved=True) as host:
            host.run(np.full((5, 1), A, np.uint16), CapturePlan())
    assert ran[0] == 15
    assert session.timeline.is_live
    assert 100 <= ran[0] - 15 < 200  # the way was gone once
    assert play(session, 60) == wanted


@pytest.mark.parametrize("kind", ["poke", "reset", "restored"])
def test_recovered_play_goes_on_from_states_it_loads(toy: Open, kind: Jump) -> None:
    session = toy()
    frame = session.advance(frames=30).number
    session.resume(session.save_state(), kind, frame=30, totals=(), origin="journal")
    assert frame in session.timeline.log.loads()


def test_a_frame_without_a_picture_of_its_own_shows_the_one_that_was_played(toy: Open) -> None:
    session = toy(hidden=6, residue=False, dupe_every=2)
    seen = play(session)
    for number in (242, 121, 362, 122):
        assert shows(session, session.timeline.seek(number), seen)
    for _ in range(40):
        assert shows(session, session.timeline.step_back(), seen)
