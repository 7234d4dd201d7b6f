"""The Cores dialog: which core runs which system and why; options of the core that runs now."""

from collections.abc import Sequence

from PySide6.QtWidgets import QDialogButtonBox, QTabWidget, QWidget
from shiboken6 import isValid

from integrator.session.library.checks.live_check import FRAMES, OptionEffect, option_effect
from integrator.session.library.consoles.core_rows import CoreRow, core_rows
from integrator.session.session import Session
from integrator.session.setup.plan import OptionSetting
from integrator.ui.bridge.background import Background
from integrator.ui.bridge.bridge import SessionBridge
from integrator.ui.library.consoles.console_form import OptionsPage
from integrator.ui.library.dialogs import WorkingDialog
from integrator.ui.widgets.parts import role_label, set_role, vbox
from integrator.ui.widgets.table import FixedTable
from integrator.ui.widgets.texts import counted
from integrator.ui.widgets.theme import Theme
from libretro_host.host import LoadRequest
from libretro_host.remote import RemoteHost


class CoresDialog(WorkingDialog):
    """Asks every core for its version on another thread, because that starts processes."""

    def __init__(
        self,
        background: Background,
        theme: Theme,
        bridge: SessionBridge,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(background, parent)
        self.setWindowTitle(self.tr("Cores"))
        self._theme, self._bridge = theme, bridge
        self._effects: dict[tuple[str, str], str] = {}
        self._build_ui()
        failed = self.note.setText
        background.start(lambda _: core_rows(), self._show_rows, lambda error: failed(str(error)))
        self._list_options()

    def _build_ui(self) -> None:
        titles = (
            *(self.tr("system"), self.tr("files"), self.tr("core"), self.tr("version")),
            *(self.tr("reason, or missing files"), self.tr("path")),
        )
        self.systems = FixedTable(self.tr("Systems"), titles)
        self.systems.setColumnWidth(4, 190)
        open_first = self.tr("Open a game: the options of its core are listed here.")
        self._options = OptionsPage(open_first)
        self.options, self.option_note = self._options.table, self._options.text
        self.options.hide()
        self.tabs = QTabWidget(documentMode=True)
        self.tabs.addTab(self.systems, self.tr("Systems"))
        self.tabs.addTab(self._options, self.tr("Options of this core"))
        asking = self.tr("Asking the cores for their versions…")
        self.note = role_label(asking, "secondary", wraps=True)
        close = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        close.rejected.connect(self.close)
        vbox((self.tabs, 1), self.note, close, on=self)
        self.resize(980, 560)

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
                color = self._theme.colors.warn if lacks else ""
                self.systems.put(at, column, text, tip=text, color=color)
        for column, width in enumerate((190, 130, 150, 130, 300)):
            self.systems.setColumnWidth(column, width)
        text = self.tr("{0} systems, {1} of them cannot be played yet.")
        self.note.setText(text.format(len(rows), missing))

    def _list_options(self) -> None:
        self._bridge.ask(lambda session: session.game.core_options(), self._show_options)

    def _show_options(self, settings: Sequence[OptionSetting]) -> None:
        if not isValid(self):
            return  # closed before the session answered
        note = self.tr("This core has no options.")
        if settings:
            note = self.tr(
                "A change is used from the next frame on and kept for this game. Training does not "
                "know of it: options that differ from training's are marked."
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
            self._show_option(at, setting)

    def _show_option(self, at: int, setting: OptionSetting) -> None:
        option = setting.option
        box = self._options.offer(at, option, option.value)
        box.activated.connect(lambda _: self._set_option(setting, box.currentText()))
        text = ""
        if not setting.as_in_training:
            training = self.tr("in training: {0}").format(setting.training)
            effect = self._effects.get((option.key, option.value))
            text = "; ".join(filter(None, (training, effect)))
        self.options.put(at, 2, text, tip=text)

    def _set_option(self, setting: OptionSetting, value: str) -> None:
        key, kept = setting.option.key, None if value == setting.described else value

        def change(session: Session) -> tuple[Sequence[OptionSetting], LoadRequest]:
            session.game.set_core_option(key, kept)
            return session.game.core_options(), session.game.plan.request

        def show_effect(text: str) -> None:
            self._effects[key, value] = text
            self._list_options()

        def changed(answer: tuple[Sequence[OptionSetting], LoadRequest]) -> None:
            settings, request = answer
            self._show_options(settings)
            asked = request, key, (setting.training, value), RemoteHost
            if value != setting.training:
                self.background.start(
                    lambda job: option_effect(*asked, lambda: not job.stopped()),
                    lambda effect: show_effect(self._effect_text(effect)),
                    lambda error: show_effect(str(error)),
                )

        self._bridge.ask(change, changed)

    def _effect_text(self, effect: OptionEffect) -> str:
        if effect.memory is not None:
            text = self.tr("memory is another from frame {0} on").format(effect.memory)
        else:
            text = self.tr("memory is the same for {0} frames").format(FRAMES)
            if effect.picture is not None:
                picture = self.tr("the picture is another from frame {0} on")
                text += "; " + picture.format(effect.picture)
        return "; ".join(filter(None, (text, effect.state_remark)))
