"""Documents take typed text with its spelling, and typing merges into one step of undo."""

from __future__ import annotations

from pathlib import Path

import pytest
import undoing

from integrator.domain.errors import DocumentError
from integrator.domain.files.document import JsonDocument
from integrator.domain.lint.lint import SchemaSet
from integrator.paths import shipped
from integrator.session.edits.editor import check_text

TEXT = '{\n  "a": 1,\n  "b": [1, 2]\n}\n'
TYPED = '{ "a": 2,   "b": [1,2] }\n'


@pytest.fixture
def document(tmp_path: Path) -> JsonDocument:
    """A document on disk."""
    path = tmp_path / "x.json"
    path.write_text(TEXT)
    return JsonDocument.load(path)


def test_typed_spelling_is_shown_edited_and_saved(document: JsonDocument) -> None:
    with document.edit():
        document.take_text(TYPED)
    assert document.value == {"a": 2, "b": [1, 2]}
    assert document.text == TYPED
    with document.edit() as value:
        value["a"] = 3
    assert document.text == TYPED.replace("2,  ", "3,  ")
    document.save()
    assert document.path.read_text() == document.text
    assert not document.modified
    assert document.saved_value == {"a": 3, "b": [1, 2]}


def test_spelling_alone_is_an_edit_that_can_be_undone(document: JsonDocument) -> None:
    with document.edit():
        document.take_text(TEXT.replace("[1, 2]", "[1,2]"))
    assert document.modified
    document.save()
    assert "[1,2]" in document.path.read_text()
    assert undoing.undo(document.history)
    assert document.text == TEXT
    document.save()
    assert document.path.read_text() == TEXT


def test_merged_edits_are_one_step(document: JsonDocument) -> None:
    for merge, number in ((False, "2"), (True, "25"), (True, "250")):
        with document.edit(merge=merge):
            document.take_text(TEXT.replace("1,\n", f"{number},\n"))
    assert len(document.history.done) == 1
    assert undoing.undo(document.history)
    assert document.value["a"] == 1
    assert document.text == TEXT
    assert undoing.redo(document.history)
    assert document.value["a"] == 250


def test_text_that_is_no_object_changes_nothing(document: JsonDocument) -> None:
    for text in ("[1]", '{"a": }', ""):
        with pytest.raises(DocumentError), document.edit():
            document.take_text(text)
    assert document.text == TEXT
    assert not document.modified
    assert not document.history.done


def check(file: str, text: str) -> list[tuple[int, str, bool]]:
    """Line, path and fatality of a fault."""
    schemas = SchemaSet(shipped("resources") / "schemas")
    problems = check_text(schemas, file, text, frozenset({"score"}))
    return [(problem.line, problem.path, problem.fatal) for problem in problems]


def test_problems_name_line_and_path() -> None:
    good = '{"reward": {"variables": {"score": {"reward": 1}}}}'
    assert check("scenario.json", good) == []
    assert check("scenario.json", "{\n\n  nonsense }") == [(3, "", True)]
    text = '{\n"done": {"variables": {\n"score": {\n"op": "equals"}}}}'
    assert check("scenario.json", text) == [(4, "done.variables.score.op", False)]
    assert check("scenario.json", '{\n"reward": 5}') == [(2, "reward", True)]
    unknown = '{"done":\n{"variables": {\n"gone": {"op": "zero"}}}}'
    assert check("scenario.json", unknown) == [(3, "done.variables.gone", False)]
    assert check("data.json", '{"info": {\n"x": {"address": "here", "type": "|u1"}}}')[0][0] == 2
    assert check("metadata.json", "[]") == [(1, "", True)]
