"""Shows the library over the game, and the dialog that brings ROMs into it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject

from integrator.ui.actions.actions import Actions
from integrator.ui.bridge.bridge import SessionBridge
from integrator.ui.bridge.game import GameController
from integrator.ui.library.consoles.consoles_dialog import ConsolesDialog
from integrator.ui.library.import_dialog import ImportDialog
from integrator.ui.library.library_controller import LibraryController
from integrator.ui.screen.screen_panel import ScreenPanel


class LibraryPage(QObject):
    """Comes and goes with its action, and looks again when games have changed.

    ``make_dialog`` makes the dialog that imports ROM folders, ``make_consoles`` that of consoles.
    """

    def __init__(
        self,
        bridge: SessionBridge,
        controller: GameController,
        library: LibraryController,
        screen: ScreenPanel,
        actions: Actions,
        make_dialog: Callable[[], ImportDialog],
        make_consoles: Callable[[], ConsolesDialog],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._library = library
        self._screen = screen
        self._make_dialog = make_dialog
        self._make_consoles = make_consoles
        self._dialog: ImportDialog | None = None
        self._consoles: ConsolesDialog | None = None
        actions["library"].triggered.connect(lambda: self.show_library())
        actions["import_roms"].triggered.connect(lambda: self.import_roms())
        actions["consoles"].triggered.connect(lambda: self.consoles())
        library.view.left.connect(self.leave_library)
        library.import_requested.connect(lambda: self.import_roms())
        bridge.closed.connect(library.refresh_soon)
        bridge.ending.connect(self.close)
        controller.game_kept.connect(lambda _: library.refresh_soon())

    def show_library(self) -> None:
        """Show the library over the game, or go back to it."""
        screen, field = self._screen, self._library.view.field
        shown = screen.stage.currentWidget() is screen.welcome
        if shown and self._bridge.is_open:
            self.leave_library()
            return
        self._bridge.pause()
        screen.stage.setCurrentWidget(screen.welcome)
        field.setFocus()
        field.selectAll()

    def leave_library(self) -> None:
        """Back to the open game, if there is one."""
        if self._bridge.is_open:
            self._screen.stage.setCurrentWidget(self._screen.game_screen)
            self._screen.game_screen.setFocus()

    def import_roms(self) -> ImportDialog:
        """Open the dialog that imports ROM folders, or show the one that is open."""
        if self._dialog is None:
            dialog = self._make_dialog()
            dialog.imported.connect(lambda _: self._library.refresh_soon())
            dialog.destroyed.connect(self._dialog_closed)
            self._dialog = dialog
        self._dialog.show()
        self._dialog.raise_()
        return self._dialog

    def _dialog_closed(self) -> None:
        self._dialog = None

    def consoles(self) -> ConsolesDialog:
        """Open the dialog of the user's own consoles, or show the one that is open."""
        if self._consoles is None:
            dialog = self._make_consoles()
            dialog.changed.connect(lambda: self._library.refresh_soon())
            dialog.destroyed.connect(self._consoles_closed)
            self._consoles = dialog
        self._consoles.show()
        self._consoles.raise_()
        return self._consoles

    def _consoles_closed(self) -> None:
        self._consoles = None

    def close(self) -> None:
        """End what runs beside the window's thread. Idempotent."""
        if self._dialog is not None:
            self._dialog.finish()
        if self._consoles is not None:
            self._consoles.finish()
        self._library.close()
