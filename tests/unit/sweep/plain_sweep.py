"""The oracle of the search kernel: every number decoded, then compared with plain numpy.

Steps of the widest types are made with Python's own numbers, because they need more than 64 bits.
The oracle knows no scales: `test_refine.py` compares those with plain Python, address by address.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from integrator.domain.sweep.readings import FloatType, SearchType
from integrator.domain.values.memory import MAX_WIDTH

Numbers = NDArray[Any]
_SPANS = np.lib.stride_tricks.sliding_window_view

_MEANINGS: dict[str, Callable[[Numbers, Numbers, Any], Any]] = {
    "equal": lambda now, _before, value: now == value,
    "not-equal": lambda now, _before, value: now != value,
    "less-than": lambda now, _before, value: now < value,
    "less-or-equal": lambda now, _before, value: now <= value,
    "greater-than": lambda now, _before, value: now > value,
    "greater-or-equal": lambda now, _before, value: now >= value,
    "in-range": lambda now, _before, value: (now >= value[0]) & (now <= value[1]),
    "increased-by": lambda now, before, value: now - before == value,
    "decreased-by": lambda now, before, value: before - now == value,
    "different-by": lambda now, before, value: abs(now - before) == value,
    "modulo": lambda now, _before, value: now % value[0] == value[1],
    "bit-set": lambda now, _before, value: (now >> value) % 2 == 1,
    "bit-clear": lambda now, _before, value: (now >> value) % 2 == 0,
    "changed": lambda now, before, _value: now != before,
    "unchanged": lambda now, before, _value: now == before,
    "increased": lambda now, before, _value: now > before,
    "decreased": lambda now, before, _value: now < before,
}
_REAL_MEANINGS: dict[str, Callable[[Numbers, Numbers, Any], Any]] = {
    "equal": lambda now, _before, value: _is_shown_as(now, value),
    "not-equal": lambda now, _before, value: ~_is_shown_as(now, value) & ~np.isnan(now),
    "less-or-equal": lambda now, _before, value: (now < value) | _is_shown_as(now, value),
    "greater-or-equal": lambda now, _before, value: (now > value) | _is_shown_as(now, value),
    "in-range": lambda now, _before, value: (
        ((now > value[0]) | _is_shown_as(now, value[0]))
        & ((now < value[1]) | _is_shown_as(now, value[1]))
    ),
    "increased-by": lambda now, before, value: abs(now - before - value) < 1,
    "decreased-by": lambda now, before, value: abs(now - before + value) < 1,
    "different-by": lambda now, before, value: (
        (abs(now - before - value) < 1) | (abs(now - before + value) < 1)
    ),
    "changed": lambda now, before, _value: (now != before) & ~np.isnan(now) & ~np.isnan(before),
}
WHOLE_NUMBERS_ONLY = {"modulo", "bit-set", "bit-clear"}


def _is_shown_as(number: Numbers, shown: int) -> Any:
    half_up, half_down = np.floor(number + 0.5), np.ceil(number - 0.5)
    return (half_up == shown) | (half_down == shown) | (np.trunc(number) == shown)


class PlainSweep:
    """Comparisons of one memory with an earlier one; bytes that differ changed once."""

    def __init__(self, now: NDArray[np.uint8], before: NDArray[np.uint8]) -> None:
        self._memories = (now, before)
        self._decoded: dict[SearchType, tuple[Numbers, Numbers]] = {}

    def positions(self, kind: SearchType, op: str, value: Any) -> NDArray[np.intp]:
        """Addresses whose numbers of a type satisfy a comparison, as a mask."""
        now, before = self._memories
        if len(now) < kind.width:
            return np.empty(0, np.intp)
        if op == "changed-times":
            changes = _SPANS(now != before, kind.width).any(axis=1)
            low, high = value if isinstance(value, tuple) else (value, value)
            return np.flatnonzero((changes >= low) & (changes <= high))
        is_real = isinstance(kind, FloatType)
        if is_real and op in WHOLE_NUMBERS_ONLY:
            return np.empty(0, np.intp)
        meaning = _REAL_MEANINGS.get(op, _MEANINGS[op]) if is_real else _MEANINGS[op]
        numbers = self._numbers(kind)
        if op.endswith("-by") and kind.width == MAX_WIDTH:
            numbers = numbers[0].astype(object), numbers[1].astype(object)
        with np.errstate(invalid="ignore", over="ignore"):
            return np.flatnonzero(meaning(*numbers, value))

    def _numbers(self, kind: SearchType) -> tuple[Numbers, Numbers]:
        if kind not in self._decoded:
            now, before = (kind.decode_array(_SPANS(each, kind.width)) for each in self._memories)
            self._decoded[kind] = now, before
        return self._decoded[kind]
