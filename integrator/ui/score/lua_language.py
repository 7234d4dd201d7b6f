"""Lua in the editor: colours, and what can be written after ``data.`` and ``scenario.``."""

from __future__ import annotations

import re

from PySide6.QtGui import QColor, QFont, QSyntaxHighlighter, QTextCharFormat, QTextDocument

from integrator.ui.widgets.theme import Theme

KEYWORDS = [
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
]
LIBRARY = [
    "math.abs",
    "math.ceil",
    "math.floor",
    "math.max",
    "math.min",
    "math.sqrt",
    "string.format",
    "table.insert",
    "table.remove",
    "ipairs",
    "pairs",
    "print",
    "tonumber",
    "tostring",
    "type",
]
SCENARIO_FIELDS = ("frame", "timestep")

_TOKEN = re.compile(
    r"(?P<comment>--.*)"
    r"|(?P<string>\"(?:\\.|[^\"\\])*\"?|'(?:\\.|[^'\\])*'?)"
    r"|(?P<number>\b0[xX][0-9a-fA-F]+\b|\b\d+\.?\d*(?:[eE][+-]?\d+)?\b)"
    r"|(?P<special>\b(?:data|scenario)\b(?:\.\w+)?)"
    r"|(?P<name>[A-Za-z_]\w*)"
)
_OPEN, _CLOSE = re.compile(r"--\[\["), re.compile(r"\]\]")
_IN_COMMENT = 1


class LuaHighlighter(QSyntaxHighlighter):
    """Colours Lua text in the theme's colours; block comments run over lines."""

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
            "comment": colors.faint,
            "string": colors.good,
            "number": colors.warn,
            "special": colors.link,
            "keyword": colors.link,
        }
        for kind, color in by_kind.items():
            text = QTextCharFormat()
            text.setForeground(QColor(color))
            if kind == "keyword":
                text.setFontWeight(QFont.Weight.DemiBold)
            self._formats[kind] = text

    def highlightBlock(self, text: str) -> None:  # noqa: N802 - Qt's name
        """Colour one line."""
        start = 0
        if self.previousBlockState() == _IN_COMMENT:
            start = self._comment(text, 0)
        while start < len(text):
            opened = _OPEN.search(text, start)
            stop = opened.start() if opened else len(text)
            self._tokens(text, start, stop)
            start = self._comment(text, stop) if opened else len(text)

    def _comment(self, text: str, start: int) -> int:
        """Colour a block comment from ``start``; returns where it ends."""
        closed = _CLOSE.search(text, start)
        stop = closed.end() if closed else len(text)
        self.setFormat(start, stop - start, self._formats["comment"])
        self.setCurrentBlockState(0 if closed else _IN_COMMENT)
        return stop

    def _tokens(self, text: str, start: int, stop: int) -> None:
        for token in _TOKEN.finditer(text, start, stop):
            kind = token.lastgroup or ""
            if kind == "name":
                kind = "keyword" if token[0] in KEYWORDS else ""
            if kind:
                self.setFormat(token.start(), token.end() - token.start(), self._formats[kind])
