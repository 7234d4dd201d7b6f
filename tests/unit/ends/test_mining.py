"""Done conditions mined from made-up play, in which each way to end was planted once."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from integrator.domain.ends.marks import (
    AHEAD_FRAMES,
    EndCondition,
    MarkedPlay,
    RecordedNumber,
    undecided,
)
from integrator.domain.ends.mining import MOST_PLACES, likely_places, mine
from integrator.domain.errors import SearchError
from integrator.domain.scenario.tree import Condition
from integrator.domain.values.memory import DataType

BYTE = DataType.parse("|u1")
LENGTH = 3000
ENDS = (800, 1700, 2600)
JUMPS = (0, 900, 1800, 2700)
"""Play goes on for a hundred frames after each end, then from another state."""


def episodes(before: int, after: int) -> NDArray[np.int64]:
    """A number that is one thing up to each end, and another from the end to the jump."""
    values = np.full(LENGTH + 1, before, np.int64)
    for end, jump in zip(ENDS, JUMPS[1:], strict=True):
        values[end : jump + 1] = after
    return values


def column(values: NDArray[np.int64], name: str = "", address: int = 0x80) -> RecordedNumber:
    return RecordedNumber(name, address, BYTE, values)


def noise(seed: int) -> NDArray[np.int64]:
    return np.random.default_rng(seed).integers(0, 256, LENGTH + 1)


def play(*marks: int) -> MarkedPlay:
    return MarkedPlay(LENGTH, marks or ENDS, JUMPS)


def best(
    variables: list[RecordedNumber], raw: list[RecordedNumber], marked: MarkedPlay
) -> EndCondition:
    return mine([*variables, *raw], marked)[0]


@pytest.mark.parametrize(
    ("before", "after", "text"),
    [
        (2, 0, "lives zero"),
        (1, -1, "lives negative"),
        (0, 7, "lives nonzero"),
        (5, 7, "lives equal 7"),
    ],
)
def test_a_variable_that_tells_the_end_comes_first(before: int, after: int, text: str) -> None:
    lives = column(episodes(before, after), "lives", 0x90)
    found = best([lives], [column(noise(1))], play())
    assert str(found) == text
    assert found.exact
    assert found.late == (0, 0, 0)
    assert found.frames_late == 0


def test_a_condition_that_holds_most_of_the_time_is_none() -> None:
    lives, over = np.full(LENGTH + 1, 2, np.int64), np.zeros(LENGTH + 1, np.int64)
    lives[:40] = -1  # as memory is at power-on
    lives[700:] = 1
    lives[1900:] = 0
    lives[ENDS[2] :], over[ENDS[2] :] = -1, 1
    marked = MarkedPlay(LENGTH, [ENDS[2]], [LENGTH])
    found = mine([column(lives, "lives", 0x90), column(over, "", 0x301)], marked)
    assert {str(each) for each in found[:2]} == {"0x301 (|u1) nonzero", "lives equal -1"}


def test_a_change_that_happens_only_at_ends_is_found() -> None:
    values = np.arange(LENGTH + 1) // 50
    for end in ENDS:
        values[end:] -= 9
    found = mine([column(values, "level")], play())
    assert "change of level negative" in map(str, found)
    assert all(each.exact for each in found if str(each) == "change of level negative")


def test_a_jump_of_play_is_no_change() -> None:
    values = np.zeros(LENGTH + 1, np.int64)
    for frame in (*ENDS, *(jump + 1 for jump in JUMPS[1:])):
        values[frame:] -= 1
    found = mine([column(values, "lives")], play())
    assert str(found[0]).startswith("change of lives")
    assert found[0].exact


def test_bytes_are_looked_at_beside_variables() -> None:
    found = best([column(noise(2), "score", 0x90)], [column(episodes(3, 255), "", 0x85)], play())
    assert str(found) == "0x85 (|i1) equal -1"
    assert found.exact


def test_two_tests_have_to_hold_together() -> None:
    lives, dying = episodes(1, 0), episodes(0, 5)
    lives[400:800] = 0  # the last life
    dying[200:230] = 5  # an earlier death
    columns = [column(lives, "lives", 0x90), column(dying, "dying", 0x91)]
    found = best(columns, [], play())
    assert {str(test) for test in found.tests} == {"lives zero", "dying nonzero"}
    assert found.condition is Condition.ALL
    assert found.exact
    alone = [each for each in mine(columns[:1], play()) if str(each) == "lives zero"]
    assert [each.false_alarms for each in alone] == [(400,)]


def test_the_last_death_is_the_end_though_all_last_lives_begin_shortly_before_late_marks() -> None:
    lives, dying = episodes(0, 0), episodes(0, 5)
    for begin, end, lasting in zip(JUMPS, ENDS, (220, 90, 60), strict=False):
        lives[begin + 1 : end - lasting - 200] = 2
        lives[end - lasting - 200 : end - lasting] = 1
        for death in (end - lasting - 210, end - lasting - 10):
            dying[death : death + 10] = 5
    marked = play(*(end + late for end, late in zip(ENDS, (54, 42, 38), strict=True)))
    found = best([column(lives, "lives", 0x90), column(dying, "dying", 0x91)], [], marked)
    assert {str(test) for test in found.tests} == {"lives zero", "dying nonzero"}
    assert found.late == (-54, -42, -38)


def test_either_of_two_tests_ends_an_episode() -> None:
    dead, won = episodes(0, 0), episodes(0, 0)
    dead[800:901] = dead[2600:2701] = 1
    won[1700:1801] = 1
    found = best([column(dead, "dead", 0x90), column(won, "won", 0x91)], [], play())
    assert found.condition is Condition.ANY
    assert {test.spec.name for test in found.tests} == {"dead", "won"}
    assert found.exact


def test_a_scenario_can_not_name_a_variable_twice() -> None:
    values = episodes(0, 0)
    values[800:901] = values[2600:2701] = 1
    values[1700:1801] = -1
    joint = np.full(LENGTH + 1, 2)
    for begin, end in zip(JUMPS, ENDS, strict=False):
        joint[begin + 300 : begin + 400] = -1
        joint[begin + 400 : begin + 500] = 0
        joint[end : end + 101] = 0
    joint[1500:1700] = 3
    for numbers in (values, joint):
        for found in mine([column(numbers, "state")], play()):
            assert len(found.tests) == 1, str(found)


@pytest.mark.parametrize(
    ("value", "first"), [(177, "0x301 (|u1) nonzero"), (1, "0x80 (|u1) equal 1")]
)
def test_a_number_runs_out_near_zero(value: int, first: str) -> None:
    """A position that falls by one at an end is no lives: only small values are likely to be."""
    falling, over = episodes(value + 1, value), episodes(0, 1)
    falling[:300] = value + 2
    assert str(best([], [column(falling), column(over, "", 0x301)], play())) == first


def test_marks_of_people_are_late() -> None:
    lives = column(episodes(1, 0), "lives")
    found = best([lives], [], play(815, 1722, 2609))
    assert (str(found), found.exact, found.frames_late) == ("lives zero", True, -15)
    missed = best([lives], [], play(800, 1700, 2600 - 2 * AHEAD_FRAMES))
    assert missed.late == (0, 0, None)
    assert not missed.exact


def test_marks_at_which_numbers_change_are_exact() -> None:
    """The next game begins another while after each end, and much more changes there."""
    over, starts = episodes(0, 1), np.zeros((4, LENGTH + 1), np.int64)
    for end, wait in zip(ENDS, (9, 24, 15), strict=True):
        starts[:, end + wait : end + 100] = 1
    columns = [column(each, "", 0x90 + by) for by, each in enumerate(starts)]
    found = best([], [*columns, column(over, "", 0x301)], play())
    assert (str(found), found.late) == ("0x301 (|u1) nonzero", (0, 0, 0))


@pytest.mark.parametrize("late", [(9, 12, 10), (4, 41, 60), (70, 150, 240)])
def test_the_earliest_lasting_change_is_the_end_however_late_the_marks_are(
    late: tuple[int, int, int],
) -> None:
    over, later = np.zeros((2, LENGTH + 1), np.int64)
    for end in ENDS:
        over[end : end + 290] = later[end + 20 : end + 290] = 1
    # A countdown has one value a while before each mark, and each step of an animation is brief.
    countdown, step = noise(3) % 5 + 9, np.zeros(LENGTH + 1, np.int64)
    for end in ENDS:
        step[end + 10 : end + 14] = 7
        countdown[end - 200 : end + 40] = 240 - np.arange(240)
    columns = [
        column(countdown, "", 0x81),
        column(step, "", 0x82),
        column(later, "", 0x83),
        column(over, "", 0x301),
        column(np.roll(over, 1), "", 0x302),
    ]
    marked = MarkedPlay(LENGTH, [e + by for e, by in zip(ENDS, late, strict=True)], (0, 1100, 2000))
    found = mine(columns, marked)
    assert str(found[0]) == "0x301 (|u1) nonzero"
    assert found[0].late == tuple(-by for by in late)


def test_a_scene_long_before_the_marks_is_no_end_however_much_changes_there() -> None:
    over, scene = episodes(0, 1), np.zeros(LENGTH + 1, np.int64)
    for end in ENDS:
        scene[end - 240 : end + 100] = 1
    columns = [column(np.roll(scene, by), "", 0x81 + by) for by in range(4)]
    found = best([], [*columns, column(over, "", 0x301)], play(*np.add(ENDS, (36, 17, 32))))
    assert (str(found), found.late) == ("0x301 (|u1) nonzero", (-36, -17, -32))


@pytest.mark.parametrize(("marks", "is_doubtful"), [(2, True), (3, False)])
def test_two_marks_are_too_few_where_several_bytes_fit(marks: int, is_doubtful: bool) -> None:
    over = np.arange(LENGTH + 1) >= ENDS[marks - 1] + 110
    flags = [np.where(over, 0, np.roll(episodes(0, 1), by)) for by in range(3)]
    columns = [column(each, "", 0x81 + by) for by, each in enumerate(flags)]
    assert (undecided(mine(columns, play(*ENDS[:marks]))) >= 3) == is_doubtful
    assert undecided([]) == 0


def test_conditions_on_the_same_frames_of_one_byte_are_one() -> None:
    found = mine([column(episodes(1, 0), "lives"), column(episodes(1, 0))], play())
    assert [str(each) for each in found].count("lives zero") == 1
    assert found[0].alike >= 1
    assert not any("0x80" in str(each) for each in found)


def test_marks_must_be_recorded() -> None:
    with pytest.raises(SearchError, match="no end is marked"):
        MarkedPlay(LENGTH, (), JUMPS)
    with pytest.raises(SearchError, match="1 to 3000"):
        play(LENGTH + 1)


def test_of_very_many_bytes_those_that_are_rare_at_ends_are_kept() -> None:
    marked = play()
    rng = np.random.default_rng(5)
    common = np.full(MOST_PLACES * 4, 9, np.uint8)
    told = 4 * MOST_PLACES - 3

    def ram_at(frame: int) -> NDArray[np.uint8]:
        ram = common.copy()
        ram[::2] = rng.integers(0, 256, len(ram[::2]))
        ram[told] = 0 if not marked.before[frame] else 1
        return ram

    kept = likely_places(ram_at, np.arange(len(common)), marked)
    assert len(kept) == MOST_PLACES
    assert told in kept
    assert np.array_equal(kept, np.sort(kept))
    few = np.array([3, 8])
    assert np.array_equal(likely_places(ram_at, few, marked), few)
