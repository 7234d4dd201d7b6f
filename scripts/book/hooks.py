"""Hooks of MkDocs: contents, generated pages, facts of consoles, words for every picture."""

from __future__ import annotations

import logging
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from integrator.ui.help import table_code
from scripts.book.console_facts import console_facts
from scripts.book.contents import contents
from scripts.book.generated import GENERATED, root_pages

# A warning here ends a strict build.
_LOG = logging.getLogger("mkdocs.hooks.book")
_WORDLESS = re.compile(r"!\[\s*\]|<img(?![^>]*\balt=\"[^\"])")
_CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.MULTILINE | re.DOTALL)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Name the chapters, so that a new page needs no entry in a list."""
    config.nav = contents()
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that the program's tables and the top of the tree hold."""
    for path, page in GENERATED.items():
        files.append(File.generated(config, path, content=page()))
    for path, text in root_pages():
        files.append(File.generated(config, path, content=text))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001 - MkDocs passes all of them by name
    """Complete a console's page, and refuse a picture without words."""
    path = page.file.src_uri
    if wordless(markdown):
        _LOG.warning("%s: a picture has no words for those who do not see it: ![words](...)", path)
    if path.startswith("consoles/") and page.file.name != "index":
        markdown += console_facts(Path(path).stem)
    return table_code(markdown)


def wordless(markdown: str) -> bool:
    """True if a picture, outside of code, has no alternative text."""
    return _WORDLESS.search(_CODE.sub("", markdown)) is not None
