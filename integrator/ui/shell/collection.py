"""The user's games as a whole: the library's page, importing ROMs, and pictures of start states."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QObject
from PySide6.QtWidgets import QMenu

from integrator import paths
from integrator.session.hidden.pictures import PictureStore
from integrator.ui.bridge.garbage import WindowThreadGarbage
from integrator.ui.bridge.picture_maker import PictureMaker
from integrator.ui.library.import_dialog import ImportDialog
from integrator.ui.library.library_controller import LibraryController
from integrator.ui.play.states.states_gallery import StatesGallery
from integrator.ui.shell.desk import Desk


class Collection(QObject):
    """Belongs to one window. ``close`` must be called before the window goes away."""

    def __init__(self, desk: Desk, play_menu: QMenu) -> None:
        """The slots of start states go into ``play_menu``."""
        super().__init__(desk.window)
        self._desk = desk
        self._import: ImportDialog | None = None
        app = QCoreApplication.instance()
        if app is None:
            raise AssertionError("a window needs an application")
        self._garbage = WindowThreadGarbage.of(app)
        self._garbage.hold(desk.bridge.is_busy)
        self._closed = False
        self.pictures = PictureMaker(PictureStore(paths.user_cache_dir() / "pictures"), self)
        self.view = desk.welcome.library
        self.library = LibraryController(
            self.view,
            desk.bridge,
            self.pictures,
            desk.open_path,
            self.import_roms,
            desk.say,
            desk.systems,
            self,
        )
        self.states = StatesGallery(
            desk.window,
            desk.bridge,
            desk.controller,
            desk.docks.states,
            desk.states,
            self.pictures,
            desk.say,
        )
        self.states.fill_menu(play_menu)
        desk.actions["library"].triggered.connect(lambda: self.show_library())
        desk.actions["import_roms"].triggered.connect(lambda: self.import_roms())
        self.view.left.connect(self.leave_library)
        desk.bridge.closed.connect(self.library.refresh_soon)
        desk.controller.game_kept.connect(lambda _: self.library.refresh_soon())

    def show_library(self) -> None:
        """Show the library over the game, or go back to it."""
        panel = self._desk.screen
        shown = panel.stage.currentWidget() is panel.welcome
        if shown and self._desk.bridge.is_open:
            self.leave_library()
            return
        self._desk.bridge.pause()
        panel.stage.setCurrentWidget(panel.welcome)
        self.view.field.setFocus()
        self.view.field.selectAll()

    def leave_library(self) -> None:
        """Back to the open game, if there is one."""
        if self._desk.bridge.is_open:
            panel = self._desk.screen
            panel.stage.setCurrentWidget(panel.game_screen)
            panel.game_screen.setFocus()

    def import_roms(self) -> ImportDialog:
        """Open the dialog that imports ROM folders, or show the one that is open."""
        if self._import is None:
            desk = self._desk
            dialog = ImportDialog(desk.theme, desk.systems, desk.root, (), desk.window)
            dialog.imported.connect(lambda _: self.library.refresh_soon())
            dialog.destroyed.connect(self._import_closed)
            self._import = dialog
        self._import.show()
        self._import.raise_()
        return self._import

    def _import_closed(self) -> None:
        self._import = None

    def close(self) -> None:
        """End what runs beside the window's thread. Idempotent."""
        if self._closed:
            return
        self._closed = True
        if self._import is not None:
            self._import.finish()
        self.library.close()
        self.pictures.close()
        self._garbage.release(self._desk.bridge.is_busy)
