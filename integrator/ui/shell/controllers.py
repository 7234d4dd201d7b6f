"""The controllers of the window that belong to no panel: a row each, in the order of building."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import QObject

from integrator import paths
from integrator.session.hidden.clips import PictureStore
from integrator.ui.bridge.picture_maker import PictureMaker
from integrator.ui.find.naming import NamingController
from integrator.ui.find.proof import ProofController
from integrator.ui.find.search.find_controller import FindController
from integrator.ui.library.consoles.consoles_dialog import ConsolesDialog
from integrator.ui.library.import_dialog import ImportDialog
from integrator.ui.library.library_controller import LibraryController, LibraryPage
from integrator.ui.memory.memory_choice import MemoryChoiceController
from integrator.ui.memory.memory_controller import MemoryController
from integrator.ui.play.audio_controller import AudioController
from integrator.ui.play.clips_controller import ClipsController
from integrator.ui.play.discs_menu import DiscsMenu
from integrator.ui.play.pads.pad_controller import PadController
from integrator.ui.play.pads.pad_view import PadPanel
from integrator.ui.play.preferences_controller import PauseInBackground, PreferencesController
from integrator.ui.review.range_controller import RangeController
from integrator.ui.review.travel_controller import TravelController
from integrator.ui.settings.settings import Preferences
from integrator.ui.shell.bars.status_bar import Readouts, StatusBar
from integrator.ui.shell.bars.top_bar import TopBar
from integrator.ui.shell.desk import Desk
from integrator.ui.shell.docks.workspaces import FullScreen, Workbench
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


def _travel_controller(desk: Desk) -> TravelController:
    travel = TravelController(desk.bridge, desk.controller, desk.actions, desk.screen, desk.window)
    travel.moved.connect(desk.parts[Readouts].show_timeline)
    return travel


CONTROLLERS: tuple[Callable[[Desk], QObject], ...] = (
    FileCommands,
    lambda d: Recovery(d.bridge, d.controller, d.say, d.parts[FileCommands].after_saving, d.window),
    lambda d: DiskChanges(d.bridge, d.controller, d.say, d.theme, d.window),
    lambda d: PathOpener(
        d,
        d.parts[StatusBar],
        d.parts[FileCommands].after_saving,
        d.parts[FileCommands].new_integration,
    ),
    SeveralFilesController,
    lambda d: Readouts(d.window, d.bridge, d.controller, d.screen, d.parts[StatusBar]),
    lambda d: ShownGame(d, d.parts[FileCommands], d.parts[Readouts]),
    lambda d: ExactCoreOffer(d, d.parts[FileCommands]),
    Verifier,
    lambda d: EditHistory(d.bridge, d.controller, d.actions, d.window),
    _picture_maker,
    lambda d: LibraryController(
        d.welcome.library, d.bridge, d.parts[PictureMaker], d.open_path, d.say, d.systems, d.window
    ),
    lambda d: LibraryPage(
        d.bridge,
        d.controller,
        d.parts[LibraryController],
        d.screen,
        d.actions,
        lambda: ImportDialog(d.theme, d.systems, d.root, (), d.window),
        lambda: ConsolesDialog(d.theme, d.systems, d.window),
        d.window,
    ),
    _travel_controller,
    lambda d: RangeController(
        d.bridge, d.controller, d.screen.timeline, d.actions, d.settings, d.window
    ),
    lambda d: MemoryChoiceController(d.controller, d.actions, d.open_path, d.window),
    lambda d: Preferences(d.settings, d.window),
    lambda d: AudioController(d.bridge, d.controller, d.parts[Preferences], d.window),
    lambda d: PadPanel(d.theme, d.screen.game_screen),
    lambda d: PadController(d.bridge, d.screen, d.parts[PadPanel], d.parts[Preferences], d.window),
    lambda d: ClipsController(
        *(d.bridge, d.controller, d.actions, d.settings, d.theme, d.screen.timeline, d.window)
    ),
    lambda d: DiscsMenu(d.bridge, d.controller, d.actions, d.say, d.window),
    lambda d: PauseInBackground(d.bridge, d.controller, d.parts[Preferences], d.window),
    lambda d: PreferencesController(
        d.bridge,
        d.theme,
        d.screen,
        d.actions,
        d.parts[Preferences],
        d.parts[AudioController],
        d.parts[PadPanel],
        d.parts[PadController],
        d.choose_theme,
        d.window,
    ),
    lambda d: FullScreen(
        d.window,
        d.parts[Workbench],
        d.screen,
        (d.parts[TopBar], d.window.statusBar()),
        d.actions["full_screen"],
    ),
)
"""Built before the controllers of the panels, some of which use them."""


def _proof(desk: Desk) -> ProofController:
    parts = desk.parts
    proof = ProofController(
        desk.bridge,
        desk.controller,
        lambda: parts[FindController],
        desk.screen,
        desk.theme,
        desk.window,
    )
    proof.card.show_requested.connect(lambda at: parts[MemoryController].show_address(at))
    return proof


LATE: Mapping[type[QObject], Callable[[Desk], QObject]] = {
    ProofController: _proof,
    NamingController: lambda d: NamingController(d.controller, d.parts[ProofController], d.window),
}
"""Built with the first panel that needs them."""
