"""Runs our search and the wheel's on the same memory; a process of its own, as the wheel needs one.

``python search_judge.py deltas|chains|values`` prints one JSON document on the last line."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import stable_retro
from numpy.typing import NDArray

from integrator.domain.search.search import Search
from integrator.domain.values.memory import AddressSpace, DataType, Overlay, Region

BASE = 0xFF0000
SPACE = AddressSpace([Region(BASE, 0x10000)], Overlay.parse(["=", ">", 2]))
SPECS = "|u1 >u2 >u4 |i1 >i2 >i4 |d1 >d2 >d4 <d4 >d6 >d8 >n4 >n6 >n8"
TYPES = [DataType.parse(spec) for spec in SPECS.split()]
OPERATORS = (
    ("not-equal", 0, "changed", None),
    ("equal", 0, "unchanged", None),
    ("greater-than", 0, "increased", None),
    ("less-than", 0, "decreased", None),
    ("equal", 1, "increased-by", 1),
    ("equal", -1, "decreased-by", 1),
    ("negative-equal", 2, "decreased-by", 2),
    ("equal", 16, "increased-by", 16),
)
VALUES = (2, 3, 9, 12, 16, 99, 100, 128, 255, 256, 300, 1000, 1200, 65535, 100000)
Found = tuple[int, str, int, int, int]
"""Address, type, multiplier, divisor, bias."""


class Judge:
    """A game in the wheel."""

    def __init__(self) -> None:
        self.env: Any = stable_retro.make("Airstriker-Genesis-v0", render_mode=None)
        self.env.reset()
        self.env.action_space.seed(1)
        self.data: Any = self.env.data

    def ram(self) -> NDArray[np.uint8]:
        return np.frombuffer(self.data.memory.blocks[BASE], np.uint8).copy()

    def play(self, frames: int) -> None:
        for _ in range(frames):
            self.env.step(self.env.action_space.sample())

    def found(self, name: str) -> set[Found]:
        rows = self.data.get_search(name).typed_results()
        return {(address, kind, *scale) for (address, *scale), kinds in rows for kind in kinds}

    def holds(self, found: Found, value: int) -> bool:
        """True when the wheel itself reads the value there."""
        address, kind, multiplier, divisor, bias = found
        return bool(
            (self.data.memory.extract(address, kind) - bias) * divisor == value * multiplier
        )


def ours(search: Search) -> set[Found]:
    """Everything that is left, out of the saved form: rows of a million would take long to make."""
    return {
        (address, entry["type"], *scale)
        for entry in json.loads(search.to_json())["candidates"]
        for scale in entry["scales"]
        for first, last in entry["runs"]
        for address in range(first, last + 1)
    }


def deltas(judge: Judge) -> dict[str, tuple[int, int]]:
    """For each operator, after two searches: how many only the wheel, and only we, keep."""
    judge.play(100)
    result = {}
    for op, reference, our_op, value in OPERATORS:
        name = f"{op} {reference}"
        search = Search(SPACE, TYPES, judge.ram)
        judge.data.delta_search(name, "equal", 0)
        for _ in range(2):
            judge.play(20)
            judge.data.delta_search(name, op, reference)
            search.take(search.plan(our_op, value))
        theirs, mine = judge.found(name), ours(search)
        result[name] = (len(theirs - mine), len(mine - theirs))
    return result


def chains(judge: Judge) -> dict[str, tuple[int, int]]:
    """As :func:`deltas`, for operators and numbers drawn at random, one after the other."""
    rng = np.random.default_rng(11)
    judge.play(100)
    result = {}
    for chain in range(5):
        search = Search(SPACE, TYPES, judge.ram)
        name = f"chain {chain}"
        judge.data.delta_search(name, "equal", 0)
        for turn in range(3):
            number = int(rng.choice((1, 2, 3, 5, 10, 100, 256)))
            steps = (
                *OPERATORS[:4],
                ("equal", number, "increased-by", number),
                ("equal", -number, "decreased-by", number),
            )
            # A first step by a number would leave almost nothing to compare.
            op, reference, our_op, value = steps[rng.integers(0, 4 if turn == 0 else len(steps))]
            judge.play(int(rng.integers(1, 30)))
            judge.data.delta_search(name, op, reference)
            search.take(search.plan(our_op, value))
            theirs, mine = judge.found(name), ours(search)
            result[f"{name}, {turn}: {op} {reference}"] = (len(theirs - mine), len(mine - theirs))
    return result


def values(judge: Judge) -> dict[str, tuple[int, int, int]]:
    """For each value: how many we list, how many of those are wrong, how many we miss."""
    judge.play(200)
    result = {}
    for value in VALUES:
        judge.data.search(str(value), value)
        search = Search(SPACE, TYPES, judge.ram, scales=True)
        search.refine("equal", value)
        mine = ours(search)
        wrong = [found for found in mine if not judge.holds(found, value)]
        theirs = {decimal(found) for found in judge.found(str(value))}
        missed = [found for found in theirs - mine if judge.holds(found, value)]
        result[str(value)] = (len(mine), len(wrong), len(missed))
    return result


def decimal(found: Found) -> Found:
    """The wheel divides the coded number of a ``d`` type by sixteen: a tenth of the number."""
    address, kind, multiplier, divisor, bias = found
    if "d" in kind and divisor > 1:
        divisor = 10 ** round(np.log(divisor) / np.log(16))
    return address, kind, multiplier, divisor, bias


if __name__ == "__main__":
    parts: dict[str, Callable[[Judge], object]] = {
        "deltas": deltas,
        "chains": chains,
        "values": values,
    }
    print(json.dumps(parts[sys.argv[1]](Judge())))  # noqa: T201 - the answer to the parent
