"""The timeline's promises one by one; test_timeline_random_play.py has random play."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from integrator.domain.errors import TimelineError
from integrator.domain.timeline.line import BranchInfo, Marker, TimelineEvent
from integrator.domain.timeline.ramlog import Differences, differences
from integrator.domain.timeline.timeline import Timeline

RAM_BYTES = 64


@pytest.fixture
def timeline() -> Iterator[Timeline]:
    made = Timeline(RAM_BYTES, 2)
    made.discontinuity("episode", b"start", ram_of(0))
    yield made
    made.close()


def ram_of(frame: int) -> NDArray[np.uint8]:
    """RAM whose first two bytes count frames."""
    ram = np.zeros(RAM_BYTES, np.uint8)
    ram[0], ram[1] = frame % 256, frame // 256
    return ram


def play(timeline: Timeline, frames: int, **more: Any) -> None:
    for _ in range(frames):
        frame = timeline.length + 1
        timeline.append([frame, 0], ram_of(frame), rewards=[1.0], done=[False], **more)


def noise(timeline: Timeline, frames: int, seed: int = 0) -> NDArray[np.uint8]:
    """Append frames that do not compress; returns their RAM."""
    ram = np.random.default_rng(seed).integers(0, 256, (frames, RAM_BYTES)).astype(np.uint8)
    zeros = np.zeros((frames, 2), np.uint16)
    timeline.append(zeros, ram, rewards=zeros[:, :1], done=zeros[:, 0])
    return ram


def test_a_kept_line_is_taken_up_at_its_own_end(timeline: Timeline) -> None:
    play(timeline, 3)
    kept = timeline.branch_at(0)
    play(timeline, 1)
    timeline.switch_to(kept)
    assert timeline.length == 3
    assert int(timeline.ram(3)[0]) == 3
    timeline.switch_to("main")
    play(timeline, 1)
    assert [int(timeline.ram(frame)[0]) for frame in range(timeline.length + 1)] == [0, 1, 2]


def test_frames_are_numbered_by_how_many_ran(timeline: Timeline) -> None:
    assert timeline.length == 0
    play(timeline, 3)
    assert timeline.length == 3
    assert [int(timeline.ram(frame)[0]) for frame in range(4)] == [0, 1, 2, 3]
    assert timeline.inputs().tolist() == [[1, 0], [2, 0], [3, 0]]
    assert timeline.inputs(2, 3).tolist() == [[2, 0]]
    assert timeline.keyframe_at_or_before(3) == (0, b"start")


def test_one_frame_may_come_without_its_axis_and_with_plain_numbers(timeline: Timeline) -> None:
    timeline.append((1, 2), ram_of(1), rewards=0.5, done=True, values={"score": 7})
    assert timeline.inputs().tolist() == [[1, 2]]
    assert timeline.rewards().tolist() == [[0.5]]
    assert timeline.done().tolist() == [True]
    assert timeline.column("score")[0].tolist() == [7]


def test_what_was_given_may_be_changed_afterwards(timeline: Timeline) -> None:
    inputs, ram = np.ones((1, 2), np.uint16), ram_of(1)
    timeline.append(inputs, ram, rewards=[0.0], done=[False])
    inputs[:] = 9
    ram[:] = 9
    timeline.ram(1)[:] = 8
    timeline.ram(0)[:] = 8
    assert timeline.inputs().tolist() == [[1, 1]]
    np.testing.assert_array_equal(timeline.ram(1), ram_of(1))
    np.testing.assert_array_equal(timeline.ram(0), ram_of(0))


def test_columns_come_and_go(timeline: Timeline) -> None:
    play(timeline, 2)
    play(timeline, 2, values={"score": 1 << 40})
    play(timeline, 300, values={"score": -5, "lives": 3})
    values, valid = timeline.column("score")
    assert values[:5].tolist() == [0, 0, 1 << 40, 1 << 40, -5]
    assert valid.tolist() == [False, False] + [True] * 302
    assert timeline.column("lives", 4, 6)[1].tolist() == [False, True]
    assert timeline.names == ("score", "lives")


def changes(counts: list[int], offsets: list[int], values: list[int]) -> Differences:
    return Differences(np.array(counts), np.array(offsets, np.uint32), np.array(values, np.uint8))


@pytest.mark.parametrize(
    "wrong",
    [
        {"inputs": [[0, 0, 0]]},
        {"rewards": [[0.0], [0.0]]},
        {"done": [False, False]},
        {"ram": np.zeros((1, RAM_BYTES - 1), np.uint8)},
        {"ram": np.zeros((2, RAM_BYTES), np.uint8)},
        {"ram": changes([1, 0], [0], [0])},
        {"ram": changes([2], [0], [0])},
        {"ram": changes([1], [RAM_BYTES], [0])},
        {"ram": changes([2], [3, RAM_BYTES], [1, 1])},
    ],
)
@pytest.mark.parametrize("before", [0, 1, 256])
def test_shapes_that_do_not_fit_add_nothing(
    timeline: Timeline, wrong: dict[str, Any], before: int
) -> None:
    play(timeline, before)
    right: dict[str, Any] = {
        "inputs": [[0, 0]],
        "ram": ram_of(9),
        "rewards": [[0.0]],
        "done": [False],
    } | wrong
    inputs, ram = right.pop("inputs"), right.pop("ram")
    with pytest.raises(TimelineError):
        timeline.append(inputs, ram, **right)
    assert timeline.length == before
    timeline.append([0, 0], changes([0], [], []), rewards=[0.0], done=[False])
    np.testing.assert_array_equal(timeline.ram(before + 1), ram_of(before))


def test_a_chunk_with_a_short_column_adds_nothing(timeline: Timeline) -> None:
    zeros = np.zeros((3, 2), np.uint16)
    ram = np.zeros((3, RAM_BYTES), np.uint8)
    with pytest.raises(TimelineError, match="score"):
        timeline.append(
            zeros, ram, rewards=zeros[:, :1], done=zeros[:, 0], values={"score": np.zeros(1)}
        )
    assert timeline.length == 0


def test_frames_outside_are_errors(timeline: Timeline) -> None:
    play(timeline, 3)
    for ask in (
        lambda: timeline.ram(4),
        lambda: timeline.ram(-1),
        lambda: timeline.ram_range(2, 5),
        lambda: timeline.inputs(0, 2),
        lambda: timeline.inputs(1, 5),
        lambda: timeline.keyframe_at_or_before(4),
        lambda: timeline.truncate(4),
        lambda: timeline.branch_at(-1),
        lambda: timeline.add_keyframe(4, b""),
        lambda: timeline.ram_ranges([(RAM_BYTES - 1, 2)]),
        lambda: timeline.switch_to("none"),
        lambda: timeline.delete_branch("main"),
    ):
        with pytest.raises(TimelineError):
            ask()


def test_a_poke_shows_in_the_next_frame_not_in_the_one_it_followed(timeline: Timeline) -> None:
    play(timeline, 2)
    poked = ram_of(2)
    poked[60] = 99
    timeline.discontinuity("poke", b"poked", poked)
    timeline.append([0, 0], changes([1], [0], [3]), rewards=[0.0], done=[False])
    assert timeline.ram(2)[60] == 0
    assert timeline.ram(2, resumed=True)[60] == 99
    assert timeline.ram(3)[[0, 60]].tolist() == [3, 99]
    assert np.flatnonzero(timeline.changed(2, 4)).tolist() == [0, 60]
    assert timeline.keyframe_at_or_before(2) == (2, b"poked")
    assert timeline.markers("poke") == (Marker(2, "poke"),)


def test_rewinding_to_a_discontinuity_goes_on_from_its_state(timeline: Timeline) -> None:
    play(timeline, 2)
    timeline.discontinuity("episode", b"again", ram_of(0))
    play(timeline, 2)
    timeline.truncate(2)
    timeline.append([0, 0], changes([1], [5], [5]), rewards=[0.0], done=[False])
    expected = ram_of(0)
    expected[5] = 5
    np.testing.assert_array_equal(timeline.ram(3), expected)
    assert timeline.keyframe_at_or_before(timeline.length) == (2, b"again")


def test_branches_swap_and_know_where_they_part(timeline: Timeline) -> None:
    play(timeline, 10)
    assert timeline.branch_at(4) == "branch 1"
    play(timeline, 1)
    assert timeline.branches == (BranchInfo("branch 1", 10, 4, (10.0,)),)
    timeline.switch_to("branch 1")
    assert (timeline.current, timeline.length) == ("branch 1", 10)
    assert timeline.branches == (BranchInfo("main", 5, 4, (5.0,)),)
    with pytest.raises(TimelineError, match="already"):
        timeline.branch_at(2, "main")
    timeline.rename_branch("main", "first try")
    timeline.delete_branch("first try")
    assert not timeline.branches


def test_branches_share_their_frames() -> None:
    timeline = Timeline(RAM_BYTES, 2)
    noise(timeline, 256 * 20)
    before = timeline.bytes_used
    for _ in range(10):
        timeline.branch_at(256 * 19)
    assert timeline.bytes_used < before * 1.1
    timeline.close()


def test_own_markers(timeline: Timeline) -> None:
    play(timeline, 3)
    mark = timeline.add_marker(2, "dies here")
    assert timeline.markers("user") == (Marker(2, "user", "dies here"),)
    timeline.remove_marker(mark)
    assert timeline.markers() == (Marker(0, "episode"),)
    with pytest.raises(TimelineError):
        timeline.remove_marker(Marker(0, "episode"))


def test_states_thin_out_with_age_and_pinned_ones_stay() -> None:
    timeline = Timeline(RAM_BYTES, 2, budget_bytes=80_000)
    timeline.discontinuity("episode", b"start", ram_of(0))
    random = np.random.default_rng(0)
    for number in range(200):
        play(timeline, 10)
        timeline.add_keyframe(timeline.length, random.bytes(1000), pinned=number == 20)
    frames = timeline.keyframes
    assert 10 <= len(frames) <= 24
    assert {0, 210, 2000} <= set(frames)
    gaps = np.diff([frame for frame in frames if frame != 210])
    assert gaps[-1] == 10
    assert gaps[: len(gaps) // 2].mean() > 3 * gaps[len(gaps) // 2 :].mean()
    timeline.close()


def test_over_budget_the_oldest_go_to_disk_and_come_back() -> None:
    timeline = Timeline(RAM_BYTES, 2, budget_bytes=200_000)
    timeline.discontinuity("episode", b"start", ram_of(0))
    ram = noise(timeline, 8000)
    assert timeline.pool.disk_bytes > 0
    assert timeline.bytes_used < 200_000 + 8000 * 14
    for frame in (1, 255, 256, 257, 4000, 7999, 8000):
        np.testing.assert_array_equal(timeline.ram(frame), ram[frame - 1])
    assert timeline.keyframe_at_or_before(5) == (0, b"start")
    np.testing.assert_array_equal(timeline.ram_ranges([(3, 2)], 1), ram[:, 3:5])
    timeline.close()
    timeline.close()
    with pytest.raises(TimelineError, match="closed"):
        timeline.ram(1)


def test_large_memory_has_longer_blocks_and_wide_offsets() -> None:
    size = 1 << 20
    timeline = Timeline(size, 1)
    for frame in range(1, 4):
        far = changes([2], [5, size - 1], [frame, frame])
        timeline.append([0], far, rewards=[0.0], done=[False])
    timeline.branch_at(2)
    timeline.switch_to("branch 1")
    assert timeline.ram(3)[[5, size - 2, size - 1]].tolist() == [3, 0, 3]
    assert timeline.ram(2)[size - 1] == 2
    timeline.close()


def test_a_second_start_of_an_empty_branch_counts() -> None:
    timeline = Timeline(4, 1)
    old, new = np.array([0, 0, 0, 1], np.uint8), np.zeros(4, np.uint8)
    timeline.discontinuity("episode", b"old", old)
    timeline.branch_at(0)
    timeline.discontinuity("episode", b"new", new)
    changed = np.array([[0, 7, 0, 0]], np.uint8)
    timeline.append([0], differences(new, changed), rewards=[0.0], done=[False])
    assert timeline.ram(1).tolist() == [0, 7, 0, 0]


def test_a_kept_line_is_read_where_it_is(timeline: Timeline) -> None:
    play(timeline, 300, values={"score": 3})
    timeline.add_keyframe(280, b"late")
    name = timeline.branch_at(270)
    play(timeline, 5)
    line = timeline.line(name)
    assert (line.length, timeline.length) == (300, 275)
    assert line.ram(299).tolist() == ram_of(299).tolist()
    assert line.inputs(299).tolist() == [[299, 0], [300, 0]]
    assert line.keyframe_at_or_before(299) == (280, b"late")
    assert timeline.keyframe_at_or_before(275) == (0, b"start")
    assert line.column("score", 300)[0].tolist() == [3]
    assert (line.totals(), timeline.totals()) == ((300.0,), (275.0,))
    with pytest.raises(TimelineError, match="no branch 'main'"):
        timeline.line("main")


def test_listeners_are_told_of_each_change_once_it_was_made(timeline: Timeline) -> None:
    told: list[tuple[TimelineEvent, int]] = []
    timeline.listen(lambda event: told.append((event, timeline.length)))
    play(timeline, 2)
    inputs = [(event.kind, event.data, length) for event, length in told]
    assert inputs == [("input", [1, 0], 1), ("input", [2, 0], 2)]
    told.clear()
    timeline.discontinuity("poke", b"poked", ram_of(9), label="x")
    play(timeline, 1)
    kept = timeline.branch_at(2)
    timeline.truncate(1)
    timeline.switch_to(kept)
    assert [each for each in told if each[0].kind != "input"] == [
        (TimelineEvent("jump", {"kind": "poke", "label": "x"}, b"poked"), 2),
        (TimelineEvent("back", {"frame": 2, "keep": True, "name": "branch 1"}), 2),
        (TimelineEvent("back", {"frame": 1, "keep": False, "name": None}), 1),
        (TimelineEvent("switch", {"name": "branch 1", "swap": False}), 3),
    ]


@given(chunks=st.lists(st.lists(st.booleans(), min_size=1, max_size=400), min_size=1, max_size=6))
@settings(deadline=None)
def test_lag_frames_are_kept_across_blocks_and_branches(chunks: list[list[bool]]) -> None:
    log = Timeline(16, 1)
    for flags in chunks:
        lag = [row for row, slow in enumerate(flags) if slow]
        count = len(flags)
        ram = np.zeros((count, 16), np.uint8)
        log.append(
            np.zeros((count, 1)), ram, rewards=np.zeros(count), done=[False] * count, lag=lag
        )
    expected = [slow for flags in chunks for slow in flags]
    assert log.lag().tolist() == expected
    half = len(expected) // 2
    name = log.branch_at(half)
    assert log.lag().tolist() == expected[:half]
    assert log.line(name).lag(1, len(expected) + 1).tolist() == expected


def test_lines_change_their_names_and_marks_go_and_listeners_are_told() -> None:
    log = Timeline(16, 1)
    log.append([[0]] * 4, np.zeros((4, 16), np.uint8), rewards=[0] * 4, done=[False] * 4)
    log.branch_at(2)
    told: list[object] = []
    log.listen(told.append)
    log.switch_to("branch 1", swap=True)
    assert (log.current, log.length, [b.name for b in log.branches]) == ("main", 4, ["branch 1"])
    log.rename_branch("branch 1", "short")
    log.delete_branch("short")
    log.remove_marker(log.add_marker(3, "boss"))
    mark = {"frame": 3, "label": "boss"}
    assert told == [
        TimelineEvent("switch", {"name": "branch 1", "swap": True}),
        TimelineEvent("line", {"name": "branch 1", "new_name": "short"}),
        TimelineEvent("line", {"name": "short", "new_name": None}),
        TimelineEvent("mark", {**mark, "gone": False}),
        TimelineEvent("mark", {**mark, "gone": True}),
    ]
