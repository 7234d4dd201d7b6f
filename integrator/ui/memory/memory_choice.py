"""The choice which memory of the open game counts, and its dialog."""

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPlainTextEdit, QRadioButton, QWidget

from integrator.domain.errors import DomainError, SessionError
from integrator.session.setup.plan import (
    MemoryRange,
    MemoryStore,
    memory_path,
    parse_range,
    range_text,
)
from integrator.ui.desk import Part
from integrator.ui.widgets.parts import role_label, vbox
from integrator.ui.widgets.texts import size_text
from integrator.ui.widgets.theme import mono_font

Ranges = Sequence[MemoryRange]


class MemoryChoiceDialog(QDialog):
    """Shows the memory that counts. ``chosen`` takes the wanted ranges, () for all memory.

    ``regions`` is the memory that is open now, ``kept`` the last choice, ``whole_bytes`` all that
    the core has.
    """

    def __init__(
        self,
        regions: Ranges,
        kept: Ranges,
        whole_bytes: int,
        chosen: Callable[[tuple[MemoryRange, ...]], object],
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Memory that counts"))
        self._limited, self._regions, self._chosen = bool(kept), regions, chosen
        text = self.tr(
            "Memory outside is not logged, searched or shown, which saves time and room on "
            "consoles with megabytes. Variables are always in. The game is opened again, and "
            "its timeline begins again."
        )
        about = role_label(text, "secondary", wraps=True)
        self.all = QRadioButton(self.tr("&All memory ({0})").format(size_text(whole_bytes)))
        self.some = QRadioButton(self.tr("Only these &ranges, one a line:"))
        self.ranges = QPlainTextEdit("\n".join(map(range_text, kept or regions)))
        self.ranges.setFont(mono_font())
        self.ranges.setTabChangesFocus(True)
        self.ranges.setAccessibleName(self.tr("Ranges of addresses"))
        self.problem = role_label("", "bad", wraps=True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        accepts = QDialogButtonBox.ButtonRole.AcceptRole
        self.open_again = buttons.addButton(self.tr("Open again"), accepts)
        buttons.accepted.connect(self._accept)
        buttons.rejected.connect(self.reject)
        vbox(about, self.all, self.some, self.ranges, self.problem, buttons, on=self)
        (self.some if kept else self.all).setChecked(True)
        self.some.toggled.connect(self._check)
        self.ranges.textChanged.connect(self._check)
        self.resize(460, 340)
        self._check()

    def _wanted(self) -> tuple[MemoryRange, ...]:
        """The written ranges. Raises SessionError for a malformed range, or one without memory."""
        if self.all.isChecked():
            return ()
        lines = [line for line in self.ranges.toPlainText().splitlines() if line.strip()]
        wanted = tuple(map(parse_range, lines))
        meet = any(
            start < first + size and first < start + length
            for start, length in wanted
            for first, size in self._regions
        )
        # With memory limited already, the rest is unknown here, so any range may be wished for.
        if not wanted or not (self._limited or meet):
            regions = ", ".join(map(range_text, self._regions))
            raise SessionError(self.tr("None of this is memory of the game: {0}").format(regions))
        return wanted

    def _check(self) -> None:
        self.ranges.setEnabled(self.some.isChecked())
        self.problem.clear()
        try:
            self._wanted()
        except SessionError as error:
            self.problem.setText(str(error))
        self.open_again.setEnabled(not self.problem.text())

    def _accept(self) -> None:
        self._chosen(self._wanted())
        self.accept()


class MemoryChoiceController(Part):
    """Keeps the choice with the user's other settings of the game, and opens it again."""

    def _set_up(self) -> None:
        self.dialog: MemoryChoiceDialog | None = None
        self._desk.actions.on("memory_ranges", self._choose)

    def _choose(self) -> None:
        game = self._controller.game
        if game is None:
            return
        try:
            kept = MemoryStore(memory_path()).ranges(game.name)
        except DomainError as error:
            self._report(error)
            return

        def keep(ranges: tuple[MemoryRange, ...]) -> None:
            try:
                MemoryStore(memory_path()).keep(game.name, ranges)
            except DomainError as error:
                self._report(error)
            else:
                self._desk.open_path(game.path)

        regions = [(region.address, region.size) for region in game.space.regions]
        whole = game.info.whole_ram_bytes
        self.dialog = MemoryChoiceDialog(regions, kept, whole, keep, self._window)
        self.dialog.open()
