"""The book's table of contents; within a folder, pages stand in the order of their names."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from scripts.book.generated import GENERATED, ROOT_PAGES

DOCS: Final = Path(__file__).resolve().parents[2] / "docs"

_REFERENCE: Final = ("formats.md", "glossary.md")
_INSIDE: Final = ("reliability.md", "benchmarks.md", "comparison.md")

Nav = list["str | dict[str, Nav]"]


def contents() -> Nav:
    """The chapters as MkDocs wants them; a page's title is its first heading."""
    first_hour = _folder("first-hour")
    return [
        "index.md",
        {"First hour": [first_hour[0], "install.md", *first_hour[1:]]},
        {"Guide": [*_folder("guide"), *_other_pages()]},
        {"How-tos": [*_folder("how-to"), "faq.md", {"Consoles": _folder("consoles")}]},
        {"Reference": [*GENERATED, *_REFERENCE]},
        {"Inside": [*ROOT_PAGES.values(), *_folder("development"), *_INSIDE]},
    ]


def _other_pages() -> Nav:
    """Pages outside of the folders that no chapter names: a new one joins the guide."""
    named = {"index.md", "install.md", "faq.md", *_REFERENCE, *_INSIDE}
    return [page.name for page in sorted(DOCS.glob("*.md")) if page.name not in named]


def _folder(name: str) -> Nav:
    return [f"{name}/{page.name}" for page in sorted((DOCS / name).glob("*.md"), key=_place)]


def _place(page: Path) -> tuple[bool, str]:
    return page.stem != "index", page.name
