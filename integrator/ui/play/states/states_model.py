"""The start states as a list: names in order, with the facts of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QAbstractListModel, QObject, Qt

from integrator.session.library.state_shelf import StateInfo
from integrator.ui.widgets.rows_model import NO_PARENT, Index

InfoRole = Qt.ItemDataRole.UserRole + 1
PictureRole = Qt.ItemDataRole.UserRole + 2
ProblemRole = Qt.ItemDataRole.UserRole + 3
CurrentRole = Qt.ItemDataRole.UserRole + 4


class StatesModel(QAbstractListModel):
    """``data`` gives the name, and StateInfo, picture file, problem, and True for the current one.

    ``stamp`` is the running core.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.names: tuple[str, ...] = ()
        self.current = ""
        self.stamp = ""
        self.infos: Mapping[str, StateInfo] = {}
        self.pictures: dict[str, Path] = {}
        self.problems: dict[str, str] = {}

    def set_names(self, names: Sequence[str]) -> None:
        """List other states."""
        if tuple(names) != self.names:
            self.beginResetModel()
            self.names = tuple(names)
            self.endResetModel()

    def tell(self) -> None:
        """Something besides the names has changed."""
        if self.names:
            self.dataChanged.emit(self.index(0), self.index(len(self.names) - 1))

    def rowCount(self, parent: Index = NO_PARENT) -> int:  # noqa: N802 - Qt's name
        """One row a state."""
        return 0 if parent.isValid() else len(self.names)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """See the roles above."""
        name = self.names[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.UserRole):
            return name
        if role == InfoRole:
            return self.infos.get(name)
        if role == PictureRole:
            return self.pictures.get(name)
        if role == ProblemRole:
            return self.problems.get(name)
        if role == CurrentRole:
            return name == self.current
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._tip(name)
        return None

    def _tip(self, name: str) -> str:
        info, lines = self.infos.get(name), [name]
        if name == self.current:
            lines.append(self.tr("episodes begin here now"))
        if default_badges(info):
            lines.append(self.tr("default: {0}").format(", ".join(default_badges(info))))
        if info is not None and info.stamp:
            lines.append(self.tr("saved by {0}").format(info.stamp))
            if self.stamp and info.stamp != self.stamp:
                lines.append(self.tr("this is {0}: save it again").format(self.stamp))
        if problem := self.problems.get(name):
            lines.append(problem)
        lines.append(self.tr("Double-click to begin an episode here"))
        return "\n".join(lines)


def default_badges(info: StateInfo | None) -> list[str]:
    """Short texts for the numbers of players that begin at the state."""
    players = info.default_for if info is not None else ()
    return ["default" if count == 1 else f"{count}P" for count in players]
