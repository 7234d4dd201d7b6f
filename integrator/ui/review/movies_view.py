"""The Movies panel: a folder of movies, played with a double click."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QModelIndex, QPoint, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QPushButton, QVBoxLayout, QWidget

from integrator.ui.actions.actions import Actions
from integrator.ui.review.movies_model import MovieColumn, MoviesModel
from integrator.ui.widgets.panels import DataTable, EmptyOr, EmptyState, pop_up, role_label
from integrator.ui.widgets.theme import Theme


class MoviesView(QWidget):
    """Lists movies. ``play_requested`` and ``load_requested`` give a path."""

    play_requested = Signal(object)
    load_requested = Signal(object)
    folder_requested = Signal()
    refresh_requested = Signal()

    def __init__(self, theme: Theme, actions: Actions) -> None:
        super().__init__()
        self._theme = theme
        self.model = MoviesModel(theme, self)
        self.table = DataTable(self.tr("Movies"))
        self.table.setModel(self.model)
        self.table.set_widths((176, 58, 56, 120, 60), stretch=MovieColumn.CORE)
        self.table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.table.setEditTriggers(DataTable.EditTrigger.NoEditTriggers)
        self.table.activated.connect(self._play)
        self.table.customContextMenuRequested.connect(self._open_menu)
        self.folder: QLabel = role_label(self.tr("no folder"), "secondary")
        self.folder.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.folder.setMinimumWidth(40)
        self.choose = QPushButton(self.tr("Folder…"))
        self.choose.setIcon(theme.icons.icon("folder"))
        self.choose.clicked.connect(self.folder_requested)
        empty = EmptyState(
            theme,
            "movie",
            self.tr("No movies here"),
            self.tr("Record what you play, or choose a folder of agents' movies."),
            [actions["record"], actions["play_movie"]],
        )
        self.pages = EmptyOr(empty, self.table)
        self._build_ui()
        self.model.modelReset.connect(lambda: self.pages.show_content(self.model.rowCount() > 0))

    def _build_ui(self) -> None:
        row = QHBoxLayout()
        row.setContentsMargins(10, 6, 10, 4)
        row.addWidget(self.folder, 1)
        row.addWidget(self.choose)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(row)
        layout.addWidget(self.pages, 1)

    def show_folder(self, folder: Path) -> None:
        """Name the listed folder; its path stands in the tooltip."""
        self.folder.setText(folder.name)
        self.folder.setToolTip(str(folder))

    def movie_menu(self, row: int) -> QMenu:
        """A menu of actions for one movie."""
        menu = QMenu(self)
        movie = self.model.movie_at(row)
        play = menu.addAction(self._theme.icons.icon("play"), self.tr("Play"))
        play.triggered.connect(lambda: self.play_requested.emit(movie.path))
        load = menu.addAction(
            self._theme.icons.icon("fast-forward"), self.tr("Run to its end at once")
        )
        load.setToolTip(self.tr("Puts the whole movie on the timeline, as fast as the core can"))
        load.triggered.connect(lambda: self.load_requested.emit(movie.path))
        for action in (play, load):
            action.setEnabled(not movie.problem)
        menu.addSeparator()
        menu.addAction(self.tr("Read the folder again")).triggered.connect(self.refresh_requested)
        return menu

    def _play(self, index: QModelIndex) -> None:
        movie = self.model.movie_at(index.row())
        if not movie.problem:
            self.play_requested.emit(movie.path)

    def _open_menu(self, where: QPoint) -> None:
        index = self.table.indexAt(where)
        if index.isValid():
            menu = self.movie_menu(index.row())
            pop_up(menu, self.table, where)
