"""The book's table of contents; within a folder, pages stand in the order of their file names."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from scripts.book.generated import GENERATED, ROOT_PAGES

DOCS: Final = Path(__file__).resolve().parents[2] / "docs"

Nav = list["str | dict[str, Nav]"]


def contents() -> Nav:
    """The chapters as MkDocs wants them; a page's title is its first heading."""
    return [
        "index.md",
        {"First hour": _folder("first-hour")},
        {
            "Guide": [
                *_folder("guide"),
                "agents.md",
                "audit.md",
                "movies-as-tests.md",
                "training.md",
            ]
        },
        {"How-tos": [*_folder("how-to"), {"Consoles": _folder("consoles")}]},
        {"Reference": [*GENERATED, "formats.md", "glossary.md"]},
        {"Inside": [*ROOT_PAGES.values(), "reliability.md", "benchmarks.md"]},
    ]


def _folder(name: str) -> Nav:
    return [f"{name}/{page.name}" for page in sorted((DOCS / name).glob("*.md"))]
