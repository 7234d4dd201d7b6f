"""The main window: puts screen, docks and actions together, and what is dropped on it or closed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QMainWindow, QStatusBar, QVBoxLayout, QWidget

from integrator.session.early import open_journaled
from integrator.session.edits.snapshot import GameSnapshot
from integrator.session.opening import buttons_by_system
from integrator.ui.actions.actions import Actions
from integrator.ui.bridge.bridge import SessionBridge
from integrator.ui.bridge.game import GameController
from integrator.ui.library.welcome import Welcome
from integrator.ui.memory.memory_choice_controller import MemoryChoiceController
from integrator.ui.play.playing import Playing
from integrator.ui.play.states.states_controller import StatesController
from integrator.ui.review.branches_controller import BranchesController
from integrator.ui.review.input_log_controller import InputLogController
from integrator.ui.review.movies_controller import MoviesController
from integrator.ui.review.timeline_range import RangeController
from integrator.ui.review.travel_controller import TravelController
from integrator.ui.screen.full_screen import FullScreen
from integrator.ui.screen.screen_panel import ScreenPanel
from integrator.ui.settings.settings import UiSettings
from integrator.ui.shell.bars.readouts import Readouts
from integrator.ui.shell.bars.status_bar import StatusBar
from integrator.ui.shell.bars.top_bar import TopBar
from integrator.ui.shell.bars.window_menus import WindowMenus
from integrator.ui.shell.collection import Collection
from integrator.ui.shell.desk import Desk
from integrator.ui.shell.docks import Docks, workspaces
from integrator.ui.shell.files.disk_changes import DiskChanges
from integrator.ui.shell.files.file_commands import FileCommands, save_picture
from integrator.ui.shell.files.new_window import start_window
from integrator.ui.shell.files.path_opener import PathOpener
from integrator.ui.shell.files.recovery import Recovery
from integrator.ui.shell.palette_commands import PaletteReach, open_palette
from integrator.ui.shell.panel_controllers import PanelControllers
from integrator.ui.shell.workspaces import Workbench, Workspaces
from integrator.ui.widgets.notices import NoticeKind
from integrator.ui.widgets.theme import SIZES, Theme, ThemeChoice
from libretro_host.systems.descriptor import SystemDescriptor


class MainWindow(QMainWindow):
    """Owns the widgets. What they ask for goes to the GameController and the SessionBridge."""

    def __init__(
        self,
        theme: Theme,
        settings: UiSettings,
        bridge: SessionBridge,
        systems: Mapping[str, SystemDescriptor],
        root: Path,
    ) -> None:
        super().__init__()
        self._theme = theme
        self._settings = settings
        self.bridge = bridge
        self.actions_by_key = Actions(self, theme)
        self.workbench = Workbench()
        self.docks = Docks(self.workbench, theme, self.actions_by_key)
        self.workspaces = Workspaces(self.workbench, self.docks, settings, self)
        self.welcome = Welcome(theme, self.actions_by_key)
        self.screen_panel = ScreenPanel(theme, self.actions_by_key, self.welcome)
        self.status = StatusBar(theme)
        self.controller = GameController(bridge, self)
        self.states = StatesController(bridge, self.controller, self.docks.states)
        self.desk = Desk(
            window=self,
            theme=theme,
            settings=settings,
            actions=self.actions_by_key,
            systems=systems,
            root=root,
            bridge=bridge,
            controller=self.controller,
            states=self.states,
            docks=self.docks,
            screen=self.screen_panel,
            welcome=self.welcome,
            status=self.status,
            say=self.say,
            open_path=self.open_path,
        )
        self.files = FileCommands(self.desk, lambda: self.recovery.drop_edits())
        self.recovery = Recovery(bridge, self.controller, self.say, self.files.after_saving, self)
        self.disk_changes = DiskChanges(bridge, self.controller, self.say, theme, self)
        self.paths = PathOpener(self.desk, self.files.after_saving)
        self.readouts = Readouts(
            self, theme, bridge, self.controller, self.docks, self.screen_panel, self.status
        )
        self._build_ui()
        self._connect_actions()
        self._connect_game()
        self.panels = PanelControllers(self.desk)
        self._build_review()
        self.memory_choice = MemoryChoiceController(
            self.controller, self.actions_by_key, self.open_path, self
        )
        self.playing = Playing(
            bridge,
            self.controller,
            settings,
            theme,
            self.screen_panel,
            self.actions_by_key,
            self.choose_theme,
            self,
        )
        self.full_screen = FullScreen(
            self,
            self.workbench,
            self.screen_panel,
            (self.top_bar, self.statusBar()),
            self.actions_by_key["full_screen"],
        )
        self.collection = Collection(self.desk, self.menus.menus["play"])
        self.palette_reach = PaletteReach(self.collection, self.use_workspace, self.choose_theme)
        self._restore()

    # -- building ------------------------------------------------------------------------

    def _build_ui(self) -> None:
        self.setWindowTitle(self.tr("Integrator"))
        self.setAcceptDrops(True)
        self.menus = WindowMenus(
            self,
            self.actions_by_key,
            self.docks,
            self._theme.choice,
            self.choose_theme,
            self.use_workspace,
        )
        save = self.actions_by_key["save"]
        self.top_bar = TopBar(self._theme, self.menus, workspaces(), save, self)
        self.setMenuWidget(self.top_bar)
        centre = QWidget()
        layout = QVBoxLayout(centre)
        layout.setContentsMargins(SIZES.gap, SIZES.gap, SIZES.gap, SIZES.gap)
        layout.addWidget(self.workbench)
        self.workbench.setCentralWidget(self.screen_panel)
        self.setCentralWidget(centre)
        bar = QStatusBar()
        bar.setSizeGripEnabled(False)
        bar.setContentsMargins(0, 0, 0, 0)
        bar.addWidget(self.status, 1)
        self.setStatusBar(bar)
        self.resize(QSize(1440, 880))

    def _build_review(self) -> None:
        """The timeline and what is listed along it."""
        bridge, controller, docks = self.bridge, self.controller, self.docks
        self.travel = TravelController(
            bridge, controller, self.actions_by_key, self.screen_panel, self
        )
        self.travel.moved.connect(self.readouts.show_timeline)
        self.travel.moved.connect(lambda facts: docks.variables.model.set_trends(facts.trends))
        self.input_log = InputLogController(bridge, controller, self.travel, docks.input_log, self)
        self.branches = BranchesController(bridge, controller, self.travel, docks.branches, self)
        self.ranges = RangeController(
            bridge,
            controller,
            self.screen_panel.timeline,
            self.actions_by_key,
            self._settings,
            self,
        )
        self.movies = MoviesController(
            bridge,
            controller,
            docks.movies,
            self._settings,
            buttons_by_system(self.desk.systems),
            self.open_path,
            self,
        )

    def _connect_actions(self) -> None:
        files, bridge = self.files, self.bridge
        self._on("open_rom", files.choose_rom)
        self._on("open_integration", files.choose_integration)
        self._on("new_integration", files.new_integration)
        self._on("new_window", start_window)
        self._on("save", files.save)
        self._on("save_as", files.save_as)
        self._on("close_game", self.close_game)
        self._on("quit", self.close)
        self._on("play", self._toggle_play)
        self._on("reset", bridge.reset)
        self._on("record", files.choose_recording)
        self._on("stop_recording", self.controller.stop_recording)
        self._on("play_movie", files.choose_movie)
        self._on("save_state", files.name_state)
        self._on("load_state", files.choose_state)
        self._on("add_variable", files.add_variable)
        self._on("add_reward", lambda: self.docks.reward.add.showMenu())
        self._on("add_condition", lambda: self.docks.done.add.showMenu())
        self._on("two_players", self._change_players)
        self._on("palette", self.open_palette)
        self._on("screenshot", files.choose_screenshot)
        self._on("reset_layout", self.workspaces.reset)
        show_buttons = self.actions_by_key["show_buttons"]
        show_buttons.toggled.connect(self._show_buttons)
        show_buttons.setChecked(self._settings.shows_buttons)
        self.actions_by_key["fast_forward"].toggled.connect(bridge.set_fast_forward)

    def _on(self, key: str, slot: Callable[[], object]) -> None:
        self.actions_by_key[key].triggered.connect(lambda _=False: slot())

    def _connect_game(self) -> None:
        bridge, controller, panel = self.bridge, self.controller, self.screen_panel
        bridge.opened.connect(self._game_opened)
        bridge.closed.connect(self._game_closed)
        bridge.frame_ready.connect(panel.show_frame)
        controller.said.connect(self.say)
        controller.game_kept.connect(self._game_kept)
        controller.recording_changed.connect(self.actions_by_key["stop_recording"].setEnabled)
        controller.core_said.connect(self._log_messages)
        controller.core_printed.connect(self.docks.log.add_core_lines)
        panel.game_screen.fast_forward.connect(bridge.set_fast_forward)
        panel.transport.speed_chosen.connect(bridge.set_speed)
        self.welcome.recent_chosen.connect(lambda path: self.open_path(Path(path)))
        self.top_bar.segments.chosen.connect(self.use_workspace)
        self.top_bar.palette_requested.connect(self.open_palette)
        self.workspaces.changed.connect(self.top_bar.segments.select)

    def _log_messages(self, messages: Sequence[str]) -> None:
        for message in messages:
            self.docks.log.add(message)

    def _restore(self) -> None:
        geometry = self._settings.geometry()
        if geometry is not None:
            self.restoreGeometry(geometry)
        self.workspaces.restore()
        self.welcome.set_recent(self._settings.recent)
        if self._settings.set_aside is not None:
            self.say(
                NoticeKind.WARNING,
                self.tr(
                    "The settings file was damaged and is now {0}; the window starts afresh."
                ).format(self._settings.set_aside),
            )

    # -- workspaces ----------------------------------------------------------------------

    @property
    def workspace(self) -> str:
        """The workspace in use."""
        return self.workspaces.current

    def use_workspace(self, key: str) -> None:
        """Arrange the docks as a workspace was left, or as its preset says."""
        self.workspaces.use(key)

    # -- games ---------------------------------------------------------------------------

    def open_path(self, path: Path) -> None:
        """Open a ROM or integration; play a movie or load a state, in its game."""
        self.paths.open(path)

    def close_game(self) -> None:
        """Close the open game, asking about unsaved edits."""
        self.files.after_saving(self.bridge.close_game)

    def _game_opened(self, game: GameSnapshot) -> None:
        self._settings.add_recent(game.directory if game.is_integration else game.rom)
        self.welcome.set_recent(self._settings.recent)
        self.actions_by_key.set_game_open(opened=True)
        self.actions_by_key["stop_recording"].setEnabled(False)
        self.actions_by_key["two_players"].setChecked(game.players == 2)
        self.screen_panel.notices.clear()
        self.screen_panel.show_game(game)
        self.readouts.show_documents(game.documents)
        self.readouts.show_run_state(paused=True, speed=1.0)
        if not game.is_integration:
            self.say(
                NoticeKind.INFO,
                self.tr("{0} is a ROM, not an integration yet.").format(game.rom.name),
                (self.tr("Make integration…"), lambda: self.files.new_integration(game.rom)),
            )
        self.files.tell_links()
        self.docks.log.add(self.tr("Opened {0} with {1}").format(game.directory, game.core))

    def _game_kept(self, game: GameSnapshot) -> None:
        self._settings.add_recent(game.directory)
        self.screen_panel.notices.clear()
        self.screen_panel.header.title.setText(game.name)

    def _game_closed(self) -> None:
        self.actions_by_key.set_game_open(opened=False)
        self.screen_panel.show_nothing()
        self.readouts.show_nothing()

    def _change_players(self) -> None:
        game = self.controller.game
        if game is None:
            return
        players = 1 if game.players > 1 else 2
        path = game.directory if game.is_integration else game.rom
        # The mark follows the game: it stays when unsaved edits keep this one open.
        self.actions_by_key["two_players"].setChecked(game.players == 2)
        self.files.after_saving(
            lambda: self.bridge.open(path, lambda p: open_journaled(p, players))
        )

    def _show_buttons(self, shown: bool) -> None:
        self._settings.shows_buttons = shown
        self.screen_panel.show_buttons(shown=shown)

    def _toggle_play(self) -> None:
        if self.controller.paused:
            self.bridge.play()
            self.screen_panel.game_screen.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.bridge.pause()

    # -- saying things -------------------------------------------------------------------

    def say(
        self,
        kind: NoticeKind,
        text: str,
        remedy: tuple[str, Callable[[], object]] | None = None,
        *,
        stays: bool = False,
    ) -> None:
        """Show a banner that does not stop the work, and log it."""
        self.screen_panel.notices.show_notice(kind, text, remedy, stays=stays)
        self.docks.log.add(text, kind)

    def open_palette(self) -> None:
        """Everything by name."""
        open_palette(self.desk, self.palette_reach)

    def save_screenshot(self, path: Path | str) -> None:
        """Write a picture of the window to a PNG file. Raises OSError."""
        save_picture(self, path)

    def choose_theme(self, choice: ThemeChoice) -> None:
        """Follow the system, or stay dark or light, also at the next start."""
        self._theme.choose(choice)
        self._settings.theme = choice

    # -- drag and drop, closing ----------------------------------------------------------

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802 - Qt's name
        """Take one local file or folder."""
        if self.files.dropped_path(event.mimeData()) is not None:
            event.acceptProposedAction()
            self.welcome.set_hot(True)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:  # noqa: N802, ARG002 - Qt's signature
        """Nothing was dropped."""
        self.welcome.set_hot(False)

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802 - Qt's name
        """Open what was dropped, once the drag is over."""
        self.welcome.set_hot(False)
        path = self.files.dropped_path(event.mimeData())
        if path is not None:
            event.acceptProposedAction()
            QTimer.singleShot(0, self, lambda: self.open_path(path))

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """Dock widths are shares of the window's, which is known only now."""
        super().showEvent(event)
        self.workspaces.window_shown()

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802 - Qt's name
        """Ask about unsaved edits, remember the layout, end the core."""
        if not self.files.may_leave(self.close):
            event.ignore()
            return
        self.actions_by_key["full_screen"].setChecked(False)
        self.workspaces.keep()
        self._settings.set_geometry(self.saveGeometry())
        self._settings.save()
        self.collection.close()
        # Ending the core takes a moment, in which nothing would be drawn.
        self.hide()
        self.bridge.shut_down()
        super().closeEvent(event)
