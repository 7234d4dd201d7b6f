"""The list of lint codes is the only one, and every code in it can be found."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import integrator
from integrator.domain.findings import LINT_CODES, Finding, Severity, help_page

SOURCES = Path(integrator.__file__).parent


def said_by_the_program() -> set[str]:
    """Every string constant of the files in which a code stands."""
    sources = [path.read_text(encoding="utf-8") for path in SOURCES.rglob("*.py")]
    return {
        node.value
        for source in sources
        if any(code in source for code in LINT_CODES)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def test_no_code_is_listed_that_nothing_finds() -> None:
    assert set(LINT_CODES) - said_by_the_program() == set()


@pytest.mark.parametrize(
    ("code", "severity"), [("no-such-code", Severity.ERROR), ("op-never", Severity.NOTE)]
)
def test_a_finding_without_an_explanation_can_not_be_made(code: str, severity: Severity) -> None:
    with pytest.raises(ValueError, match=code):
        Finding(code, severity, Path("data.json"), "something")


def test_the_page_explains_every_code() -> None:
    page = help_page()
    for code in LINT_CODES.values():
        assert f"### {code.code}\n" in page
        assert code.meaning in page
        assert code.cure in page
        assert code.meaning.endswith(".")
        assert code.cure.endswith(".")
