"""The ops of a scenario: one row each, and everything that knows ops reads it from here."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from integrator.domain.words import QT_TRANSLATE_NOOP

Ints: TypeAlias = NDArray[np.int64]

_INT64 = 1 << 64
_INT64_MIN, _INT64_MAX = -(1 << 63), (1 << 63) - 1


@dataclass(frozen=True, slots=True)
class Op:
    """One op: its name in the files, and its function on measured numbers.

    ``apply`` takes int64 numbers (n,) and the reference, and gives (n,) bool for a question, or
    numbers. ``words`` say the same to people, in the context ``HelpTexts``. Lint tries an op only
    beside its turning points, so between them ``apply`` must neither rise nor fall twice.
    """

    name: str
    apply: Callable[[Ints, int], NDArray[Any]]
    words: str
    needs_reference: bool = False

    @property
    def asks(self) -> bool:
        """The op is a question: its answers are 0 and 1."""
        return self.apply(np.zeros(1, np.int64), 0).dtype == np.bool_

    def of(self, value: int, reference: int) -> int:
        """The op's result for one number."""
        return int(self.apply(np.array([value], np.int64), reference)[0])

    def span(self, reference: int, low: float, high: float) -> tuple[int, int]:
        """Least and greatest result for numbers from ``low`` to ``high``; both may be infinite."""
        least, most = int(max(low, _INT64_MIN)), int(min(high, _INT64_MAX))
        turns = (at + step for at in (reference, -reference, 0) for step in (-1, 0, 1))
        tried = [least, most, *(turn for turn in turns if least <= turn <= most)]
        results = self.apply(np.array(tried, np.int64), reference)
        return int(results.min()), int(results.max())


def wrap_int64(value: int) -> int:
    """Wrap an int to signed 64 bits, as the arithmetic of stable-retro does."""
    return (value - _INT64_MIN) % _INT64 + _INT64_MIN


NO_OP: Final = Op(
    "",
    lambda values, _: values,
    QT_TRANSLATE_NOOP("HelpTexts", "no op: the measured number itself"),
)

OPS: Final = {
    op.name: op
    for op in (
        NO_OP,
        Op(
            "equal",
            np.equal,
            QT_TRANSLATE_NOOP("HelpTexts", "1 when it is the reference, else 0"),
            needs_reference=True,
        ),
        Op(
            "not-equal",
            np.not_equal,
            QT_TRANSLATE_NOOP("HelpTexts", "1 when it is not the reference, else 0"),
            needs_reference=True,
        ),
        Op(
            "less-than",
            np.less,
            QT_TRANSLATE_NOOP("HelpTexts", "1 when it is below the reference, else 0"),
            needs_reference=True,
        ),
        Op(
            "less-or-equal",
            np.less_equal,
            QT_TRANSLATE_NOOP("HelpTexts", "1 when it is the reference or below, else 0"),
            needs_reference=True,
        ),
        Op(
            "greater-than",
            np.greater,
            QT_TRANSLATE_NOOP("HelpTexts", "1 when it is above the reference, else 0"),
            needs_reference=True,
        ),
        Op(
            "greater-or-equal",
            np.greater_equal,
            QT_TRANSLATE_NOOP("HelpTexts", "1 when it is the reference or above, else 0"),
            needs_reference=True,
        ),
        Op(
            "negative-equal",
            lambda values, reference: values == wrap_int64(-reference),
            QT_TRANSLATE_NOOP(
                "HelpTexts",
                "1 when it is the reference with its sign turned: with reference 1, a life "
                "that was lost (-1)",
            ),
            needs_reference=True,
        ),
        Op(
            "zero",
            lambda values, _: values == 0,
            QT_TRANSLATE_NOOP(
                "HelpTexts",
                "1 when it is 0. Lives that are counted from 0 are 0 while the last one is played",
            ),
        ),
        Op(
            "nonzero",
            lambda values, _: values != 0,
            QT_TRANSLATE_NOOP("HelpTexts", "1 when it is anything but 0"),
        ),
        Op(
            "positive",
            lambda values, _: values > 0,
            QT_TRANSLATE_NOOP("HelpTexts", "1 when it is above 0"),
        ),
        Op(
            "negative",
            lambda values, _: values < 0,
            QT_TRANSLATE_NOOP(
                "HelpTexts", "1 when it is below 0: needs a type with a sign, such as |i1"
            ),
        ),
        Op(
            "sign",
            lambda values, _: np.sign(values),
            QT_TRANSLATE_NOOP("HelpTexts", "-1, 0 or 1: the direction without the amount"),
        ),
    )
}
"""Every op by its name, in the order of menus and help."""
