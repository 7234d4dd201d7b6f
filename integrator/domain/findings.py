"""Findings in the files of an integration, and all codes of findings with meaning and fix."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final, Self

from integrator.domain.errors import one_line
from integrator.domain.words import sections


class Severity(StrEnum):
    """``error``: training fails or learns from garbage. ``warning``: probably a mistake."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class LintCode:
    """One kind of finding; a ``live`` one is found only by running the game."""

    code: str
    severities: tuple[Severity, ...]
    meaning: str
    cure: str
    live: bool = False

    @property
    def text(self) -> str:
        found = "found by running the game" if self.live else "found in the files"
        severities = " or ".join(self.severities)
        return f"{self.code} ({severities}, {found})\n\n{self.meaning}\n\nCure: {self.cure}"


def _codes() -> Iterator[LintCode]:
    for heading, text in sections(Path(__file__).with_name("findings.md")).items():
        code, *words = re.findall(r"[\w-]+", heading)
        meaning, cure = text.split(" Cure: ")
        severities = tuple(Severity(word) for word in words if word != "live")
        yield LintCode(code, severities, meaning, cure, "live" in words)


LINT_CODES: Final = {each.code: each for each in _codes()}  # in the order of the help page


def help_page() -> str:
    intro = "Messages of the Lint panel and of `integrator check`, by code."
    lines = ["# Errors, warnings and notes", "", intro]
    for title, live in (("Found in the files", False), ("Found by running the game", True)):
        lines += ["", f"## {title}"]
        for code in LINT_CODES.values():
            if code.live is live:
                lines += ["", f"### {code.code}", "", f"({' or '.join(code.severities)})"]
                lines += [code.meaning, "", f"*Cure:* {code.cure}"]
    return "\n".join(lines) + "\n"


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding, explained in ``LINT_CODES``; lines count from 1. Raises ValueError."""

    code: str
    severity: Severity
    file: Path
    message: str
    cure: str = ""
    path: str = ""
    line: int = 0

    @classmethod
    def of(
        cls, code: str, file: Path, message: str, cure: str = "", *, path: str = "", line: int = 0
    ) -> Self:
        """Make a finding with the first severity of its code."""
        return cls(code, LINT_CODES[code].severities[0], file, message, cure, path, line)

    def __post_init__(self) -> None:
        known = LINT_CODES.get(self.code)
        if known is None or self.severity not in known.severities:
            raise ValueError(f"{self.code} ({self.severity}) is not among the lint codes")
        # Findings quote names out of files, which may be megabytes long.
        for text in ("message", "cure"):
            object.__setattr__(self, text, one_line(getattr(self, text)))

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" if self.line else f"{self.file}"
        subject = f"{one_line(self.path)}: " if self.path else ""
        cure = f"; {self.cure}" if self.cure else ""
        return f"{where}: {self.severity}: {subject}{self.message}{cure} [{self.code}]"
