"""Names in Lua: its keywords, the functions that scripts define, and those that are called."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

LUA_KEYWORDS: Final = frozenset(
    {
        "and",
        "break",
        "do",
        "else",
        "elseif",
        "end",
        "false",
        "for",
        "function",
        "if",
        "in",
        "local",
        "nil",
        "not",
        "or",
        "repeat",
        "return",
        "then",
        "true",
        "until",
        "while",
    }
)
"""Words of Lua 5.1, which are no names: ``data.end`` is no Lua."""
_FUNCTION = re.compile(r"\bfunction\s+(\w+)\s*\(|\b(\w+)\s*=\s*function\b")


def functions_of(text: str) -> tuple[str, ...]:
    """Names of the functions that a script defines, in their order."""
    names = (match[1] or match[2] for match in _FUNCTION.finditer(text))
    return tuple(dict.fromkeys(names))


def is_called(file: str, scenario: Mapping[str, Any], scripts: Mapping[str, str]) -> bool:
    """True when the scenario, or another script that it lists, calls a function of ``file``."""
    own = set(functions_of(scripts[file]))
    if own & set(_called(scenario)):
        return True
    others = (scripts.get(name, "") for name in scenario.get("scripts") or () if name != file)
    return any(re.search(rf"\b{name}\s*\(", text) for text in others for name in own)


def _called(scenario: Mapping[str, Any]) -> Iterator[str]:
    """Functions that reward and done name, without the language before them."""
    rewards = scenario.get("rewards")
    listed = rewards if isinstance(rewards, Sequence) and not isinstance(rewards, str) else ()
    for block in (scenario.get("done"), scenario.get("reward"), *listed):
        if isinstance(block, Mapping) and isinstance(block.get("script"), str):
            yield block["script"].rpartition(":")[2]
