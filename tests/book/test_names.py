"""Menu entries, buttons, panels and keys that the book names are those of the window.

On these pages ``*...*`` is a text of the window, and ``**...**`` stresses words."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QKeySequence

from integrator.domain.scenario.tree import OPS
from integrator.ui.actions.shortcuts import ENTRIES, MENUS, PANEL_KEYS
from integrator.ui.shell.docks.workspaces import WORKSPACES
from integrator.ui.shell.panels import PANELS
from scripts.translations import table_texts

# The program is read once, by the worker that runs them all.
pytestmark = pytest.mark.xdist_group("book")
TREE = Path(__file__).parents[2]
DOCS = TREE / "docs"
PAGES = {
    page.relative_to(DOCS).as_posix(): page.read_text(encoding="utf-8")
    for page in (
        DOCS / "agents.md",
        *sorted(
            path
            for part in ("first-hour", "guide", "how-to")
            for path in DOCS.glob(f"{part}/[0-9]*.md")
        ),
    )
}
CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.MULTILINE | re.DOTALL)
EMPHASIS = re.compile(r"(?<![\w*])\*(?!\*)([^*|]+)\*(?![\w*])")
KEYS = r"(?:(?:Ctrl|Shift|Alt)\+)+(?:\w+|,)|\bF\d+\b"
# *Record movie* (Ctrl+Shift+R), or workspace *Find*, Ctrl+2
NAMED_KEYS = re.compile(rf"\*([^*|]+)\*(?: \(|, )({KEYS})\)")
OTHERS = {
    "Cheese Cat-Astrophe": "a game",
    "Blades of Vengeance": "a game",
    "Data types and ops": "a page of the help",
    "Keyboard": "a page of the help",
    "Discard": "Qt's own button",
    "delta": "the measurement of a reward term",
    "2P": "a badge that is drawn",
    "84 × 84": "made from a number",
    "stack 4": "made from a number",
}
OTHER_KEYS = {"Shift+Enter": "begins a line in the console"}


def plain(text: str) -> str:
    """A text as people read it, without the mnemonic and the sign of a dialog."""
    return " ".join(text.replace("&", "").split()).rstrip("…")


def texts_of(tree: ast.AST) -> Iterator[str]:
    """The texts of a module that are shown, and so are translated."""
    position = {"tr": 0, "translate": 1}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, (ast.Name, ast.Attribute)):
            name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
            if name in position and len(node.args) > position[name]:
                text = node.args[position[name]]
                if isinstance(text, ast.Constant) and isinstance(text.value, str):
                    yield plain(text.value)


@pytest.fixture(scope="module")
def shown() -> set[str]:
    """Every text of the window, and the names that it shows from tables."""
    paths = sorted((TREE / "integrator").rglob("*.py"))
    trees = (ast.parse(path.read_text(encoding="utf-8")) for path in paths)
    marked = {text for tree in trees for text in texts_of(tree)}
    return marked | set(map(plain, table_texts())) | OPS.keys() | OTHERS.keys()


def menu_paths() -> set[str]:
    tables = {
        f"{plain(title)} > {plain(spec.text)}" for title, specs in MENUS.values() for spec in specs
    }
    return tables | {"View > Panels", "Play > Slots"}


def commands() -> dict[str, set[str]]:
    """The keys of each named thing of the window."""
    rows = [(spec.text, spec.shortcut) for spec in ENTRIES]
    rows += PANEL_KEYS.values()
    rows += [(panel.title, "") for panel in PANELS]
    rows += [(each.text, f"Ctrl+{number}") for number, each in enumerate(WORKSPACES, start=1)]
    found: dict[str, set[str]] = {}
    for text, keys in rows:
        found.setdefault(plain(text), set()).add(portable(keys))
    return found


def portable(keys: str) -> str:
    return QKeySequence(keys).toString(QKeySequence.SequenceFormat.PortableText)


def known_keys() -> set[str]:
    slots = {f"{shift}F{slot}" for shift in ("", "Shift+") for slot in range(2, 10)}
    return set().union(*commands().values()) | slots | OTHER_KEYS.keys()


def faults(page: str, shown: set[str]) -> Iterator[str]:
    text = CODE.sub("", page)
    for found in EMPHASIS.finditer(text):
        name = plain(found[1])
        if name not in shown and name not in menu_paths():
            yield f"*{name}* is no text of the window"
    for keys in re.findall(KEYS, text):
        if keys not in known_keys():
            yield f"{keys} does nothing"
    for found in NAMED_KEYS.finditer(text):
        name = plain(found[1]).rpartition(" > ")[2]
        if portable(found[2]) not in commands().get(name, {portable(found[2])}):
            yield f"{found[2]} is not *{name}*"


@pytest.mark.parametrize("page", PAGES)
def test_a_page_names_what_the_window_has(page: str, shown: set[str]) -> None:
    assert list(faults(PAGES[page], shown)) == []


def test_each_exception_is_used() -> None:
    text = " ".join("\n".join(PAGES.values()).split())
    assert [name for name in OTHERS if f"*{name}*" not in text] == []
    assert [keys for keys in OTHER_KEYS if keys not in text] == []


def test_faults_are_noticed(shown: set[str]) -> None:
    page = "*Moth* **Moth** `*Moth*` *File > Moth* Ctrl+J *Find* (Ctrl+3) *File > Quit* (Ctrl+Q)"
    assert list(faults(page, shown)) == [
        "*Moth* is no text of the window",
        "*File > Moth* is no text of the window",
        "Ctrl+J does nothing",
        "Ctrl+3 is not *Find*",
    ]
