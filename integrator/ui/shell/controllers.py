"""The controllers of the window that belong to no panel: a row each, in the order of building."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject

from integrator import paths
from integrator.session.hidden.pictures import PictureStore
from integrator.ui.bridge.picture_maker import PictureMaker
from integrator.ui.library.import_dialog import ImportDialog
from integrator.ui.library.library_controller import LibraryController
from integrator.ui.library.library_page import LibraryPage
from integrator.ui.memory.memory_choice_controller import MemoryChoiceController
from integrator.ui.play.playing import Playing
from integrator.ui.review.timeline_range import RangeController
from integrator.ui.review.travel_controller import TravelController
from integrator.ui.shell.desk import Desk
from integrator.ui.shell.history import EditHistory

CONTROLLERS: tuple[Callable[[Desk], QObject], ...] = (
    lambda d: EditHistory(d.bridge, d.controller, d.actions, d.window),
    lambda d: PictureMaker(PictureStore(paths.user_cache_dir() / "pictures"), d.window),
    lambda d: LibraryController(
        d.welcome.library,
        d.bridge,
        d.parts[PictureMaker],
        d.open_path,
        d.say,
        d.systems,
        d.window,
    ),
    lambda d: LibraryPage(
        d.bridge,
        d.controller,
        d.parts[LibraryController],
        d.screen,
        d.actions,
        lambda: ImportDialog(d.theme, d.systems, d.root, (), d.window),
        d.window,
    ),
    lambda d: TravelController(d.bridge, d.controller, d.actions, d.screen, d.window),
    lambda d: RangeController(
        d.bridge, d.controller, d.screen.timeline, d.actions, d.settings, d.window
    ),
    lambda d: MemoryChoiceController(d.controller, d.actions, d.open_path, d.window),
    lambda d: Playing(
        d.bridge,
        d.controller,
        d.settings,
        d.theme,
        d.screen,
        d.actions,
        d.choose_theme,
        d.window,
    ),
)
"""Built before the controllers of the panels, some of which use them."""
