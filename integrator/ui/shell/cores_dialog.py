"""The Cores dialog: which core runs which system and why; options of the core that runs now."""

from __future__ import annotations

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
    QVBoxLayout,
    QWidget,
)

from integrator.session.library.consoles.core_rows import CoreRow, core_rows
from integrator.session.session import Session
from integrator.session.setup.core_options import OptionSetting
from integrator.ui.bridge.bridge import SessionBridge
from integrator.ui.widgets.fixed_table import FixedTable
from integrator.ui.widgets.panels import role_label, set_role
from integrator.ui.widgets.theme import Theme
from integrator.ui.widgets.translation import counted


class CoresDialog(QDialog):
    """Asks every core for its version beside the window's thread: that starts processes."""

    _found = Signal(object)

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
        self.note = role_label(self.tr("Asking the cores for their versions…"), "secondary")
        self.note.setWordWrap(True)
        self.systems.setColumnWidth(4, 190)
        self._build_ui()
        self._found.connect(self._show_rows, Qt.ConnectionType.QueuedConnection)
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="list-cores")
        self._worker.submit(ask).add_done_callback(self._found.emit)
        self._worker.shutdown(wait=False)
        self._listed = False
        self.finished.connect(self._let_go)
        bridge.ending.connect(self._worker.shutdown)
        bridge.ask(lambda session: session.game.core_options(), self._show_options)

    def _build_ui(self) -> None:
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.addTab(self.systems, self.tr("Systems"))
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 8, 0, 0)
        self.option_note = QLabel(self.tr("Open a game: the options of its core are listed here."))
        self.option_note.setWordWrap(True)
        column.addWidget(self.option_note)
        column.addWidget(self.options, 1)
        self.tabs.addTab(page, self.tr("Options of this core"))
        self.options.hide()
        close = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        close.rejected.connect(self.close)
        layout = QVBoxLayout(self)
        layout.addWidget(self.tabs, 1)
        layout.addWidget(self.note)
        layout.addWidget(close)
        self.resize(980, 560)

    def _let_go(self) -> None:
        """Delete the dialog once it is closed and the cores have answered it."""
        if self._listed and not self.isVisible():
            self.deleteLater()

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
            self.tr("{0} systems, {1} of them can not be played yet.").format(len(rows), missing)
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
            text = "" if setting.as_in_training else text
            self.options.setItem(at, 2, QTableWidgetItem(text))
        self.options.setColumnWidth(0, 380)
        self.options.setColumnWidth(1, 220)

    def _set_option(self, setting: OptionSetting, value: str) -> None:
        """Keep a value for this game; the console's own value is kept by keeping none."""
        kept = None if value == setting.described else value

        def change(session: Session) -> Sequence[OptionSetting]:
            session.game.set_core_option(setting.option.key, kept)
            return session.game.core_options()

        self._bridge.ask(change, self._show_options)
