"""A code editor: line numbers, marked errors, completion and indentation, with Lua by default."""

import re
from collections.abc import Mapping, Sequence

from PySide6 import QtGui
from PySide6.QtCore import QEvent, QPoint, QRect, QStringListModel, Qt, Signal
from PySide6.QtWidgets import QCompleter, QPlainTextEdit, QToolTip, QWidget

from integrator.domain.scenario.sandbox import LUA_KEYWORDS, library
from integrator.ui import widgets as ui

_AS_SHOWN = str.maketrans({"\r": "\n", "\u2028": "\n", "\u2029": "\n", "\u00a0": " "})


def shown_text(text: str) -> str:
    """Return a text as Qt's editor returns it, which changes line ends and some spaces."""
    return text.replace("\r\n", "\n").translate(_AS_SHOWN)


class Highlighter(QtGui.QSyntaxHighlighter):
    """Colors a language: ``colors`` has the theme's token of each group. Keywords are bold."""

    tokens: re.Pattern[str]
    colors: Mapping[str, str]

    def __init__(self, document: QtGui.QTextDocument) -> None:
        super().__init__(document)
        self._formats: dict[str, QtGui.QTextCharFormat] = {}
        self._build_formats()
        ui.Theme.now.changed.connect(self._build_formats)
        ui.Theme.now.changed.connect(self.rehighlight)

    def _build_formats(self) -> None:
        for kind, color in self.colors.items():
            text = self._formats[kind] = QtGui.QTextCharFormat()
            text.setForeground(QtGui.QColor(getattr(ui.Theme.now.colors, color)))
            if kind == "keyword":
                text.setFontWeight(QtGui.QFont.Weight.DemiBold)

    def highlightBlock(self, text: str) -> None:
        self.show_tokens(text, 0, len(text))

    def show_tokens(self, text: str, start: int, stop: int) -> None:
        for token in self.tokens.finditer(text, start, stop):
            form = self._formats[token.lastgroup or ""]
            self.setFormat(token.start(), token.end() - token.start(), form)


_OPEN, _CLOSE = re.compile(r"--\[\["), re.compile(r"\]\]")
_IN_COMMENT = 1


class LuaHighlighter(Highlighter):
    """Colors Lua, with block comments over several lines."""

    tokens = re.compile(
        r"(?P<comment>--.*)"
        r"|(?P<string>\"(?:\\.|[^\"\\])*\"?|'(?:\\.|[^'\\])*'?)"
        r"|(?P<number>\b0[xX][0-9a-fA-F]+\b|\b\d+\.?\d*(?:[eE][+-]?\d+)?\b)"
        r"|(?P<special>\b(?:data|scenario)\b(?:\.\w+)?)"
        rf"|(?P<keyword>\b(?:{'|'.join(LUA_KEYWORDS)})\b)"
    )
    colors: Mapping[str, str] = {
        "comment": "faint",
        "string": "good",
        "number": "warn",
        "special": "link",
        "keyword": "link",
    }

    def highlightBlock(self, text: str) -> None:
        start = self._comment(text, 0) if self.previousBlockState() == _IN_COMMENT else 0
        while start < len(text):
            opened = _OPEN.search(text, start)
            stop = opened.start() if opened else len(text)
            self.show_tokens(text, start, stop)
            start = self._comment(text, stop) if opened else len(text)

    def _comment(self, text: str, start: int) -> int:
        """Color a block comment from ``start``, and return its end."""
        closed = _CLOSE.search(text, start)
        stop = closed.end() if closed else len(text)
        self.setFormat(start, stop - start, self._formats["comment"])
        self.setCurrentBlockState(0 if closed else _IN_COMMENT)
        return stop


_WORD = re.compile(r"(?:\b([A-Za-z_]\w*)\.)?(\w*)$")


class _LineNumbers(QWidget):
    """Line numbers, and a dot at each line with an error."""

    def __init__(self, editor: "CodeEditor") -> None:
        super().__init__(editor)
        self._editor = editor

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        self._editor.paint_margin(self, event)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QtGui.QHelpEvent):
            self._say(event.pos().y(), event.globalPos())
            return True
        return super().event(event)

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        """Show the problem of a marked line at a click, as its tooltip does."""
        self._say(round(event.position().y()), event.globalPosition().toPoint())

    def _say(self, y: int, where: QPoint) -> None:
        line = self._editor.cursorForPosition(QPoint(0, y)).blockNumber() + 1
        if problem := self._editor.problems.get(line):
            QToolTip.showText(where, problem, self)


class CodeEditor(ui.FitsSize, QPlainTextEdit):
    """A text editor with line numbers, colors and completions. ``leave_requested``: other parts
    need the text now, because Ctrl+S was pressed or the focus was lost. Tab indents; after Esc, Tab
    moves the focus, as in other code editors."""

    leave_requested = Signal()
    language: type[Highlighter] = LuaHighlighter
    opens_block = re.compile(r"(\bthen|\bdo|\belse|\brepeat|\bfunction\b.*\)|\{)\s*$")
    """Matches a line after which the next line is indented by one more step."""

    def __init__(self) -> None:
        super().__init__()
        self.problems: dict[int, str] = {}
        self.variables: Sequence[str] = ()  # names that are offered after ``data.``
        self.setObjectName("CodeEditor")
        self.setFont(ui.mono_font())
        self.setTabStopDistance(2 * self.fontMetrics().horizontalAdvance(" "))
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setAccessibleName(self.tr("Script"))
        self._highlighter = self.language(self.document())
        self._margin = _LineNumbers(self)
        self._words = QStringListModel(self)
        self.completer = QCompleter(self._words, self)
        self.completer.setWidget(self)
        self.completer.setCaseSensitivity(Qt.CaseSensitivity.CaseSensitive)
        self.completer.activated.connect(self._insert)
        self.blockCountChanged.connect(lambda _: self._fit())
        self.updateRequest.connect(lambda *_: self._margin.update())
        for moved in (self.cursorPositionChanged, self.textChanged):
            moved.connect(lambda: self.setTabChangesFocus(False))
        ui.Theme.now.changed.connect(self._show_problems)
        self._fit()

    def set_problems(self, problems: dict[int, str]) -> None:
        if problems != self.problems:
            self.problems = dict(problems)
            self._show_problems()

    def go_to_line(self, line: int) -> None:
        """Move the cursor to a line, counted from 1."""
        self.setTextCursor(QtGui.QTextCursor(self.document().findBlockByNumber(max(0, line - 1))))
        self.centerCursor()
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_problems(self) -> None:
        lines = (line - 1 for line in self.problems)
        ui.mark_lines(self, dict.fromkeys(lines, ui.Theme.now.colors.bad_soft))
        self._margin.update()

    def margin_width(self) -> int:
        return 24 + self.fontMetrics().horizontalAdvance("9") * max(2, len(str(self.blockCount())))

    def paint_margin(self, margin: QWidget, event: QtGui.QPaintEvent) -> None:
        colors = ui.Theme.now.colors
        painter = QtGui.QPainter(margin)
        painter.fillRect(event.rect(), QtGui.QColor(colors.panel))
        painter.setFont(self.font())
        block = self.firstVisibleBlock()
        top = self.blockBoundingGeometry(block).translated(self.contentOffset()).top()
        while block.isValid() and top <= event.rect().bottom():
            height, line = self.blockBoundingRect(block).height(), block.blockNumber() + 1
            wrong = line in self.problems
            painter.setPen(QtGui.QColor(colors.bad if wrong else colors.faint))
            box = QRect(0, round(top), margin.width() - 9, round(height))
            painter.drawText(box, Qt.AlignmentFlag.AlignRight, str(line))
            if wrong:
                painter.drawText(QRect(5, round(top), 12, round(height)), 0, "●")
            top += height
            block = block.next()

    def _fit(self) -> None:
        width = self.margin_width()
        # Setting margins resizes the text, which calls this method again. In a narrow panel that
        # would never end, because each resize shows or hides a scroll bar.
        if self.viewportMargins().left() != width:
            self.setViewportMargins(width, 0, 0, 0)
        inside = self.contentsRect()
        self._margin.setGeometry(QRect(inside.left(), inside.top(), width, inside.height()))

    def event(self, event: QEvent) -> bool:
        """Emit ``leave_requested`` before Ctrl+S saves, so that the saved document has the text."""
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QtGui.QKeyEvent):
            control = event.modifiers() & Qt.KeyboardModifier.ControlModifier
            if control and event.key() == Qt.Key.Key_S:
                self.leave_requested.emit()
        return super().event(event)

    def focusOutEvent(self, event: QtGui.QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.setTabChangesFocus(False)
        self.leave_requested.emit()

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        key, keys = event.key(), Qt.Key
        enter = key in (keys.Key_Return, keys.Key_Enter)
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if self.completing and (enter or key in (keys.Key_Tab, keys.Key_Escape)):
            event.ignore()
        elif key == keys.Key_Escape:
            self.setTabChangesFocus(True)
        elif enter:
            before = self._before
            indent = before[: len(before) - len(before.lstrip())]
            deeper = "  " if self.opens_block.search(before) else ""
            self.textCursor().insertText(f"\n{indent}{deeper}")
        elif control and key == keys.Key_Space:
            self._complete(forced=True)
        else:
            super().keyPressEvent(event)
            if event.text():
                self._complete(forced=False)

    @property
    def _before(self) -> str:
        return self.textCursor().block().text()[: self.textCursor().positionInBlock()]

    def _offer(self, before: str) -> tuple[str, Sequence[str], bool]:
        """Return the word at the end of ``before``, its completions, and True to offer them."""
        found = _WORD.search(before)
        owner, prefix = (found[1], found[2]) if found else (None, "")
        if owner is None:
            words = sorted({*LUA_KEYWORDS, *library(), "data", "scenario"})
            return prefix, words, len(prefix) > 2
        start = f"{owner}."
        members = [name[len(start) :] for name in library() if name.startswith(start)]
        own = {"data": self.variables, "scenario": ("frame", "timestep")}
        return prefix, own.get(owner, members), True

    def _complete(self, *, forced: bool) -> None:
        prefix, words, wanted = self._offer(self._before)
        matching = [word for word in words if word.startswith(prefix) and word != prefix]
        if not (wanted or forced) or not matching:
            if (popup := self.completer.popup()) is not None:
                popup.hide()
            return
        self._words.setStringList(matching)
        self.completer.setCompletionPrefix(prefix)
        box = self.cursorRect()
        box.translate(self.margin_width(), 0)
        box.setWidth(220)
        self.completer.complete(box)

    @property
    def completing(self) -> bool:
        popup = self.completer.popup()
        return popup is not None and popup.isVisible()

    def _insert(self, word: str) -> None:
        self.textCursor().insertText(word[len(self.completer.completionPrefix()) :])
