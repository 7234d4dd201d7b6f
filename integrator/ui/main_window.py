"""The main window: puts screen, docks and actions together and reports what happens."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import (
    QAction,
    QActionGroup,
    QCloseEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QKeySequence,
    QShowEvent,
)
from PySide6.QtWidgets import QMainWindow, QMenuBar, QStatusBar, QTabWidget, QVBoxLayout, QWidget

from integrator.session.result import FrameResult
from integrator.ui.actions import Actions
from integrator.ui.bridge import SessionBridge
from integrator.ui.command_palette import Command, CommandPalette
from integrator.ui.controller import GameController
from integrator.ui.docks import WORKSPACES, Docks
from integrator.ui.file_commands import FileCommands
from integrator.ui.find_view import SearchStatus
from integrator.ui.models.fields import address_text
from integrator.ui.notices import NoticeKind
from integrator.ui.panel_controllers import PanelControllers
from integrator.ui.panels import plain_text
from integrator.ui.screen_panel import ScreenPanel
from integrator.ui.settings import UiSettings
from integrator.ui.snapshot import Documents, GameSnapshot, state_label
from integrator.ui.status_bar import StatusBar, plain_number, signed
from integrator.ui.theme import SIZES, Theme, ThemeChoice
from integrator.ui.top_bar import TopBar
from libretro_host.descriptor import SystemDescriptor

_MENUS = (
    ("file", "&File"),
    ("play", "&Play"),
    ("edit", "&Edit"),
    ("view", "&View"),
    ("help", "&Help"),
)


class _Workbench(QMainWindow):
    """Screen and docks: a window within the window, so that they stand clear of the bars."""

    def __init__(self) -> None:
        super().__init__()
        self.setWindowFlags(Qt.WindowType.Widget)
        self.setDockOptions(
            QMainWindow.DockOption.AnimatedDocks
            | QMainWindow.DockOption.AllowNestedDocks
            | QMainWindow.DockOption.AllowTabbedDocks
        )
        self.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        self.setCorner(Qt.Corner.BottomRightCorner, Qt.DockWidgetArea.RightDockWidgetArea)


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
        self._workspace = ""
        self._movie = ""
        self._shown = False
        self.actions_by_key = Actions(self, theme)
        self.workbench = _Workbench()
        self.docks = Docks(self.workbench, theme, self.actions_by_key)
        self.screen_panel = ScreenPanel(theme, self.actions_by_key)
        self.status = StatusBar(theme)
        self.controller = GameController(bridge, self.docks, self)
        self.files = FileCommands(self, settings, self.controller, systems, root)
        self._build_ui()
        self._connect_actions()
        self._connect_game()
        self.panels = PanelControllers(
            bridge, self.controller, self.docks, self.actions_by_key, self.screen_panel, theme, self
        )
        self._restore()

    # -- building ------------------------------------------------------------------------

    def _build_ui(self) -> None:
        self.setWindowTitle(self.tr("Integrator"))
        self.setAcceptDrops(True)
        menu_bar = self._build_menus()
        save = self.actions_by_key["save"]
        self.top_bar = TopBar(self._theme, menu_bar, WORKSPACES, save, self)
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

    def _build_menus(self) -> QMenuBar:
        bar = QMenuBar(self)
        self._menus = {}
        for key, title in _MENUS:
            menu = bar.addMenu(self.tr(title))
            menu.addActions(self.actions_by_key.in_menu(key))
            self._menus[key] = menu
        view = self._menus["view"]
        view.addSeparator()
        themes = view.addMenu(self.tr("&Theme"))
        group = QActionGroup(themes)
        for choice, text in (
            (ThemeChoice.SYSTEM, self.tr("Follow the system")),
            (ThemeChoice.DARK, self.tr("Dark")),
            (ThemeChoice.LIGHT, self.tr("Light")),
        ):
            action = themes.addAction(text)
            action.setCheckable(True)
            action.setChecked(choice is self._theme.choice)
            action.triggered.connect(lambda _=False, c=choice: self._choose_theme(c))
            group.addAction(action)
        panels = view.addMenu(self.tr("&Panels"))
        for dock in self.docks.all.values():
            panels.addAction(dock.toggleViewAction())
        self._build_workspace_shortcuts()
        return bar

    def _build_workspace_shortcuts(self) -> None:
        for number, (key, text, _) in enumerate(WORKSPACES, start=1):
            action = QAction(self.tr("{0} workspace").format(text), self)
            action.setShortcut(QKeySequence(f"Ctrl+{number}"))
            action.triggered.connect(lambda _=False, k=key: self.use_workspace(k))
            self.addAction(action)

    def _connect_actions(self) -> None:
        files, bridge = self.files, self.bridge
        self._on("open_rom", files.choose_rom)
        self._on("open_integration", files.choose_integration)
        self._on("new_integration", files.new_integration)
        self._on("save", files.save)
        self._on("save_as", files.save_as)
        self._on("close_game", self.close_game)
        self._on("quit", self.close)
        self._on("play", self._toggle_play)
        self._on("advance", bridge.advance_frame)
        self._on("reset", bridge.reset)
        self._on("record", files.choose_recording)
        self._on("stop_recording", self.controller.stop_recording)
        self._on("play_movie", files.choose_movie)
        self._on("save_state", files.name_state)
        self._on("load_state", files.choose_state)
        self._on("add_variable", files.add_variable)
        self._on("add_reward", lambda: self.docks.reward.add.showMenu())
        self._on("add_condition", lambda: self.docks.done.add.showMenu())
        self._on("palette", self.open_palette)
        self._on("screenshot", files.choose_screenshot)
        self._on("reset_layout", self.reset_layout)
        self.actions_by_key["fast_forward"].toggled.connect(bridge.set_fast_forward)
        self.actions_by_key["full_screen"].toggled.connect(self._set_full_screen)
        self.actions_by_key["step_back"].setEnabled(False)

    def _on(self, key: str, slot: Callable[[], object]) -> None:
        self.actions_by_key[key].triggered.connect(lambda _=False: slot())

    def _connect_game(self) -> None:
        bridge, controller, panel = self.bridge, self.controller, self.screen_panel
        bridge.opened.connect(self._game_opened)
        bridge.closed.connect(self._game_closed)
        bridge.open_failed.connect(self._open_failed)
        bridge.frame_ready.connect(self._show_frame)
        controller.said.connect(self.say)
        controller.documents_changed.connect(self._documents_changed)
        controller.run_state_changed.connect(self._show_run_state)
        controller.recording_changed.connect(self._show_recording)
        controller.movie_changed.connect(self._show_movie)
        controller.core_memory.connect(self._show_core_memory)
        panel.game_screen.mask_changed.connect(bridge.set_mask)
        panel.game_screen.fast_forward.connect(bridge.set_fast_forward)
        panel.transport.speed_chosen.connect(bridge.set_speed)
        panel.welcome.recent_chosen.connect(lambda path: self.open_path(Path(path)))
        self.top_bar.segments.chosen.connect(self.use_workspace)
        self.top_bar.palette_requested.connect(self.open_palette)
        docks = self.docks
        docks.find.status_changed.connect(self._show_search)
        docks.variables.count_changed.connect(
            lambda count: docks.all["variables"].header.note.setText(str(count) if count else "")
        )

    def _restore(self) -> None:
        geometry = self._settings.geometry()
        if geometry is not None:
            self.restoreGeometry(geometry)
        keys = [key for key, _, _ in WORKSPACES]
        stored = self._settings.workspace
        self.use_workspace(stored if stored in keys else "play")
        self.screen_panel.welcome.set_recent(self._settings.recent)
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
        return self._workspace

    def use_workspace(self, key: str) -> None:
        """Arrange the docks as a workspace was left, or as its preset says."""
        self._keep_layout()
        self._workspace = key
        self.top_bar.segments.select(key)
        self._apply_layout(key)

    def _apply_layout(self, key: str) -> None:
        state = self._settings.layout(key)
        if state is None or not self.workbench.restoreState(state):
            self.docks.arrange(key)

    def reset_layout(self) -> None:
        """All workspaces as they came."""
        self._settings.forget_layouts()
        self.docks.arrange(self._workspace)

    def _keep_layout(self) -> None:
        if self._workspace and self._shown:
            self._settings.set_layout(self._workspace, self.workbench.saveState())
            self._settings.workspace = self._workspace

    # -- games ---------------------------------------------------------------------------

    def open_path(self, path: Path) -> None:
        """Open a ROM or integration; a movie or state goes to the open game."""
        if path.suffix.lower() in (".bk2", ".fm2") and self.bridge.is_open:
            self.controller.play_movie(path)
        elif path.suffix.lower() == ".state" and self.bridge.is_open:
            self.controller.load_state_file(path)
        else:
            self.files.after_saving(lambda: self._open(path))

    def _open(self, path: Path) -> None:
        self.status.show_mode(self.tr("opening {0}").format(path.name), "warn")
        self.bridge.open(path)

    def close_game(self) -> None:
        """Close the open game, asking about unsaved edits."""
        self.files.after_saving(self.bridge.close_game)

    def _game_opened(self, game: GameSnapshot) -> None:
        self._settings.add_recent(game.directory if game.is_integration else game.rom)
        self.screen_panel.welcome.set_recent(self._settings.recent)
        self.actions_by_key.set_game_open(opened=True)
        self.actions_by_key["step_back"].setEnabled(False)
        self.screen_panel.notices.clear()
        self.screen_panel.show_game(game.name, "", game.keys, game.fps)
        self._documents_changed(game.documents)
        self._show_run_state(paused=True, speed=1.0)
        if not game.is_integration:
            self.screen_panel.notices.show_notice(
                NoticeKind.INFO,
                self.tr("{0} is a ROM, not an integration yet.").format(game.rom.name),
                (self.tr("Make integration…"), lambda: self.files.new_integration(game.rom)),
            )
        self.docks.log.add(self.tr("Opened {0} with {1}").format(game.directory, game.core))

    def _game_closed(self) -> None:
        self.actions_by_key.set_game_open(opened=False)
        self.screen_panel.show_nothing()
        self.status.clear()
        self.setWindowTitle(self.tr("Integrator"))
        self.docks.all["reward"].header.note.clear()
        self.docks.all["find"].header.note.clear()

    def _open_failed(self, path: Path, error: Exception) -> None:
        self.say(NoticeKind.ERROR, self.tr("{0} could not be opened: {1}").format(path.name, error))
        if not self.bridge.is_open:
            self.status.clear()

    def _documents_changed(self, documents: Documents) -> None:
        game = self.controller.game
        if game is None:
            return
        detail = f"{state_label(documents.default_state)} · {game.core}"
        self.screen_panel.subtitle.setText(detail)
        self.setWindowTitle(self.tr("{0}[*] — Integrator").format(game.name))
        self.setWindowModified(documents.modified)

    # -- frames and state ----------------------------------------------------------------

    def _show_frame(self, result: FrameResult) -> None:
        self.screen_panel.show_frame(result, result.number)
        self.status.show_frame(result)
        outcome = result.outcome
        note = self.tr("{0} this frame · {1} so far").format(
            signed(outcome.rewards[0] if outcome.rewards else 0.0),
            plain_number(outcome.total_rewards[0] if outcome.total_rewards else 0.0),
        )
        self.docks.all["reward"].header.note.setText(note)
        self.docks.all["done"].header.note.setText(self.tr("done") if outcome.done else "")

    def _show_run_state(self, paused: bool, speed: float) -> None:
        self.screen_panel.transport.show_running(running=not paused)
        self.screen_panel.transport.show_speed(speed)
        if self._movie:
            self.status.show_mode(self.tr("playing {0}").format(self._movie), "link")
        else:
            mode = (self.tr("paused"), "faint") if paused else (self.tr("live"), "good")
            self.status.show_mode(*mode)

    def _show_recording(self, recording: bool) -> None:
        self.screen_panel.transport.show_recording(recording=recording)
        self.actions_by_key["stop_recording"].setEnabled(recording)

    def _show_movie(self, name: str) -> None:
        self._movie = name
        self._show_run_state(self.controller.paused, 1.0)

    def _show_core_memory(self, size: int) -> None:
        self.status.show_core(self.tr("core process {0} MB").format(size >> 20) if size else "")

    def _show_search(self, status: SearchStatus) -> None:
        color = self._theme.colors.good
        note = self.tr("{0} addresses × {1} types → <b style='color:{2}'>{3}</b>").format(
            f"{status.ram_bytes:,}", status.types, color, f"{status.count:,}"
        )
        self.docks.all["find"].header.note.setText(note)

    def _toggle_play(self) -> None:
        if self.controller.paused:
            self.bridge.play()
            self.screen_panel.game_screen.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.bridge.pause()

    # -- saying things -------------------------------------------------------------------

    def say(self, kind: NoticeKind, text: str) -> None:
        """Show a banner that does not stop the work, and log it."""
        self.screen_panel.notices.show_notice(kind, text)
        self.docks.log.add(text, kind)

    def open_palette(self) -> None:
        """Everything by name."""
        palette = CommandPalette(self._commands(), self)
        width = min(600, self.width() - 60)
        palette.setFixedWidth(width)
        origin = self.mapToGlobal(self.rect().topLeft())
        palette.move(origin.x() + (self.width() - width) // 2, origin.y() + 56)
        palette.open()

    def _commands(self) -> list[Command]:
        commands = []
        for action in self.actions_by_key.all():
            if action.isEnabled():
                hint = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
                commands.append(Command(plain_text(action), hint, action.icon(), action.trigger))
        icons = self._theme.icons
        documents = self.controller.documents
        for name, spec in (documents.variables if documents else {}).items():
            run = lambda n=name: self._show_variable(n)  # noqa: E731 - binds the loop's name
            commands.append(Command(name, address_text(spec.address), icons.icon("variable"), run))
        for path in self._settings.recent:
            run_open = lambda p=path: self.open_path(Path(p))  # noqa: E731 - as above
            commands.append(Command(Path(path).name, path, icons.icon("folder"), run_open))
        return commands

    def _show_variable(self, name: str) -> None:
        self.docks.all["variables"].show()
        row = self.docks.variables.model.row_of(name)
        if row is not None:
            self.docks.variables.table.selectRow(row)

    def save_screenshot(self, path: Path | str) -> None:
        """Write a picture of the window to a PNG file. Raises OSError."""
        if not self.grab().save(str(path), "PNG"):
            raise OSError(f"{path}: the picture could not be written; check the folder")

    def _choose_theme(self, choice: ThemeChoice) -> None:
        self._theme.choose(choice)
        self._settings.theme = choice

    def _set_full_screen(self, on: bool) -> None:
        if on:
            self.showFullScreen()
        else:
            self.showNormal()

    # -- drag and drop, closing ----------------------------------------------------------

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802 - Qt's name
        """Take one local file or folder."""
        if self.files.dropped_path(event.mimeData()) is not None:
            event.acceptProposedAction()
            self.screen_panel.welcome.set_hot(True)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:  # noqa: N802, ARG002 - Qt's signature
        """Nothing was dropped."""
        self.screen_panel.welcome.set_hot(False)

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802 - Qt's name
        """Open what was dropped, once the drag is over."""
        self.screen_panel.welcome.set_hot(False)
        path = self.files.dropped_path(event.mimeData())
        if path is not None:
            event.acceptProposedAction()
            QTimer.singleShot(0, self, lambda: self.open_path(path))

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """Dock widths are shares of the window's, which is known only now."""
        super().showEvent(event)
        if not self._shown:
            self._shown = True
            QTimer.singleShot(0, self, lambda: self._apply_layout(self._workspace))

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802 - Qt's name
        """Ask about unsaved edits, remember the layout, end the core."""
        if not self.files.may_leave(self.close):
            event.ignore()
            return
        self._keep_layout()
        self._settings.set_geometry(self.saveGeometry())
        self._settings.save()
        self.bridge.shut_down()
        super().closeEvent(event)
