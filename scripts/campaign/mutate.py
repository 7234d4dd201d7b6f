"""Mutations that know the structure of their input: texts, JSON values and bytes.

All draw from a ``random.Random`` alone, so that a seed and a number name an input for ever."""

from __future__ import annotations

import copy
import json
from collections.abc import Sequence
from random import Random
from typing import Any, Final

PIECES: Final = (
    "{", "}", "[", "]", '"', ",", ":", "\\", "\0", "\ufeff", "\ud800", "\n", "null", "true", "NaN",
    "Infinity", "-Infinity", "-", "1e999", "-0.0", "18446744073709551616", "9" * 5000, '"a":',
    '"info":', "é", "[" * 300, '{"a":' * 300, "[" * 30_000, "<u2", ">q9", '"op":', '"nodes":',
    '"lua:"', "0x", "//", "/*", "\r", "\u2028", "\x1b[2J", "x" * 3000,
)  # fmt: skip
LUA_PIECES: Final = (
    "(", ")", "{", "}", "end", "function ", "while true do ", "for i=1,1e9 do ",
    "repeat until nil ", "local ", "return ", "data.x", "data", "scenario", "[[", "]]", "--",
    "--[[", '"', "\\", "\0", "\x1b", "\xff", "..", "=", "==", "nil", "1e308", "0/0",
    "string.rep('x',1e9)", "pcall(", "coroutine.wrap(", "setmetatable(_G,", "_G", "goto ",
    "error(", "table.sort(", "#", "\n", "string.rep", "math.huge", "collectgarbage()",
    "getfenv(0)", "(" * 300, "{" * 300, "table.insert({}, 1e15, 1)", "__tostring", "__index",
    "getmetatable('').", "data[tostring(i)] = i ", "string.format('%99999d', 1)", "load(",
)  # fmt: skip
LINE_PIECES: Final = (
    "|", "||", "|0|", ".", "\n", "\r\n", "\0", "[Input]", "[/Input]", "LogKey:", "#", "P1 ",
    "P9 A|", "P0 Up|", "99999999999999999999", "-1", "version 3", "port0 2", "binary 1",
    "fourscore 1", "\ufeff", "é", "|R.......|", "Platform Genesis\n", "x" * 5000, " ", "Reset|",
)  # fmt: skip

_MOST_INDENTED: Final = 100_000
"""Characters of a JSON file that may be indented."""
_MOST_VALUES: Final = 5_000_000
_BIG: Final = "9" * 400
_WEIRD: Final[tuple[Any, ...]] = (
    None, True, False, 0, -1, 1, 255, 2**31, 2**32, 2**63 - 1, 2**63, 2**64, -(2**63) - 1, 10**30,
    10**400, 0.0, -0.0, 0.5, 1e308, 5e-324, float("inf"), float("-inf"), float("nan"), "", "\0",
    "a\0b", "../x", "/etc/passwd", "..", ".", "\ud800", "é", "\u2028", "a\nb", "x" * 300,
    "y" * 5000, _BIG, "NaN", "0x10", "<u2", ">u2", "|u1", ">n6", "<>u4", ">q9", "u", "|u99999999",
    "lua:f", "any", "all", "equal", "zero", "delta", "measurement", "A", "START", "rom.nes",
    "name\\with\\back", "con", "a/b", "~", "$HOME", "%s%n", "{}", "{0}", "\x1b[2J",
    [], {}, [[]], [{}], {"": 0}, {"a": None}, [0] * 300, {"op": "equal", "reference": 1},
    {"address": 0, "type": "|u1"}, {"variables": {"score": {"reward": 1}}},
)  # fmt: skip
_KEYS: Final = (
    "", "\0", "a\0b", "x" * 300, "y" * 5000, "é", "\ud800", "../x", "info", "address", "type",
    "mask", "reward", "rewards", "penalty", "done", "variables", "nodes", "condition", "op",
    "reference", "measurement", "crop", "actions", "scripts", "script", "default_state",
    "default_player_state", "format", "version", "__proto__", "a\nb", "lua",
)  # fmt: skip
_EDGES: Final = (0, 1, 0x7F, 0x80, 0xFF, 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)


def mutated_text(rng: Random, seeds: Sequence[str], pieces: Sequence[str]) -> str:
    """One of ``seeds`` after one to six cuts, repetitions, swaps and insertions."""
    text = rng.choice(seeds)
    for _ in range(rng.randint(1, 6)):
        start = rng.randint(0, len(text))
        stop = min(len(text), start + rng.randint(0, 40))
        match rng.randrange(5):
            case 0:
                text = text[:start] + text[stop:]
            case 1:
                text = text[:start] + rng.choice(pieces) + text[start:]
            case 2:
                text = text[:start] + rng.choice(pieces) + text[stop:]
            case 3:
                text = text[:stop] + text[start:]
            case _:
                other = rng.choice(seeds)
                text = text[:start] + other[min(start, len(other)) :]
    return text


def encoded(text: str) -> bytes:
    """UTF-8 in which half a surrogate pair stays unchanged, so that it reaches the reader."""
    return text.encode("utf-8", "surrogatepass")


def mutated_value(rng: Random, value: Any) -> Any:
    """A JSON value after one to four changes at random places in its tree."""
    value = json.loads(json.dumps(value))
    for _ in range(rng.randint(1, 4)):
        value = _change(rng, value)
    # Repeated three times over, a list takes minutes to write.
    return None if _is_endless(value) else value


def _is_endless(value: Any) -> bool:
    """True for a tree of more than _MOST_VALUES."""
    left, count = [value], 0
    while left and count <= _MOST_VALUES:
        part = left.pop()
        count += 1
        if isinstance(part, dict | list):
            left += part.values() if isinstance(part, dict) else part
    return bool(left)


def _change(rng: Random, value: Any) -> Any:
    # Going down more often than not reaches the leaves of small documents evenly enough.
    if isinstance(value, dict) and value and rng.random() < 0.8:
        key = rng.choice(list(value))
        match rng.randrange(8):
            case 0:
                del value[key]
            case 1:
                value = {rng.choice(_KEYS) if k == key else k: v for k, v in value.items()}
            case 2:
                value[rng.choice(_KEYS)] = _weird(rng)
            case _:
                value[key] = _change(rng, value[key])
        return value
    if isinstance(value, list) and value and rng.random() < 0.8:
        at = rng.randrange(len(value))
        match rng.randrange(8):
            case 0:
                del value[at]
            case 1:
                value.insert(at, value[at])
            case 2:
                value *= rng.choice((2, 20, 300)) if len(value) < 10 else 1
            case _:
                value[at] = _change(rng, value[at])
        return value
    return _weird(rng)


def _weird(rng: Random) -> Any:
    if rng.random() < 0.03:
        return _nested(rng.choice((50, 99, 101, 300, 900)), rng.random() < 0.5)
    return copy.deepcopy(rng.choice(_WEIRD))


def _nested(depth: int, as_list: bool) -> Any:
    value: Any = 0
    for _ in range(depth):
        value = [value] if as_list else {"a": value}
    return value


def mutated_json(rng: Random, seeds: Sequence[Any], pieces: Sequence[str] = PIECES) -> bytes:
    """The bytes of a JSON file: a changed tree three times of four, else changed text."""
    if rng.random() < 0.75:
        value = mutated_value(rng, rng.choice(seeds))
        indent = rng.choice((None, 2, "\t"))
        ascii_only = rng.random() < 0.5
        text = json.dumps(value, ensure_ascii=ascii_only)
        # Indented, a deep value that was repeated takes hundreds of MB, which every reader refuses.
        if indent is not None and len(text) < _MOST_INDENTED:
            text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
        if rng.random() < 0.1:
            text = mutated_text(rng, (text,), pieces)
    else:
        text = mutated_text(rng, [json.dumps(seed, indent=2) for seed in seeds], pieces)
    data = encoded(text)
    match rng.randrange(40):
        case 0:
            data = b"\xef\xbb\xbf" + data
        case 1:
            data = mutated_bytes(rng, data)
        case 2:
            data = text.encode("utf-16", "surrogatepass")
        case 3:
            data = b""
    return data


def mutated_bytes(rng: Random, data: bytes, others: Sequence[bytes] = ()) -> bytes:
    """Bytes after one to five flips, cuts, repetitions, edge numbers and splices."""
    raw = bytearray(data)
    others = [other for other in others if other]
    for _ in range(rng.randint(1, 5)):
        at = rng.randint(0, len(raw))
        match rng.randrange(7):
            case 0 if raw:
                raw[at % len(raw)] ^= 1 << rng.randrange(8)
            case 1:
                del raw[at : at + rng.choice((1, 2, 4, 16, 512))]
            case 2:
                raw[at:at] = rng.randbytes(rng.choice((1, 4, 16, 100)))
            case 3:
                del raw[at:]
            case 4:
                width = rng.choice((1, 2, 4))
                edge = rng.choice(_EDGES) & ((1 << 8 * width) - 1)
                raw[at : at + width] = edge.to_bytes(width, rng.choice(("little", "big")))
            case 5:
                raw[at:at] = raw[at : at + rng.choice((4, 64, 1024))]
            case _:
                other = rng.choice(others) if others else data
                raw[at:] = other[min(at, len(other)) :]
    return bytes(raw)
