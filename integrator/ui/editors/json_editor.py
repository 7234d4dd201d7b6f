"""A text editor for JSON whose text can be changed under the cursor without losing the place."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent
from PySide6.QtGui import QKeyEvent, QKeySequence, QSyntaxHighlighter, QTextCursor

from integrator.ui.editors.code_editor import CodeEditor
from integrator.ui.editors.json_language import JsonHighlighter, completions
from integrator.ui.widgets.theme import Theme


class JsonEditor(CodeEditor):
    """While its text is ``in_step`` with the documents, undo is theirs, not the text's."""

    def __init__(self, theme: Theme) -> None:
        self.in_step = True
        super().__init__(theme)
        self.setAccessibleName(self.tr("JSON text"))

    def _make_highlighter(self) -> QSyntaxHighlighter:
        return JsonHighlighter(self.document(), self._theme)

    def _opens_block(self, before: str) -> bool:
        return before.rstrip().endswith(("{", "["))

    def _offer(self, before: str) -> tuple[str, Sequence[str], bool]:
        prefix, words = completions(before, self._variables)
        return prefix, words, bool(words)

    def change_text(self, text: str) -> None:
        """Show another text: only the difference is replaced, so cursor and scroll position stay.

        Typing before that can not be undone in the text: the documents' undo does that.
        """
        old = self.toPlainText()
        if old == text:
            return
        head = _common(old, text)
        tail = _common(old[head:][::-1], text[head:][::-1])
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        cursor.setPosition(_units(old[:head]))
        cursor.setPosition(_units(old[: len(old) - tail]), QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(text[head : len(text) - tail])
        cursor.endEditBlock()
        self.document().clearUndoRedoStacks()

    def event(self, event: QEvent) -> bool:
        """Leave undo and redo to the window while the text has no steps of its own."""
        is_undo = (
            self.in_step
            and event.type() is QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and (
                event.matches(QKeySequence.StandardKey.Undo)
                or event.matches(QKeySequence.StandardKey.Redo)
            )
        )
        if is_undo:
            event.ignore()
            return False
        return super().event(event)


def _common(left: str, right: str) -> int:
    """The number of characters that two texts begin with in common."""
    low, high = 0, min(len(left), len(right))
    while low < high:
        middle = (low + high + 1) // 2
        if left[:middle] == right[:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _units(text: str) -> int:
    """Length as Qt counts it, in UTF-16."""
    return len(text.encode("utf-16-le")) // 2
