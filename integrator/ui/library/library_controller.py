"""The page without a game, and the controller that fills its library and opens dialogs."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar, cast

from PySide6.QtCore import QSize, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFrame, QLabel, QSizePolicy, QWidget

from integrator.domain.errors import DomainError
from integrator.session.edits.snapshot import GameSnapshot
from integrator.session.library.entries import LibraryEntry, lint_marks, scan_library
from integrator.session.opening import plan_session
from integrator.session.setup.game import POWER_ON
from integrator.session.setup.plan import SessionPlan
from integrator.session.setup.roots import library_roots
from integrator.ui import widgets as ui
from integrator.ui.actions.shortcuts import Actions
from integrator.ui.bridge.background import Background, Job, MadePicture, PictureMaker
from integrator.ui.library.consoles.consoles_dialog import ConsolesDialog, CoresDialog
from integrator.ui.library.dialogs import DraftsDialog, ImportDialog, WorkingDialog
from integrator.ui.library.library_view import GAP, LibraryView
from integrator.ui.window_context import Part, WindowContext

D = TypeVar("D", bound=WorkingDialog)


class Welcome(ui.FitsSize, QWidget):
    """The page without a game: a drop zone with buttons, recent games, and the library."""

    recent_chosen = Signal(object)

    def __init__(self, actions: Actions) -> None:
        super().__init__()
        self._has_recent = False
        self._picture = QLabel(alignment=Qt.AlignmentFlag.AlignCenter)
        self.library = LibraryView(actions)
        self._recent_row = ui.FlowBox()
        self._recent_title = ui.role_label(self.tr("Recent"), "faint")
        self.heading = ui.role_label("", "heading")
        hint = self.tr("Drop a ROM, an integration folder, a movie or a state here.")
        self._drop_hint = ui.role_label(hint, "secondary", wraps=True)
        tip = self.tr("Show the open game again (Esc)")
        # Screen readers read its text, which names the game.
        traits = {"icon": "play", "accessibleName": ""}
        self.back = ui.push_button("", self.library.left.emit, tip, **traits)
        self.back.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)
        self.setObjectName("LibraryPage")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        said = ui.hbox(self._picture, (ui.vbox(self.heading, self._drop_hint, gap=3), 1), gap=16)
        rom = ui.action_button(actions["open_rom"], role="primary", icon="rom on_accent")
        others = [ui.action_button(actions[key]) for key in ("open_integration", "new_integration")]
        self.zone = ui.styled(QFrame(), "DropZone")
        zone = ui.FoldingRow(said, ui.hbox(rom, *others, None, gap=10), 10)
        ui.hbox(zone, on=self.zone, margins=(22, 16, 18, 16))
        parts = (self.back, self._recent_title, (self._recent_row, 1))
        recent = ui.hbox(*parts, margins=(GAP + 2, 0, GAP, 0), gap=8)
        top = ui.hbox(self.zone, margins=(GAP, GAP, GAP, 0))
        ui.vbox(top, recent, (self.library, 1), on=self, margins=0, gap=10)
        ui.Theme.now.changed.connect(self._draw_picture)
        self._draw_picture()
        self.show_game("")

    def _fit(self) -> None:
        """In a low window, hide texts so that games have the space."""
        low = self.height() < 22 * self.fontMetrics().lineSpacing()
        for words in (self._picture, self.heading):
            words.setHidden(low)
        for recent in (self._recent_title, self._recent_row):
            recent.setVisible(self._has_recent and not low)

    def show_game(self, name: str) -> None:
        another, first = self.tr("Open another game"), self.tr("Open a game to begin")
        self.heading.setText(another if name else first)
        self._drop_hint.setHidden(bool(name))  # The time slider needs space while a game is open.
        self.back.setVisible(bool(name))
        self.back.setText(self.tr("Back to {0}").format(name))

    def set_recent(self, paths: Sequence[str]) -> None:
        self._recent_row.clear()
        self._has_recent = bool(paths)
        self._fit()
        for path in paths[:5]:
            chosen = partial(self.recent_chosen.emit, Path(path))
            button = ui.push_button(Path(path).name, chosen, path, "chip")
            button.setAccessibleName(self.tr("Open {0}").format(path))
            self._recent_row.add(button)

    def set_hot(self, hot: bool) -> None:
        ui.set_trait(self.zone, "hot", hot)

    def _draw_picture(self) -> None:
        shown = ui.icon("gamepad link").pixmap(QSize(40, 40), self.devicePixelRatioF())
        self._picture.setPixmap(shown)


class LibraryController(Part):
    """Scans the library's folders when the page is first shown, at ``refresh``, and after changes
    of games; also shows the page over a game. ``filled`` follows a complete scan."""

    filled = Signal()

    def _set_up(self) -> None:
        context, actions = self._context, self._actions
        self._welcome = context.parts[Welcome]
        self._welcome.set_recent(context.settings.recent)
        self.view = view = self._welcome.library
        self._dialogs: dict[object, WorkingDialog] = {}
        self._backgrounds: dict[object, Background] = {}
        actions.on(library=self.show_library, import_roms=self.import_roms)
        making = Background(self._bridge, "auto", self, outlives_game=True)
        self._drafts = partial(DraftsDialog, making=making)
        actions.on(drafts=partial(self._show, self._drafts))
        consoles, cores = (partial(self._show, each) for each in (ConsolesDialog, CoresDialog))
        actions.on(consoles=consoles, cores=cores)
        self._welcome.recent_chosen.connect(context.open_path)
        view.left.connect(self.leave_library)
        context.controller.game_kept.connect(self._kept)
        self._pictures = self._parts[PictureMaker]
        self._background = Background(self._bridge, "library", self, outlives_game=True)
        self._scanned = False
        self._seen: set[Path] = set()
        self._pending: set[Path] = set()
        self._linted: set[Path] = set()
        # Tiles wait, so that they do not delay a game that is opened at once.
        self._tile_timer = ui.settle_timer(self, 600, self._look_at_tiles)
        self._refresh_timer = ui.settle_timer(self, 400, self.refresh)

        def begin() -> None:
            # A game that is being opened comes first, because it will hide the page.
            if not self._scanned and not self._bridge.is_opening and view.isVisible():
                self.refresh()

        view.shown.connect(lambda: QTimer.singleShot(0, self, begin))
        view.open_requested.connect(self.open_entry)
        show, url = QDesktopServices.openUrl, QUrl.fromLocalFile
        view.folder_requested.connect(lambda path: show(url(str(path))))
        bar, later = view.grid.verticalScrollBar(), self._tile_timer.start
        for moved in (bar.valueChanged, bar.rangeChanged, view.model.modelReset, view.shown):
            moved.connect(lambda *_: later())

    def refresh(self) -> None:
        self._scanned = True
        self._seen.clear()
        self._background.drop_all()  # A scan that runs may have passed what is new.
        self._linted.clear()
        self._background.start(self._scan, self._scan_ended, self._failed, self._take_entries)

    def refresh_soon(self) -> None:
        """Scan again 400 ms after the last change; if the page is hidden, when it is next shown."""
        if self.view.isVisible():
            self._refresh_timer.start()
        else:
            self._scanned = False

    def _scan(self, job: Job) -> None:
        for batch in scan_library(library_roots(), self._context.systems):
            if job.stopped():
                return
            job.give(batch)

    def _take_entries(self, batch: list[LibraryEntry]) -> None:
        self._seen.update(entry.directory for entry in batch)
        self.view.model.add(batch)

    def _scan_ended(self, _: None) -> None:
        self.view.model.keep_only(self._seen)
        self.view.show_systems()
        self.filled.emit()
        self._tile_timer.start()

    def _failed(self, error: Exception) -> None:
        if not isinstance(error, DomainError):
            raise error
        self._warn(error)

    def _look_at_tiles(self) -> None:
        """Ask for the lint marks and pictures of the tiles in sight."""
        if not self.view.isVisible() or self._bridge.is_opening:
            return
        model, entries = self.view.model, self.view.visible_entries()
        if fresh := {entry.directory for entry in entries} - self._linted:
            self._linted |= fresh
            start = self._background.start
            start(lambda job: lint_marks(fresh, job.stopped), model.set_marks, self._failed)
        for entry in entries:
            directory = entry.directory
            if entry.rom is not None and directory not in self._pending | model.pictures.keys():
                self._pending.add(directory)
                self._pictures.request(partial(_shown_state, directory), self._take_picture)

    def _take_picture(self, made: MadePicture) -> None:
        if made.file is not None:
            self.view.model.set_picture(made.directory, made.file)

    def open_entry(self, entry: LibraryEntry) -> None:
        if entry.rom is not None:
            self._context.open_path(entry.directory)
            return
        tip = self.tr("{0} has no ROM yet. Choose folders of ROMs: what fits is found by its hash.")
        remedy = (self.tr("Import ROM folders…"), self.import_roms)
        self._inform(tip.format(entry.name), remedy)

    def _opened(self, game: GameSnapshot) -> None:
        self._welcome.set_recent(self._settings.recent)
        self._welcome.show_game(game.name)

    def _kept(self, game: GameSnapshot) -> None:
        self._welcome.show_game(game.name)
        self.refresh_soon()

    def _closed(self) -> None:
        self._welcome.show_game("")
        self.refresh_soon()

    def show_library(self) -> None:
        screen, field = self._screen, self.view.field
        if screen.stage.currentWidget() is screen.welcome and self._bridge.is_open:
            self.leave_library()
            return
        self._bridge.pause()
        screen.stage.setCurrentWidget(screen.welcome)
        field.setFocus()
        field.selectAll()

    def leave_library(self) -> None:
        screen = self._screen
        if self._bridge.is_open:
            screen.stage.setCurrentWidget(screen.game_screen)
            screen.game_screen.setFocus()

    def import_roms(self) -> ImportDialog:
        return self._show(ImportDialog)

    def make_drafts(self, roms: Sequence[Path]) -> None:
        """Make integrations of ROMs, and show them in *Drafts*."""
        self._show(self._drafts).take(roms)

    def _show(self, make: Callable[[Background, WindowContext], D]) -> D:
        """Show a dialog; ``make`` creates it. All dialogs of one kind share a thread."""
        if make not in self._backgrounds:
            self._backgrounds[make] = Background(self._bridge, "dialog", self, outlives_game=True)
        if (dialog := self._dialogs.get(make)) is None:
            dialog = self._dialogs[make] = make(self._backgrounds[make], self._context)
            dialog.changed.connect(self.refresh_soon)
            dialog.finished.connect(lambda _: self._dialogs.pop(make, None))
        dialog.show()
        dialog.raise_()
        return cast("D", dialog)


def _shown_state(directory: Path) -> tuple[SessionPlan, Sequence[str]]:
    """Return a hidden plan of an integration, and the state whose picture its tile shows."""
    plan = plan_session(directory).hidden()
    return plan, [plan.integration.metadata.default_state(plan.players) or POWER_ON]
