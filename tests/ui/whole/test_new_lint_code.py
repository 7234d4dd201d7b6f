"""A code of findings is one row: a made-up one can be found, and lists and help explain it."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from integrator.commands.check import code_json, find_code, print_codes
from integrator.domain.errors import DomainError
from integrator.domain.findings import LINT_CODES, Finding, LintCode, Severity, help_page
from integrator.ui.score.texts.lint_panel import LintModel
from integrator.ui.widgets.theme import Theme

ODD = LintCode("oddness", (Severity.NOTE,), "The number of files is odd.", "Add a file.")


def test_it_is_found_listed_and_explained(
    theme: Theme, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(DomainError, match="no message has this code"):
        find_code(ODD.code)
    monkeypatch.setitem(LINT_CODES, ODD.code, ODD)
    finding = Finding(ODD.code, Severity.NOTE, Path("data.json"), "three files")
    model = LintModel(theme)
    model.show_changed([finding])
    assert ODD.meaning in model.data(model.index(0, 0), Qt.ItemDataRole.ToolTipRole)
    assert f"### {ODD.code}\n\n(note)\n{ODD.meaning}\n\n*Cure:* {ODD.cure}" in help_page()
    assert code_json(find_code(ODD.code))["cure"] == ODD.cure
    print_codes()
    assert ODD.meaning in capsys.readouterr().out
    with pytest.raises(ValueError, match="not among the lint codes"):
        Finding(ODD.code, Severity.ERROR, Path("data.json"), "three files")
