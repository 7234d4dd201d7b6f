"""Pages of the book that are made from the program's own tables, or lie at the top of the tree."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

from integrator.domain.findings import help_page
from integrator.ui.help import reference_page
from scripts.book.api import api_page
from scripts.book.commands import commands_page
from scripts.book.schemas import schemas_page
from scripts.book.window import window_page

GENERATED: Final[Mapping[str, Callable[[], str]]] = {
    "reference/commands.md": commands_page,
    "reference/window.md": window_page,
    "reference/api.md": api_page,
    "reference/keys-of-documents.md": schemas_page,
    "reference/types-and-ops.md": reference_page,
    "reference/errors.md": help_page,
}
"""The function that writes each page of the reference, in the reference's order."""

ROOT_PAGES: Final[Mapping[str, str]] = {
    "ARCHITECTURE.md": "inside/architecture.md",
    "CONTRIBUTING.md": "inside/contributing.md",
    "CHANGELOG.md": "inside/changelog.md",
}
"""Documents at the top of the tree, and their places in the book."""

_TREE = Path(__file__).resolve().parents[2]
_LINK = re.compile(r"\[([^\]]*)\]\(([^):]+)\)")


def root_pages() -> Iterator[tuple[str, str]]:
    """Place and text of each document; a link to a file that is no page becomes plain text."""
    for name, place in ROOT_PAGES.items():
        yield place, _LINK.sub(_moved, (_TREE / name).read_text(encoding="utf-8"))


def _moved(link: re.Match[str]) -> str:
    words, target = link.groups()
    if target in ROOT_PAGES:
        return f"[{words}](../{ROOT_PAGES[target]})"
    if target.startswith("docs/") and target.endswith(".md"):
        return f"[{words}](../{target.removeprefix('docs/')})"
    return words
