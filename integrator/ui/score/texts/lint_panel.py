"""The Lint panel: faults of the documents after each edit. A click shows the place of a fault."""

from collections.abc import Sequence
from functools import cache

from integrator.domain.findings import LINT_CODES, Finding, Severity
from integrator.session.library.checks.checking import lint_options, lint_session
from integrator.ui import widgets as ui
from integrator.ui.window_context import PanelView

_ICONS = dict(zip(Severity, ("error bad", "warning warn", "info faint"), strict=True))


class LintModel(ui.RowsModel[Finding]):
    """One row for each finding, errors first."""

    def table(self) -> Sequence[ui.Column[Finding]]:
        def place(finding: Finding) -> str:
            return f"{finding.file.name}:{finding.line}" if finding.line else finding.file.name

        return (
            ui.Column(self.tr("message"), _sentence, icon=lambda finding: _ICONS[finding.severity]),
            ui.Column(self.tr("cure"), lambda finding: finding.cure, color="secondary"),
            ui.Column(self.tr("where"), place, color="link"),
        )

    def tip(self, finding: Finding) -> str:
        meaning = LINT_CODES[finding.code].meaning
        lines = (_sentence(finding), finding.cure, f"{finding.code}: {meaning}")
        return "\n".join(line for line in lines if line)


def _sentence(finding: Finding) -> str:
    return f"{finding.path}: {finding.message}" if finding.path else finding.message


class LintView(PanelView):
    """The findings. ``errors`` is -1 before a first check."""

    def _set_up(self) -> None:
        self._options = cache(lint_options)
        self._settle = ui.settle_timer(self, pause_ms=500, then=self._lint)
        self.model = LintModel(self)
        self.table = ui.DataTable(self.tr("Errors, warnings and notes"), self.model)
        # The tooltip shows the cure too.
        self.table.set_widths((460, 280, 108), stretch=0, whole=(2,), spare=(1,))
        self.table.wrap_rows()
        show, at = self._requests.show_finding.emit, self.model.at
        for chosen in (self.table.clicked, self.table.activated):
            chosen.connect(lambda index: show(at(index.row())))
        self._fill(self.table, "check", "lint")
        self._closed()
        self._controller.documents_changed.connect(lambda _: self._settle.start())

    def _closed(self) -> None:
        self._settle.stop()
        self._show(())
        self.errors = -1
        self._say_hint("lint")

    def _lint(self) -> None:
        # The check reads only documents, so it fits between two frames; schemas are read once.
        self._bridge.ask(lambda session: lint_session(session, self._options()), self._show)

    def _show(self, findings: Sequence[Finding]) -> None:
        self.model.show_changed(findings)
        self._say_hint("lint-clear")
        self.pages.show_content(bool(findings))
        counts = [sum(each.severity is kind for each in findings) for kind in Severity]
        self.errors, warnings, notes = counts
        texts = (
            self.tr("{0} error[|s]", None, self.errors),
            self.tr("{0} warning[|s]", None, warnings),
            self.tr("{0} note[|s]", None, notes),
        )
        found = zip(texts, counts, strict=True)
        shown = ", ".join(ui.counted(text, n).format(n) for text, n in found if n)
        self._dock.header.note.setText(shown)
