"""The widest plausible reading stands for those with the same numbers."""

from __future__ import annotations

import pytest

from integrator.domain.query.rank import Match, Reading, led_by_widest
from integrator.domain.sweep.readings import PLAIN, Scale
from integrator.domain.values.memory import DataType


def reading(text: str, scale: Scale = PLAIN) -> Reading:
    """A reading written as ``308 |d1``."""
    address, spec = text.split()
    return Reading(int(address, 16), DataType.parse(spec), scale)


@pytest.mark.parametrize(
    ("first", "others", "lead"),
    [
        ("308 |d1", ["308 <d2", "306 ><d4", "306 >d3", "308 <d3", "307 >d2"], "306 >d3"),
        ("25B |u1", ["25A >u2", "25A >i2", "25B <u3"], "25A >u2"),
        ("25A >u2", ["258 >u4", "25A <u4"], "258 >u4"),
        ("25A >u2", ["25B |u1", "25A >d2"], "25A >u2"),
        ("308 |u1", ["30A |u1", "309 >u2"], "308 |u1"),
        ("30E >n4", ["30C >n6", "30A >n8"], "30A >n8"),
        ("302 |u1", [], "302 |u1"),
    ],
)
def test_the_widest_plausible_reading_leads(first: str, others: list[str], lead: str) -> None:
    front = reading(first)
    copies = tuple(map(reading, others))
    match = Match(front.address, front.type, front.scale, None, copies)
    led = led_by_widest(match)
    assert led.readings[0] == reading(lead)
    assert sorted(map(str, led.readings)) == sorted(map(str, match.readings))


def test_another_scale_does_not_lead() -> None:
    front = reading("308 |u1")
    match = Match(0x308, front.type, PLAIN, None, (reading("307 >u2", Scale(divisor=10)),))
    assert led_by_widest(match) == match
