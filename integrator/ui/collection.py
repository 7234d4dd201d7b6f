"""The user's games as a whole: the library's page, importing ROMs, and pictures of start states."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject

from integrator import paths
from integrator.session.pictures import PictureStore
from integrator.ui.garbage import WindowThreadGarbage
from integrator.ui.library.import_dialog import ImportDialog
from integrator.ui.library.library_controller import LibraryController
from integrator.ui.library.picture_maker import PictureMaker
from integrator.ui.memory.cheats_controller import CheatsController
from integrator.ui.play.states_gallery import StatesGallery
from integrator.ui.widgets.theme import Theme
from integrator.ui.window_menus import WindowMenus
from libretro_host.descriptor import SystemDescriptor

if TYPE_CHECKING:
    from integrator.ui.main_window import MainWindow


class Collection(QObject):
    """Belongs to one window. ``close`` must be called before the window goes away."""

    def __init__(
        self,
        window: MainWindow,
        theme: Theme,
        systems: Mapping[str, SystemDescriptor],
        root: Path,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._theme = theme
        self._systems = systems
        self._root = root
        self._import: ImportDialog | None = None
        app = QCoreApplication.instance()
        if app is None:
            raise AssertionError("a window needs an application")
        self._garbage = WindowThreadGarbage.of(app)
        self._garbage.hold(window.bridge.plays)
        self._closed = False
        self.pictures = PictureMaker(PictureStore(paths.user_cache_dir() / "pictures"), self)
        panel = window.screen_panel
        self.view = panel.welcome.library
        self.library = LibraryController(
            self.view,
            window.bridge,
            self.pictures,
            window.open_path,
            self.import_roms,
            window.say,
            systems,
            self,
        )
        self.states = StatesGallery(
            window,
            window.bridge,
            window.controller,
            window.docks.states,
            self.pictures,
            window.say,
        )
        self._add_slots(window)
        self.cheats = CheatsController(
            window.bridge, window.controller, window.docks, window.say, self
        )
        actions = window.actions_by_key
        actions["library"].triggered.connect(lambda: self.show_library())
        actions["import_roms"].triggered.connect(lambda: self.import_roms())
        self.view.left.connect(self.leave_library)
        window.bridge.closed.connect(self.library.refresh_soon)
        window.controller.game_kept.connect(lambda _: self.library.refresh_soon())

    def _add_slots(self, window: MainWindow) -> None:
        menus = window.findChild(WindowMenus)
        if menus is not None:
            self.states.fill_menu(menus.menus["play"])

    def show_library(self) -> None:
        """Show the library over the game, or go back to it."""
        panel = self._window.screen_panel
        shown = panel.stage.currentWidget() is panel.welcome
        if shown and self._window.bridge.is_open:
            self.leave_library()
            return
        self._window.bridge.pause()
        panel.stage.setCurrentWidget(panel.welcome)
        self.view.field.setFocus()
        self.view.field.selectAll()

    def leave_library(self) -> None:
        """Back to the open game, if there is one."""
        if self._window.bridge.is_open:
            panel = self._window.screen_panel
            panel.stage.setCurrentWidget(panel.game_screen)
            panel.game_screen.setFocus()

    def import_roms(self) -> ImportDialog:
        """Open the dialog that imports ROM folders, or show the one that is open."""
        if self._import is None:
            dialog = ImportDialog(self._theme, self._systems, self._root, (), self._window)
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
        self._garbage.release(self._window.bridge.plays)
