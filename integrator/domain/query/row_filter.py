"""Filters of lists: words, ``column:word`` and conditions such as ``return<100``."""

import operator
import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from integrator.domain.errors import SearchError

COMPARISONS: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "=": operator.eq,
    "!=": operator.ne,
}


@dataclass(frozen=True, slots=True)
class RowFilter:
    """Parts that a row must fulfill, all of them.

    A row is given as its texts and, where a column has numbers, their values, by column.
    """

    parts: tuple[tuple[str, str, str], ...] = ()

    @classmethod
    def parse(cls, text: str, columns: Mapping[str, bool]) -> "RowFilter":
        """Read a filter; ``columns`` are names, and whether they hold numbers.

        Raises SearchError that names the part.
        """
        try:
            words = shlex.split(text)
        except ValueError as error:
            raise SearchError(f"{text}: {error}".lower()) from error
        return cls(tuple(_part(word, columns) for word in words))

    def fits(self, texts: Mapping[str, str], numbers: Mapping[str, float | None]) -> bool:
        """True when a row fulfills all parts; an unknown number fulfills no condition."""

        def holds(name: str, op: str, value: str) -> bool:
            if op != ":" and name in numbers:
                number = numbers[name]
                return number is not None and COMPARISONS[op](number, float(value))
            if op in ("=", "!="):
                return (texts[name].lower() == value) is (op == "=")
            return any(value in texts[each].lower() for each in ([name] if name else texts))

        return all(holds(*part) for part in self.parts)


def _part(word: str, columns: Mapping[str, bool]) -> tuple[str, str, str]:
    match = re.fullmatch(r"([A-Za-z]+)(<=|>=|!=|<|>|=|:)(.*)", word, re.DOTALL)
    if match is None:
        return "", ":", word.lower()
    name, op, value = match[1].lower(), match[2], match[3].lower()
    if name not in columns:
        raise SearchError(f"{word}: no column {name}; there are {', '.join(columns)}")
    if op != ":" and columns[name]:
        try:
            float(value)
        except ValueError as error:
            raise SearchError(f"{word}: write a number after {op}") from error
    elif op not in (":", "=", "!="):
        raise SearchError(f"{word}: {name} is a text; write {name}:{value or 'word'}")
    return name, op, value
