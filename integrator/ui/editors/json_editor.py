"""A text editor for JSON whose text can be changed under the cursor without losing the place."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from PySide6.QtCore import QEvent
from PySide6.QtGui import QKeyEvent, QKeySequence, QTextCursor

from integrator.domain.files.jsontext import JsonKey, JsonSyntaxError, JsonText, show_path
from integrator.domain.scenario.tree import OPS, Condition, Measurement
from integrator.ui.editors.code_editor import CodeEditor, Highlighter
from integrator.ui.widgets.theme import Theme

_KEYS = (
    *("reward", "rewards", "done", "variables", "nodes", "condition", "measurement", "op"),
    *("reference", "penalty", "time", "actions", "crop", "scripts", "script", "info"),
    *("address", "type", "mask", "default_state", "default_player_state"),
)
_WORDS: Mapping[str, Iterable[str]] = {
    "op": OPS,
    "measurement": list(Measurement),
    "condition": list(Condition),
}
"""Words that can stand as the value of a key."""
_VALUE = re.compile(r'"(\w+)"\s*:\s*"([\w-]*)$')
_KEY = re.compile(r'(?:^|[{,])\s*"(\w*)$')


class JsonHighlighter(Highlighter):
    """JSON, in which no token runs over lines."""

    tokens = re.compile(
        r"(?P<key>\"(?:\\.|[^\"\\])*\")(?=\s*:)"
        r"|(?P<string>\"(?:\\.|[^\"\\])*\"?)"
        r"|(?P<number>-?\d+\.?\d*(?:[eE][+-]?\d+)?)"
        r"|(?P<constant>\b(?:true|false|null)\b)"
    )
    colors: Mapping[str, str] = {
        "key": "link",
        "string": "good",
        "number": "warn",
        "constant": "warn",
    }


@lru_cache(1)
def _parsed(text: str) -> JsonText | None:
    try:
        return JsonText(text)
    except JsonSyntaxError:
        return None


def path_at(text: str, position: int) -> str:
    """JSON path of the innermost value at a position of the text; empty outside of all."""
    keys: list[JsonKey] = []
    parsed = _parsed(text)
    node = parsed.root if parsed else None
    while node is not None:
        inside = (
            i for i, each in enumerate(node.members) if each.start <= position <= each.node.end
        )
        at = next(inside, None)
        if at is None:
            break
        keys.append(at if isinstance(node.value, list) else node.members[at].key)
        node = node.members[at].node
    return show_path(tuple(keys))


def completions(before: str, variables: Sequence[str]) -> tuple[str, Sequence[str]]:
    """The word begun at the end of ``before`` (the line up to the cursor), and its completions."""
    if value := _VALUE.search(before):
        return value[2], [word for word in _WORDS.get(value[1], ()) if word]
    if key := _KEY.search(before):
        return key[1], (*variables, *_KEYS)
    return "", ()


class JsonEditor(CodeEditor):
    """While its text is ``in_step`` with the documents, undo is theirs, not the text's."""

    language = JsonHighlighter
    opens_block = re.compile(r"[{\[]\s*$")

    def __init__(self, theme: Theme) -> None:
        self.in_step = True
        super().__init__(theme)
        self.setAccessibleName(self.tr("JSON text"))

    def _offer(self, before: str) -> tuple[str, Sequence[str], bool]:
        prefix, words = completions(before, self._variables)
        return prefix, words, bool(words)

    def change_text(self, text: str) -> None:
        """Show another text: only the difference is replaced, so cursor and scroll position stay.
        Typing before that cannot be undone in the text: the documents' undo does that."""
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
        overrides = self.in_step and event.type() is QEvent.Type.ShortcutOverride
        if overrides and isinstance(event, QKeyEvent):
            keys = QKeySequence.StandardKey
            if event.matches(keys.Undo) or event.matches(keys.Redo):
                event.ignore()
                return False
        return super().event(event)


def _common(left: str, right: str) -> int:
    """The number of characters that two texts begin with in common."""
    low, high = 0, min(len(left), len(right))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if left[:middle] == right[:middle] else (low, middle - 1)
    return low


def _units(text: str) -> int:
    """Length as Qt counts it, in UTF-16."""
    return len(text.encode("utf-16-le")) // 2
