"""The dialog that makes an integration of a ROM: its cleaned name, and the files to write."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QFrame,
    QLabel,
    QWidget,
)

from integrator.domain.integration.naming import LIST_SUFFIX, NAME_CURE, clean_name, is_valid_name
from integrator.domain.roms import KnownGame
from integrator.session.library.entries import Making, make_integration
from integrator.session.library.rom_import import RomFacts, bring_rom, examine, prepare_import
from integrator.session.setup.content import Content
from integrator.ui import widgets as ui
from integrator.ui.window_context import WindowContext, WindowPart
from libretro_host.errors import AmbiguousContentError


class NewIntegrationDialog(ui.TakesFiles, WindowPart, QDialog):
    """Asks for the ROM, system, name and folder of a new integration. ``created`` gives its
    directory. A bare ROM that is open with edits is moved there instead, without ``created``, so
    that the edits are kept. The folder is remembered for the next time. A failure is shown in the
    dialog, which stays open. Canceling leaves no file."""

    created = Signal(object)

    def __init__(self, context: WindowContext, rom: Path | None = None) -> None:
        super().__init__(context.window)
        self._use_context(context)
        self._systems, self._in_background = context.systems, context.bridge.in_background
        self._bare: tuple[Path, str] | None = None  # ROM and system of the bare game that is open
        if (game := context.controller.game) is not None and not game.is_integration:
            rom, self._bare = rom or game.rom, (game.rom, game.system.name)
        self._examined: tuple[Path, str | None] | None = None
        self._system_by_hand = False
        self._content: Content | None = None
        self._games: Sequence[KnownGame] = ()
        self._making: Making | None = None
        title = self.tr("New integration")
        ui.configured(self, windowTitle=title, acceptDrops=True, minimumSize=QSize(620, 480))
        self._settle = ui.settle_timer(self, 200, self._examine)
        self._build_ui()
        self.root.setText(str(context.settings.folder("new_integration", context.root)))
        self.rom.setText(str(rom or ""))
        self.rom.textChanged.connect(self._rom_changed)
        self.system.activated.connect(self._system_chosen)
        self.system.currentIndexChanged.connect(self._suggest_name)
        for field in (self.name, self.root):
            field.textChanged.connect(self._check)
        self._rom_changed()

    def _build_ui(self) -> None:
        self.rom = ui.line_edit(self.tr("ROM file"), self.tr("the game's file"))
        hint = self.tr("choose the system")
        self.system = ui.named(QComboBox(placeholderText=hint), self.tr("System"))
        for name, system in self._systems.items():
            self.system.addItem(f"{system.title}  ({name})", name)
        self.core = ui.role_label("", "secondary", wraps=True)
        self.name = ui.line_edit(self.tr("Name"), "")
        self.root = ui.line_edit(self.tr("Folder"), "")
        self._form = QWidget()
        form = QFormLayout(self._form, horizontalSpacing=14, verticalSpacing=9)
        form.setContentsMargins(0, 0, 0, 0)
        form.addRow(self.tr("ROM"), ui.with_browse(self.rom, self._browse_rom))
        form.addRow(self.tr("System"), self.system)
        form.addRow(self.tr("Core"), self.core)
        form.addRow(self.tr("Name"), self.name)
        form.addRow(self.tr("In folder"), ui.with_browse(self.root, self._browse_root))
        self.known, self.known_text = ui.styled(QFrame(), "Banner"), QLabel(wordWrap=True)
        self.known.setProperty("kind", "good")
        text, take = self.tr("Open that instead"), self._take_known
        self.take_known = ui.push_button(text, take, autoDefault=False)
        ui.hbox((self.known_text, 1), self.take_known, on=self.known, margins=(12, 8, 8, 8))
        self.known.hide()
        self.plan = ui.role_label("", "secondary", wraps=True)
        self.problem = ui.role_label("", "bad", wraps=True)
        # The bar shows no percentage, because a disk may take any time.
        self.bar = ui.thin_bar(maximum=0, visible=False)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        text, create = self.tr("Make integration"), self._create
        self.make = ui.push_button(text, create, role="primary", default=True)
        buttons.addButton(self.make, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.rejected.connect(self.reject)
        heading = ui.role_label(self.tr("Make an integration of a ROM"), "heading")
        tip = self.tr("Drop the game's file here, or choose it; a zip with one game in it will do.")
        parts = (heading, ui.role_label(tip, "secondary"), self._form, self.known, self.plan)
        below = (self.problem, None, self.bar, buttons)
        ui.vbox(*parts, *below, on=self, margins=(22, 20, 22, 18), gap=12)

    def _browse_rom(self) -> None:
        start = str(Path(self.rom.text()).parent)
        path, _ = QFileDialog.getOpenFileName(self, self.tr("Choose a ROM"), start)
        self.rom.setText(path or self.rom.text())

    def _browse_root(self) -> None:
        path = QFileDialog.getExistingDirectory(self, self.tr("Choose a folder"), self.root.text())
        self.root.setText(path or self.root.text())

    def _rom_changed(self) -> None:
        self._content = None
        rom = Path(self.rom.text())
        suffix = rom.suffix.lower().lstrip(".")
        systems = self._systems.items()
        claims = [name for name, each in systems if suffix in (*each.extensions, *each.aliases)]
        known = claims[0] if len(claims) == 1 else None
        if self._bare is not None and rom == self._bare[0]:
            known = self._bare[1]
        if known is not None or not self._system_by_hand:
            self.system.setCurrentIndex(-1 if known is None else self.system.findData(known))
        self._suggest_name()

    def _suggest_name(self, _: object = None) -> None:
        rom = self.rom.text().strip()
        if rom and not (self.name.isModified() and self.name.text()):
            file, system = self._content.name if self._content else Path(rom).name, self._system
            self.name.setText(clean_name(file, system) if system else "")
        self._check()
        self._settle.start()

    def _check(self, _: object = None) -> None:
        if self._making is not None:
            return  # The integration is being made, so later edits have no effect.
        problem = self._find_problem()
        ui.say(self.problem, problem or "", "bad" if self.rom.text().strip() else "secondary")
        self.make.setEnabled(problem is None)
        text, target = "", Path(self.root.text()) / self.name.text()
        if not problem:
            text = self.tr(
                "Writes {0}\nwith rom.{1}, rom.sha, data.json, scenario.json and metadata.json."
            )
            file = self._content.path if self._content else Path(self.rom.text())
            ending = LIST_SUFFIX[1:]
            if file.suffix.lower() != LIST_SUFFIX:
                ending = self._systems[self._system].extension_of(file)
            text = text.format(target, ending)
        self.plan.setText(text)

    def _find_problem(self) -> str | None:
        rom = Path(self.rom.text().strip())
        if not self.rom.text().strip():
            return self.tr("Choose the game's file first.")
        if not rom.is_file():
            return self.tr("{0}: there is no such file; check the spelling").format(rom)
        if not self._system:
            return self.tr("{0}: choose the system that it is a game of").format(rom.name)
        name = self.name.text()
        if not is_valid_name(name):
            text = self.tr("“{0}” cannot be the name of an integration; {1}")
            return text.format(name, NAME_CURE)
        target = Path(self.root.text()) / name
        if target.exists():
            return self.tr("{0} exists already; open it, or choose another name").format(target)
        return None

    def _examine(self) -> None:
        rom = Path(self.rom.text().strip())
        asked = rom, self._system if self._system_by_hand else None
        # A hidden dialog may have outlived the window, and with it the thread that reads files.
        if asked == self._examined or not self.isVisible():
            return
        self._examined, self._content = asked, None
        self.known.hide()
        self.core.setText("—")

        def show(facts: RomFacts) -> None:
            if self._examined != asked or self._making is not None:
                return
            self._content = facts.content
            self.system.setCurrentIndex(self.system.findData(facts.content.system.name))
            self._suggest_name()
            reason = self.tr("{0}: {1}").format(facts.core, facts.reason)
            ui.say(self.core, facts.problem or reason, "warn" if facts.problem else "secondary")
            self._show_known(facts.games)

        def refused(error: Exception) -> None:
            # The form already asks for the system, and the user may have chosen one meanwhile.
            if asked[1] or not isinstance(error, AmbiguousContentError):
                self.problem.setText(str(error))

        chosen = self._systems[asked[1]] if asked[1] else None
        if rom.is_file():
            self._in_background(lambda: examine(rom, chosen, self._systems), show, refused)

    @property
    def _system(self) -> str:
        """The name of the chosen system; empty if the file does not decide it."""
        return str(self.system.currentData() or "")

    def _system_chosen(self) -> None:
        self._system_by_hand = True
        self._settle.start()

    def _show_known(self, games: Sequence[KnownGame]) -> None:
        self._games = games
        self.known.setVisible(bool(games))
        if games:
            others = self.tr(" (and {0} more)").format(len(games) - 1) if len(games) > 1 else ""
            text = self.tr("This is {0}{1}, which is integrated already, by the hash of its ROM.")
            self.known_text.setText(text.format(games[0].name, others))
            self.known_text.setToolTip(str(games[0].directory))

    def _take_known(self) -> None:
        self.accept()
        rom, game, root = Path(self.rom.text().strip()), self._games[0], self._context.root
        self._in_background(
            lambda: bring_rom(rom, game, prepare_import(root, self._systems)[1]),
            self._context.open_path,
            self._report,
        )

    def fits(self, paths: Sequence[Path]) -> bool:
        return len(paths) == 1

    def take(self, paths: Sequence[Path]) -> None:
        self.rom.setText(str(paths[0]))

    def _create(self) -> None:
        rom, root = Path(self.rom.text().strip()), Path(self.root.text())
        name, system = self.name.text(), self._system
        if self._bare == (rom, system):
            self._keep_root(root)
            self.accept()
            self._controller.keep_as(root, name)
            return
        sure = self._content is not None or self._system_by_hand
        make = partial(make_integration, rom, root, name, system, self._systems, sure=sure)
        self.plan.setText(self.tr("Copying {0} to {1}…").format(rom.name, root / name))
        self._settle.stop()
        self.known.hide()
        making = Making(make)
        self._show_making(making)
        self._in_background(making.run, partial(self._made, making), partial(self._failed, making))

    def _show_making(self, making: Making | None) -> None:
        self._making, free = making, making is None
        self.bar.setVisible(not free)
        self._form.setEnabled(free)
        self.make.setEnabled(free)
        self.setAcceptDrops(free)

    def _made(self, making: Making, directory: Path | None) -> None:
        if directory is not None and making.is_called_off:
            # The user canceled after the last write. A thread deletes, as a disk may be slow.
            take_back = partial(Making.take_back, directory)
            self._in_background(take_back, lambda _: None, lambda _: None)
        elif directory is not None:
            self._keep_root(directory.parent)
            self.accept()
            self.created.emit(directory)

    def _keep_root(self, root: Path) -> None:
        self._settings.set_folder("new_integration", root)

    def _failed(self, making: Making, error: Exception) -> None:
        if making is self._making:
            self._show_making(None)
            self._check()
            self.problem.setText(str(error))

    def reject(self) -> None:
        """Cancel, and delete an unfinished directory."""
        if self._making is not None:
            self._making.is_called_off = True
            self._making = None
        super().reject()
