"""The Lint panel: faults of the documents after each edit; a click goes to the place."""

from collections.abc import Sequence
from enum import IntEnum

from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtWidgets import QWidget

from integrator.domain.findings import LINT_CODES, Finding, Severity
from integrator.domain.lint.lint import LintOptions
from integrator.session.library.checks.checking import lint_options, lint_session
from integrator.session.session import Session
from integrator.ui.desk import PanelController
from integrator.ui.widgets.fields import settle_timer
from integrator.ui.widgets.parts import EmptyOr, EmptyState, stack
from integrator.ui.widgets.rows_model import Column, RowsModel
from integrator.ui.widgets.table import DataTable
from integrator.ui.widgets.texts import counted
from integrator.ui.widgets.theme import Theme

_ICONS = {
    Severity.ERROR: ("error", "bad"),
    Severity.WARNING: ("warning", "warn"),
    Severity.NOTE: ("info", "faint"),
}


LintColumn = IntEnum("LintColumn", "WHAT CURE WHERE", start=0)


class LintModel(RowsModel[Finding]):
    """A row a finding, errors first."""

    def table(self) -> Sequence[Column[Finding]]:
        theme = self._theme
        return (
            Column(
                self.tr("message"),
                _sentence,
                icon=lambda finding: theme.icons.icon(*_ICONS[finding.severity]),
            ),
            Column(
                self.tr("cure"),
                lambda finding: finding.cure,
                color=lambda _finding: theme.colors.secondary,
            ),
            Column(self.tr("where"), _place, color=lambda _finding: theme.colors.link),
        )

    def tip(self, finding: Finding) -> str:
        meaning = LINT_CODES[finding.code].meaning
        lines = (_sentence(finding), finding.cure, f"{finding.code}: {meaning}")
        return "\n".join(line for line in lines if line)


def _place(finding: Finding) -> str:
    return f"{finding.file.name}:{finding.line}" if finding.line else finding.file.name


class LintView(QWidget):
    """``place_requested``: the finding to go to. ``counted``: (errors, warnings, notes). ``errors``
    is -1 before the first check."""

    place_requested = Signal(object)
    counted = Signal(int, int, int)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.model = LintModel(theme, self)
        self.table = DataTable(self.tr("Errors, warnings and notes"), self.model)
        self.table.set_widths(
            (460, 280, 108),
            stretch=LintColumn.WHAT,
            whole=(LintColumn.WHERE,),
            spare=(LintColumn.CURE,),  # which the tooltip has, too
        )
        self.table.wrap_rows()
        self.table.clicked.connect(self._go)
        self.table.activated.connect(self._go)
        self._clean = EmptyState(theme, "check", "", "")
        self.pages = EmptyOr(self._clean, self.table)
        stack(self, self.pages)
        self.show_nothing()

    def show_nothing(self) -> None:
        self.model.show_changed(())
        text = self.tr("Open an integration: faults that would harm training are listed here.")
        self._clean.say(self.tr("Nothing to check"), text)
        self.pages.show_content(present=False)
        self.errors = -1
        self.counted.emit(0, 0, 0)

    def show_findings(self, findings: Sequence[Finding]) -> None:
        self.model.show_changed(findings)
        text = self.tr("No error, warning or note in these documents.")
        self._clean.say(self.tr("All clear"), text)
        self.pages.show_content(bool(findings))
        counts = [sum(each.severity is kind for each in findings) for kind in Severity]
        self.errors = counts[0]
        self.counted.emit(*counts)

    def _go(self, index: QModelIndex) -> None:
        self.place_requested.emit(self.model.at(index.row()))


def _sentence(finding: Finding) -> str:
    return f"{finding.path}: {finding.message}" if finding.path else finding.message


_SETTLE_MS = 500


class LintController(PanelController[LintView]):
    """``lint_session`` reads documents only, so it fits between two frames."""

    def _set_up(self) -> None:
        bridge, controller, view = self._bridge, self._controller, self._view
        self._options: list[LintOptions] = []
        self._settle = settle_timer(self, _SETTLE_MS, self.lint)
        controller.documents_changed.connect(lambda _: self._settle.start())
        bridge.closed.connect(self._settle.stop)
        bridge.closed.connect(view.show_nothing)
        view.counted.connect(self._show_counts)

    def lint(self) -> None:
        kept = self._options

        def work(session: Session) -> tuple[Finding, ...]:
            # Reading the schemas takes some milliseconds: once, and not in the window's thread.
            if not kept:
                kept.append(lint_options())
            return lint_session(session, kept[0])

        self._bridge.ask(work, self._view.show_findings)

    def _show_counts(self, errors: int, warnings: int, notes: int) -> None:
        texts = (
            (errors, self.tr("{0} error[|s]", None, errors)),
            (warnings, self.tr("{0} warning[|s]", None, warnings)),
            (notes, self.tr("{0} note[|s]", None, notes)),
        )
        parts = [counted(text, count).format(count) for count, text in texts if count]
        self._dock.header.note.setText(", ".join(parts))
