"""Lua in the editor: colours, and completions after ``data.`` and ``scenario.``."""

from __future__ import annotations

import re
from collections.abc import Mapping

from integrator.domain.scenario.sandbox import LUA_KEYWORDS
from integrator.ui.editors.highlighter import ThemedHighlighter
from integrator.ui.widgets.theme import Colors

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


class LuaHighlighter(ThemedHighlighter):
    """Colours Lua text in the theme's colours; block comments run over lines."""

    strong = frozenset({"keyword"})

    def _by_kind(self, colors: Colors) -> Mapping[str, str]:
        return {
            "comment": colors.faint,
            "string": colors.good,
            "number": colors.warn,
            "special": colors.link,
            "keyword": colors.link,
        }

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
                kind = "keyword" if token[0] in LUA_KEYWORDS else ""
            if kind:
                self.setFormat(token.start(), token.end() - token.start(), self._formats[kind])
