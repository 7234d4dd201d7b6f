"""Code with a bar in a table of Markdown, for readers of Markdown that show its backslash."""

from __future__ import annotations

import html
import re
from typing import Final

_BAR: Final = r"\|"
_CODE: Final = re.compile(r"(?<!`)`([^`\n]*\\\|[^`\n]*)`")


def table_code(markdown: str) -> str:
    """``markdown`` with such code as HTML. Qt and Python-Markdown show the backslash otherwise."""

    def as_html(code: re.Match[str]) -> str:
        return f"<code>{html.escape(code[1].replace(_BAR, '|')).replace('|', '&#124;')}</code>"

    return _CODE.sub(as_html, markdown)
