"""Hooks of MkDocs: contents, generated pages, facts of consoles, words for every picture."""

from __future__ import annotations

import logging
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from integrator.ui.help import table_code
from integrator.version import __version__
from scripts.book.console_facts import console_facts
from scripts.book.contents import contents
from scripts.book.generated import GENERATED, root_pages

# A warning here ends a strict build.
_REPOSITORY = "https://github.com/retro-integrator/integrator"
_LOG = logging.getLogger("mkdocs.hooks.book")
_WORKER = re.compile(r'<script src="https://unpkg.com/iframe-worker/shim"></script>')
_WORDLESS = re.compile(r"!\[\s*\]|<img(?![^>]*\balt=\"[^\"])")
_CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.MULTILINE | re.DOTALL)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Name the chapters, the version, and where pages are edited."""
    config.nav = contents()
    config.copyright = f"Integrator {__version__}"
    config.repo_name = "GitHub"
    config.repo_url, config.edit_uri = _REPOSITORY, f"{_REPOSITORY}/edit/main/docs/"
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


def on_post_page(output: str, **_: object) -> str:
    """Search from a folder by our own script; the theme's would be loaded from a host."""
    ours = (Path(__file__).parent / "offline.js").read_text(encoding="utf-8")
    return _WORKER.sub(lambda _: f"<script>{ours}</script>", output)


def on_post_template(output_content: str, **_: object) -> str:
    """As :func:`on_post_page`, for the page of missing pages."""
    return on_post_page(output_content)


def wordless(markdown: str) -> bool:
    """True if a picture, outside of code, has no alternative text."""
    return _WORDLESS.search(_CODE.sub("", markdown)) is not None
