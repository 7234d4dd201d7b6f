"""The States panel: a gallery above the slots, its commands, menus, pictures and load checks."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QInputDialog, QMenu

from integrator.session.edits import commands as edits
from integrator.session.edits.snapshot import GameSnapshot, state_label
from integrator.session.frame.result import FrameResult
from integrator.session.hidden.clips import (
    StateInfo,
    StateSurvey,
    save_slot,
    slot_path,
    slot_pictures,
)
from integrator.session.session import Session
from integrator.session.setup.game import read_raw_state
from integrator.ui.actions.shortcuts import panel_action, shown_keys, with_keys
from integrator.ui.bridge.background import MadePicture, PictureMaker
from integrator.ui.desk import Desk, DeskView
from integrator.ui.play.states.states_tiles import (
    SLOTS,
    SlotStrip,
    StatesModel,
    StateTile,
    StateTileDelegate,
)
from integrator.ui.widgets.fitting import TileList
from integrator.ui.widgets.notices import NoticeKind
from integrator.ui.widgets.parts import EmptyOr, EmptyState, vbox
from integrator.ui.widgets.table import RowMenu, show_row_menus
from integrator.ui.widgets.texts import counted


class StatesView(DeskView):
    """A gallery of start states above the slots. Pictures are made in a hidden core, which also
    checks each state."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._pictures = desk.parts[PictureMaker]
        self._infos: dict[str, StateInfo] = {}
        self._loaded: dict[str, tuple[Path | None, str]] = {}  # pictures, and reasons without one
        self._directory: Path | None = None
        self.model = StatesModel(desk.theme, self)
        self.list = TileList()
        self.list.setAccessibleName(self.tr("Start states"))
        self.list.setModel(self.model)
        self.tiles = StateTileDelegate(desk.theme, self.model, self.list)
        self.list.setItemDelegate(self.tiles)
        self.slots = SlotStrip(desk.theme)
        self.slots.hide()
        text = self.tr("Play to where an episode should begin and save that moment.")
        heading, save = self.tr("No start states yet"), [desk.actions["save_state"]]
        self.pages = EmptyOr(EmptyState(desk.theme, "state", heading, text, save), self.list)
        vbox((self.pages, 1), self.slots, on=self, margins=(4, 4, 4, 2), gap=2)

    def _set_up(self) -> None:
        self._controller.follow(self._show_tiles, "states")
        self._controller.follow(self.refresh, "states", "disk")
        self._pictures.made.connect(self._take_picture)
        self.list.activated.connect(lambda index: self.start_at(index.data()))
        panel_action("states.remove", self.list, lambda: self.remove(self.selected_name()))
        show_row_menus(self.list, lambda index: self.state_menu(str(index.data())))
        self.slots.load_requested.connect(self.load_slot)
        self.slots.save_requested.connect(self.save_slot)
        load, save = self.tr("Load slot {0}"), self.tr("Save into slot {0}")
        self._add_slots("load", load, "F{0}", self.load_slot)
        self._add_slots("save", save, "Shift+F{0}", self.save_slot)
        self._desk.actions.shortcuts.changed.connect(self._show_keys)
        self._show_keys()

    def selected_name(self) -> str | None:
        index = self.list.currentIndex()
        return self.model.at(index.row()).name if index.isValid() else None

    def _show_tiles(self, _: object = None) -> None:
        """Draw all tiles; the model is reset only when other states are listed."""
        documents, chosen = self._controller.documents, self.selected_name()
        names = list(documents.states) if documents else []
        none, current = (None, ""), self._default_state
        tiles = [
            StateTile(n, self._infos.get(n), *self._loaded.get(n, none), is_current=n == current)
            for n in names
        ]
        self.pages.show_content(bool(names))
        if [tile.name for tile in self.model.rows] == names:
            self.model.rows = tiles
            self.model.all_changed()
            return
        self.model.show(tiles)
        if chosen in names:
            self.list.setCurrentIndex(self.model.index(names.index(chosen), 0))

    def start_at(self, name: str) -> None:
        self._controller.ask_editor(lambda editor: editor.do(lambda game: game.use_state(name)))
        self._bridge.reset()

    def make_default(self, name: str, players: int = 0) -> None:
        """Let every episode of ``players`` (0: as many as now) begin there, also in training."""
        self._controller.edit(edits.make_default(name, players))

    @property
    def _default_state(self) -> str:
        documents = self._controller.documents
        return documents.default_state if documents else ""

    def save(self, name: str) -> None:
        """Keep this moment as a start state of the integration; episodes begin at the first one."""
        before = self._default_state

        def done() -> None:
            text = self.tr("Kept state {0}; the next save writes its file").format(name)
            if self._default_state == name != before:
                text += self.tr("; episodes begin there now")
            self._announce(text)

        self._controller.edit(edits.save_state(name), done)

    def rename(self, old: str, new: str) -> None:
        """Give a start state another name, also in the metadata that names it."""
        self._controller.edit(lambda game: game.integration.rename_state(old, new))

    def ask_name(self, old: str) -> None:
        title, label = self.tr("Rename state"), self.tr("Name of the start state:")
        name, given = QInputDialog.getText(self, title, label, text=old)
        if given and name.strip() and name.strip() != old:
            self.rename(old, name.strip())

    def remove(self, name: str | None) -> None:
        """Delete a start state, also from the metadata; report the consequences."""
        before = self._default_state
        if name is None:
            return

        def done() -> None:
            text = self.tr("Deleted state {0}; Undo brings it back")
            if before == name:
                text = self.tr("Deleted state {0}, where episodes began: they begin at {1} now; ")
                text += self.tr("Undo brings it back, or make another one the default")
            kind = NoticeKind.WARNING if before == name else NoticeKind.INFO
            self._announce(text.format(name, state_label(self._default_state)), kind)

        self._controller.edit(lambda game: game.integration.remove_state(name), done)

    def load_file(self, path: Path) -> None:
        """Go on from a ``.state`` file."""
        self._load(lambda session: session.load_state(read_raw_state(path), str(path)))

    def _load(self, load: Callable[[Session], object]) -> None:
        """A state has no picture: while paused, one frame is run to show where the game is."""
        show = self._controller.paused

        def work(session: Session) -> FrameResult | None:
            load(session)
            return session.advance() if show else None

        def done(result: FrameResult | None) -> None:
            if result is not None:
                self._bridge.show(result)

        self._bridge.ask(work, done)

    def _add_slots(self, kind: str, text: str, keys: str, use: Callable[[int], object]) -> None:
        for slot in SLOTS:
            action = QAction(text.format(slot), self._window)
            action.triggered.connect(lambda _=False, slot=slot: use(slot))
            key, group = f"{kind}-slot-{slot}", self.tr("Slots")
            self._desk.actions.shortcuts.add(key, group, action, keys.format(slot))
            self._window.addAction(action)

    def _show_keys(self) -> None:
        commands = self._desk.actions.shortcuts
        for slot, button in self.slots.buttons.items():
            load, save = commands[f"load-slot-{slot}"], commands[f"save-slot-{slot}"]
            tips = (with_keys(command.text, command.action) for command in (load, save))
            button.setToolTip("\n".join(tips))
            button.setAccessibleName(load.text)
            # The picture has room for keys of three characters.
            keys = shown_keys(load.keys)
            button.show_label(keys if 0 < len(keys) <= 3 else str(slot))

    def fill_menu(self, menu: QMenu) -> None:
        slots, commands = menu.addMenu(self.tr("Slots")), self._desk.actions.shortcuts
        for kind in ("save", "load"):
            slots.addSeparator()
            slots.addActions([commands[f"{kind}-slot-{slot}"].action for slot in SLOTS])

    def state_menu(self, name: str) -> QMenu:
        menu = RowMenu(self._theme, self)
        begin, load = self.tr("Begin an episode here"), self.tr("Load, in the same episode")
        menu.add(begin, lambda: self.start_at(name), "reset")
        menu.add(load, lambda: self._load(lambda session: session.restore_state(name)), "open")
        menu.addSeparator()
        menu.add(self.tr("Make it the default"), lambda: self.make_default(name))
        players = menu.addMenu(self.tr("Default for"))
        for count in range(1, 5):
            text = counted(self.tr("{0} player[|s]", None, count), count).format(count)
            players.addAction(text, partial(self.make_default, name, count))
        menu.addSeparator()
        menu.add(self.tr("Rename…"), lambda: self.ask_name(name), "edit")
        menu.add(self.tr("Check that it loads"), lambda: self.check(name), "check")
        menu.add(self.tr("Delete"), lambda: self.remove(name), "trash")
        return menu

    def _opened(self, game: GameSnapshot) -> None:
        filled = [slot for slot in SLOTS if slot_path(game.name, slot).is_file()]
        show, store = self.slots.show_slots, self._pictures.store
        show(dict.fromkeys(filled))
        self._bridge.ask(lambda session: slot_pictures(session, filled, store), show)

    def _closed(self) -> None:
        self._pictures.drop_all()
        self._loaded.clear()
        self._infos.clear()
        self._show_tiles()
        self.slots.show_slots(None)

    def refresh(self, _: object = None) -> None:
        self._bridge.ask(StateSurvey.of, self._show_survey)

    def _show_survey(self, survey: StateSurvey) -> None:
        self.model.stamp = survey.stamp
        before, directory = self._directory, survey.plan.integration.directory
        known = {(n, info.version) for n, info in self._infos.items() if directory == before}
        fresh = [info.name for info in survey.infos if (info.name, info.version) not in known]
        self._directory = directory
        self._infos = {info.name: info for info in survey.infos}
        self._show_tiles()
        if fresh:
            self._pictures.request(lambda: survey.plan, lambda _: fresh)

    def _take_picture(self, made: MadePicture) -> None:
        if made.directory == self._directory and made.name in self._infos:
            self._loaded[made.name] = (made.file, made.problem)
            self._show_tiles()

    def check(self, name: str) -> None:
        """Load a state in a hidden core, even a known one, and report the result."""

        def report(made: MadePicture) -> None:
            if made.name != name or made.directory != self._directory:
                return
            self._pictures.made.disconnect(report)
            if made.problem:
                self._report(made.problem)
            else:
                self._announce(self.tr("{0} loads in this core").format(name))

        self._pictures.made.connect(report)
        self._bridge.ask(
            lambda session: session.game.plan.hidden(),
            lambda plan: self._pictures.request(lambda: plan, lambda _: [name], fresh=True),
        )

    def save_slot(self, slot: int) -> None:
        store = self._pictures.store

        def done(file: Path | None) -> None:
            self.slots.buttons[slot].fill(file)
            self._announce(self.tr("Saved slot {0}").format(slot))

        self._bridge.ask(lambda session: save_slot(session, slot, store), done)

    def load_slot(self, slot: int) -> None:
        game = self._controller.game
        if game is not None and self.slots.buttons[slot].filled:
            self.load_file(slot_path(game.name, slot))
        elif game is not None:
            keys = shown_keys(self._desk.actions.shortcuts[f"save-slot-{slot}"].keys)
            text = self.tr("Slot {0} is empty; {1} saves into it")
            text = text.format(slot, keys or self.tr("Play > Slots"))
            self._announce(text, NoticeKind.INFO)
