"""JSON in the editor: colours, the path under the cursor, and what can be written where."""

from __future__ import annotations

import re
from collections.abc import Sequence

from PySide6.QtGui import QColor, QSyntaxHighlighter, QTextCharFormat, QTextDocument

from integrator.domain.finding import show_path
from integrator.domain.jsontext import JsonKey, JsonText
from integrator.domain.scenario import Condition, Measurement, Op
from integrator.ui.widgets.theme import Theme

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
_VALUES: dict[str, tuple[str, ...]] = {
    "op": tuple(op.value for op in Op if op.value),
    "measurement": tuple(each.value for each in Measurement),
    "condition": tuple(each.value for each in Condition),
}
_VALUE = re.compile(r'"(\w+)"\s*:\s*"([\w-]*)$')
_KEY = re.compile(r'(?:^|[{,])\s*"(\w*)$')


class JsonHighlighter(QSyntaxHighlighter):
    """Colours JSON text in the theme's colours."""

    def __init__(self, document: QTextDocument, theme: Theme) -> None:
        super().__init__(document)
        self._theme = theme
        self._formats: dict[str, QTextCharFormat] = {}
        self._build_formats()
        theme.changed.connect(self._recolour)

    def _recolour(self) -> None:
        self._build_formats()
        self.rehighlight()

    def _build_formats(self) -> None:
        colors = self._theme.colors
        by_kind = {
            "key": colors.link,
            "string": colors.good,
            "number": colors.warn,
            "constant": colors.warn,
        }
        for kind, color in by_kind.items():
            text = QTextCharFormat()
            text.setForeground(QColor(color))
            self._formats[kind] = text

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
    """What may follow ``before``, the line up to the cursor: (what is typed of it, words)."""
    value = _VALUE.search(before)
    if value is not None:
        return value[2], _VALUES.get(value[1], ())
    key = _KEY.search(before)
    if key is not None:
        return key[1], (*variables, *_KEYS)
    return "", ()
