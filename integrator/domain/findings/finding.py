"""Findings: odd or wrong places in the files of an integration."""

from dataclasses import dataclass
from pathlib import Path

from integrator.domain.errors import one_line
from integrator.domain.findings.lint_codes import LINT_CODES, Severity

__all__ = ["Finding", "Severity"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding; ``path`` is the JSON path in ``file``, ``line`` counts from 1 (0: no line).

    ``code`` is one of ``LINT_CODES``, which explains it. Raises ValueError for another code, or for
    a severity that the code does not have.
    """

    code: str
    severity: Severity
    file: Path
    message: str
    cure: str = ""
    path: str = ""
    line: int = 0

    def __post_init__(self) -> None:
        known = LINT_CODES.get(self.code)
        if known is None or self.severity not in known.severities:
            raise ValueError(f"{self.code} ({self.severity}) is not among the lint codes")
        # Files may hold names of megabytes, and findings quote names.
        for text in ("message", "cure"):
            object.__setattr__(self, text, one_line(getattr(self, text)))

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" if self.line else f"{self.file}"
        subject = f"{one_line(self.path)}: " if self.path else ""
        cure = f"; {self.cure}" if self.cure else ""
        return f"{where}: {self.severity}: {subject}{self.message}{cure} [{self.code}]"
