"""The Consoles dialog: a console of one's own, drafted from a core, edited, tried and saved."""

from collections.abc import Callable, Mapping
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QComboBox, QFileDialog, QLineEdit, QMessageBox, QPushButton, QWidget

from integrator.domain.errors import DomainError, IntegratorError
from integrator.session.library.consoles.console_draft import (
    ConsoleDraft,
    ConsoleTrial,
    checked_console,
    draft_here,
    own_path,
    try_here,
)
from integrator.session.library.consoles.own_consoles import (
    KnownSystems,
    OfferedCore,
    export_here,
    offered_cores,
    own_consoles,
    read_console,
    remove_console,
    save_console,
)
from integrator.session.setup.roots import skipped_systems
from integrator.ui.library.consoles.console_form import ConsoleForm, TrialView
from integrator.ui.library.import_dialog import WorkingDialog
from integrator.ui.widgets.parts import hbox, push_button, role_label, set_role, vbox
from integrator.ui.widgets.theme import Theme
from libretro_host.errors import HostError
from libretro_host.host import Frame


class _StoppedError(Exception):
    """The dialog was closed while a game ran."""


class ConsolesDialog(WorkingDialog):
    """Runs cores only in processes of their own, from a thread of its own."""

    _drawn = Signal(object)

    def __init__(self, theme: Theme, systems: KnownSystems, parent: QWidget | None = None) -> None:
        super().__init__("try-console", parent)
        self.setWindowTitle(self.tr("Consoles"))
        self._theme = theme
        self._systems = systems
        self._remarks: tuple[str, ...] = ()
        self._skipped: Mapping[Path, str] = {}
        self.source = QComboBox()
        self.source.activated.connect(lambda _: self._choose_source())
        self.game = QLineEdit()
        self.game.textEdited.connect(lambda _: self._show_state())
        self.form = ConsoleForm()
        self.form.edited.connect(self._show_state)
        self.trial = TrialView()
        self._drawn.connect(self.trial.show_frame, Qt.ConnectionType.QueuedConnection)
        self.note = role_label("", "secondary", wraps=True)
        self.draft = _button(self.tr("Draft"), self._draft)
        self.try_button = _button(self.tr("Try the game"), self._try)
        self.export = _button(self.tr("Share…"), self._export)
        self.train = _button(self.tr("For training…"), self._export_for_training)
        self.remove = _button(self.tr("Remove…"), self._remove)
        self.save = _button(self.tr("Save"), lambda: self._attempt(self._save))
        self._build_ui()
        self._list_sources()

    def _build_ui(self) -> None:
        heading = role_label(self.tr("A console of your own"), "heading")
        self.source.setAccessibleName(self.tr("Core, or console of your own"))
        self.source.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.game.setAccessibleName(self.tr("A game to try"))
        self.game.setPlaceholderText(self.tr("A game of yours: tells buttons, memory and states"))
        choose = _button(self.tr("Game…"), self._choose_game)
        choose.setIcon(self._theme.icons.icon("rom"))
        top = hbox((self.source, 3), (self.game, 2), choose, self.draft, self.try_button)
        middle = hbox((self.form, 1), self.trial, gap=18)
        close = _button(self.tr("Close"), self.reject)
        set_role(self.save, "primary")
        self.train.setToolTip(self.tr("Lay core and JSON where stable-retro finds them"))
        foot = hbox(self.export, self.train, self.remove, None, close, self.save)
        vbox(heading, top, (middle, 1), self.note, foot, on=self, margins=(22, 20, 22, 18), gap=10)
        self.resize(QSize(1080, 620))

    def _list_sources(self) -> None:
        self.source.clear()
        self.source.addItem(self.tr("Choose a core…"), None)
        self._skipped = skipped_systems()
        for path in own_consoles():
            text = self.tr("console {0}").format(path.stem)
            if path in self._skipped:
                text = self.tr("{0}: makes no sense").format(text)
            self.source.addItem(text, path)
        for core in offered_cores():
            text = self.tr("core {0}, {1}").format(core.name, core.place)
            if core.consoles:
                text = self.tr("{0}: runs {1}").format(text, ", ".join(core.consoles))
            self.source.addItem(text, core)
            tip, at = Qt.ItemDataRole.ToolTipRole, self.source.count() - 1
            self.source.setItemData(at, str(core.path), tip)
        self._show_state()

    def _choose_source(self) -> None:
        chosen = self.source.currentData()
        if isinstance(chosen, Path):
            # A value that makes no sense may have any shape, so the form does not show it.
            sound = chosen not in self._skipped
            try:
                self.form.show_value(read_console(chosen) if sound else {})
            except DomainError as error:
                self._say(str(error), "bad")
                return
            self.trial.clear()
            self._remarks = ()
        self._show_state()

    def _choose_game(self) -> None:
        chosen, _ = QFileDialog.getOpenFileName(self, self.tr("A game to try"), self.game.text())
        if chosen:
            self.game.setText(chosen)
            self._show_state()

    @property
    def _game(self) -> Path | None:
        text = self.game.text().strip()
        return Path(text) if text else None

    def begin(self, work: Callable[[], object], then: Callable[[Future[Any]], None]) -> None:
        super().begin(work, then)
        self._show_state()

    def _draft(self) -> None:
        core, game = self.source.currentData(), self._game
        if isinstance(core, OfferedCore):
            self._say(self.tr("Asking the core…"))
            self.begin(lambda: draft_here(core.path, game), self._show_draft)

    def _show_draft(self, done: Future[ConsoleDraft]) -> None:
        if not self._has_result(done):
            return
        draft = done.result()
        self.form.show_value(draft.value)
        self.trial.clear()
        self._remarks = draft.remarks
        self.trial.show_lines(draft.remarks)
        self._show_state()
        if self._game is not None:
            self._try()

    def _try(self) -> None:
        value, game = self.form.value(), self._game
        if game is None:
            return

        def draw(frame: Frame) -> None:
            if self.stopping.is_set():
                raise _StoppedError
            self._drawn.emit(frame)

        self._say(self.tr("The game runs…"))
        self.begin(lambda: try_here(value, game, draw), self._show_trial)

    def _show_trial(self, done: Future[ConsoleTrial]) -> None:
        if not self._has_result(done):
            return
        trial = done.result()
        self.trial.show_trial(trial, self._remarks)
        self.form.show_answers(trial.answered)
        self.form.show_options(trial.options)
        self._show_state()

    def _has_result(self, done: Future[Any]) -> bool:
        self._show_state()
        error = done.exception()
        if isinstance(error, DomainError | HostError | OSError):
            self._say(str(error), "bad")
            return False
        return not isinstance(error, _StoppedError)

    def _attempt(self, work: Callable[[], str]) -> None:
        try:
            text = work()
        except IntegratorError as error:
            self._say(str(error), "bad")
        else:
            self._say(text, "good")

    def _save(self) -> str:
        value = self.form.value()
        path = own_path(str(value["system"]))
        save_console(value, path)
        self._consoles_changed()
        # Qt's findData() knows a path only by its identity.
        rows = [self.source.itemData(row) for row in range(self.source.count())]
        self.source.setCurrentIndex(rows.index(path))
        self._show_state()
        return self.tr("{0} was saved; its games can be opened now.").format(path)

    def _consoles_changed(self) -> None:
        self._systems.look_again()
        self._list_sources()
        self.changed.emit()

    def _remove(self) -> None:
        path = self.source.currentData()
        buttons = QMessageBox.StandardButton
        answer = QMessageBox.question(
            self,
            self.tr("Remove the console"),
            self.tr("{0} will be deleted; its games stay. Remove it?").format(path),
            buttons.Yes | buttons.Cancel,
            buttons.Cancel,
        )

        def remove() -> str:
            remove_console(path)
            self.form.show_value({})
            self.trial.clear()
            self._consoles_changed()
            return self.tr("{0} was removed.").format(path)

        if answer is buttons.Yes:
            self._attempt(remove)

    def _export(self) -> None:
        value = self.form.value()
        chosen, _ = QFileDialog.getSaveFileName(
            self, self.tr("Export the console"), f"{value['system']}.json", "JSON (*.json)"
        )

        def export() -> str:
            save_console(value, Path(chosen))
            text = self.tr("{0} was written; others put it into {1}.")
            return text.format(chosen, own_path("").parent)

        if chosen:
            self._attempt(export)

    def _export_for_training(self) -> None:
        chosen = QFileDialog.getExistingDirectory(self, self.tr("A folder for core and JSON"))

        def export() -> str:
            exported = export_here(self.form.value(), Path(chosen))
            text = self.tr("{0} has the steps to train on it.").format(exported.files[-1])
            return "\n".join([text, *exported.remarks])

        if chosen:
            self._attempt(export)

    def _show_state(self) -> None:
        """Offer what can be done now, and name the form's first fault. Without a console in the
        form, the faults of the user's files are named."""
        free = not self.running
        fault = self._fault()
        core = isinstance(self.source.currentData(), OfferedCore)
        self.draft.setEnabled(free and core)
        self.try_button.setEnabled(free and fault == "" and self._game is not None)
        self.remove.setEnabled(free and isinstance(self.source.currentData(), Path))
        for button in (self.save, self.export, self.train):
            button.setEnabled(free and fault == "")
        self.form.setEnabled(free and fault is not None)
        if free:
            if fault is None:
                fault = "\n".join(self._skipped.values())
            self._say(fault, "bad" if fault else "secondary")

    def _fault(self) -> str | None:
        """The first fault of the form; empty when there is none, None without a console."""
        value = self.form.value()
        if not value.get("cores"):
            return None
        try:
            checked_console(value)
        except HostError as error:
            return str(error)
        return ""

    def _say(self, text: str, role: str = "secondary") -> None:
        set_role(self.note, role)
        self.note.setText(text)


def _button(text: str, clicked: Callable[[], object]) -> QPushButton:
    """A button that Enter in a field does not press."""
    button = push_button(text, clicked)
    button.setAutoDefault(False)
    return button
