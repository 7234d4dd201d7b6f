"""``integrator check --list-codes`` and ``--explain``: the meaning of the codes of messages."""

from __future__ import annotations

import difflib
from typing import TypedDict

from rich.text import Text

from integrator.commands.shared.console import plain_console
from integrator.domain.errors import DomainError
from integrator.domain.findings.lint_codes import LINT_CODES, LintCode


class CodeJson(TypedDict):
    """One code; ``live``: found only by running the game."""

    code: str
    severities: list[str]
    meaning: str
    cure: str
    live: bool


def find_code(name: str) -> LintCode:
    """The code of a name. Raises DomainError that names similar ones."""
    if name in LINT_CODES:
        return LINT_CODES[name]
    near = " or ".join(difflib.get_close_matches(name, LINT_CODES, 3))
    cure = f"did you mean {near}?" if near else "--list-codes shows all"
    raise DomainError(f"{name}: no message has this code; {cure}")


def code_json(code: LintCode) -> CodeJson:
    """A code as plain values."""
    return {
        "code": code.code,
        "severities": [str(severity) for severity in code.severities],
        "meaning": code.meaning,
        "cure": code.cure,
        "live": code.live,
    }


def print_codes() -> None:
    """Print every code with its severities and meaning, a line each."""
    console = plain_console(soft_wrap=True)
    width = max(map(len, LINT_CODES))
    for code in LINT_CODES.values():
        severities = "/".join(code.severities)
        console.print(
            Text.assemble((f"{code.code:{width}}", "bold"), f"  {severities:13} "), end=""
        )
        console.print(Text(code.meaning))
