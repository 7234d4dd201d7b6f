"""JSON in the editor: colours, the path under the cursor, and completions at each place."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from integrator.domain.files.jsontext import JsonKey, JsonText, show_path
from integrator.domain.scenario.ops import OPS
from integrator.domain.scenario.tree import Condition, Measurement
from integrator.ui.editors.highlighter import ThemedHighlighter
from integrator.ui.widgets.theme import Colors

_TOKEN = re.compile(
    r"(?P<key>\"(?:\\.|[^\"\\])*\")(?=\s*:)"
    r"|(?P<string>\"(?:\\.|[^\"\\])*\"?)"
    r"|(?P<number>-?\d+\.?\d*(?:[eE][+-]?\d+)?)"
    r"|(?P<constant>\b(?:true|false|null)\b)"
)
_KEYS = (
    "reward",
    "rewards",
    "done",
    "variables",
    "nodes",
    "condition",
    "measurement",
    "op",
    "reference",
    "penalty",
    "time",
    "actions",
    "crop",
    "scripts",
    "script",
    "info",
    "address",
    "type",
    "mask",
    "default_state",
    "default_player_state",
)
_VALUE = re.compile(r'"(\w+)"\s*:\s*"([\w-]*)$')
_KEY = re.compile(r'(?:^|[{,])\s*"(\w*)$')


class JsonHighlighter(ThemedHighlighter):
    """Colours JSON text in the theme's colours."""

    def _by_kind(self, colors: Colors) -> Mapping[str, str]:
        return {
            "key": colors.link,
            "string": colors.good,
            "number": colors.warn,
            "constant": colors.warn,
        }

    def highlightBlock(self, text: str) -> None:  # noqa: N802 - Qt's name
        """Colour one line; no token of JSON runs over lines."""
        for token in _TOKEN.finditer(text):
            kind = token.lastgroup or "string"
            self.setFormat(token.start(), token.end() - token.start(), self._formats[kind])


def path_at(text: JsonText, position: int) -> str:
    """JSON path of the innermost value at a position of the text; empty outside of all."""
    keys: list[JsonKey] = []
    node = text.root
    while True:
        for index, member in enumerate(node.members):
            if member.start <= position <= member.node.end:
                keys.append(index if isinstance(node.value, list) else member.key)
                node = member.node
                break
        else:
            return show_path(tuple(keys))


def completions(before: str, variables: Sequence[str]) -> tuple[str, Sequence[str]]:
    """The word begun at the end of ``before`` (the line up to the cursor), and its completions."""
    value = _VALUE.search(before)
    if value is not None:
        return value[2], _values(value[1])
    key = _KEY.search(before)
    if key is not None:
        return key[1], (*variables, *_KEYS)
    return "", ()


def _values(key: str) -> Sequence[str]:
    """Words that can stand as the value of a key."""
    if key == "op":
        return [name for name in OPS if name]
    if key == "measurement":
        return list(Measurement)
    return list(Condition) if key == "condition" else ()
