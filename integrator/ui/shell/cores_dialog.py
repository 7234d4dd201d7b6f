"""The Cores dialog: which core runs which system and why; options of the core that runs now."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QLabel,
    QTableWidgetItem,
    QTabWidget,
    QWidget,
)

from integrator.session.library.checks.live_check import FRAMES, OptionEffect, option_effect
from integrator.session.library.consoles.core_rows import CoreRow, core_rows
from integrator.session.session import Session
from integrator.session.setup.plan import OptionSetting
from integrator.ui.bridge.bridge import SessionBridge
from integrator.ui.widgets.parts import role_label, set_role, vbox
from integrator.ui.widgets.table import FixedTable
from integrator.ui.widgets.texts import counted
from integrator.ui.widgets.theme import Theme
from libretro_host.host import LoadRequest
from libretro_host.remote import RemoteHost


class CoresDialog(QDialog):
    """Asks every core for its version beside the window's thread: that starts processes."""

    _found = Signal(object)
    _tried = Signal(object, object)

    def __init__(
        self,
        theme: Theme,
        bridge: SessionBridge,
        parent: QWidget | None = None,
        ask: Callable[[], list[CoreRow]] = core_rows,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Cores"))
        self._theme = theme
        self._bridge = bridge
        self.systems = FixedTable(
            self.tr("Systems"),
            [
                self.tr("system"),
                self.tr("files"),
                self.tr("core"),
                self.tr("version"),
                self.tr("reason, or missing files"),
                self.tr("path"),
            ],
        )
        self.options = FixedTable(
            self.tr("Core options"), (self.tr("option"), self.tr("value"), "")
        )
        self.note = role_label(
            self.tr("Asking the cores for their versions…"), "secondary", wraps=True
        )
        self.systems.setColumnWidth(4, 190)
        self._build_ui()
        self._found.connect(self._show_rows, Qt.ConnectionType.QueuedConnection)
        self._tried.connect(self._show_effect, Qt.ConnectionType.QueuedConnection)
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="list-cores")
        self._worker.submit(ask).add_done_callback(self._found.emit)
        self._listed = False
        self._wanted = True
        self._trials = 0
        self._effects: dict[tuple[str, str], str] = {}
        self.finished.connect(self._let_go)
        bridge.ending.connect(self._end)
        bridge.ask(lambda session: session.game.core_options(), self._show_options)

    def _build_ui(self) -> None:
        self.tabs = QTabWidget(documentMode=True)
        self.tabs.addTab(self.systems, self.tr("Systems"))
        page = QWidget()
        self.option_note = QLabel(self.tr("Open a game: the options of its core are listed here."))
        self.option_note.setWordWrap(True)
        vbox(self.option_note, (self.options, 1), on=page, margins=(0, 8, 0, 0))
        self.tabs.addTab(page, self.tr("Options of this core"))
        self.options.hide()
        close = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        close.rejected.connect(self.close)
        vbox((self.tabs, 1), self.note, close, on=self)
        self.resize(980, 560)

    def _let_go(self) -> None:
        self._wanted = self.isVisible()
        if self._listed and not self._trials and not self._wanted:
            self._worker.shutdown(wait=False)
            self.deleteLater()

    def _end(self) -> None:
        """Wait for the cores, because the window goes away."""
        self._wanted = False
        self._worker.shutdown()

    def _show_rows(self, done: Future[list[CoreRow]]) -> None:
        self._listed = True
        self._let_go()
        error = done.exception()
        if error is not None:
            self.note.setText(str(error))
            return
        rows = done.result()
        self.systems.setRowCount(len(rows))
        missing = 0
        for at, row in enumerate(rows):
            lacks = bool(row["missing_bios"]) or row["core"] is None
            missing += lacks
            why = row["reason"]
            if row["missing_bios"]:
                why = self.tr("needs a BIOS file: {0}").format(" or ".join(row["missing_bios"]))
            texts = (
                row["title"],
                " ".join(row["extensions"]),
                row["core"] or self.tr("none"),
                row["version"] or "",
                why,
                row["path"] or "",
            )
            for column, text in enumerate(texts):
                item = QTableWidgetItem(text)
                item.setToolTip(text)
                if lacks:
                    item.setForeground(QColor(self._theme.colors.warn))
                self.systems.setItem(at, column, item)
        for column, width in enumerate((190, 130, 150, 130, 300)):
            self.systems.setColumnWidth(column, width)
        self.note.setText(
            self.tr("{0} systems, {1} of them cannot be played yet.").format(len(rows), missing)
        )

    def _show_options(self, settings: Sequence[OptionSetting]) -> None:
        note = (
            self.tr(
                "A change is used from the next frame on and kept for this game. Training does not "
                "know of it: options that differ from training's are marked."
            )
            if settings
            else self.tr("This core has no options.")
        )
        differ = sum(not setting.as_in_training for setting in settings)
        if differ:
            text = self.tr(
                "{0} [option differs|options differ] from training: memory and determinism may "
                "be others there.",
                None,
                differ,
            )
            note += "\n" + counted(text, differ).format(differ)
        set_role(self.option_note, "warn" if differ else "")
        self.option_note.setText(note)
        self.options.setVisible(bool(settings))
        self.options.setRowCount(len(settings))
        for at, setting in enumerate(settings):
            option = setting.option
            title = QTableWidgetItem(option.title or option.key)
            title.setToolTip(f"{option.key}\n{option.help}".strip())
            self.options.setItem(at, 0, title)
            box = QComboBox()
            box.setAccessibleName(option.title or option.key)
            box.addItems(list(option.values))
            box.setCurrentText(option.value)
            box.activated.connect(lambda _, s=setting, b=box: self._set_option(s, b.currentText()))
            self.options.setCellWidget(at, 1, box)
            text = self.tr("in training: {0}").format(setting.training)
            effect = self._effects.get((option.key, option.value))
            text = "; ".join(filter(None, (text, effect)))
            text = "" if setting.as_in_training else text
            note_item = QTableWidgetItem(text)
            note_item.setToolTip(text)
            self.options.setItem(at, 2, note_item)
        self.options.setColumnWidth(0, 290)
        self.options.setColumnWidth(1, 170)

    def _set_option(self, setting: OptionSetting, value: str) -> None:
        kept = None if value == setting.described else value

        def change(session: Session) -> tuple[Sequence[OptionSetting], LoadRequest]:
            session.game.set_core_option(setting.option.key, kept)
            return session.game.core_options(), session.game.plan.request

        def changed(answer: tuple[Sequence[OptionSetting], LoadRequest]) -> None:
            settings, request = answer
            self._show_options(settings)
            if value != setting.training:
                self._try_option(request, setting, value)

        self._bridge.ask(change, changed)

    def _try_option(self, request: LoadRequest, setting: OptionSetting, value: str) -> None:
        key, values = setting.option.key, (setting.training, value)

        def work() -> OptionEffect:
            return option_effect(request, key, values, RemoteHost, lambda: self._wanted)

        self._trials += 1
        self._worker.submit(work).add_done_callback(
            lambda done: self._tried.emit((key, value), done)
        )

    def _show_effect(self, option: tuple[str, str], done: Future[OptionEffect]) -> None:
        self._trials -= 1
        error = done.exception()
        self._effects[option] = self._effect_text(done.result()) if error is None else str(error)
        if self.isVisible():
            self._bridge.ask(lambda session: session.game.core_options(), self._show_options)
        else:
            self._let_go()

    def _effect_text(self, effect: OptionEffect) -> str:
        texts = [
            self.tr("memory is the same for {0} frames").format(FRAMES)
            if effect.memory is None
            else self.tr("memory is another from frame {0} on").format(effect.memory)
        ]
        if effect.memory is None and effect.picture is not None:
            texts.append(self.tr("the picture is another from frame {0} on").format(effect.picture))
        return "; ".join(filter(None, (*texts, effect.state_remark)))
