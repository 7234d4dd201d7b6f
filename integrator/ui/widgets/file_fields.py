"""Fields for files: a button to browse next to a path, and files dropped on a dialog."""

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QLineEdit, QPushButton, QWidget

from integrator.ui.widgets.panels.parts import hbox
from integrator.ui.widgets.translation import translate


def local_paths(data: QMimeData) -> list[Path]:
    """The files and folders of this machine in a drag."""
    return [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]


def dropped_paths(data: QMimeData) -> list[Path]:
    """The one local file or folder in a drag, or its local files; none for other drags."""
    paths = local_paths(data)
    alone = len(paths) == 1 or all(map(Path.is_file, paths))
    return paths if len(paths) == len(data.urls()) and alone else []


class TakesFiles:
    """Files may be dropped on a widget that is this too, and accepts drops."""

    def fits(self, paths: Sequence[Path]) -> bool:
        return bool(paths)

    def take(self, paths: Sequence[Path]) -> None:
        raise NotImplementedError

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802 - Qt's name
        if self.fits(local_paths(event.mimeData())):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802 - Qt's name
        event.acceptProposedAction()
        self.take(local_paths(event.mimeData()))


def with_browse(field: QLineEdit, browse: Callable[[], object], name: str = "") -> QWidget:
    """A field with a button next to it, which screen readers know by ``name``."""
    holder = QWidget()
    button = QPushButton(translate("FileFields", "Browse…"), autoDefault=False)
    if name:
        button.setAccessibleName(name)
    button.clicked.connect(lambda _=False: browse())
    hbox((field, 1), button, on=holder, margins=0)
    return holder
