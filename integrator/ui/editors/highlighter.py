"""Code coloured in the theme's colours, whatever the language."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtGui import QColor, QFont, QSyntaxHighlighter, QTextCharFormat, QTextDocument

from integrator.ui.widgets.theme import Colors, Theme


class ThemedHighlighter(QSyntaxHighlighter):
    """Keeps a format for each kind of token, in the theme's present colours.

    A language gives ``_by_kind`` and Qt's ``highlightBlock``; kinds in ``strong`` are bolder.
    """

    strong: frozenset[str] = frozenset()

    def __init__(self, document: QTextDocument, theme: Theme) -> None:
        super().__init__(document)
        self._theme = theme
        self._formats: dict[str, QTextCharFormat] = {}
        self._build_formats()
        theme.changed.connect(self._recolour)

    def _by_kind(self, colors: Colors) -> Mapping[str, str]:
        raise NotImplementedError

    def _recolour(self) -> None:
        self._build_formats()
        self.rehighlight()

    def _build_formats(self) -> None:
        for kind, color in self._by_kind(self._theme.colors).items():
            text = QTextCharFormat()
            text.setForeground(QColor(color))
            if kind in self.strong:
                text.setFontWeight(QFont.Weight.DemiBold)
            self._formats[kind] = text
