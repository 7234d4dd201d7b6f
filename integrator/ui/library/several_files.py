"""The dialog that opens a game of several files: its kind, and a file for each place in it."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QLineEdit,
    QPushButton,
    QWidget,
)

from integrator.domain.errors import DomainError
from integrator.session.library.consoles.core_rows import SubsystemChoice
from integrator.session.opening import list_of_files
from integrator.ui.widgets.fields import TakesFiles, with_browse
from integrator.ui.widgets.panels.parts import line_edit, role_label, set_role, vbox
from libretro_host.subsystems import SubsystemFile


class SeveralFilesDialog(TakesFiles, QDialog):
    """Asks for one game's files. ``chosen`` gives the path of their list, which opens as a ROM.

    ``files`` were dropped together: the first kind that has a place for each of them is chosen.
    The kinds come later, by :meth:`show_choices`, because the cores are asked for them.
    """

    chosen = Signal(object)

    def __init__(
        self, folder: Path, files: Sequence[Path] = (), parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._folder = folder
        self._files = tuple(files)
        self._choices: tuple[SubsystemChoice, ...] = ()
        self.fields: list[QLineEdit] = []
        self.kind = QComboBox()
        self.problem = role_label("", "secondary", wraps=True)
        self.open_button = QPushButton(self.tr("Open"))
        self.setWindowTitle(self.tr("Open a game of several files"))
        self.setAcceptDrops(True)
        self._build_ui()
        self.kind.currentIndexChanged.connect(lambda _: self._show_places(()))
        self._say(self.tr("Asking the cores for the kinds of games that they make…"))

    def _build_ui(self) -> None:
        self.kind.setAccessibleName(self.tr("Kind of game"))
        self.kind.setEnabled(False)
        self._places = QFormLayout(horizontalSpacing=14, verticalSpacing=9)
        hint = self.tr(
            "Some cores make one game of several files, such as a cartridge and the disk or the "
            "second cartridge beside it. Drop the files here, or choose each."
        )
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        set_role(self.open_button, "primary")
        self.open_button.setDefault(True)
        self.open_button.setEnabled(False)
        buttons.addButton(self.open_button, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.accepted.connect(self._open)
        buttons.rejected.connect(self.reject)
        title = role_label(self.windowTitle(), "heading")
        words = role_label(hint, "secondary", wraps=True)
        parts = (title, words, self.kind, self._places, self.problem, None, buttons)
        vbox(*parts, on=self, margins=(22, 20, 22, 18), gap=12)
        self.setMinimumWidth(self.fontMetrics().averageCharWidth() * 90)

    def show_choices(self, choices: Sequence[SubsystemChoice]) -> None:
        self._choices = tuple(choices)
        for choice in self._choices:
            text = self.tr("{0}: {1}, by {2}")
            self.kind.addItem(text.format(choice.title, choice.subsystem.title, choice.core))
        self.kind.setEnabled(bool(self._choices))
        if not self._choices:
            none = self.tr("No core here makes a game of several files; “Cores” lists them all.")
            self._say(none, "warn")
        elif self._files:
            self.take(self._files)

    def show_failure(self, error: Exception) -> None:
        self._say(str(error), "bad")

    def fits(self, paths: Sequence[Path]) -> bool:
        return bool(self._choices and paths) and all(map(Path.is_file, paths))

    def take(self, files: Sequence[Path]) -> None:
        here = self.kind.currentIndex()
        present = [path for path in self._paths if path is not None]
        for wanted in ([*present, *files], files):
            for at in sorted(range(len(self._choices)), key=lambda each: each != here):
                places = self._choices[at].places_of(wanted)
                if places is not None:
                    self.kind.setCurrentIndex(at)
                    self._show_places(places)
                    return
        self._take_some(files)

    def _take_some(self, files: Sequence[Path]) -> None:
        places = self._choices[self.kind.currentIndex()].subsystem.files
        homeless = []
        for file in files:
            suffix = file.suffix.lower()[1:]
            fields = zip(self.fields, places, strict=True)
            fits = (f for f, place in fields if not f.text() and suffix in place.extensions)
            field = next(fits, None)
            if field is None:
                homeless.append(file.name)
            else:
                field.setText(str(file))
        if homeless:
            text = self.tr("No core here makes one game of these files: {0} has no place in it")
            self._say(text.format(", ".join(homeless)), "warn")

    def _show_places(self, files: Sequence[Path | None]) -> None:
        while self._places.rowCount():
            self._places.removeRow(0)
        self.fields = []
        choice = self._choices[self.kind.currentIndex()]
        for at, place in enumerate(choice.subsystem.files):
            text = str(place) if place.required else self.tr("{0}, can be left out").format(place)
            field = line_edit(str(place), text)
            field.setText(str((files[at] if at < len(files) else None) or ""))
            field.textChanged.connect(lambda _: self._check())
            self.fields.append(field)
            name = self.tr("Browse for {0}").format(place.title)
            browse = partial(self._browse, field, place)
            self._places.addRow(place.title, with_browse(field, browse, name))
        self._check()

    def _browse(self, field: QLineEdit, place: SubsystemFile) -> None:
        patterns = " ".join(f"*.{ending}" for ending in place.extensions) or "*"
        every = self.tr("All files (*)")
        filters = f"{place.title} ({patterns});;{every}"
        chosen, _ = QFileDialog.getOpenFileName(
            self, self.tr("Choose {0}").format(place.title), str(self._folder), filters
        )
        if chosen:
            self._folder = Path(chosen).parent
            field.setText(chosen)

    @property
    def _paths(self) -> list[Path | None]:
        texts = [field.text().strip() for field in self.fields]
        return [Path(text) if text else None for text in texts]

    def _check(self) -> None:
        problem = self._find_problem()
        self._say(problem or "", "bad" if any(self._paths) else "secondary")
        self.open_button.setEnabled(problem is None)

    def _find_problem(self) -> str | None:
        places = self._choices[self.kind.currentIndex()].subsystem.files
        for place, path in zip(places, self._paths, strict=True):
            if path is None and place.required:
                return self.tr("Choose a file for {0}.").format(place)
            if path is not None and not path.is_file():
                return self.tr("{0}: there is no such file; check the spelling").format(path)
        return None if any(self._paths) else self.tr("Choose a file.")

    def _say(self, text: str, role: str = "secondary") -> None:
        self.problem.setText(text)
        set_role(self.problem, role)
        # New fields count once the event loop has shown them.
        QTimer.singleShot(0, self, self._make_room)

    def _make_room(self) -> None:
        layout = self.layout()
        if layout is not None:
            layout.activate()
            wanted = max(layout.totalHeightForWidth(self.width()), layout.totalSizeHint().height())
            self.resize(self.width(), max(self.height(), wanted))

    def _open(self) -> None:
        choice = self._choices[self.kind.currentIndex()]
        try:
            path = list_of_files(self._paths, choice.subsystem.name, choice.system)
        except DomainError as error:
            self._say(str(error), "bad")
            return
        self.accept()
        self.chosen.emit(path)
