"""Mutations of texts: what editors, merges, disks and strangers do to files."""

from __future__ import annotations

import os

from hypothesis import strategies as st

FULL_RUN = 10_000
QUICK_RUN = 1_000
PIECES = (
    "{", "}", "[", "]", '"', ",", ":", "\\", "\0", "\ufeff", "\ud800", "\n", "null", "true", "NaN",
    "Infinity", "-", "1e999", "-0.0", "18446744073709551616", "9" * 5000, '"a":', '"info":', "é",
    "[" * 300, '{"a":' * 300, "<u2", ">q9", '"op":', '"nodes":', '"lua:"', "0x", "//", "/*",
)  # fmt: skip
LUA_PIECES = (
    "(", ")", "{", "}", "end", "function ", "while true do ", "for i=1,1e9 do ",
    "repeat until nil ",
    "local ", "return ", "data.x", "data", "scenario", "[[", "]]", "--", "--[[", '"', "\\", "\0",
    "\x1b", "\xff", "..", "=", "==", "nil", "1e308", "0/0", "string.rep('x',1e9)", "pcall(",
    "coroutine.wrap(", "setmetatable(_G,", "_G", "goto ", "error(", "table.sort(", "#", "\n",
    "string.rep", "math.huge", "collectgarbage()", "getfenv(0)", "(" * 300, "{" * 300,
)  # fmt: skip


def runs() -> int:
    """How many examples to try: the full number with INTEGRATOR_FULL=1 in the environment."""
    return FULL_RUN if os.environ.get("INTEGRATOR_FULL") else QUICK_RUN


@st.composite
def mutated(draw: st.DrawFn, seeds: tuple[str, ...], pieces: tuple[str, ...]) -> str:
    """One of ``seeds`` after one to six cuts, repetitions, swaps and insertions."""
    text = draw(st.sampled_from(seeds))
    for _ in range(draw(st.integers(1, 6))):
        start = draw(st.integers(0, len(text)))
        stop = min(len(text), start + draw(st.integers(0, 40)))
        match draw(st.integers(0, 4)):
            case 0:
                text = text[:start] + text[stop:]
            case 1:
                text = text[:start] + draw(st.sampled_from(pieces)) + text[start:]
            case 2:
                text = text[:start] + draw(st.sampled_from(pieces)) + text[stop:]
            case 3:
                text = text[:stop] + text[start:]
            case _:
                other = draw(st.sampled_from(seeds))
                text = text[:start] + other[min(start, len(other)) :]
    return text
