"""The controllers of the window that belong to no panel: a row each, in the order of building."""

from collections.abc import Callable

from PySide6.QtCore import QObject

from integrator import paths
from integrator.session.hidden.clips import PictureStore
from integrator.ui.bridge.picture_maker import PictureMaker
from integrator.ui.desk import Desk, Part
from integrator.ui.find.naming import NamingController
from integrator.ui.find.proof import ProofController
from integrator.ui.library.library_controller import LibraryController, LibraryPage
from integrator.ui.memory.memory_choice import MemoryChoiceController
from integrator.ui.play.audio_controller import AudioController
from integrator.ui.play.clips_controller import ClipsController
from integrator.ui.play.discs_menu import DiscsMenu
from integrator.ui.play.pads.pad_controller import PadController
from integrator.ui.play.pads.pad_view import PadPanel
from integrator.ui.play.preferences_controller import PauseInBackground, PreferencesController
from integrator.ui.review.range_controller import RangeController
from integrator.ui.review.travel_controller import TravelController
from integrator.ui.settings.settings import Preferences
from integrator.ui.shell.bars.status_bar import Readouts
from integrator.ui.shell.docks.workspaces import FullScreen
from integrator.ui.shell.files.disk_changes import DiskChanges
from integrator.ui.shell.files.file_commands import FileCommands
from integrator.ui.shell.files.path_opener import PathOpener, SeveralFilesController
from integrator.ui.shell.files.recovery import Recovery
from integrator.ui.shell.files.verifier import Verifier
from integrator.ui.shell.history import EditHistory
from integrator.ui.shell.shown_game import ExactCoreOffer, ShownGame


def _picture_maker(desk: Desk) -> PictureMaker:
    maker = PictureMaker(PictureStore(paths.user_cache_dir() / "pictures"), desk.window)
    desk.bridge.ending.connect(maker.close)
    return maker


CONTROLLERS: tuple[Callable[[Desk], QObject], ...] = (
    FileCommands,
    Recovery,
    DiskChanges,
    PathOpener,
    SeveralFilesController,
    Readouts,
    ShownGame,
    ExactCoreOffer,
    Verifier,
    EditHistory,
    _picture_maker,
    LibraryController,
    LibraryPage,
    TravelController,
    RangeController,
    MemoryChoiceController,
    lambda desk: Preferences(desk.settings, desk.window),
    AudioController,
    lambda desk: PadPanel(desk.theme, desk.screen.game_screen),
    PadController,
    ClipsController,
    DiscsMenu,
    PauseInBackground,
    PreferencesController,
    FullScreen,
)
"""Built before the controllers of the panels, some of which use them."""

LATE: tuple[type[Part], ...] = (ProofController, NamingController)
"""Built with the first panel that needs them."""
