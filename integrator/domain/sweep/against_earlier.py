"""Bytes of a tile against those of earlier memory: where numbers changed, grew, or made a step."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from integrator.domain.sweep.masks import SIGNED, Masks, Words, digits_kind, shifted, told_by_digits
from integrator.domain.sweep.ops import Predicate
from integrator.domain.sweep.planes import base_of
from integrator.domain.sweep.readings import SearchType
from integrator.domain.sweep.sets import Mask


class Pair:
    """Answers about ``current`` beside ``reference``, for every start address, packed.

    ``nowhere`` is the one object that says "at no address", so that it can be told by identity.
    """

    def __init__(
        self, current: NDArray[np.uint8], reference: NDArray[np.uint8], nowhere: Words
    ) -> None:
        self._current = current
        self._reference = reference
        differs = current != reference
        self._is_still = not differs.any()
        self._nowhere = nowhere
        self._now, self._before = Masks(), Masks()
        self._unions: dict[tuple[str, int], Words] = {}
        self._orders: dict[tuple[str, tuple[int, ...]], Words] = {}
        self._now.put(("differs", "u"), differs)

    def answer(self, data_type: SearchType, predicate: Predicate) -> Words:
        """Where the number now satisfies a relation to, or is a step from, the earlier one."""
        if self._is_still:
            return ~self._nowhere if predicate.on_same else self._nowhere
        if predicate.subject == "step" and predicate.low:
            found = self._stepped(data_type, predicate.low)
            if predicate.op == "different-by":
                found = found | self._stepped(data_type, -predicate.low)
            return found
        return self._related(data_type, "equal" if predicate.subject == "step" else predicate.op)

    def _related(self, data_type: SearchType, op: str) -> Words:
        changed = self._changed(digits_kind(data_type), data_type.width)
        match op:
            case "equal":
                return ~changed
            case "not-equal":
                return changed
            case "greater-than":
                return self._above(data_type)
            case "less-or-equal":
                return ~self._above(data_type)
            case "less-than":
                return changed & ~self._above(data_type)
        return ~changed | self._above(data_type)

    def _changed(self, kind: str, width: int) -> Words:
        """Where any of ``width`` digits differs."""
        if width == 1:
            return self._differs(kind, 0)
        if (kind, width) not in self._unions:
            half = width // 2
            rest = shifted(self._changed(kind, width - half), half)
            self._unions[kind, width] = self._changed(kind, half) | rest
        return self._unions[kind, width]

    def _above(self, data_type: SearchType) -> Words:
        """Where the number grew."""
        key = (data_type.kind, data_type.order)
        if key not in self._orders:
            self._orders[key] = told_by_digits(data_type, self._grew, self._differs)
        return self._orders[key]

    # -- steps ------------------------------------------------------------------------------

    def _stepped(self, data_type: SearchType, step: int) -> Words:
        """Where the number now is the earlier one plus ``step``, which is not zero."""
        kind = digits_kind(data_type)
        if abs(step) >= base_of(kind) ** data_type.width:
            return self._nowhere
        first = SIGNED if data_type.minimum < 0 else kind
        return self._moved_all(kind, first, data_type.order, step)

    def _moved_all(self, kind: str, first: str, order: tuple[int, ...], step: int) -> Words:
        """Where the digits ``order`` make a number that is now higher by exactly ``step``.

        The lowest digit came on by its part of the step, or by that less a whole base and the ones
        above it by one more. Narrow numbers that make small steps are shared by all wide ones.
        """
        if len(order) == 1:
            return self._moved(first, step, order[0])
        start = min(order)
        normal = tuple(index - start for index in order)

        def made() -> Words:
            *above, lowest = normal
            sign = 1 if step > 0 else -1
            base = base_of(kind)
            more, part = divmod(abs(step), base)
            found = self._nowhere
            for by, carried in ((part, more), (part - base, more + 1)):
                if abs(by) == base or carried >= base ** len(above):
                    continue
                rest = self._moved_all(kind, first, tuple(above), sign * carried)
                found = found | (self._moved(kind, sign * by, lowest) & rest)
            return found

        return self._now.at_words(("stepped", kind, first, normal, step), start, made)

    def _moved(self, kind: str, by: int, index: int) -> Words:
        """Where a digit is now higher by exactly ``by``."""
        if by == 0:
            return ~self._differs("u" if kind == SIGNED else kind, index)
        if abs(by) >= base_of("u" if kind == SIGNED else kind):
            return self._nowhere

        def moved() -> Mask:
            now, before = self._rows(kind)
            distance = now.view(np.uint8) - before.view(np.uint8)
            found: Mask = distance == by % 256
            found &= (now > before) if by > 0 else (now < before)
            return found

        return self._now.at(("moved", kind, by), index, moved)

    # -- digits -----------------------------------------------------------------------------

    def _differs(self, kind: str, index: int) -> Words:
        return self._now.at(("differs", kind), index, lambda: np.not_equal(*self._rows(kind)))

    def _grew(self, kind: str, index: int) -> Words:
        return self._now.at(("grew", kind), index, lambda: np.greater(*self._rows(kind)))

    def _rows(self, kind: str) -> tuple[NDArray[Any], NDArray[Any]]:
        """Digits now and before."""
        if kind == SIGNED:
            return self._current.view(np.int8), self._reference.view(np.int8)
        return self._now.digits(kind, self._current), self._before.digits(kind, self._reference)
