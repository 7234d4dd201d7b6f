"""The dialogs for cores and their options, and for the user's own consoles."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QComboBox,
    QDialogButtonBox,
    QFileDialog,
    QMessageBox,
    QPushButton,
    QTabWidget,
)
from shiboken6 import isValid

from integrator.domain.errors import DomainError, IntegratorError
from integrator.session.library.checks.live_check import FRAMES, OptionEffect, option_effect
from integrator.session.library.consoles import console_draft, own_consoles
from integrator.session.library.consoles.core_rows import CoreRow, core_rows
from integrator.session.session import Session
from integrator.session.setup.plan import OptionSetting
from integrator.session.setup.roots import skipped_systems
from integrator.ui import widgets as ui
from integrator.ui.bridge.background import Background, Job
from integrator.ui.library.consoles.console_form import ConsoleForm, OptionsPage, TrialView
from integrator.ui.library.dialogs import WorkingDialog
from integrator.ui.window_context import WindowContext
from libretro_host.errors import HostError
from libretro_host.host import Frame, LoadRequest
from libretro_host.remote import RemoteHost

T = TypeVar("T")


class _StoppedError(Exception):
    """The user closed the dialog while a game was running."""


class ConsolesDialog(WorkingDialog):
    """The dialog for the user's own consoles. A thread starts cores, each in another process."""

    def __init__(self, background: Background, context: WindowContext) -> None:
        super().__init__(background, context.window, self.tr("Consoles"))
        self._systems = context.systems
        self._remarks: tuple[str, ...] = ()
        self._skipped: Mapping[Path, str] = {}
        self.source = QComboBox()
        self.source.activated.connect(lambda _: self._choose_source())
        hint = self.tr("A game of yours: shows buttons, memory and states")
        self.game = ui.line_edit(self.tr("A game to try"), hint)
        self.game.textEdited.connect(lambda _: self._show_state())
        self.form = ConsoleForm()
        self.form.edited.connect(self._show_state)
        self.trial = TrialView()
        self.note = ui.role_label("", "secondary", wraps=True)
        self._say = partial(ui.say, self.note)
        self.draft = ui.push_button(self.tr("Draft"), self._draft)
        self.try_button = ui.push_button(self.tr("Try the game"), self._try)
        export, train = partial(self._attempt, self._export), self._export_for_training
        self.export = ui.push_button(self.tr("Share…"), export)
        tip = self.tr("Put the core and its JSON where stable-retro finds them")
        self.train = ui.push_button(self.tr("For training…"), partial(self._attempt, train), tip)
        self.remove = ui.push_button(self.tr("Remove…"), partial(self._attempt, self._remove))
        save = partial(self._attempt, self._save)
        self.save = ui.push_button(self.tr("Save"), save, role="primary")
        heading = ui.role_label(self.tr("A console of your own"), "heading")
        policy = QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        ui.named(self.source, self.tr("Core, or console of your own"), sizeAdjustPolicy=policy)
        choose = ui.push_button(self.tr("Game…"), self._choose_game, icon="rom")
        top = ui.hbox((self.source, 3), (self.game, 2), choose, self.draft, self.try_button)
        middle = ui.hbox((self.form, 1), self.trial, gap=18)
        close = ui.push_button(self.tr("Close"), self.reject)
        foot = ui.hbox(self.export, self.train, self.remove, None, close, self.save)
        parts, margins = (heading, top, (middle, 1), self.note, foot), (22, 20, 22, 18)
        ui.vbox(*parts, on=self, margins=margins, gap=10)
        for button in self.findChildren(QPushButton):
            button.setAutoDefault(False)  # Enter in a field must not press a button.
        self.resize(QSize(1080, 620))
        self._list_sources()

    def _list_sources(self) -> None:
        self.source.clear()
        self.source.addItem(self.tr("Choose a core…"), None)
        self._skipped = skipped_systems()
        for path in own_consoles.own_consoles():
            text = self.tr("console {0}").format(path.stem)
            if path in self._skipped:
                text = self.tr("{0}: makes no sense").format(text)
            self.source.addItem(text, path)
        for core in own_consoles.offered_cores():
            text = self.tr("core {0}, {1}").format(core.name, core.place)
            if core.consoles:
                text = self.tr("{0}: runs {1}").format(text, ", ".join(core.consoles))
            self.source.addItem(text, core)
            tip = Qt.ItemDataRole.ToolTipRole
            self.source.setItemData(self.source.count() - 1, str(core.path), tip)
        self._show_state()

    def _choose_source(self) -> None:
        chosen = self.source.currentData()
        if isinstance(chosen, Path):
            # An invalid file may have any structure, so the form does not show it.
            sound = chosen not in self._skipped
            try:
                self.form.show_value(own_consoles.read_console(chosen) if sound else {})
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

    def _begin(self, text: str, work: Callable[[Job], T], then: Callable[[T], object]) -> None:
        self._say(text)
        self.background.start(work, then, self._failed, self.trial.show_frame)
        self._show_state()

    def _failed(self, error: Exception) -> None:
        self._show_state()
        if not isinstance(error, DomainError | HostError | OSError):
            raise error
        self._say(str(error), "bad")

    def _draft(self) -> None:
        core, game = self.source.currentData(), self._game

        def show(draft: console_draft.ConsoleDraft) -> None:
            self.form.show_value(draft.value)
            self._remarks = draft.remarks
            self.trial.clear(draft.remarks)
            self._show_state()
            self._try()

        if isinstance(core, own_consoles.OfferedCore):
            ask = console_draft.draft_here
            self._begin(self.tr("Asking the core…"), lambda _: ask(core.path, game), show)

    def _try(self) -> None:
        value, game = self.form.value(), self._game
        if game is None:
            return

        def work(job: Job) -> console_draft.ConsoleTrial:
            def draw(frame: Frame) -> None:
                if job.stopped():
                    raise _StoppedError
                job.give(frame)

            return console_draft.try_here(value, game, draw)

        def show(trial: console_draft.ConsoleTrial) -> None:
            self.trial.show_trial(trial, self._remarks)
            self.form.show_answers(trial.answered)
            self.form.show_options(trial.options)
            self._show_state()

        self._begin(self.tr("The game runs…"), work, show)

    def _attempt(self, work: Callable[[], str]) -> None:
        """Run a button's work, and show its result or error; "" means that the user canceled."""
        try:
            text = work()
        except IntegratorError as error:
            self._say(str(error), "bad")
        else:
            if text:
                self._say(text, "good")

    def _save(self) -> str:
        value = self.form.value()
        path = console_draft.own_path(str(value["system"]))
        own_consoles.save_console(value, path)
        self._consoles_changed()
        # Qt's findData() compares paths by identity, so the rows are searched here.
        rows = [self.source.itemData(row) for row in range(self.source.count())]
        self.source.setCurrentIndex(rows.index(path))
        self._show_state()
        return self.tr("{0} was saved; its games can be opened now.").format(path)

    def _consoles_changed(self) -> None:
        self._systems.look_again()
        self._list_sources()
        self.changed.emit()

    def _remove(self) -> str:
        path, buttons = self.source.currentData(), QMessageBox.StandardButton
        text = self.tr("{0} will be deleted; its games stay. Remove it?").format(path)
        ways = buttons.Yes | buttons.Cancel, buttons.Cancel
        answer = QMessageBox.question(self, self.tr("Remove the console"), text, *ways)
        if answer is not buttons.Yes:
            return ""
        own_consoles.remove_console(path)
        self.form.show_value({})
        self.trial.clear()
        self._consoles_changed()
        return self.tr("{0} was removed.").format(path)

    def _export(self) -> str:
        value, title = self.form.value(), self.tr("Export the console")
        name, kinds = f"{value['system']}.json", "JSON (*.json)"
        chosen, _ = QFileDialog.getSaveFileName(self, title, name, kinds)
        if not chosen:
            return ""
        own_consoles.save_console(value, Path(chosen))
        text = self.tr("{0} was written; others put it into {1}.")
        return text.format(chosen, console_draft.own_path("").parent)

    def _export_for_training(self) -> str:
        chosen = QFileDialog.getExistingDirectory(self, self.tr("A folder for core and JSON"))
        if not chosen:
            return ""
        exported = own_consoles.export_here(self.form.value(), Path(chosen))
        text = self.tr("{0} has the steps to train on it.").format(exported.files[-1])
        return "\n".join([text, *exported.remarks])

    def _show_state(self) -> None:
        """Enable the buttons that can be used now, and show the form's first fault. Without a
        console in the form, show the faults of the user's files."""
        free, source, value = not self.background.busy, self.source.currentData(), self.form.value()
        filled, fault = bool(value.get("cores")), "\n".join(self._skipped.values())
        if filled:
            try:
                console_draft.checked_console(value)
                fault = ""
            except HostError as error:
                fault = str(error)
        sound = filled and not fault
        for widget, can in (
            (self.draft, isinstance(source, own_consoles.OfferedCore)),
            (self.try_button, sound and self._game is not None),
            (self.remove, isinstance(source, Path)),
            *((each, sound) for each in (self.save, self.export, self.train)),
            (self.form, filled),
        ):
            widget.setEnabled(free and can)
        if free:
            self._say(fault, "bad" if fault else "secondary")


class CoresDialog(WorkingDialog):
    """The core of each system with the reason for it, and the options of the running core. Another
    thread reads the versions of the cores, because that starts processes."""

    def __init__(self, background: Background, context: WindowContext) -> None:
        super().__init__(background, context.window, self.tr("Cores"))
        self._bridge = context.bridge
        self._effects: dict[tuple[str, str], str] = {}
        titles = (
            *(self.tr("system"), self.tr("files"), self.tr("core"), self.tr("version")),
            *(self.tr("reason, or missing files"), self.tr("path")),
        )
        self.systems = ui.FixedTable(self.tr("Systems"), titles)
        self.systems.setColumnWidth(4, 190)
        open_first = self.tr("Open a game: the options of its core are listed here.")
        self._options = OptionsPage(open_first)
        self.options, self.option_note = self._options.table, self._options.text
        self.options.hide()
        self.tabs = QTabWidget(documentMode=True)
        self.tabs.addTab(self.systems, self.tr("Systems"))
        self.tabs.addTab(self._options, self.tr("Options of this core"))
        asking = self.tr("Asking the cores for their versions…")
        self.note = ui.role_label(asking, "secondary", wraps=True)
        close = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        close.rejected.connect(self.close)
        ui.vbox((self.tabs, 1), self.note, close, on=self)
        self.resize(980, 560)
        failed = self.note.setText
        background.start(lambda _: core_rows(), self._show_rows, lambda error: failed(str(error)))
        self._list_options()

    def _show_rows(self, rows: list[CoreRow]) -> None:
        self.systems.setRowCount(len(rows))
        missing = 0
        for at, row in enumerate(rows):
            lacks = bool(row["missing_bios"]) or row["core"] is None
            missing += lacks
            why = row["reason"]
            if row["missing_bios"]:
                why = self.tr("needs a BIOS file: {0}").format(" or ".join(row["missing_bios"]))
            core, version = row["core"] or self.tr("none"), row["version"] or ""
            files, path = " ".join(row["extensions"]), row["path"] or ""
            for column, text in enumerate((row["title"], files, core, version, why, path)):
                color = ui.Theme.now.colors.warn if lacks else ""
                self.systems.put(at, column, text, tip=text, color=color)
        for column, width in enumerate((190, 130, 150, 130, 300)):
            self.systems.setColumnWidth(column, width)
        text = self.tr("{0} systems, {1} of them cannot be played yet.")
        self.note.setText(text.format(len(rows), missing))

    def _list_options(self) -> None:
        self._bridge.ask(lambda session: session.game.core_options(), self._show_options)

    def _show_options(self, settings: Sequence[OptionSetting]) -> None:
        if not isValid(self):
            return  # The dialog was closed before the session answered.
        note = self.tr("This core has no options.")
        if settings:
            note = self.tr(
                "A change is used from the next frame on and kept for this game. Training does not "
                "know of it: options that differ from training's are marked."
            )
        if differ := sum(not setting.as_in_training for setting in settings):
            text = self.tr(
                "{0} [option differs|options differ] from training, where memory and determinism "
                "may be different.",
                None,
                differ,
            )
            note += "\n" + ui.counted(text, differ).format(differ)
        ui.say(self.option_note, note, "warn" if differ else "")
        self.options.setVisible(bool(settings))
        self.options.setRowCount(len(settings))
        for at, setting in enumerate(settings):
            option, differs = setting.option, ""
            box = self._options.offer(at, option, option.value)
            box.activated.connect(partial(self._set_option, setting, box))
            if not setting.as_in_training:
                differs = self.tr("in training: {0}").format(setting.training)
                effect = self._effects.get((option.key, option.value))
                differs += f"; {effect}" if effect else ""
            self.options.put(at, 2, differs, tip=differs)

    def _set_option(self, setting: OptionSetting, box: QComboBox, _: int) -> None:
        key, value = setting.option.key, box.currentText()
        kept = None if value == setting.described else value

        def change(session: Session) -> tuple[Sequence[OptionSetting], LoadRequest]:
            session.game.set_core_option(key, kept)
            return session.game.core_options(), session.game.plan.request

        def note(text: str) -> None:
            self._effects[key, value] = text
            self._list_options()

        def show(effect: OptionEffect) -> None:
            parts = [self.tr("memory is the same for {0} frames").format(FRAMES)]
            if effect.memory is not None:
                parts = [self.tr("memory differs from frame {0} on").format(effect.memory)]
            elif effect.picture is not None:
                picture = self.tr("the picture differs from frame {0} on")
                parts.append(picture.format(effect.picture))
            note("; ".join(filter(None, (*parts, effect.state_remark))))

        def changed(answer: tuple[Sequence[OptionSetting], LoadRequest]) -> None:
            settings, request = answer
            if not isValid(self):
                return  # The dialog was closed before the session answered.
            self._show_options(settings)
            asked = request, key, (setting.training, value), RemoteHost
            if value != setting.training:
                self.background.start(
                    lambda job: option_effect(*asked, lambda: not job.stopped()),
                    show,
                    lambda error: note(str(error)),
                )

        self._bridge.ask(change, changed)
