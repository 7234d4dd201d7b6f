"""Conditions on memory with hit counts, in words or as RetroAchievements' strings; row filters. The
grammar and the flags are those of RetroAchievements' condition strings (docs.retroachievements.org,
"Condition syntax"): ``_`` separates conditions, ``S`` begins an alternative group, and a condition
is ``FLAG:LEFT OP RIGHT.HITS.`` Row filters use the same signs."""

import operator
import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from integrator.domain.errors import DomainError, SearchError
from integrator.domain.notes.places import Places
from integrator.domain.values.memory import DataType

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
    """A filter of table rows; ``parts`` are (column, sign, value), all of which a row must meet."""

    parts: tuple[tuple[str, str, str], ...] = ()  # without a column, all texts are searched

    @classmethod
    def parse(cls, text: str, columns: Mapping[str, bool]) -> "RowFilter":
        """Read a filter; ``columns`` says for each column if it holds numbers.

        Raises SearchError, which quotes the wrong part."""
        try:
            words = shlex.split(text)
        except ValueError as error:
            raise SearchError(f"{text}: {error}".lower()) from error
        return cls(tuple(_part(word, columns) for word in words))

    def fits(self, texts: Mapping[str, str], numbers: Mapping[str, float | None]) -> bool:
        """Return True if a row, given by columns, meets all parts; an unknown number never does."""

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


_SIZES: Final[Mapping[str, tuple[str, int, int]]] = {  # type, shift and mask of a size letter
    "H": ("|u1", 0, 0xFF),
    " ": ("<u2", 0, 0xFFFF),
    "X": ("<u4", 0, 0xFFFFFFFF),
    "W": ("<u3", 0, 0xFFFFFF),
    "I": (">u2", 0, 0xFFFF),
    "J": (">u3", 0, 0xFFFFFF),
    "G": (">u4", 0, 0xFFFFFFFF),
    "L": ("|u1", 0, 0xF),
    "U": ("|u1", 4, 0xF),
    **{letter: ("|u1", bit, 1) for bit, letter in enumerate("MNOPQRST")},
}
_COMBINED: Final[Mapping[str, Callable[[int, int], int]]] = {
    **dict.fromkeys(("", *COMPARISONS), lambda value, _: value),
    "*": operator.mul,
    "/": lambda value, by: value // by if by else 0,
    "&": operator.and_,
}
_OPERAND: Final = r"[dp]?0x[ HXWIJGLUMNOPQRSTK]?[0-9a-fA-F]+|h[0-9a-fA-F]+|v?-?\d+"

Read = Callable[[int, DataType], int]  # Returns the number at an address.


@dataclass(frozen=True, slots=True)
class Operand:
    """A constant, or, with a ``type``, the number at the address ``value``."""

    value: int
    type: DataType | None = None
    shift: int = 0
    mask: int = -1
    when: str = ""  # empty: now; d: one frame ago; p: before the number's last change
    size: str = ""


@dataclass(frozen=True, slots=True)
class StopCondition:
    """A comparison that must hold on ``hits`` frames in all, or, if that is 0, on this frame."""

    left: Operand
    op: str = ""
    right: Operand | None = None
    flag: str = ""
    hits: int = 0


Groups = tuple[tuple[StopCondition, ...], ...]
"""The core group, which must hold, then alternative groups, of which at least one must hold."""


def parse_conditions(text: str, places: Places) -> Groups:
    """Read words or RetroAchievements' string. Raises SearchError, which quotes the wrong part.

    Words are ``score >= 100 and lives < previous lives x3``: they compare names, addresses (with a
    type, as 0x312:>u2) and constants. A comparison with x3 must have held on 3 frames."""
    text = text.strip()
    if re.match(rf"(?:[A-Z]:)?(?:{_OPERAND})(?:[=<>!*/&._S(]|$)", text) and " and " not in text:
        parts = [[_read(part, places) for part in group.split("_")] for group in text.split("S")]
        return tuple(map(tuple, parts))
    worded = []
    name = r"(?:previous )?[^\s<>=!:]+(?::[<>|=]?\w+)?"
    comparison = rf"({name})\s*(!=|<=|>=|==|=|<|>)\s*({name})(?:\s+x(\d+))?"
    for part in re.split(r"\s+and\s+", text):
        match = re.fullmatch(comparison, part.strip())
        if match is None:
            raise SearchError(f"{part}: write a comparison, such as lives < 3")
        left, right = (_named(match[side], places) for side in (1, 3))
        op, hits = match[2].replace("==", "="), int(match[4] or 0)
        worded.append(StopCondition(left, op, right, hits=hits))
    return (tuple(worded),)


def _read(text: str, places: Places) -> StopCondition:
    op_and_right = rf"(!=|<=|>=|=|<|>|\*|/|&)({_OPERAND})"
    hits = r"\.(\d+)\.|\((\d+)\)"
    match = re.fullmatch(rf"(?:([RPABCNOIMTQ]):)?({_OPERAND})(?:{op_and_right})?(?:{hits})?", text)
    if match is None:
        raise SearchError(f"{text}: write a condition, such as 0xH0312<d0xH0312.3.")
    right = _term(match[4], places) if match[4] else None
    return StopCondition(
        left=_term(match[2], places),
        op=match[3] or "",
        right=right,
        flag=match[1] or "",
        hits=int(match[5] or match[6] or 0),
    )


def _term(text: str, places: Places) -> Operand:
    if (found := re.fullmatch(r"([dp]?)0x([ HXWIJGLUMNOPQRSTK]?)([0-9a-fA-F]+)", text)) is None:
        digits = text.lstrip("vh")
        return Operand(int(digits, 16 if text.startswith("h") else 10))
    when, size, digits = found.groups()
    spec, shift, mask = _SIZES.get(size or " ", ("|u1", 0, 0xFF))
    kind = DataType.parse(spec)
    address = places.of_offset(int(digits, 16), kind.width)
    return Operand(address, kind, shift, mask, when, size or " ")


def _named(text: str, places: Places) -> Operand:
    if re.fullmatch(r"-?\d+", text):
        return Operand(int(text))
    name = text.removeprefix("previous ").strip()
    when = "d" if name != text else ""
    if name in places.variables:
        address, kind = places.variables[name]
        return Operand(address, kind, when=when)
    place, _, spec = name.partition(":")
    try:
        return Operand(places.address(place), DataType.parse(spec or "|u1"), when=when)
    except DomainError as error:
        raise SearchError(f"{text}: {error}") from error


def to_string(groups: Groups, places: Places) -> str:
    """Return RetroAchievements' string. Raises SearchError for a type without a size letter."""
    return "S".join("_".join(_written(each, places) for each in group) for group in groups)


def _written(condition: StopCondition, places: Places) -> str:
    flag = f"{condition.flag}:" if condition.flag else ""
    right = condition.op + _letters(condition.right, places) if condition.right else ""
    hits = f".{condition.hits}." if condition.hits else ""
    return f"{flag}{_letters(condition.left, places)}{right}{hits}"


def _letters(term: Operand, places: Places) -> str:
    if term.type is None:
        return str(term.value)
    sizes = {str(DataType.parse(spec)): letter for letter, (spec, _, _) in _SIZES.items()}
    sizes["|u1"] = "H"
    size = term.size or sizes.get(str(term.type))
    if size is None:
        raise SearchError(f"RetroAchievements has no numbers of type {term.type}")
    return f"{term.when}0x{size}{term.value - places.work_ram:04x}"


@dataclass(slots=True)
class ConditionCounter:
    """Counts the frames on which conditions hold; ``hits`` has a count per group and condition."""

    groups: Groups
    hits: list[list[int]] = field(default_factory=list)
    _now: dict[Operand, int] = field(default_factory=dict)
    _before: dict[Operand, int] = field(default_factory=dict)
    _prior: dict[Operand, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.hits = [[0] * len(group) for group in self.groups]

    def step(self, read: Read) -> bool:
        """Count one more frame, and return True if the conditions hold on it."""
        self._before, self._now = self._now, {}
        reset = False
        held = []
        for group, hits in zip(self.groups, self.hits, strict=True):
            good, resets = self._group(group, hits, read)
            held.append(good)
            reset |= resets
        if reset:
            self.hits = [[0] * len(group) for group in self.groups]
            return False
        return held[0] and (len(held) == 1 or any(held[1:]))

    def _group(
        self, group: Sequence[StopCondition], hits: list[int], read: Read
    ) -> tuple[bool, bool]:
        good, reset, paused = True, False, False
        added, offset, chained, more_hits = 0, 0, None, 0
        for at, each in enumerate(group):
            left = self._value(each.left, read, offset) + added
            if each.flag in ("A", "B", "I"):
                value = _COMBINED[each.op](left - added, self._value(each.right, read, 0))
                added = added + value if each.flag == "A" else added - value * (each.flag == "B")
                offset = value if each.flag == "I" else 0
                continue
            right = self._value(each.right, read, offset)
            holds = COMPARISONS[each.op](left, right) if each.op in COMPARISONS else bool(left)
            if chained is not None:
                holds = chained and holds if group[at - 1].flag == "N" else chained or holds
            added = offset = 0
            if holds and (not each.hits or hits[at] < each.hits):
                hits[at] += 1
            chained = holds if each.flag in ("N", "O") else None
            if each.flag in ("N", "O"):
                continue
            if each.flag == "C":
                more_hits += hits[at]
                continue
            met = hits[at] + more_hits >= each.hits if each.hits else holds
            more_hits = 0
            paused |= met and each.flag == "P"
            reset |= met and each.flag == "R"
            good &= met or each.flag in ("P", "R")
        return good and not paused, reset and not paused

    def _value(self, term: Operand | None, read: Read, offset: int) -> int:
        if term is None or term.type is None:
            return term.value if term else 0
        plain = Operand(term.value + offset, term.type, term.shift, term.mask)
        if plain not in self._now:
            number = read(plain.value, term.type)
            self._now[plain] = number >> term.shift & term.mask if term.mask >= 0 else number
            old = self._before.get(plain, self._now[plain])
            if old != self._now[plain]:
                self._prior[plain] = old
        now = self._now[plain]
        if term.when == "d":
            return self._before.get(plain, now)
        return self._prior.get(plain, now) if term.when == "p" else now
