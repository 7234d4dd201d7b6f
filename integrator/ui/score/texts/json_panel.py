"""The JSON panel: the documents as text, kept in step with the panels that edit them."""

import html
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import takewhile
from operator import eq

from PySide6.QtCore import QEvent, QMargins, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QTextCursor

from integrator.domain.files.jsontext import JsonKey, JsonSyntaxError, JsonText, show_path
from integrator.domain.lint.lint import SchemaSet
from integrator.domain.scenario.tree import OPS, Condition, Measurement
from integrator.paths import shipped
from integrator.session.edits import commands as edits
from integrator.session.edits.editor import Change, Editor, TextProblem, check_text
from integrator.session.edits.snapshot import Documents
from integrator.session.session import Session
from integrator.ui import widgets as ui
from integrator.ui.score.texts.code_editor import CodeEditor, Highlighter, shown_text
from integrator.ui.window_context import PanelView

_KEYS = (
    *("reward", "rewards", "done", "variables", "nodes", "condition", "measurement", "op"),
    *("reference", "penalty", "time", "actions", "crop", "scripts", "script", "info"),
    *("address", "type", "mask", "default_state", "default_player_state"),
)
_WORDS: Mapping[str, Iterable[str]] = {  # valid values of a key
    "op": OPS,
    "measurement": list(Measurement),
    "condition": list(Condition),
}
_VALUE = re.compile(r'"(\w+)"\s*:\s*"([\w-]*)$')
_KEY = re.compile(r'(?:^|[{,])\s*"(\w*)$')


class JsonHighlighter(Highlighter):
    """Colors JSON, in which no token spans lines."""

    tokens = re.compile(
        r"(?P<key>\"(?:\\.|[^\"\\])*\")(?=\s*:)"
        r"|(?P<string>\"(?:\\.|[^\"\\])*\"?)"
        r"|(?P<value>-?\d+\.?\d*(?:[eE][+-]?\d+)?|\b(?:true|false|null)\b)"
    )
    colors: Mapping[str, str] = {"key": "link", "string": "good", "value": "warn"}


@lru_cache(1)
def _parsed(text: str) -> JsonText | None:
    try:
        return JsonText(text)
    except JsonSyntaxError:
        return None


def path_at(text: str, position: int) -> str:
    """Return the JSON path of the innermost value at a position of the text, or ""."""
    keys: list[JsonKey] = []
    parsed = _parsed(text)
    node = parsed.root if parsed else None
    while node is not None:
        members = enumerate(node.members)
        found = next((m for m in members if m[1].start <= position <= m[1].node.end), None)
        if found is None:
            break
        keys.append(found[0] if isinstance(node.value, list) else found[1].key)
        node = found[1].node
    return show_path(tuple(keys))


def completions(before: str, variables: Sequence[str]) -> tuple[str, Sequence[str]]:
    """Return the word at the end of ``before`` (the line up to the cursor), and completions."""
    if value := _VALUE.search(before):
        return value[2], [word for word in _WORDS.get(value[1], ()) if word]
    if key := _KEY.search(before):
        return key[1], (*variables, *_KEYS)
    return "", ()


class JsonEditor(CodeEditor):
    """Edits JSON. While ``in_step`` with the documents, undo is theirs instead of the text's."""

    language = JsonHighlighter
    opens_block = re.compile(r"[{\[]\s*$")

    def __init__(self) -> None:
        self.in_step = True
        super().__init__()
        self.setAccessibleName(self.tr("JSON text"))

    def _offer(self, before: str) -> tuple[str, Sequence[str], bool]:
        prefix, words = completions(before, self.variables)
        return prefix, words, bool(words)

    def change_text(self, text: str) -> None:
        """Show another text. Only the difference is replaced, so cursor and scroll position stay.
        Earlier typing can then be undone only by the documents' undo."""
        if (old := self.toPlainText()) == text:
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
        """Leave Undo and Redo to the window while the text is in step with the documents."""
        overrides = self.in_step and event.type() is QEvent.Type.ShortcutOverride
        if overrides and isinstance(event, QKeyEvent):
            keys = QKeySequence.StandardKey
            if event.matches(keys.Undo) or event.matches(keys.Redo):
                event.ignore()
                return False
        return super().event(event)


def _common(left: str, right: str) -> int:
    return sum(takewhile(bool, map(eq, left, right)))


def _units(text: str) -> int:
    """Return the length in UTF-16 units, as Qt counts it."""
    return len(text.encode("utf-16-le")) // 2


def _texts(session: Session) -> dict[str, str]:
    first = f"{session.game.scenario_name}.json"
    found = {each.path.name: each.text for each in session.integration.documents}
    order = sorted(found, key=lambda name: (name != first, name == "metadata.json"))
    return {name: found[name] for name in order}


class JsonView(PanelView):
    """The panel of the documents as text. Typing without a longer pause is one undo step."""

    def _set_up(self) -> None:
        self._texts: dict[str, str] = {}
        self._sent = ""
        self._refused = ("", "")
        # The documents after the last typed text; any other edit replaces them.
        self._typed: tuple[str, Documents] | None = None
        self._schemas = cache(lambda: SchemaSet(shipped("resources") / "schemas"))
        self.editor = JsonEditor()
        self._settle = ui.settle_timer(self, pause_ms=150, then=self.flush)
        # A pause in typing ends an undo step.
        self._burst = ui.settle_timer(self, pause_ms=1500, then=self._end_burst)
        tip = self.tr("The document whose text is shown")
        self.files = ui.combo_box(self.tr("JSON file"), lambda: self.open_file(self.current), tip)
        self.state = ui.role_label("", "faint")
        text, tip = self.tr("Revert"), self.tr("Take the text of the panels again")
        self.revert = ui.push_button(text, self.take_back, tip, "flat", icon="undo")
        self.path = ui.LiveLabel()
        bar = ui.hbox(self.files, (self.path, 1), self.state, self.revert, margins=(9, 7, 9, 7))
        margins = QMargins(ui.SIZES.pad, 6, ui.SIZES.pad, 7)
        self.problem = ui.NoteLabel("secondary", contentsMargins=margins)
        self.problem.setTextFormat(Qt.TextFormat.RichText)
        self.problem.linkActivated.connect(lambda line: self.editor.go_to_line(int(line)))
        self._fill(ui.vbox(bar, (self.editor, 1), self.problem, margins=0, gap=0), "script", "json")
        self._show_step()
        self.editor.textChanged.connect(self._text_typed)
        self.editor.leave_requested.connect(self.flush)
        self.editor.leave_requested.connect(self._end_burst)
        self.editor.cursorPositionChanged.connect(self._show_path)
        self._live = self._reader(lambda: _texts, self._show_texts, 0)
        self._controller.documents_changed.connect(self._live.touch)

    def _closed(self) -> None:
        self._end_burst()
        self._show_texts({})

    def _end_burst(self) -> None:
        self._burst.stop()
        self._typed = None

    @property
    def current(self) -> str:
        return self.files.currentText()

    def _show_texts(self, texts: Mapping[str, str]) -> None:
        """Show the documents' texts by file name, the most important first. A typed text that is
        not in its document yet stays, unless the document was edited elsewhere meanwhile."""
        current = self.current
        before = self._texts.get(current)
        self._texts = dict(texts)
        if [self.files.itemText(i) for i in range(self.files.count())] != list(texts):
            self.files.clear()
            self.files.addItems(list(texts))
            self.files.setCurrentText(current if current in texts else next(iter(texts), ""))
        self.editor.variables = list(self._controller.variables)
        self.pages.show_content(bool(texts))
        if (now := self._texts.get(self.current)) is None:
            self._put("")
        elif self.current != current or now not in (before, self._sent):
            self._put(now)
            if self.editor.problems:
                self._show_problems(())
                self._check(self.current, self._sent)
        self._show_step()

    def open_file(self, file: str) -> None:
        self._end_burst()
        self.files.setCurrentText(file)
        self.take_back()
        self._check(file, self._sent)

    def take_back(self) -> None:
        """Replace the typed text by the document's text."""
        self._put(self._texts.get(self.current, ""))
        self._show_problems(())

    def _show_problems(self, problems: Sequence[TextProblem]) -> None:
        by_line: dict[int, list[str]] = {}
        for problem in problems:
            by_line.setdefault(problem.line, []).append(str(problem))
        self.editor.set_problems({line: "\n".join(texts) for line, texts in by_line.items()})
        self.problem.setText("<br>".join(self._row(each) for each in problems[:4]))
        self._show_step()

    @property
    def unused(self) -> str:
        """The reason why the text in the editor is not the document's; "" if it is."""
        text, reason = self._refused
        return reason if text == self.editor.toPlainText() and not self.in_step else ""

    def show_unused(self) -> None:
        self.editor.setFocus()
        self.editor.go_to_line(min(self.editor.problems, default=1))

    def _show_refused(self, file: str, text: str) -> None:
        """Show why a text cannot be used: it is not JSON, or it cannot score the game."""
        if file == self.current:
            self._refused = self.editor.toPlainText(), text
            if not self.editor.problems:
                self._show_problems([TextProblem(1, "", text, fatal=True)])
            self._show_step()

    def _row(self, problem: TextProblem) -> str:
        colors = ui.Theme.now.colors
        color = colors.bad if problem.fatal else colors.warn
        path = f'<span style="color:{colors.text}">{html.escape(problem.path)}</span> '
        return (
            f'<a href="{problem.line}" style="color:{color}">{problem.line}</a>&nbsp; '
            f"{path if problem.path else ''}{html.escape(problem.message)}"
        )

    @property
    def in_step(self) -> bool:
        return self.editor.toPlainText() == shown_text(self._texts.get(self.current, ""))

    def _show_step(self) -> None:
        in_step = self.editor.in_step = self.in_step
        self.revert.setVisible(not in_step and not self._settle.isActive())
        waiting = self._settle.isActive() or self._sent == self.editor.toPlainText()
        if in_step:
            ui.say(self.state, self.tr("in step with the panels"), "faint")
        elif not (waiting and not self.editor.problems):
            ui.say(self.state, self.tr("not used yet"), "warn")
            tip = self.tr("The panels show the last usable text; correct the marked lines")
            self.state.setToolTip(tip)

    def _put(self, text: str) -> None:
        self._settle.stop()
        # A text that the editor returns in another form would count as typed.
        self._sent = shown_text(text)
        self.editor.change_text(self._sent)
        self._show_path()

    def _show_path(self) -> None:
        text, position = self.editor.toPlainText(), self.editor.textCursor().position()
        # Parsing a longer text at each cursor move would be noticeable.
        self.path.setText(path_at(text, position) if len(text) <= 40_000 else "")

    def _text_typed(self) -> None:
        if self.editor.toPlainText() != self._sent:
            self._settle.start()
        self._show_step()

    def flush(self) -> None:
        self._settle.stop()
        text = self.editor.toPlainText()
        if self.current and text != self._sent:
            self._sent = text
            self._take(self.current, text)

    def _take(self, file: str, text: str) -> None:
        if (documents := self._controller.documents) is None:
            return
        self._check(file, shown_text(text))
        typed = self._typed
        merge = typed is not None and typed[0] == file and typed[1] is documents
        changes: list[Change] = []

        def command(editor: Editor) -> Change:
            changes.append(editor.do(edits.take_text(file, text), merge=merge))
            return changes[0]

        def done() -> None:
            if (taken := self._controller.documents) is not None and (merge or changes[0].places):
                self._typed = (file, taken)
                self._burst.start()

        refused = self._show_refused
        self._controller.ask_editor(command, done, lambda error: refused(file, str(error)))

    def _check(self, file: str, text: str) -> None:
        variables = frozenset(self._controller.variables)

        def done(problems: tuple[TextProblem, ...]) -> None:
            if file == self.current and self.editor.toPlainText() == text:
                self._show_problems(problems)

        # Reading the schemas takes some milliseconds, so they are read once, on another thread.
        self._bridge.in_background(lambda: check_text(self._schemas(), file, text, variables), done)
