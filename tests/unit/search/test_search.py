"""A search as its user sees it: history, preview, ranges, counts, rows, saving."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from jsonschema import Draft202012Validator
from numpy.typing import NDArray

from integrator.domain.errors import AddressError, DataTypeError, SearchError
from integrator.domain.search.results import Activity
from integrator.domain.search.search import Search
from integrator.domain.sweep.readings import BIT_FIELDS, Scale
from integrator.domain.values.memory import AddressSpace, DataType, Overlay, Region
from integrator.paths import shipped

SPACE = AddressSpace([Region(0xFF0000, 256), Region(0xFF8000, 64)], Overlay.parse(["=", ">", 2]))
U1, U2, D2 = (DataType.parse(spec) for spec in ("|u1", ">u2", ">d2"))


class Game:
    """RAM that a test can poke."""

    def __init__(self) -> None:
        self.raw: NDArray[np.uint8] = np.full(SPACE.size_bytes, 0xEE, dtype=np.uint8)

    def poke(self, address: int, kind: DataType, value: int) -> None:
        self.raw[SPACE.offsets(address, kind.width)] = list(kind.encode(value))

    def ram(self) -> NDArray[np.uint8]:
        return self.raw


@pytest.fixture
def game() -> Game:
    return Game()


@pytest.fixture
def search(game: Game) -> Search:
    return Search(SPACE, [U1, U2, D2], game.ram, name="score")


def test_it_starts_with_every_address_of_every_type_inside_a_region(search: Search) -> None:
    assert search.count_by_type() == {U1: 320, U2: 318, D2: 318}
    assert search.count == 956
    assert not search.history


def test_a_score_is_found_by_its_values(game: Game, search: Search) -> None:
    game.poke(0xFF0041, U2, 1200)
    assert search.refine("equal", 1200) == 1
    game.poke(0xFF0041, U2, 1300)
    assert search.refine("increased-by", 100) == 1
    (row,) = search.candidates()
    assert (row.address, row.type, row.value, row.previous, row.first) == (
        0xFF0041,
        U2,
        1300,
        1300,
        0xEEEE,
    )
    game.poke(0xFF0041, U2, 7)
    assert search.candidates()[0].value == 7
    assert search.candidates()[0].previous == 1300


def test_earlier_memory_means_last_step_start_or_snapshot(game: Game, search: Search) -> None:
    with pytest.raises(SearchError, match="no snapshot"):
        search.refine("changed", against="snapshot")
    game.poke(0xFF0000, U1, 5)
    search.refine("changed")
    search.take_snapshot()
    game.poke(0xFF0000, U1, 6)
    search.refine("changed")
    game.poke(0xFF0000, U1, 0xEE)
    assert search.preview("unchanged", against="first") == search.count
    assert search.preview("changed", against="previous") == search.count
    game.poke(0xFF0000, U1, 5)
    assert search.preview("equal", against="snapshot") == search.count
    assert search.preview("equal", against="previous") == 0


def test_a_preview_changes_nothing(game: Game, search: Search) -> None:
    game.poke(0xFF0010, U1, 9)
    before = search.count
    left = search.preview("changed")
    assert left == search.preview("changed") < before == search.count
    assert not search.history
    assert search.refine("changed") == left


def test_steps_can_be_undone_and_done_again(game: Game, search: Search) -> None:
    counts = [search.count]
    for value in range(3):
        game.poke(0xFF0010, U1, value)
        counts.append(search.refine("equal", value))
    rows = [row.address for row in search.candidates()]
    while search.undo():
        assert search.count == counts[len(search.history)]
    assert not search.history
    assert not search.undo()
    while search.redo():
        assert search.count == counts[len(search.history)]
    assert [row.address for row in search.candidates()] == rows
    search.undo()
    search.refine("unchanged")
    assert not search.redo()
    assert [step.op for step in search.history] == ["equal", "equal", "unchanged"]


def test_undo_brings_back_the_memory_compared_with(game: Game, search: Search) -> None:
    game.poke(0xFF0010, U1, 1)
    search.refine("changed")
    game.poke(0xFF0010, U1, 2)
    search.refine("changed")
    search.undo()
    game.poke(0xFF0010, U1, 1)
    assert search.preview("unchanged") == search.count


def test_refining_on_every_frame_keeps_little(game: Game, search: Search) -> None:
    for value in range(200):
        game.poke(0xFF0010, U1, value)
        search.refine("not-equal", 100_000)
    held = [
        part for state in search._states for part in (state.change.places, state.change.flipped)
    ]
    assert sum(part.nbytes for part in held if isinstance(part, np.ndarray)) < 200 * 16
    for value in reversed(range(199)):
        search.undo()
        game.poke(0xFF0010, U1, value)
        assert search.preview("unchanged") == search.count
    for value in range(1, 200):
        search.redo()
        game.poke(0xFF0010, U1, value)
        assert search.preview("unchanged") == search.count


def test_ranges_are_left_out_and_limited_to(search: Search) -> None:
    search.exclude(0xFF0004, 2)
    addresses = {(row.address, row.type) for row in search.candidates()}
    assert (0xFF0003, U1) in addresses
    assert (0xFF0003, U2) not in addresses
    assert (0xFF0005, U1) not in addresses
    assert (0xFF0006, U2) in addresses
    search.limit_to(0xFF0002, 0xFF0008)
    assert [(row.address, str(row.type)) for row in search.candidates()] == [
        (0xFF0002, "|u1"),
        (0xFF0002, ">u2"),
        (0xFF0002, ">d2"),
        (0xFF0003, "|u1"),
        (0xFF0006, "|u1"),
        (0xFF0006, ">u2"),
        (0xFF0006, ">d2"),
        (0xFF0007, "|u1"),
    ]
    search.undo()
    search.undo()
    assert search.count == 956


def test_alignment_drops_odd_addresses(game: Game, search: Search) -> None:
    search.alignment = 2
    assert all(row.address % 2 == 0 for row in search.candidates())
    assert search.count_by_type()[U2] == 160
    assert Search(SPACE, [U2], game.ram, alignment=2).count == 160
    with pytest.raises(SearchError, match="at least 1"):
        search.alignment = 0
    assert search.alignment == 2


def test_changes_are_counted_between_refinements(game: Game) -> None:
    activity = Activity(SPACE)
    search = Search(SPACE, [U1, U2, D2], game.ram, activity=activity)
    for changed in (1, 1, 0, 1):
        activity.note(SPACE.offsets(0xFF0020, 1)[:changed])
    assert search.refine("changed-times", 3) == 5
    assert {row.changes for row in search.candidates()} == {3}
    assert search.preview("changed-times", (4, 9)) == 0
    search.clear_counts()
    assert search.preview("changed-times", 0) == 5


def test_changes_are_those_of_every_frame_where_they_are_told(game: Game) -> None:
    activity = Activity(SPACE)
    activity.note(SPACE.offsets(0xFF0020, 2))
    search = Search(SPACE, [U1, U2], game.ram, activity=activity)
    for changed in ([], [0xFF0021], [0xFF0020, 0xFF0021], []):
        activity.note(np.array([SPACE.offsets(at, 1)[0] for at in changed], np.intp))
    search.limit_to(0xFF0020, 0xFF0023)
    rows = search.candidates()
    seen = {(row.address, str(row.type)): (row.changes, row.age) for row in rows}
    assert seen == {
        (0xFF0020, "|u1"): (1, 1),
        (0xFF0020, ">u2"): (2, 1),
        (0xFF0021, "|u1"): (2, 1),
        (0xFF0021, ">u2"): (2, 1),
        (0xFF0022, "|u1"): (0, -1),
    }
    assert search.preview("changed-times", 2) == 3
    activity.note(SPACE.offsets(0xFF0022, 1))
    counts, ages = search.changes_of(list(rows))
    assert (counts.tolist(), ages.tolist()) == ([1, 2, 2, 2, 1], [2, 2, 2, 0, 0])
    assert [row.changes for row in rows] == [1, 2, 2, 2, 1]
    assert [row.age for row in rows] == [2, 2, 2, 0, 0]
    again = Search.from_json(search.to_json(), SPACE, game.ram, activity=activity)
    search.clear_counts()
    assert search.changes_of(list(rows))[0].tolist() == [0] * 5
    assert again.changes_of(list(rows))[0].tolist() == [1, 2, 2, 2, 1]


def test_memory_of_recorded_frames_can_be_compared_with(game: Game) -> None:
    recorded = []
    for value in (3, 4, 9):
        game.poke(0xFF0010, U1, value)
        recorded.append(game.raw.copy())
    search = Search(SPACE, [U1], game.ram, past=lambda frame: recorded[frame])
    game.poke(0xFF0010, U1, 4)
    assert search.preview("unchanged", against="frame 1") == 320
    assert search.refine("decreased", against="last-frame") == 1
    assert search.refine("increased-by", 1, against="frame 0") == 1
    assert [step.against for step in search.history] == ["last-frame", "frame 0"]
    with pytest.raises(SearchError, match="no recorded frames"):
        Search(SPACE, [U1], game.ram).refine("changed", against="last-frame")


def test_a_planned_step_is_taken_unless_the_search_went_on(game: Game, search: Search) -> None:
    plan = search.plan("equal", 9)
    late = search.plan("changed")
    game.poke(0xFF0010, U1, 9)
    assert plan.count == 0
    assert search.plan("equal", 9).count == 1
    assert not search.history
    assert search.take(plan) == 0
    with pytest.raises(SearchError, match="went on"):
        search.take(late)
    assert len(search.history) == 1


def test_scales_are_kept_with_a_candidate(game: Game) -> None:
    search = Search(SPACE, [U2], game.ram, scales=True)
    game.poke(0xFF0030, U2, 12)
    search.refine("equal", 1200)
    (row,) = search.candidates()
    assert (row.value, row.shown, row.scale, row.scales) == (
        12,
        1200,
        Scale(divisor=100),
        (Scale(divisor=100),),
    )
    assert str(row.scale) == "x100"
    game.poke(0xFF0030, U2, 13)
    assert search.refine("increased-by", 100) == 1
    assert search.preview("increased-by", 150) == 0


@pytest.mark.parametrize(
    ("op", "value", "against", "message"),
    [
        ("bigger", None, None, "unknown comparison"),
        ("equal", None, None, "whole number"),
        ("equal", True, None, "whole number"),
        ("equal", 1.5, None, "whole number"),
        ("equal", 1, "previous", "takes no value"),
        ("equal", None, "yesterday", "cannot compare"),
        ("changed", 3, None, "takes no value"),
        ("changed", None, "value", "earlier memory"),
        ("increased-by", None, None, "whole number"),
        ("in-range", 3, None, "two whole numbers"),
        ("in-range", (5, 2), None, "lower number first"),
        ("modulo", (0, 1), None, "above zero"),
        ("modulo", (2, 1), "previous", "with a value"),
        ("bit-set", 64, None, "bit number"),
        ("different-by", -1, None, "zero or more"),
    ],
)
def test_senseless_comparisons_are_refused(
    search: Search, op: str, value: object, against: str | None, message: str
) -> None:
    with pytest.raises(SearchError, match=message):
        search.take(search.plan(op, value, against=against))
    assert not search.history
    assert search.count == 956


def test_a_search_without_types_says_so(game: Game) -> None:
    with pytest.raises(SearchError, match="at least one data type"):
        Search(SPACE, [], game.ram)


def test_rows_are_the_same_one_by_one_in_pages_and_all_at_once() -> None:
    space = AddressSpace([Region(0, 9000)])
    rng = np.random.default_rng(5)
    before = rng.integers(0, 3, 9000, dtype=np.uint8)
    search = Search(space, [U1, U2], lambda: before)
    search.refine("not-equal", 0)
    rows = list(search.candidates())
    assert len(rows) == search.count == len(search.candidates())
    keys = [(row.address, row.type != U1) for row in rows]
    assert keys == sorted(keys)
    assert list(search.candidates()[5000:5070]) == rows[5000:5070]
    assert list(search.candidates()[-3:]) == rows[-3:]
    assert list(search.candidates()[::-1000]) == rows[::-1000]
    assert search.candidates()[-1] == rows[-1]
    assert list(search.candidates()[10**6 : 10**6 + 5]) == []
    with pytest.raises(IndexError):
        search.candidates()[len(rows)]


def test_rows_stay_as_they_were_when_the_search_goes_on(game: Game) -> None:
    activity = Activity(SPACE)
    search = Search(SPACE, [U1, U2, D2], game.ram, activity=activity)
    game.poke(0xFF0010, U1, 1)
    activity.note(SPACE.offsets(0xFF0010, 1))
    search.refine("equal", 1)
    rows = search.candidates()
    shown = list(rows)
    game.poke(0xFF0010, U1, 2)
    activity.note(SPACE.offsets(0xFF0010, 1))
    search.refine("equal", 9)
    # Changes go on being counted, and are looked up when a row is made.
    assert [row.changes for row in rows] == [2]
    assert [replace(row, changes=1) for row in rows] == shown


@pytest.mark.parametrize("scales", [False, True])
def test_a_saved_search_goes_on_where_it_was(game: Game, *, scales: bool) -> None:
    search = Search(SPACE, [U1, U2, D2], game.ram, name="lives", scales=scales)
    game.poke(0xFF8003, U1, 30)
    search.refine("changed")
    search.refine("equal", 30)
    search.take_snapshot()
    text = search.to_json()
    document = json.loads(text)
    assert document["history"][1] == {
        "op": "equal",
        "value": 30,
        "against": "value",
        "count": search.count,
    }
    loaded = Search.from_json(text, SPACE, game.ram)
    # The age of a change is a fact of the running game, and is not kept.
    ages = [replace(row, age=-1) for row in search.candidates()]
    assert list(loaded.candidates()) == ages
    assert (loaded.name, loaded.types, loaded.history) == (
        "lives",
        search.types,
        search.history,
    )
    game.poke(0xFF8003, U1, 31)
    for against in ("previous", "first", "snapshot"):
        expected = search.preview("increased", against=against)
        assert loaded.preview("increased", against=against) == expected
    assert loaded.refine("increased-by", 1) == search.refine("increased-by", 1) > 0
    assert [step.op for step in loaded.history] == ["changed", "equal", "increased-by"]


def test_a_saved_search_keeps_the_spelling_of_its_types(game: Game) -> None:
    types = tuple(map(DataType.parse, ("=u2", "<u1", "|i2", "=d3")))
    search = Search(SPACE, types, game.ram)
    document = json.loads(search.to_json())
    assert document["types"] == ["=u2", "<u1", "|i2", "=d3"]
    assert [each["type"] for each in document["candidates"]] == document["types"]
    loaded = Search.from_json(json.dumps(document), SPACE, game.ram)
    assert loaded.types == types
    assert loaded.count_by_type() == search.count_by_type()


def test_a_saved_search_is_what_its_schema_says(game: Game) -> None:
    schema = shipped("resources") / "schemas" / "search.schema.json"
    validator = Draft202012Validator(json.loads(schema.read_text(encoding="utf-8")))
    recorded = game.raw.copy()
    search = Search(SPACE, [U1, D2], game.ram, scales=True, past=lambda _: recorded)
    game.poke(0xFF8003, U1, 30)
    search.refine("changed", against="frame 12")
    search.refine("in-range", (1, 90))
    search.exclude(0xFF8010, 4)
    for snapshot in (False, True):
        if snapshot:
            search.take_snapshot()
        document = json.loads(search.to_json())
        validator.validate(document)
        for key in document:
            assert list(validator.iter_errors({**document, key: None}))
            assert list(validator.iter_errors({k: v for k, v in document.items() if k != key}))


def test_a_flag_becomes_a_candidate_with_a_mask(game: Game) -> None:
    search = Search(SPACE, BIT_FIELDS, game.ram, scales=True)
    for flags in (0b0001, 0b1001, 0b0001, 0b1001):
        game.poke(0xFF0022, U1, 0xA0 | flags)
        search.refine("equal", flags >> 3)
    field = next(row for row in search.candidates() if row.mask == 8)
    assert (field.address, field.type, field.value, field.shown) == (0xFF0022, U1, 8, 1)
    assert field.type_text == "|u1&0x08"
    assert str(field.scale) == "/8"
    assert field.number_in(0xFF) == 8
    assert 0xF0 not in {row.mask for row in search.candidates()}
    game.poke(0xFF0022, U1, 0xA1)
    assert search.preview("decreased-by", 1) == search.preview("changed") >= 1
    document = json.loads(search.to_json())
    assert document["version"] == 2
    schema = shipped("resources") / "schemas" / "search.schema.json"
    Draft202012Validator(json.loads(schema.read_text(encoding="utf-8"))).validate(document)
    loaded = Search.from_json(json.dumps(document), SPACE, game.ram)
    assert loaded.types == BIT_FIELDS
    assert [row.type_text for row in loaded.candidates()] == [
        row.type_text for row in search.candidates()
    ]
    assert loaded.refine("equal", 0) == search.refine("equal", 0)


def test_a_saved_search_that_does_not_fit_is_refused(search: Search) -> None:
    text = search.to_json()
    with pytest.raises(SearchError, match="another memory layout"):
        Search.from_json(text, AddressSpace([Region(0, 320)]), search._source)
    broken_memory = text.replace('"first": "', '"first": "A')
    for broken in ("", "[]", "{}", text.replace('"version": 1', '"version": 3'), broken_memory):
        with pytest.raises(SearchError):
            Search.from_json(broken, SPACE, search._source)
    with pytest.raises(DataTypeError):
        Search.from_json(text.replace("|u1", "?u1"), SPACE, search._source)
    document = json.loads(text)
    document["candidates"][1]["runs"] = [[0xFF00F0, 0xFF00FF]]
    with pytest.raises(AddressError, match="past the end"):
        Search.from_json(json.dumps(document), SPACE, search._source)
