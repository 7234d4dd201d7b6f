"""The README: short, rendered as PyPI renders it, and with links that lead somewhere from there."""

import re
from pathlib import Path

from readme_renderer import markdown

TREE = Path(__file__).parents[2]
README = (TREE / "README.md").read_text(encoding="utf-8")
OURS = "https://github.com/retro-integrator/integrator/blob/main/"
RAW = "https://raw.githubusercontent.com/retro-integrator/integrator/main/"
MOST_WORDS = 900


def test_it_is_short() -> None:
    assert len(README.split()) <= MOST_WORDS


def test_pypi_renders_it_and_every_link_is_whole() -> None:
    page = markdown.render(README)
    assert page is not None
    assert "<table>" in page
    assert "<img" in page
    targets = re.findall(r'(?:href|src)="([^"]*)"', page)
    assert [each for each in targets if not each.startswith(("https://", "#"))] == []
    files = [
        each.removeprefix(OURS).removeprefix(RAW)
        for each in targets
        if each.startswith((OURS, RAW))
    ]
    assert len(files) >= 8
    assert [each for each in files if not (TREE / each).is_file()] == []
