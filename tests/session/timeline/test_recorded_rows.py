"""Edits of recorded inputs: splices, undo and redo, marks, lag, and a journal that knows them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from integrator.commands.shared.options import demo_game
from integrator.domain.errors import TimelineError
from integrator.domain.movies.model import ram_hash
from integrator.domain.timeline.line import Marker
from integrator.session.opening import plan_session
from integrator.session.recorded_rows import (
    Splice,
    document_rows,
    edit_inputs,
    painted,
    patterned,
    play_ahead,
    rows_ahead,
    run_planned,
    undo_edit,
)
from integrator.session.recovery import recover_from
from integrator.session.session import Session
from integrator.session.timeline_facts import TimelineFacts

pytestmark = pytest.mark.usefixtures("own_home")


def play(session: Session, frames: int) -> NDArray[np.uint16]:
    """Random buttons in spans of seven frames; the inputs of the whole line."""
    spans = np.random.default_rng(1).integers(0, 512, (frames // 7 + 1, 1))
    session.run(np.repeat(spans, 7, axis=0)[:frames].astype(np.uint16))
    return session.timeline.log.inputs()


def document(session: Session) -> NDArray[np.uint16]:
    """All rows of the line, recorded and planned."""
    log = session.timeline.log
    return document_rows(session, 1, log.length + len(log.ahead) + 1)


def marks(session: Session) -> list[tuple[int, str]]:
    return [(mark.frame, mark.label) for mark in session.timeline.markers("user")]


def played_straight(session: Session, inputs: NDArray[np.uint16]) -> list[int]:
    """Hashes of RAM when the same rows are played from the start, without any edit."""
    session.reset()
    first = session.timeline.length
    session.run(inputs[1:])
    log = session.timeline.log
    return [ram_hash(log.ram(frame)) for frame in range(first, log.length + 1)]


def test_an_edited_frame_changes_what_follows_and_keeps_the_old_line(session: Session) -> None:
    old = play(session, 150)
    shown = edit_inputs(session, Splice.over(60, [[0x80], [0x80], [0x81]]))
    assert shown is not None
    new = document(session)
    assert (shown.number, session.timeline.position, len(new)) == (151, 151, len(old))
    assert new[59:62, 0].tolist() == [0x80, 0x80, 0x81]
    assert np.array_equal(np.delete(new, [59, 60, 61], 0), np.delete(old, [59, 60, 61], 0))
    [branch] = session.timeline.branches
    assert (branch.length, branch.shared_frames) == (151, 59)
    log = session.timeline.log
    recorded = [ram_hash(log.ram(frame)) for frame in range(1, log.length + 1)]
    assert played_straight(session, new) == recorded


@given(start=st.integers(2, 41), removed=st.integers(0, 50), added=st.integers(0, 20))
@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_a_splice_is_what_a_list_would_do(
    moth: Session, start: int, removed: int, added: int
) -> None:
    moth.reset()
    base = moth.timeline.length - 1
    play(moth, 40)
    rows = moth.timeline.log.inputs(base + 1)[:, 0].tolist()
    splice = Splice(base + start, removed, np.full((added, 1), 3, np.uint16))
    if removed + added == 0 or start - 1 + removed > len(rows):
        with pytest.raises(TimelineError, match="not held"):
            edit_inputs(moth, splice)
        return
    rows[start - 1 : start - 1 + removed] = [3] * added
    edit_inputs(moth, splice)
    assert document(moth)[base:, 0].tolist() == rows


def test_undo_and_redo_take_up_whole_lines_and_keep_the_name(moth: Session) -> None:
    lines = [play(moth, 60)]
    for splice in (Splice(20, 5, []), Splice(30, 0, [[1]] * 4), Splice.over(10, [[2]])):
        edit_inputs(moth, splice)
        lines.append(document(moth))
    for expected, at in zip(lines[-2::-1], (10, 30, 20), strict=True):
        assert undo_edit(moth).number == at
        assert np.array_equal(document(moth), expected)
        assert moth.timeline.log.current == "main"
    with pytest.raises(TimelineError, match="no change of the past to undo"):
        undo_edit(moth)
    for expected in lines[1:]:
        undo_edit(moth, redo=True)
        assert np.array_equal(document(moth), expected)
    with pytest.raises(TimelineError, match="to redo"):
        undo_edit(moth, redo=True)
    assert len(moth.timeline.branches) == 3


def test_an_edit_after_an_undo_ends_redo_and_a_deleted_branch_ends_undo(moth: Session) -> None:
    play(moth, 30)
    edit_inputs(moth, Splice.over(10, [[1]]))
    undo_edit(moth)
    edit_inputs(moth, Splice.over(12, [[2]]))
    assert moth.timeline.changes.later is None
    before = moth.timeline.changes.earlier
    assert before is not None
    moth.timeline.log.rename_branch(before, "first")
    assert moth.timeline.changes.earlier == "first"
    moth.timeline.log.delete_branch("first")
    assert moth.timeline.changes.earlier is None


def test_play_from_an_earlier_frame_can_be_undone_too(moth: Session) -> None:
    old = play(moth, 30)
    moth.timeline.seek(12)
    moth.advance((4,))
    undo_edit(moth)
    assert np.array_equal(document(moth), old)


def test_a_stopped_edit_leaves_the_line_as_it_was(moth: Session) -> None:
    old = play(moth, 400)
    told: list[tuple[int, int]] = []

    def progress(done: int, total: int) -> bool:
        told.append((done, total))
        return done < 200

    shown = edit_inputs(moth, Splice.over(50, [[1]]), progress)
    assert shown is not None
    assert told == [(0, 352), (120, 352), (240, 352)]
    assert (shown.number, moth.timeline.log.current, moth.timeline.branches) == (401, "main", ())
    assert np.array_equal(document(moth), old)
    assert moth.timeline.changes.earlier is None


def test_rows_equal_to_the_recorded_ones_change_nothing(moth: Session) -> None:
    old = play(moth, 60)
    for splice in (Splice.over(20, old[19:24]), Splice.over(60, old[59:])):
        assert edit_inputs(moth, splice) is None
    assert moth.timeline.branches == ()
    assert (moth.timeline.position, moth.timeline.changes.earlier) == (61, None)
    assert np.array_equal(document(moth), old)


def test_marks_move_with_their_frames(moth: Session) -> None:
    play(moth, 60)
    for frame, label in ((5, "before"), (20, "edited"), (22, "deleted"), (40, "after")):
        moth.timeline.log.add_marker(frame, label)
    edit_inputs(moth, Splice(20, 3, [[1], [1]]))
    assert marks(moth) == [(5, "before"), (20, "edited"), (39, "after")]
    undo_edit(moth)
    assert marks(moth) == [(5, "before"), (20, "edited"), (22, "deleted"), (40, "after")]


def test_frames_after_a_jump_stay_in_the_branch_only(moth: Session) -> None:
    play(moth, 20)
    moth.load_state(moth.save_state())
    play(moth, 20)
    edit_inputs(moth, Splice(10, 1, []))
    assert moth.timeline.length == 20
    assert [branch.length for branch in moth.timeline.branches] == [41]


def test_the_first_frame_of_a_run_is_not_edited(moth: Session) -> None:
    moth.advance(frames=10)
    for start, says in ((1, "first of its run"), (0, "not held"), (11, "not held")):
        with pytest.raises(TimelineError, match=says):
            edit_inputs(moth, Splice.over(start, [[1], [2]]))
    with pytest.raises(TimelineError, match="not for 1 players"):
        edit_inputs(moth, Splice.over(5, [[1, 2]]))


def test_branches_and_marks_come_back_after_a_sudden_death(tmp_path: Path) -> None:
    plan = plan_session(demo_game(), isolated=False)
    path = tmp_path / "play.journal"
    session = Session(replace(plan, journal=path))
    play(session, 40)
    edit_inputs(session, Splice(20, 4, []))
    session.timeline.log.rename_branch("branch 1", "long way")
    edit_inputs(session, Splice.over(10, [[1]]))
    session.timeline.log.delete_branch("branch 1")
    undone = session.timeline.log.add_marker(12, "wrong")
    session.timeline.log.remove_marker(undone)
    session.timeline.log.add_marker(15, "boss")
    session.timeline.switch_to("long way")
    expected = document(session)
    session.close(keep_journal=True)
    with recover_from(path, isolated=False) as again:
        assert np.array_equal(document(again), expected)
        assert (again.timeline.log.current, [b.name for b in again.timeline.branches]) == (
            "long way",
            ["main"],
        )
        again.timeline.switch_to("main")
        assert again.timeline.markers("user") == (Marker(15, "user", "boss"),)


def test_an_edit_runs_only_to_where_the_core_stands(moth: Session) -> None:
    old = play(moth, 400)
    moth.timeline.seek(50)
    shown = edit_inputs(moth, Splice.over(30, [[1]]))
    log = moth.timeline.log
    assert shown is not None
    assert (shown.number, log.length, len(log.ahead)) == (50, 50, 351)
    assert np.array_equal(np.delete(document(moth), 29, 0), np.delete(old, 29, 0))
    for button in (0, 0x40, 0):
        moth.advance((button,))
    assert log.inputs(51)[:, 0].tolist() == [old[50, 0], 0x40, old[52, 0]]
    assert play_ahead(moth, 120).number == 120
    assert np.array_equal(log.inputs(54), old[53:120])
    recorded = [ram_hash(log.ram(frame)) for frame in range(1, 121)]
    assert played_straight(moth, log.inputs()) == recorded
    assert not len(log.ahead)  # an episode begins, which the rows do not belong to


def test_rows_after_the_core_are_edited_without_running_any(moth: Session) -> None:
    old = play(moth, 300)
    moth.timeline.seek(20)
    for start, rows in ((100, [[1]]), (250, [[2]]), (302, [[3], [3]])):
        shown = edit_inputs(moth, Splice.over(start, rows) if start < 302 else Splice(302, 0, rows))
        assert shown is not None
        assert (shown.number, moth.timeline.position, moth.timeline.length) == (20, 20, 99)
    expected = old[:, 0].tolist()
    expected[99], expected[249] = 1, 2
    assert document(moth)[:, 0].tolist() == [*expected, 3, 3]
    for _ in range(3):
        undo_edit(moth)
    assert np.array_equal(document(moth), old)


def test_buttons_are_painted_beyond_the_last_row(moth: Session) -> None:
    old = play(moth, 10)[:, 0].tolist()
    edit_inputs(moth, painted(moth, 14, 15, 0, 4, pressed=True))
    assert (moth.timeline.length, moth.timeline.position) == (11, 11)
    assert document(moth)[:, 0].tolist() == [*old, 0, 0, 4, 4]
    edit_inputs(moth, painted(moth, 11, 14, 0, 4, pressed=False))
    assert document(moth)[:, 0].tolist() == [*old[:10], old[10] & ~4, 0, 0, 0, 4]


def test_marks_wait_on_planned_rows_and_go_with_them(moth: Session) -> None:
    play(moth, 60)
    moth.timeline.log.add_marker(40, "after")
    moth.timeline.seek(20)
    edit_inputs(moth, Splice(10, 1, []))
    assert (marks(moth), moth.timeline.length) == ([(39, "after")], 20)
    moth.timeline.log.add_marker(30, "planned")
    with pytest.raises(TimelineError, match="frame 61 is not held"):
        moth.timeline.log.add_marker(61, "beyond")
    moth.load_state(moth.save_state())
    assert (marks(moth), len(moth.timeline.log.ahead)) == ([], 0)


def test_ten_edits_of_a_long_line_share_all_that_was_recorded(moth: Session) -> None:
    play(moth, 20_000)
    moth.timeline.seek(300)
    edit_inputs(moth, Splice.over(280, [[1]]))
    moth.timeline.log.settle()
    before = moth.timeline.log.bytes_used
    for start in range(281, 291):
        edit_inputs(moth, Splice.over(start, [[1 + start % 7]]))
    moth.timeline.log.settle()
    assert moth.timeline.log.bytes_used - before < 10 * 100_000


def test_a_movie_is_a_document_of_all_its_rows(moth: Session, tmp_path: Path) -> None:
    old = play(moth, 200)
    path = moth.timeline.export(tmp_path / "play.bk2", 1).path
    moth.play(path)
    start = moth.timeline.length
    rows = rows_ahead(moth)
    assert np.array_equal(rows, old[1:])
    edit_inputs(moth, Splice.over(start + 100, [[7]]))
    assert (moth.movies.playback, moth.timeline.length) == (None, start)
    assert "play.bk2 was left; its rows are planned" in [each.text for each in moth.take_events()]
    assert moth.timeline.log.ahead[99].tolist() == [7]
    assert len(moth.timeline.log.ahead) == len(rows)
    undo_edit(moth)
    assert np.array_equal(moth.timeline.log.ahead, rows)


def test_planned_rows_come_back_after_a_sudden_death(tmp_path: Path) -> None:
    plan = plan_session(demo_game(), isolated=False)
    path = tmp_path / "play.journal"
    session = Session(replace(plan, journal=path))
    play(session, 80)
    session.timeline.seek(30)
    edit_inputs(session, Splice.over(20, [[1]]))
    session.advance(frames=5)
    expected = document(session)
    session.close(keep_journal=True)
    with recover_from(path, isolated=False) as again:
        assert again.timeline.length == 35
        assert np.array_equal(document(again), expected)


def test_patterns_are_painted_and_leave_other_buttons(moth: Session) -> None:
    before = play(moth, 60)
    right, a = (1 << moth.system.buttons.index(name) for name in ("RIGHT", "A"))
    moth.timeline.seek(5)
    edit_inputs(moth, patterned(moth, 20, 29, "A+RIGHT 2 3"))
    after = document(moth)
    assert [bool(row & a) for row in after[19:29, 0]] == [True, True, False, False, False] * 2
    others = np.uint16(0xFFFF ^ (right | a))
    assert np.array_equal(after[19:29, 0] & others, before[19:29, 0] & others)
    edit_inputs(moth, patterned(moth, 20, 29, "1:a"))
    assert all(document(moth)[19:29, 0] & a)
    for wrong in ("", "A 0 2", "TURBO 2 2", "2:A"):
        with pytest.raises(TimelineError, match="write buttons"):
            patterned(moth, 20, 29, wrong)


def test_planned_rows_run_a_few_at_a_time_and_the_core_stands_still(moth: Session) -> None:
    before = play(moth, 90)
    moth.timeline.seek(30)
    edit_inputs(moth, Splice.over(20, before[19:21] ^ 1))
    moth.memory.write(0x302, "|i1", 7)
    assert run_planned(moth, 25) is None
    assert moth.memory.read(0x302, "|i1") == 7
    assert TimelineFacts.of(moth).wait
    moth.timeline.seek(30)
    assert not TimelineFacts.of(moth).wait
    shown = run_planned(moth, 25)
    assert shown is not None
    assert (shown.number, moth.timeline.position) == (30, 30)
    assert len(moth.timeline.log.ahead) == len(before) - 30 - 25
    while run_planned(moth, 25) is not None:
        pass
    assert np.array_equal(moth.timeline.log.inputs(), document(moth))
    assert moth.timeline.length == len(before)
