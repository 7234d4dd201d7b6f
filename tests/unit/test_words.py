"""One word for each thing: a class name is used once, and prose names its subject.

No sentence of a docstring or comment begins with a question word in the place of a noun:
"What is left" or "Whether a game is open" makes a reader guess the noun. A question keeps its word,
and ends with a question mark."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

TREE = Path(__file__).resolve().parents[2]

_SENTENCE = re.compile(r"(?:\A|(?<=[.!?:;]\s)|(?<=\n\n))[\s#:*-]*(\w[^.!?]*[.!?]?)")
_WORDS = "What|Whatever|Whether|How|Where|Which|Who|Whoever|Whose|Why"
_RIDDLE = re.compile(rf"(?:{_WORDS})\b(?!-)[^?]*\Z")
_MENTIONS = re.compile(rf"\b(?:{_WORDS})\b")
_QUOTES_ALONE = re.compile(r'^.{,97}\n *"""$', re.MULTILINE)
_CLASS = re.compile(r"^ *class ([A-Z]\w*)[:(\[]", re.MULTILINE)


def riddles(source: str) -> Iterator[tuple[int, str]]:
    """Line and text of each sentence that begins with a question word and asks nothing."""
    if not _MENTIONS.search(source):  # as in most files, which are quicker to search than to parse
        return
    for line, text in (*docstrings(source), *comments(source)):
        for sentence in _SENTENCE.findall(text):
            if _RIDDLE.match(sentence):
                yield line, " ".join(sentence.split())


def docstrings(source: str) -> Iterator[tuple[int, str]]:
    """Line and text of each docstring, those below an assignment included."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Expr(value=ast.Constant(value=str(text))):
                yield node.lineno, text


def comments(source: str) -> Iterator[tuple[int, str]]:
    """Line and text of each comment; lines of one comment are joined."""
    line, text = 0, ""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            follows = token.start[0] == line + len(text.splitlines()) and text.strip()
            if not follows:
                yield line, text
                line, text = token.start[0], ""
            text += token.string.lstrip("#: ") + "\n"
    yield line, text


def test_a_class_name_is_used_once() -> None:
    places: dict[str, list[str]] = {}
    for package in ("libretro_host", "integrator"):
        for path in sorted((TREE / package).rglob("*.py")):
            for name in _CLASS.findall(path.read_text(encoding="utf-8")):
                places.setdefault(name, []).append(str(path.relative_to(TREE)))
    assert len(places) > 500
    twice = {name: files for name, files in places.items() if len(files) > 1}
    assert not twice


@pytest.mark.parametrize("package", ["libretro_host", "integrator", "scripts"])
def test_no_sentence_begins_with_a_question_word(package: str) -> None:
    found = [
        f"{path.relative_to(TREE)}:{line}: {sentence}"
        for path in sorted((TREE / package).rglob("*.py"))
        for line, sentence in riddles(path.read_text(encoding="utf-8"))
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("package", ["libretro_host", "integrator", "scripts", "tests"])
def test_a_docstring_ends_with_its_text(package: str) -> None:
    """The closing quotes have a line of their own only if the last line of text has no room."""
    found = [
        f"{path.relative_to(TREE)}:{line}"
        for path in sorted((TREE / package).rglob("*.py"))
        if _QUOTES_ALONE.search(source := path.read_text(encoding="utf-8"))
        for line, text in docstrings(source)
        if len(lines := text.split("\n")) > 2 and not lines[-1].strip() and len(lines[-2]) <= 97
    ]
    assert found == []


@pytest.mark.parametrize(
    "source",
    [
        '"""What is left of a search."""',
        'x = 1\n"""Whether a game is open."""',
        "x = 1  # How many frames",
        "# A comment. Where\n# it goes on.",
        'def f():\n    """One line.\n\n    Which core runs the game.\n    """',
    ],
)
def test_a_riddle_is_seen(source: str) -> None:
    assert list(riddles(source))


@pytest.mark.parametrize(
    "source",
    [
        '"""What-if: play scored anew."""',
        "# Which bytes redraw it? They follow.",
        'x = "What is it."',
        "# The place where it\n# Stands.",
    ],
)
def test_names_questions_and_strings_are_none(source: str) -> None:
    assert not list(riddles(source))


@pytest.mark.parametrize("document", ["ARCHITECTURE.md", "CONTRIBUTING.md"])
def test_the_documents_name_files_that_are_there(document: str) -> None:
    text = (TREE / document).read_text(encoding="utf-8")
    named = {name.replace("NAME", "*") for name in re.findall(r"`((?:[\w.*-]+/)+[\w.*-]*)`", text)}
    homes = (TREE, TREE / "integrator", TREE / "tests")
    assert len(named) > 10
    assert not [name for name in named if not any(list(home.glob(name)) for home in homes)]


def test_words_agree_with_their_counts() -> None:
    """``1 frame(s)`` agrees with no count; name the number, or ask for the count."""
    found = [
        f"{path.relative_to(TREE)}:{node.lineno}: {node.value}"
        for package in ("libretro_host", "integrator")
        for path in sorted((TREE / package).rglob("*.py"))
        if "(s)" in (text := path.read_text(encoding="utf-8"))
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and re.search(r"[a-z]\(s\)", node.value)
    ]
    assert found == []
