"""A window with files, as a file manager has: ``python file_shelf.py X Y FILE...``.

All files are chosen, to be dragged to another window. The window goes after a drop."""

import sys
from collections.abc import Sequence

from PySide6.QtCore import QMimeData, QUrl
from PySide6.QtGui import Qt
from PySide6.QtWidgets import QApplication, QListWidget, QListWidgetItem


class FileShelf(QListWidget):
    def mimeData(self, items: Sequence[QListWidgetItem]) -> QMimeData:
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(each.toolTip()) for each in items])
        return data

    def startDrag(self, actions: Qt.DropAction) -> None:
        super().startDrag(actions)
        self.hide()  # The program still has to hand over the data.


def main() -> None:
    """Run until somebody kills the program."""
    app = QApplication(sys.argv)
    app.setQuitOnLastWindowClosed(False)
    shelf = FileShelf()
    shelf.setWindowTitle("ROMs")
    shelf.setDragEnabled(True)
    shelf.setSelectionMode(FileShelf.SelectionMode.ExtendedSelection)
    for file in sys.argv[3:]:
        item = QListWidgetItem(file.rpartition("/")[2], shelf)
        item.setToolTip(file)
    shelf.selectAll()
    x, y = map(int, sys.argv[1:3])
    shelf.setGeometry(x, y, 200, 250)
    shelf.show()
    app.exec()


if __name__ == "__main__":
    main()
