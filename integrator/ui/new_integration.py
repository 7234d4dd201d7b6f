"""The dialog that makes an integration of a ROM: the cleaned name, and what will be written."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from integrator.domain.errors import IntegratorError
from integrator.domain.integration import create_integration
from integrator.domain.naming import NAME_CURE, clean_name, is_valid_name
from integrator.ui.panels import role_label, set_role
from libretro_host.descriptor import SystemDescriptor


def system_of_suffix(rom: Path, systems: Mapping[str, SystemDescriptor]) -> str | None:
    """The system that a ROM's suffix belongs to; None when no system or several claim it."""
    suffix = rom.suffix.lower().lstrip(".")
    names = [name for name, system in systems.items() if suffix in system.extensions]
    return names[0] if len(names) == 1 else None


class NewIntegrationDialog(QDialog):
    """Asks for ROM, system, name and place. ``created`` gives the new directory.

    ``opened`` is the ROM and system of a game that is open without an integration: for them,
    ``keep_requested`` gives folder and name instead, so that what was defined goes along.
    A failure is shown in the dialog, which stays open so that it can be put right.
    """

    created = Signal(object)
    keep_requested = Signal(object, str)

    def __init__(
        self,
        systems: Mapping[str, SystemDescriptor],
        root: Path,
        rom: Path | None,
        parent: QWidget | None = None,
        opened: tuple[Path, str] | None = None,
    ) -> None:
        super().__init__(parent)
        self._systems = systems
        self._opened = opened
        self._named_by_hand = False
        self.setWindowTitle(self.tr("New integration"))
        self.setMinimumWidth(580)
        self.rom = QLineEdit(str(rom) if rom else "")
        self.rom.setAccessibleName(self.tr("ROM file"))
        self.rom.setPlaceholderText(self.tr("the game's file"))
        self.system = QComboBox()
        self.system.setAccessibleName(self.tr("System"))
        for name, system in systems.items():
            self.system.addItem(f"{system.title}  ({name})", name)
        self.name = QLineEdit()
        self.name.setAccessibleName(self.tr("Name"))
        self.root = QLineEdit(str(root))
        self.root.setAccessibleName(self.tr("Folder"))
        self.plan = role_label("", "secondary")
        self.plan.setWordWrap(True)
        self.problem = role_label("", "bad")
        self.problem.setWordWrap(True)
        self._build_ui()
        self.rom.textChanged.connect(self._rom_changed)
        self.system.currentIndexChanged.connect(lambda _: self._suggest_name())
        self.name.textEdited.connect(self._name_edited)
        for field in (self.name, self.root):
            field.textChanged.connect(lambda _: self._check())
        self._rom_changed()

    def _build_ui(self) -> None:
        heading = role_label(self.tr("Make an integration of a ROM"), "heading")
        form = QFormLayout()
        form.setHorizontalSpacing(14)
        form.setVerticalSpacing(9)
        form.addRow(self.tr("ROM"), self._with_browse(self.rom, self._browse_rom))
        form.addRow(self.tr("System"), self.system)
        form.addRow(self.tr("Name"), self.name)
        form.addRow(self.tr("In folder"), self._with_browse(self.root, self._browse_root))
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.make = QPushButton(self.tr("Make integration"))
        set_role(self.make, "primary")
        self.make.setDefault(True)
        self.buttons.addButton(self.make, QDialogButtonBox.ButtonRole.AcceptRole)
        self.buttons.accepted.connect(self._create)
        self.buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(22, 20, 22, 18)
        layout.setSpacing(12)
        layout.addWidget(heading)
        layout.addLayout(form)
        layout.addWidget(self.plan)
        layout.addWidget(self.problem)
        layout.addStretch(1)
        layout.addWidget(self.buttons)

    def _with_browse(self, field: QLineEdit, slot: object) -> QWidget:
        holder = QWidget()
        row = QHBoxLayout(holder)
        row.setContentsMargins(0, 0, 0, 0)
        button = QPushButton(self.tr("Browse…"))
        button.setAutoDefault(False)
        button.clicked.connect(slot)
        row.addWidget(field, 1)
        row.addWidget(button)
        return holder

    def _browse_rom(self) -> None:
        start = str(Path(self.rom.text()).parent)
        path, _ = QFileDialog.getOpenFileName(self, self.tr("Choose a ROM"), start)
        if path:
            self.rom.setText(path)

    def _browse_root(self) -> None:
        path = QFileDialog.getExistingDirectory(self, self.tr("Choose a folder"), self.root.text())
        if path:
            self.root.setText(path)

    def _rom_changed(self) -> None:
        known = system_of_suffix(Path(self.rom.text()), self._systems)
        if known is not None:
            self.system.setCurrentIndex(self.system.findData(known))
        self._suggest_name()

    def _name_edited(self) -> None:
        self._named_by_hand = bool(self.name.text())

    def _suggest_name(self) -> None:
        rom = self.rom.text().strip()
        if rom and not self._named_by_hand:
            self.name.setText(clean_name(Path(rom).name, str(self.system.currentData())))
        self._check()

    def _check(self) -> None:
        problem = self._find_problem()
        self.problem.setText(problem or "")
        self.make.setEnabled(problem is None)
        if problem is None:
            target = Path(self.root.text()) / self.name.text()
            extension = self._extension()
            self.plan.setText(
                self.tr(
                    "Writes {0}\nwith rom.{1}, rom.sha, data.json, scenario.json and metadata.json."
                ).format(target, extension)
            )
        else:
            self.plan.clear()

    def _find_problem(self) -> str | None:
        rom = Path(self.rom.text().strip())
        if not self.rom.text().strip():
            return self.tr("Choose the game's file first.")
        if not rom.is_file():
            return self.tr("{0}: there is no such file; check the spelling").format(rom)
        name = self.name.text()
        if not is_valid_name(name):
            return self.tr("“{0}” can not be the name of an integration; {1}").format(
                name, NAME_CURE
            )
        target = Path(self.root.text()) / name
        if target.exists():
            return self.tr("{0} exists already; open it, or choose another name").format(target)
        return None

    def _extension(self) -> str:
        system = self._systems[str(self.system.currentData())]
        suffix = Path(self.rom.text()).suffix.lower().lstrip(".")
        return suffix if suffix in system.extensions else system.extensions[0]

    def _create(self) -> None:
        rom, root = Path(self.rom.text().strip()), Path(self.root.text())
        name, system = self.name.text(), str(self.system.currentData())
        if self._opened == (rom, system):
            self.accept()
            self.keep_requested.emit(root, name)
            return
        try:
            created = create_integration(rom, root, name, system, self._extension())
        except IntegratorError as error:
            self.problem.setText(str(error))
            return
        self.accept()
        self.created.emit(created.directory)
