"""Facts as one line of text, as somebody types them beside the screen: ``300 = 1200``.

A line is a frame, or two frames with ``..`` between them (both included), and what the number did:

=========================  ====================================================================
``300 = 1200``             it was 1200 at frame 300 (``300: 1200`` says the same)
``512: 3 -> 2``            it went from 3 to 2 shortly before frame 512
``500..512: 3 -> 2``       it was 3 at frame 500 and 2 at frame 512
``300..400 changed``       it is another at the end than at the start
``300..400 up``            it is higher at the end (``down``: lower)
``300..400 unchanged``     it stayed the same on every frame
``300..400 only grows``    it never went down from one frame to the next (``only falls``: up)
=========================  ====================================================================

Empty lines say nothing, and neither does what follows a ``#``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from integrator.domain.errors import SearchError
from integrator.domain.query.recorded.facts import (
    Changed,
    Decreases,
    Equals,
    Fact,
    Increases,
    OnlyFalls,
    OnlyGrows,
    Transition,
    Unchanged,
)

LAG_FRAMES: Final = 30
"""Half a second: ``512: 3 -> 2`` says that the old number was seen within so many frames before.

Games change a number some frames before its digits are redrawn, and nobody stops on the very frame.
"""

_LINE: Final = re.compile(
    r"(?P<start>\d+) \s* (?:\.\. \s* (?P<end>\d+))? \s* [:=]? \s* (?P<what>.*)", re.VERBOSE
)
_NUMBER: Final = re.compile(r"-?\d+")
_STEP: Final = re.compile(r"(-?\d+)\s*(?:->|→)\s*(-?\d+)")
_BETWEEN: Final[Mapping[str, Callable[[int, int], Fact]]] = {
    "changed": Changed,
    "up": Increases,
    "down": Decreases,
}
_THROUGHOUT: Final[Mapping[str, Callable[[int, int], Fact]]] = {
    "unchanged": Unchanged,
    "only grows": OnlyGrows,
    "only falls": OnlyFalls,
}
_CURE: Final = (
    "write it as 300 = 1200, 512: 3 -> 2, 300..400 unchanged, or with changed, up, down, "
    "only grows or only falls"
)


def parse_facts(text: str) -> tuple[Fact, ...]:
    """One fact a line. Raises SearchError that quotes the line that can not be read."""
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    return tuple(parse_fact(line) for line in lines if line)


def parse_fact(line: str) -> Fact:
    """The fact in one line. Raises SearchError that quotes it and shows the ways to write one."""
    match = _LINE.fullmatch(line.strip())
    if match is None:
        raise SearchError(f"{line!r} is no fact; {_CURE}")
    start = int(match["start"])
    what = " ".join(match["what"].lower().split())
    if match["end"] is None:
        return _at_frame(line, start, what)
    return _in_range(line, start, int(match["end"]), what)


def fact_text(fact: Fact) -> str:
    """The line that :func:`parse_fact` reads as this fact."""
    if isinstance(fact, Equals):
        return f"{fact.frame} = {fact.value}"
    if isinstance(fact, Transition):
        return f"{fact.start}..{fact.end}: {fact.before} -> {fact.after}"
    for words, kind in _THROUGHOUT.items():
        if isinstance(fact, (Unchanged, OnlyGrows, OnlyFalls)) and type(fact) is kind:
            return f"{fact.start}..{fact.stop - 1} {words}"
    for words, kind in _BETWEEN.items():
        if isinstance(fact, (Changed, Increases, Decreases)) and type(fact) is kind:
            return f"{fact.start}..{fact.end} {words}"
    raise SearchError(f"there is no text for {fact!r}")


def _at_frame(line: str, frame: int, what: str) -> Fact:
    if _NUMBER.fullmatch(what):
        return Equals(frame, int(what))
    step = _STEP.fullmatch(what)
    if step is None:
        raise SearchError(f"{line!r} is no fact about a frame; {_CURE}")
    return Transition(max(0, frame - LAG_FRAMES), frame, int(step[1]), int(step[2]))


def _in_range(line: str, start: int, end: int, what: str) -> Fact:
    if end <= start:
        raise SearchError(f"{line!r} has its end before its start; write the earlier frame first")
    step = _STEP.fullmatch(what)
    if step is not None:
        return Transition(start, end, int(step[1]), int(step[2]))
    if what in _THROUGHOUT:
        return _THROUGHOUT[what](start, end + 1)
    if what in _BETWEEN:
        return _BETWEEN[what](start, end)
    raise SearchError(f"{line!r} is no fact about a range; {_CURE}")
