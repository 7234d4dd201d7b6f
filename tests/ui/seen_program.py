"""The program with an eye in it: reports things in sight and their places, and touches none.

``python seen_program.py SOCKET ARGUMENTS...`` runs the command line ARGUMENTS. A client
of SOCKET (a path) sends one JSON document a line and gets one back:

``{"see": true}``                   every text, button, field, cell, tab and menu row in sight
``{"check": "window.title"}``       the value of an expression, for checks
``{"ram": [770, "|i1"]}``           a number in the game's memory, which its picture shows people"""

import json
import sys
from collections.abc import Callable, Iterator
from typing import Any

from PySide6.QtCore import QModelIndex, QPoint, QRect
from PySide6.QtGui import Qt, QTextDocumentFragment
from PySide6.QtNetwork import QLocalServer, QLocalSocket
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QDockWidget,
    QLabel,
    QLineEdit,
    QListView,
    QMenu,
    QMenuBar,
    QTabBar,
    QTableView,
    QTreeView,
    QWidget,
)

from integrator import cli
from integrator.ui.shell.main_window import MainWindow
from integrator.ui.widgets.table import DataTable

Seen = dict[str, Any]


def things_in_sight() -> list[Seen]:
    """All that can be seen of all windows, each with its rectangle on the screen."""
    found: list[Seen] = []
    for top in QApplication.topLevelWidgets():
        if top.isVisible():
            own = (each for each in top.findChildren(QWidget) if each.window() is top)
            for widget in (top, *own):
                if widget.isVisible() and not widget.visibleRegion().isEmpty():
                    found.extend(_parts(widget))
    return found


def _parts(widget: QWidget) -> Iterator[Seen]:
    if isinstance(widget, QMenu | QMenuBar):
        for action in widget.actions():
            place = widget.actionGeometry(action)
            if action.isVisible() and not action.isSeparator():
                text = action.text().replace("&", "").rstrip("…")
                yield _thing(widget, text, place, enabled=action.isEnabled(), kind="row")
    elif isinstance(widget, QTabBar):
        for tab in range(widget.count()):
            yield _thing(widget, widget.tabText(tab), widget.tabRect(tab), kind="tab")
    elif isinstance(widget, QAbstractItemView):
        yield _thing(widget, widget.accessibleName(), widget.rect(), kind="view")
        yield from _cells(widget)
    elif isinstance(widget, QDockWidget):
        yield _thing(widget, widget.windowTitle(), widget.rect(), kind="panel")
    elif isinstance(widget, QAbstractButton | QComboBox | QLineEdit | QLabel):
        yield _labeled(widget)
    elif widget.accessibleName():
        yield _thing(widget, widget.accessibleName(), widget.rect(), kind="other")


def _labeled(widget: QAbstractButton | QComboBox | QLineEdit | QLabel) -> Seen:
    name, rect = widget.accessibleName(), widget.visibleRegion().boundingRect()
    if isinstance(widget, QLineEdit):
        name = name or widget.placeholderText()
        return _thing(widget, name, rect, kind="field", value=widget.text())
    if isinstance(widget, QComboBox):
        return _thing(widget, name, rect, kind="choice", value=widget.currentText())
    if isinstance(widget, QAbstractButton):
        text = widget.text().replace("&", "").rstrip("…")
        icon = not widget.icon().isNull()
        return _thing(widget, text or name, rect, kind="button", name=name, icon=icon)
    text = widget.text()
    if Qt.mightBeRichText(text):
        text = QTextDocumentFragment.fromHtml(text).toPlainText()
    return _thing(widget, text, rect, kind="label")


def _cells(view: QAbstractItemView) -> Iterator[Seen]:
    area = view.viewport()
    for index in _indexes(view):
        rect = view.visualRect(index) & area.rect()
        text = index.data()
        if rect.isValid() and text is not None:
            place = {"row": index.row(), "column": index.column()}
            yield _thing(area, str(text), rect, kind="cell", **place)


def _indexes(view: QAbstractItemView) -> Iterator[QModelIndex]:
    if isinstance(view, QListView):
        yield from (view.model().index(row, 0) for row in range(view.model().rowCount()))
    elif isinstance(view, QTableView | QTreeView):
        header = view.horizontalHeader() if isinstance(view, QTableView) else view.header()
        row = view.indexAt(QPoint(2, 2))
        while row.isValid() and view.visualRect(row).top() < view.viewport().height():
            yield from (row.siblingAtColumn(column) for column in range(header.count()))
            at = view.visualRect(row)
            row = view.indexAt(QPoint(at.left() + 2, at.bottom() + 3))


def _thing(widget: QWidget, text: str, rect: QRect, **more: Any) -> Seen:
    """``free``: a click in the middle of it gets there, and not to what lies above."""
    corner, middle = widget.mapToGlobal(rect.topLeft()), widget.mapToGlobal(rect.center())
    hit = QApplication.widgetAt(middle)
    free = hit is not None and (hit is widget or widget.isAncestorOf(hit))
    ratio = widget.devicePixelRatioF()  # the mouse counts the screen's own pixels
    sides = (corner.x(), corner.y(), rect.width(), rect.height())
    place = [round(side * ratio) for side in sides]
    owners = {"panel": "", "top": widget.window().windowTitle()}
    owner: QWidget | None = widget
    while owner is not None:
        if isinstance(owner, QDockWidget):
            owners["panel"] = owner.windowTitle()
        owner = owner.parentWidget()
    enabled = {"enabled": widget.isEnabled()}
    holder = widget if more.get("kind") != "cell" else widget.parentWidget()
    # Tables and menus are found by these names, whatever their own classes are called.
    kind = next((each for each in (DataTable, QMenu) if isinstance(holder, each)), type(holder))
    of = {"of": kind.__name__}
    return {"text": text, "place": place, "free": free, **owners, **enabled, **of, **more}


class Eye:
    """Answers on a socket, in the window's thread."""

    def __init__(self, path: str) -> None:
        self._server = QLocalServer()
        if not self._server.listen(path):
            raise SystemExit(f"{path}: {self._server.errorString()}")
        self._server.newConnection.connect(self._connect)

    def _connect(self) -> None:
        socket = self._server.nextPendingConnection()
        socket.readyRead.connect(lambda: self._read(socket))
        socket.disconnected.connect(socket.deleteLater)

    def _read(self, socket: QLocalSocket) -> None:
        while socket.canReadLine():
            question = json.loads(bytes(socket.readLine().data()))
            self._answer(question, lambda answer: _send(socket, answer))

    def _answer(self, question: dict[str, Any], then: Callable[[Any], None]) -> None:
        if "see" in question:
            then(things_in_sight())
            return
        tops = QApplication.topLevelWidgets()
        window = next((top for top in tops if isinstance(top, MainWindow)), None)
        if window is None:
            then(None)
        elif "ram" in question:
            address, kind = question["ram"]
            window.bridge.ask(lambda session: session.memory.read(address, kind), then)
        else:
            then(eval(question["check"], {"window": window}))


def _send(socket: QLocalSocket, answer: Any) -> None:
    socket.write(json.dumps(answer, default=str).encode() + b"\n")
    socket.flush()


def main() -> None:
    """Run the program as its own command would."""
    application = QApplication(sys.argv[:1])
    eye = Eye(sys.argv[1])
    status = cli.run(sys.argv[2:])
    del eye, application
    sys.exit(status)


if __name__ == "__main__":
    main()
