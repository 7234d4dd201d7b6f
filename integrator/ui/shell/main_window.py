"""The main window: combines screen, docks and bars, and opens files that are dropped on it."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QSize, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QStatusBar, QWidget

from integrator.session.library.consoles.own_consoles import KnownSystems
from integrator.ui import widgets as ui
from integrator.ui.actions.shortcuts import Actions, Shortcuts
from integrator.ui.bridge.bridge import SessionBridge
from integrator.ui.bridge.game import GameController
from integrator.ui.library.library_controller import Welcome
from integrator.ui.screen.screen_panel import ScreenPanel
from integrator.ui.settings import UiSettings
from integrator.ui.shell.bars import StatusBar, TopBar, WindowMenus
from integrator.ui.shell.docks.docks import Docks
from integrator.ui.shell.docks.workspaces import WORKSPACES, Workbench, next_control
from integrator.ui.shell.files.file_commands import FileCommands, start_window
from integrator.ui.shell.files.path_opener import PathOpener
from integrator.ui.shell.log_view import LogView
from integrator.ui.shell.palette_commands import PaletteCommands
from integrator.ui.shell.panels import CONTROLLERS, LATE, PANELS, connect_window
from integrator.ui.window_context import Requests, WindowContext


class MainWindow(QMainWindow):
    """Owns the widgets; their requests go to the GameController and the SessionBridge."""

    def __init__(
        self, settings: UiSettings, bridge: SessionBridge, systems: KnownSystems, root: Path
    ) -> None:
        super().__init__()
        self._settings, self.bridge = settings, bridge
        self.controller = GameController(bridge, self)
        shortcuts = Shortcuts(settings.text, settings.set_text, self)
        self.actions_by_key = Actions(self, shortcuts)
        self.welcome = Welcome(self.actions_by_key)
        self.screen_panel = ScreenPanel(self.actions_by_key, self.welcome)
        shortcuts.add_panel(self.screen_panel, self.tr("Time slider"))
        self.context = WindowContext(
            window=self,
            settings=settings,
            actions=self.actions_by_key,
            systems=systems,
            root=root,
            bridge=bridge,
            controller=self.controller,
            screen=self.screen_panel,
            say=self.say,
            open_path=self.open_path,
            use_workspace=self.use_workspace,
            requests=Requests(self),  # It ends with the window, and so do its connections.
        )
        self.parts = self.context.parts
        self.status = StatusBar(self.context)
        self.workbench = Workbench()
        self.docks = Docks(self.workbench, self.context, PANELS)
        self.parts.add(self.docks)
        self.palette_commands = PaletteCommands(self.context)
        self._build_ui()
        self._build_controllers()
        self._restore()

    def _build_ui(self) -> None:
        self.setWindowTitle(self.tr("Integrator"))
        self.setAcceptDrops(True)
        self.menus = WindowMenus(self.context)
        self.top_bar = TopBar(self.context, self.menus)
        self.setMenuWidget(self.top_bar)
        center = QWidget()
        self.column = ui.vbox(self.workbench, on=center, margins=ui.SIZES.gap)
        self.workbench.setCentralWidget(self.screen_panel)
        self.setCentralWidget(center)
        bar = QStatusBar(sizeGripEnabled=False)
        bar.setContentsMargins(0, 0, 0, 0)
        bar.addWidget(self.status, 1)
        self.setStatusBar(bar)
        # The desktop adds a frame around the window, which needs space too.
        room = self.screen().availableGeometry().size() - QSize(2 * ui.SIZES.gap, 40)
        self.resize(QSize(1440, 880).boundedTo(room))

    def _build_controllers(self) -> None:
        for part in (self.status, self.menus, self.top_bar, self.workbench, self.welcome):
            self.parts.add(part)
        for late in LATE:
            self.parts.offer(late, partial(self._add, late))
        for build in CONTROLLERS:
            self._add(build)
        for panel in self.docks.panels:
            if panel.always:
                self.docks.fill(panel)
        connect_window(self.context)
        actions = self.actions_by_key
        actions.on(new_window=start_window, quit=self.close, reset_layout=self.docks.reset)
        actions.on(palette=self.palette_commands.open)
        self.controller.said.connect(self.say)
        # Not on each step of a slider, because a write takes milliseconds.
        self._settings.changed.connect(ui.settle_timer(self, 200, self._save_settings).start)

    def _add(self, build: Callable[[WindowContext], QObject]) -> None:
        self.parts.add(build(self.context))

    def _restore(self) -> None:
        if (geometry := self._settings.geometry()) is not None:
            self.restoreGeometry(geometry)
        last = self._settings.workspace
        self.use_workspace(last if any(last == each.key for each in WORKSPACES) else "play")
        if (aside := self._settings.set_aside) is not None:
            text = self.tr(
                "The settings file was damaged and is now {0}; the window starts afresh."
            )
            self.say(ui.NoticeKind.WARNING, text.format(aside))

    def _save_settings(self) -> None:
        if problem := ui.problem_of(self._settings.save):
            self.say(ui.NoticeKind.ERROR, problem)

    @property
    def workspace(self) -> str:
        return self.docks.workspace

    def use_workspace(self, key: str) -> None:
        self.docks.use(key)

    def focusNextPrevChild(self, next: bool) -> bool:  # noqa: A002 - Qt's signature
        if (present := QApplication.focusWidget()) is None:
            return super().focusNextPrevChild(next)
        found = next_control(self.screen_panel, list(self.docks.all.values()), present, next)
        if found is not None:
            reason = Qt.FocusReason
            found.setFocus(reason.TabFocusReason if next else reason.BacktabFocusReason)
        return found is not None

    def open_path(self, path: Path, frame: int | None = None) -> None:
        self.parts[PathOpener].open(path, frame)

    def say(
        self,
        kind: ui.NoticeKind,
        text: str,
        remedy: ui.Remedy | None = None,
        *,
        stays: bool = False,
    ) -> None:
        self.screen_panel.notices.show_notice(kind, text, remedy, stays=stays)
        self.parts[LogView].add(text, kind)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if ui.dropped_paths(event.mimeData()):
            event.acceptProposedAction()
            self.welcome.set_hot(True)

    def dragLeaveEvent(self, _event: object) -> None:
        self.welcome.set_hot(False)

    def dropEvent(self, event: QDropEvent) -> None:
        """Open the dropped file, or several files as one game, after the drag has ended."""
        self.welcome.set_hot(False)
        if paths := ui.dropped_paths(event.mimeData()):
            event.acceptProposedAction()
            ask = partial(self.parts[PathOpener].ask_for_files, paths)
            QTimer.singleShot(0, self, ask if len(paths) > 1 else partial(self.open_path, paths[0]))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.docks.window_shown()

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self.parts[FileCommands].may_leave(self.close):
            event.ignore()
            return
        self.actions_by_key["full_screen"].setChecked(False)
        self.docks.keep()
        self._settings.set_geometry(self.saveGeometry())
        self._save_settings()
        self.hide()  # because the window cannot be painted while the core is ending
        self.bridge.shut_down()
        super().closeEvent(event)
