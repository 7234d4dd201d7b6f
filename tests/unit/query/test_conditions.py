"""Conditions with hit counts mean what RetroAchievements says, and go both ways."""

import pytest

from integrator.domain.errors import SearchError
from integrator.domain.notes.places import Places
from integrator.domain.query.conditions import ConditionCounter, parse_conditions, to_string
from integrator.domain.values.memory import AddressSpace, DataType, Region

PLACES = Places(
    AddressSpace([Region(0x0, 0x800, "RAM")]),
    0,
    {"score": (0x306, DataType.parse("<u2")), "lives": (0x302, DataType.parse("|u1"))},
)


def frames(text: str, *memory: dict[int, int]) -> list[bool]:
    """For each frame, whether the conditions hold on it."""
    counter = ConditionCounter(parse_conditions(text, PLACES))
    held = []
    ram = bytearray(0x800)

    def read(address: int, kind: DataType) -> int:
        return int(kind.decode(bytes(ram[address : address + kind.width])))

    for frame in memory:
        for address, value in frame.items():
            ram[address] = value
        held.append(counter.step(read))
    return held


def lives(*values: int) -> list[dict[int, int]]:
    return [{0x302: value} for value in values]


@pytest.mark.parametrize(
    ("text", "values", "held"),
    [
        ("lives < previous lives", (3, 3, 2, 2), [False, False, True, False]),
        ("0xH0302<d0xH0302", (3, 3, 2, 2), [False, False, True, False]),
        ("lives = 2 x2", (2, 1, 2, 2), [False, False, True, True]),
        ("0xH0302=2.2.", (2, 1, 2, 2), [False, False, True, True]),
        ("0xH0302=2.2._R:0xH0302=1", (2, 1, 2, 2), [False, False, False, True]),
        ("0xH0302=2.2._P:0xH0303=0", (2, 2, 2), [False, False, False]),
        ("0xH0302=1S0xH0303=1S0xH0303=0", (1, 2), [True, False]),
        ("N:0xH0302>1_0xH0302<4.2.", (1, 2, 3), [False, False, True]),
        ("A:0xH0303_0xH0302=2", (2, 3), [True, False]),
        ("p0xH0302=3_0xH0302=2", (3, 2, 2), [False, True, True]),
        ("0xU0302=1_0xL0302=2_0xM0302=0", (0x12,), [True]),
    ],
)
def test_hits_and_flags(text: str, values: tuple[int, ...], held: list[bool]) -> None:
    assert frames(text, *lives(*values)) == held


def test_words_go_out_as_a_string_and_come_back() -> None:
    groups = parse_conditions(
        "score >= 100 and lives < previous lives x3 and 0x30c:>u2 != 5", PLACES
    )
    string = to_string(groups, PLACES)
    assert string == "0x 0306>=100_0xH0302<d0xH0302.3._0xI030c!=5"
    again = parse_conditions(string, PLACES)
    assert to_string(again, PLACES) == string


@pytest.mark.parametrize("text", ["", "nonsense", "points > 3", "0xH0302=1_Y:0xH0303=2"])
def test_a_part_that_makes_no_sense_is_named(text: str) -> None:
    with pytest.raises(SearchError):
        parse_conditions(text, PLACES)
