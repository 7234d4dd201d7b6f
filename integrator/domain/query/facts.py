"""Facts about a number over recorded frames, as a person who watched the screen would state them.

Frames are numbered as in the timeline. Numbers are shown numbers: those on the screen, which memory
may store at another scale. A fact is one line of text: a frame, or two frames with ``..`` between
them (both included), and the number or its behavior:

=========================  ====================================================================
``300 = 1200``             it was 1200 at frame 300 (``300: 1200`` says the same)
``512: 3 -> 2``            it went from 3 to 2 shortly before frame 512
``500..512: 3 -> 2``       it was 3 at frame 500 and 2 at frame 512
``300..400 changed``       its numbers at frames 300 and 400 are different
``300..400 up``            it is higher at frame 400 than at frame 300 (``down``: lower)
``300..400 unchanged``     it stayed the same on every frame
``300..400 only grows``    it never went down from frame to frame (``only falls``: never up)
=========================  ====================================================================

Empty lines, and the text after a ``#``, are ignored."""

import re
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import SearchError

# ``512: 3 -> 2`` says that the old number was there half a second before frame 512: games redraw
# digits some frames after the number changes, and nobody pauses exactly on the frame of a change.
_LAG_FRAMES: Final = 30


@dataclass(frozen=True, slots=True)
class Equals:
    """The number is ``value`` at ``frame``."""

    frame: int
    value: int

    @property
    def frames(self) -> tuple[int, ...]:
        return (self.frame,)

    def __str__(self) -> str:
        return f"{self.value} at frame {self.frame}"


@dataclass(frozen=True, slots=True)
class Transition:
    """The number goes from ``before`` at ``start`` to ``after`` at ``end``."""

    start: int
    end: int
    before: int
    after: int

    @property
    def frames(self) -> tuple[int, ...]:
        return self.start, self.end

    def __str__(self) -> str:
        return f"{self.before} at frame {self.start} becomes {self.after} at frame {self.end}"


class Relation(NamedTuple):
    """A relation of two numbers: ``op`` compares them, and ``step`` their difference with 0.
    ``said`` is the relation in words. If ``whole`` is true, each number of a range must have the
    relation to the number before it, otherwise only the last number to the first."""

    op: str
    step: np.ufunc
    said: str
    whole: bool = False


RELATIONS: Final = {  # by their words in a line of text
    "changed": Relation("changed", np.not_equal, "changed"),
    "up": Relation("increased", np.greater, "went up"),
    "down": Relation("decreased", np.less, "went down"),
    "unchanged": Relation("equal", np.equal, "unchanged", whole=True),
    "only grows": Relation("greater-or-equal", np.greater_equal, "never goes down", whole=True),
    "only falls": Relation("less-or-equal", np.less_equal, "never goes up", whole=True),
}


@dataclass(frozen=True, slots=True)
class Trend:
    """From frame ``start`` to ``end``, the number behaves as ``word``, a key of RELATIONS, says."""

    start: int
    end: int
    word: str

    def __post_init__(self) -> None:
        if self.relation.whole and self.end <= self.start:
            raise SearchError(
                f"frames {self.start} to {self.end} are no range: give at least two frames"
            )

    @property
    def relation(self) -> Relation:
        return RELATIONS[self.word]

    @property
    def frames(self) -> tuple[int, ...]:
        return self.start, self.end

    @property
    def spans(self) -> tuple[tuple[int, int], ...]:
        """The frames that the fact is about, as spans [start, stop)."""
        if self.relation.whole:
            return ((self.start, self.end + 1),)
        return (self.start, self.start + 1), (self.end, self.end + 1)

    def holds(self, steps: NDArray[np.int64]) -> bool:
        """Return True if the fact holds for a shown number that makes these steps in its spans."""
        return bool(self.relation.step(steps, 0).all())

    def __str__(self) -> str:
        where = "in frames" if self.relation.whole else "from frame"
        return f"{self.relation.said} {where} {self.start} to {self.end}"


Fact = Equals | Transition | Trend  # a statement about a number on its ``frames``
_CURE: Final = (
    "write it as 300 = 1200, 512: 3 -> 2, 300..400 unchanged, or with changed, up, down, "
    "only grows or only falls"
)


def parse_facts(text: str) -> tuple[Fact, ...]:
    """Read one fact per line. Raises SearchError, which quotes the line that cannot be read."""
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    return tuple(parse_fact(line) for line in lines if line)


def parse_fact(line: str) -> Fact:
    """Read a fact from one line. Raises SearchError, which shows how facts are written."""
    match = re.fullmatch(r"(\d+)\s*(?:\.\.\s*(\d+))?\s*[:=]?\s*(.*)", line.strip())
    if match is None:
        raise SearchError(f"{line!r} is no fact; {_CURE}")
    start, what = int(match[1]), " ".join(match[3].lower().split())
    end = None if match[2] is None else int(match[2])
    step = re.fullmatch(r"(-?\d+)\s*(?:->|→)\s*(-?\d+)", what)
    if end is None:
        if re.fullmatch(r"-?\d+", what):
            return Equals(start, int(what))
        if step is None:
            raise SearchError(f"{line!r} is no fact about a frame; {_CURE}")
        return Transition(max(0, start - _LAG_FRAMES), start, int(step[1]), int(step[2]))
    if end <= start:
        raise SearchError(f"{line!r} has its end before its start; write the earlier frame first")
    if step is not None:
        return Transition(start, end, int(step[1]), int(step[2]))
    if what in RELATIONS:
        return Trend(start, end, what)
    raise SearchError(f"{line!r} is no fact about a range; {_CURE}")


def fact_text(fact: Fact) -> str:
    if isinstance(fact, Equals):
        return f"{fact.frame} = {fact.value}"
    if isinstance(fact, Transition):
        return f"{fact.start}..{fact.end}: {fact.before} -> {fact.after}"
    return f"{fact.start}..{fact.end} {fact.word}"
