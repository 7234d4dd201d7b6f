"""The dialog that answers what changed a number, from the recording of the shown line of play."""

from collections.abc import Sequence

from PySide6.QtGui import QFont
from PySide6.QtWidgets import QDialog, QWidget

from integrator.domain.query.causes import Causes, Companion, NumberChange
from integrator.domain.values.datatype import DataType
from integrator.ui.bridge.background import Background
from integrator.ui.desk import PanelController
from integrator.ui.memory.memory_view import MemoryView
from integrator.ui.widgets.fields import address_text
from integrator.ui.widgets.panels.parts import role_label, vbox
from integrator.ui.widgets.panels.table import DataTable
from integrator.ui.widgets.rows_model import Column, RowsModel
from integrator.ui.widgets.theme import Theme
from integrator.ui.widgets.translation import counted


class ChangesModel(RowsModel[NumberChange]):
    """A row a change, the newest first."""

    def table(self) -> Sequence[Column[NumberChange]]:
        return (
            Column(self.tr("frame"), lambda row: str(row.frame)),
            Column(self.tr("from"), lambda row: str(row.before)),
            Column(self.tr("to"), lambda row: str(row.after)),
            Column(self.tr("held"), lambda row: " ".join(row.held)),
        )

    def font(self, _row: NumberChange) -> QFont:
        return self._mono


class CausesView(QDialog):
    """All changes of one number, and in words what goes with them."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("What changed this?"))
        self.facts = role_label("", "secondary", wraps=True)
        self.model = ChangesModel(theme, self)
        self.table = DataTable(self.tr("Changes"), self.model)
        self.table.set_widths((72, 84, 84, 160), stretch=3, whole=(0,))
        hint = self.tr("Enter or a double click goes to the frame")
        vbox(self.facts, (self.table, 1), role_label(hint, "faint"), on=self)
        self.resize(460, 460)

    def show_causes(self, causes: Causes) -> None:
        self.model.show(causes.changes[::-1])
        count, (step, times) = len(causes.changes), causes.usual_step
        text = self.tr("{0} {1} changed on {2} recorded frame[|s]", None, count)
        place = address_text(causes.address)
        text = counted(text, count).format(place, causes.type.spec, f"{count:,}")
        if times > 1:
            moves = self.tr("; by {0} on {1} of them") if step else ""
            text += moves.format(f"{step:+}", f"{times:,}")
        sentences = [text]
        of_buttons = (
            (causes.buttons, self.tr("{0} is held at nearly all of them")),
            (causes.rises_with, self.tr("It rises with {0}")),
            (causes.falls_with, self.tr("It falls with {0}")),
        )
        said = [words.format(", ".join(names)) for names, words in of_buttons if names]
        sentences += said or [self.tr("No button goes with it")]
        if causes.companions:
            others = ", ".join(map(self._companion, causes.companions))
            sentences.append(self.tr("On the same frames change {0}").format(others))
        self.facts.setText(". ".join(sentences) + ".")
        self.show()
        self.raise_()

    def _companion(self, other: Companion) -> str:
        place = address_text(other.address)
        reaches = self.tr("{0}, which becomes {1}")
        return place if other.reaches is None else reaches.format(place, other.reaches)


class CausesController(PanelController[MemoryView]):
    """Looks for causes on a copy of the recording, next to the game."""

    def _set_up(self) -> None:
        self.view = CausesView(self._view.theme, self._view.window())
        self.view.table.activated.connect(
            lambda index: self._bridge.seek(self.view.model.at(index.row()).frame)
        )
        self._background = Background(self._bridge, "causes", self)
        self._bridge.closed.connect(self.view.hide)
        self._view.causes_requested.connect(self.find)

    def find(self, address: int, size: int) -> None:
        documents = self._controller.documents
        specs = documents.variables.values() if documents else ()
        known = (spec.type for spec in specs if spec.address == address)
        kind = next(known, DataType.parse("|u1" if size == 1 else f">u{min(size, 8)}"))
        self._bridge.ask(
            lambda session: session.causes_run(),
            lambda run: self._background.start(
                lambda _: run.run(address, kind), self.view.show_causes, self._warn
            ),
            self._warn,
        )
