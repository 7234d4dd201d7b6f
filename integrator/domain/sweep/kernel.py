"""Hands questions to the compiled kernel and makes sets of its answers.

Other threads run while the kernel does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.sweep import _kernel  # type: ignore[attr-defined]  # compiled C
from integrator.domain.sweep.questions import Question
from integrator.domain.sweep.sets import CandidateSet, empty, is_few, packed_length

ffi, lib = _kernel.ffi, _kernel.lib

Asked = tuple[Question, CandidateSet]
"""A question and the candidates that it is asked about."""
_Row = NDArray[np.uint64]

_QUESTIONS_AT_ONCE: Final = 32
_ROWS_AT_ONCE: Final = 8


class Kernel:
    """Answers questions about memory, each uint8 of shape (bytes,), which must stay unchanged."""

    def __init__(self, now: NDArray[np.uint8], before: NDArray[np.uint8] | None) -> None:
        self._size = len(now)
        # The structure holds bare pointers: these keep what they point to.
        self._now = _pointer("uint8_t[]", np.ascontiguousarray(now))
        self._before = (
            ffi.NULL if before is None else _pointer("uint8_t[]", np.ascontiguousarray(before))
        )
        self._memory = ffi.new("memory *", (self._now, self._before, self._size))

    def answers(self, asked: Iterable[Asked]) -> list[CandidateSet]:
        """For each question, those of its candidates that pass."""
        nothing = empty(self._size)
        found: list[CandidateSet] = []
        many: list[tuple[int, bytes, CandidateSet]] = []
        for question, candidates in asked:
            if isinstance(question, bool) or not candidates.count:
                found.append(candidates if question else nothing)
            elif candidates.few is not None:
                found.append(self._pick(question, candidates.few))
            else:
                many.append((len(found), question, candidates))
                found.append(nothing)
        rows = _Rows(self._size)
        for first in range(0, len(many), _QUESTIONS_AT_ONCE):
            group = many[first : first + _QUESTIONS_AT_ONCE]
            for (number, _, _), left in zip(group, self._sweep(group, rows), strict=True):
                found[number] = left
        return found

    def _pick(self, question: bytes, positions: NDArray[np.uint32]) -> CandidateSet:
        left = np.empty(len(positions), np.uint32)
        count = lib.pick(
            self._memory,
            ffi.from_buffer("question[]", question),
            _pointer("uint32_t[]", positions),
            len(positions),
            _pointer("uint32_t[]", left),
        )
        return CandidateSet.of_positions(left[:count].copy(), self._size)

    def _sweep(
        self, group: Sequence[tuple[int, bytes, CandidateSet]], rows: _Rows
    ) -> list[CandidateSet]:
        candidates = [_pointer("uint64_t[]", each.bits) for _, _, each in group]
        left = [rows.take() for _ in group]
        pointers = [_pointer("uint64_t[]", row) for row in left]
        counts = ffi.new("uint64_t[]", len(group))
        lib.sweep(
            self._memory,
            ffi.from_buffer("question[]", b"".join(question for _, question, _ in group)),
            len(group),
            ffi.new("uint64_t *[]", candidates),
            ffi.new("uint64_t *[]", pointers),
            counts,
        )
        return [rows.as_set(row, count) for row, count in zip(left, counts, strict=True)]


class _Rows:
    """Empty bitmaps, cut from blocks so large that the system maps them in few large pages.

    A comparison with scales may leave a hundred bitmaps of a megabyte: mapped in small pages, that
    would take a quarter of its time, and stall the threads that run the game.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._free: list[_Row] = []

    def take(self) -> _Row:
        """A bitmap without members."""
        if not self._free:
            self._free = list(np.zeros((_ROWS_AT_ONCE, packed_length(self._size) // 8), np.uint64))
        return self._free.pop()

    def as_set(self, row: _Row, count: int) -> CandidateSet:
        """The set of a bitmap with so many members, which it owns or which is given back."""
        if not is_few(count, self._size):
            return CandidateSet(self._size, count, row.view(np.uint8), None)
        positions = np.empty(count, np.uint32)
        if count:
            lib.take_positions(
                _pointer("uint64_t[]", row), len(row), _pointer("uint32_t[]", positions)
            )
        self._free.append(row)
        return CandidateSet.of_positions(positions, self._size)


def _pointer(kind: str, array: NDArray[Any]) -> Any:
    return ffi.from_buffer(kind, array)
