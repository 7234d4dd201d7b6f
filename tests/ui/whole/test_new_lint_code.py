"""A code of findings is one row: a made-up one can be found, and lists and help explain it."""

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from integrator.commands.check import show_codes
from integrator.domain.errors import DomainError
from integrator.domain.findings import LINT_CODES, Finding, LintCode, Severity, help_page
from integrator.ui.score.texts.lint_panel import LintModel
from integrator.ui.widgets.theme import Theme

ODD = LintCode("oddness", (Severity.NOTE,), "The number of files is odd.", "Add a file.")


def test_it_is_found_listed_and_explained(
    theme: Theme, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(DomainError, match="no message has this code"):
        show_codes(ODD.code, as_json=False)
    monkeypatch.setitem(LINT_CODES, ODD.code, ODD)
    finding = Finding(ODD.code, Severity.NOTE, Path("data.json"), "three files")
    model = LintModel(theme)
    model.show_changed([finding])
    assert ODD.meaning in model.data(model.index(0, 0), Qt.ItemDataRole.ToolTipRole)
    assert f"### {ODD.code}\n\n(note)\n{ODD.meaning}\n\n*Cure:* {ODD.cure}" in help_page()
    show_codes(ODD.code, as_json=True)
    [told] = json.loads(capsys.readouterr().out)["codes"]
    assert told["cure"] == ODD.cure
    show_codes(None, as_json=False)
    assert ODD.meaning in capsys.readouterr().out
    with pytest.raises(ValueError, match="not among the lint codes"):
        Finding(ODD.code, Severity.ERROR, Path("data.json"), "three files")
