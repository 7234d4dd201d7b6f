"""The States panel: tiles of start states, slots, and their commands, menus and load checks."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QAction, QColor, QGuiApplication, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QAbstractButton, QMenu, QSizePolicy, QWidget

from integrator.session.edits import commands as edits
from integrator.session.edits.snapshot import GameSnapshot, state_label
from integrator.session.frame.result import FrameResult
from integrator.session.hidden import clips
from integrator.session.session import Session
from integrator.session.setup.game import read_raw_state
from integrator.ui import widgets as ui
from integrator.ui.actions.shortcuts import panel_action, shown_keys, with_keys
from integrator.ui.bridge.background import MadePicture, PictureMaker
from integrator.ui.window_context import PanelView


@dataclass(frozen=True, slots=True)
class StateTile:
    """A start state: the facts about its file, its picture, and the reason why it does not load."""

    name: str
    info: clips.StateInfo | None = None
    picture: Path | None = None
    problem: str = ""
    is_current: bool = False

    @property
    def badges(self) -> list[str]:
        players = self.info.default_for if self.info is not None else ()
        return ["default" if count == 1 else f"{count}P" for count in players]


class StatesModel(ui.RowsModel[StateTile]):
    """The listed states. ``stamp`` names the running core; states of other cores are marked."""

    stamp = ""

    def table(self) -> Sequence[ui.Column[StateTile]]:
        return (ui.Column("", lambda tile: tile.name),)

    def tip(self, tile: StateTile) -> str:
        lines = [tile.name]
        if tile.is_current:
            lines.append(self.tr("episodes begin here now"))
        if tile.badges:
            lines.append(self.tr("default: {0}").format(", ".join(tile.badges)))
        if tile.info is not None and tile.info.stamp:
            lines.append(self.tr("saved by {0}").format(tile.info.stamp))
            if self.stamp and tile.info.stamp != self.stamp:
                lines.append(self.tr("this is {0}: save it again").format(self.stamp))
        lines += [tile.problem, self.tr("Double-click to begin an episode here")]
        return "\n".join(filter(None, lines))


class StateTileDelegate(ui.TileDelegate[StatesModel]):
    """Paints the tiles of start states."""

    least = 116
    lowest = ui.TileDelegate.text_height + ui.TileDelegate.gap + 36

    def ground(self, *, hovered: bool, chosen: bool) -> str:
        colors = ui.Theme.now.colors
        return colors.hover if hovered or chosen else colors.raised

    def edge(self, row: int, *, chosen: bool) -> str:
        colors = ui.Theme.now.colors
        return colors.accent if self._model.at(row).is_current else colors.faint if chosen else ""

    def draw(self, painter: QPainter, box: QRect, row: int) -> None:
        colors, tile, align = ui.Theme.now.colors, self._model.at(row), Qt.AlignmentFlag
        top = QRect(box.left(), box.top(), box.width(), box.height() - self.text_height)
        self._draw_picture(painter, top, tile)
        at = QPoint(box.left() + 6, box.top() + 6)
        badge = colors.accent, colors.on_accent
        for text in tile.badges:
            at += QPoint(self.draw_label(painter, at, text, badge, right=False) + 4, 0)
        inner = box.adjusted(9, box.height() - self.text_height + 4, -8, -4)
        self.draw_line(painter, inner, tile.name, colors.text, self._title_font)
        self.draw_line(painter, inner, *self._note(tile), self._small_font, align.AlignBottom)

    def _draw_picture(self, painter: QPainter, box: QRect, tile: StateTile) -> None:
        pixmap = ui.cached_pixmap(tile.picture, box.size(), painter.device().devicePixelRatioF())
        if pixmap is not None:
            painter.drawPixmap(box, pixmap)
            return
        painter.fillRect(box, QColor(ui.Theme.now.colors.sunken))
        middle = QRect(0, 0, 26, 26)
        middle.moveCenter(box.center())
        ui.icon("warning bad" if tile.problem else "state faint").paint(painter, middle)

    def _note(self, tile: StateTile) -> tuple[str, str]:
        colors, info = ui.Theme.now.colors, tile.info
        if tile.problem:
            return self.tr("does not load"), colors.bad
        if info is None or info.stamp is None:
            return self.tr("core unknown") if info is not None else "", colors.faint
        strange = self._model.stamp and info.stamp != self._model.stamp
        return info.stamp, colors.warn if strange else colors.faint


SLOTS = tuple(range(2, 10))  # numbered like their default keys; F1 is help, F10 opens menus


class SlotButton(QAbstractButton):
    """A slot: shows its picture once it is filled, and its key or number."""

    def __init__(self, slot: int) -> None:
        super().__init__()
        self.file: Path | None = None
        self.filled = False
        self.label = str(slot)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def fill(self, file: Path | None, *, filled: bool = True) -> None:
        """Show that the slot is filled or empty, with the picture in ``file`` if there is one."""
        self.file, self.filled = file, filled
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(35, 46)

    def paintEvent(self, _event: object) -> None:
        colors, box = ui.Theme.now.colors, self.rect().adjusted(1, 1, -1, -1)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(ui.ui_font(ui.SIZES.font_small - 0.5, bold=True))
        shape, align = QPainterPath(), Qt.AlignmentFlag
        shape.addRoundedRect(QRectF(box), 4, 4)
        painter.setClipPath(shape)
        painter.fillPath(shape, QColor(colors.raised if self.filled else colors.sunken))
        painter.setPen(QColor(colors.faint))
        edge = align.AlignVCenter
        pixmap = ui.cached_pixmap(self.file, box.size(), self.devicePixelRatioF())
        if pixmap is not None:
            painter.drawPixmap(box, pixmap)
            shade = QColor(0, 0, 0, 120)
            painter.fillRect(QRect(box.left(), box.bottom() - 14, box.width(), 15), shade)
            painter.setPen(QColor("#ffffff"))
            edge = align.AlignBottom
        painter.setClipping(False)
        painter.drawText(box.adjusted(0, 0, 0, -1), int(align.AlignHCenter | edge), self.label)
        if self.underMouse() or not self.filled:
            color = colors.accent if self.underMouse() else colors.border
            painter.strokePath(shape, QPen(QColor(color), 1.2))


class SlotStrip(QWidget):
    """Slots of states. A click loads a slot, or saves into an empty one; Shift+click saves."""

    def __init__(self, load: Callable[[int], object], save: Callable[[int], object]) -> None:
        super().__init__()
        self._load, self._save = load, save
        self.buttons = {slot: SlotButton(slot) for slot in SLOTS}
        self.setAccessibleName(self.tr("Slots"))
        self.setFixedHeight(54)
        parts = ((button, 1) for button in self.buttons.values())
        ui.hbox(*parts, on=self, margins=(4, 3, 4, 3), gap=3)
        for slot, button in self.buttons.items():
            button.clicked.connect(lambda _, slot=slot: self._click(slot))
            ui.on_context_menu(button, partial(self._open_menu, slot))

    def show_slots(self, files: Mapping[int, Path | None]) -> None:
        for slot, button in self.buttons.items():
            button.fill(files.get(slot), filled=slot in files)
        self.show()

    def _click(self, slot: int) -> None:
        shift = QGuiApplication.keyboardModifiers() & Qt.KeyboardModifier.ShiftModifier
        saves = shift or not self.buttons[slot].filled
        (self._save if saves else self._load)(slot)

    def _open_menu(self, slot: int, where: QPoint) -> None:
        menu, button = ui.RowMenu(self), self.buttons[slot]
        load, save = self.tr("Load slot {0}").format(slot), self.tr("Save into slot {0}")
        menu.add(load, lambda: self._load(slot), enabled=button.filled)
        menu.add(save.format(slot), lambda: self._save(slot))
        ui.pop_up(menu, button.mapToGlobal(where))


class StatesView(PanelView):
    """Start states above the slots. A hidden core makes the pictures, and so checks each state."""

    def _set_up(self) -> None:
        self._pictures = self._parts[PictureMaker]
        self._infos: dict[str, clips.StateInfo] = {}
        self._loaded: dict[str, tuple[Path | None, str]] = {}  # pictures, or reasons for none
        self._directory: Path | None = None
        self.model = StatesModel(self)
        self.list = ui.named(ui.TileList(), self.tr("Start states"), model=self.model)
        self.tiles = StateTileDelegate(self.model, self.list)
        self.list.setItemDelegate(self.tiles)
        self.slots = SlotStrip(self.load_slot, self.save_slot)
        self.slots.hide()
        save = [self._actions["save_state"]]
        self._fill(self.list, "state", "states", save, below=[self.slots])
        self.setContentsMargins(4, 4, 4, 2)
        self._controller.follow(self._show_tiles, "states")
        self._controller.follow(self.refresh, "states", "disk")
        self.list.activated.connect(lambda index: self.start_at(index.data()))
        panel_action("states.remove", self.list, lambda: self.remove(self.selected_name()))
        ui.show_row_menus(self.list, lambda index: self.state_menu(str(index.data())))
        for kind, text, keys, use in (
            ("load", self.tr("Load slot {0}"), "F{0}", self.load_slot),
            ("save", self.tr("Save into slot {0}"), "Shift+F{0}", self.save_slot),
        ):
            for slot in SLOTS:
                action = QAction(text.format(slot), self._window)
                action.triggered.connect(partial(use, slot))
                key, group = f"{kind}-slot-{slot}", self.tr("Slots")
                self._actions.shortcuts.add(key, group, action, keys.format(slot))
                self._window.addAction(action)
        self._actions.shortcuts.changed.connect(self._show_keys)
        self._show_keys()

    def selected_name(self) -> str | None:
        index = self.list.currentIndex()
        return self.model.at(index.row()).name if index.isValid() else None

    def _show_tiles(self, _: object = None) -> None:
        """Update all tiles. The model is reset only if other states are listed."""
        documents, chosen = self._controller.documents, self.selected_name()
        names = list(documents.states) if documents else []
        none, current, infos, loaded = (None, ""), self._default_state, self._infos, self._loaded
        tiles = [StateTile(n, infos.get(n), *loaded.get(n, none), n == current) for n in names]
        self.pages.show_content(bool(names))
        if [tile.name for tile in self.model.rows] == names:
            self.model.renew(tiles)
            return
        self.model.show(tiles)
        if chosen in names:
            self.list.setCurrentIndex(self.model.index(names.index(chosen), 0))

    def start_at(self, name: str) -> None:
        self._controller.ask_editor(lambda editor: editor.do(lambda game: game.use_state(name)))
        self._bridge.reset()

    def make_default(self, name: str, players: int = 0) -> None:
        """Let episodes of ``players`` (0: as many as now) begin at this state, also in training."""
        self._controller.edit(edits.make_default(name, players))

    @property
    def _default_state(self) -> str:
        documents = self._controller.documents
        return documents.default_state if documents else ""

    def save(self, name: str) -> None:
        """Keep this frame as a start state; the integration's first state becomes the default."""
        before = self._default_state

        def done() -> None:
            text = self.tr("Kept state {0}; the next save writes its file").format(name)
            if self._default_state == name != before:
                text += self.tr("; episodes begin there now")
            self._announce(text)

        self._controller.edit(edits.save_state(name), done)

    def rename(self, old: str, new: str) -> None:
        """Rename a start state, also in the metadata."""
        self._controller.edit(lambda game: game.integration.rename_state(old, new))

    def ask_name(self, old: str) -> None:
        title, label = self.tr("Rename state"), self.tr("Name of the start state:")
        if (name := self._ask_text(title, label, old)) not in ("", None, old):
            self.rename(old, name)

    def remove(self, name: str | None) -> None:
        """Delete a start state, also from the metadata, and report the consequences."""
        before = self._default_state
        if name is None:
            return

        def done() -> None:
            text, kind = self.tr("Deleted state {0}; Undo brings it back"), ui.NoticeKind.INFO
            if before == name:
                text = self.tr("Deleted state {0}, where episodes began: they begin at {1} now; ")
                text += self.tr("Undo brings it back, or make another one the default")
                kind = ui.NoticeKind.WARNING
            self._announce(text.format(name, state_label(self._default_state)), kind)

        self._controller.edit(lambda game: game.integration.remove_state(name), done)

    def load_file(self, path: Path) -> None:
        self._load(lambda session: session.load_state(read_raw_state(path), str(path)))

    def _load(self, load: Callable[[Session], object]) -> None:
        """Load a state. While paused, run one frame, because a state has no picture to show."""
        if not self._controller.paused:
            self._bridge.ask(load)
            return

        def work(session: Session) -> FrameResult:
            load(session)
            return session.advance()

        self._bridge.ask(work, self._bridge.show)

    def _show_keys(self) -> None:
        commands = self._actions.shortcuts
        for slot, button in self.slots.buttons.items():
            load, save = commands[f"load-slot-{slot}"], commands[f"save-slot-{slot}"]
            tips = (with_keys(command.text, command.action) for command in (load, save))
            button.setToolTip("\n".join(tips))
            button.setAccessibleName(load.text)
            keys = shown_keys(load.keys)  # The picture has space for three characters.
            button.label = keys if 0 < len(keys) <= 3 else str(slot)
            button.update()

    def fill_menu(self, menu: QMenu) -> None:
        slots, commands = menu.addMenu(self.tr("Slots")), self._actions.shortcuts
        for kind in ("save", "load"):
            slots.addSeparator()
            slots.addActions([commands[f"{kind}-slot-{slot}"].action for slot in SLOTS])

    def state_menu(self, name: str) -> QMenu:
        menu = ui.RowMenu(self)
        begin, load = self.tr("Begin an episode here"), self.tr("Load, in the same episode")
        menu.add(begin, lambda: self.start_at(name), "reset")
        menu.add(load, lambda: self._load(lambda session: session.restore_state(name)), "open")
        menu.addSeparator()
        menu.add(self.tr("Make it the default"), lambda: self.make_default(name))
        players = menu.addMenu(self.tr("Default for"))
        for count in range(1, 5):
            text = ui.counted(self.tr("{0} player[|s]", None, count), count).format(count)
            players.addAction(text, partial(self.make_default, name, count))
        menu.addSeparator()
        menu.add(self.tr("Rename…"), lambda: self.ask_name(name), "edit")
        menu.add(self.tr("Check that it loads"), lambda: self.check(name), "check")
        menu.add(self.tr("Delete"), lambda: self.remove(name), "trash")
        return menu

    def _opened(self, game: GameSnapshot) -> None:
        filled = [slot for slot in SLOTS if clips.slot_path(game.name, slot).is_file()]
        show, store = self.slots.show_slots, self._pictures.store
        show(dict.fromkeys(filled))
        self._bridge.ask(lambda session: clips.slot_pictures(session, filled, store), show)

    def _closed(self) -> None:
        self._pictures.drop_all()
        self._loaded.clear()
        self._infos.clear()
        self._show_tiles()
        self.slots.hide()

    def refresh(self, _: object = None) -> None:
        self._bridge.ask(clips.StateSurvey.of, self._show_survey)

    def _show_survey(self, survey: clips.StateSurvey) -> None:
        self.model.stamp = survey.stamp
        before, self._directory = self._directory, survey.plan.integration.directory
        infos = self._infos.values() if before == self._directory else ()
        known = {(info.name, info.version) for info in infos}
        fresh = [info.name for info in survey.infos if (info.name, info.version) not in known]
        self._infos = {info.name: info for info in survey.infos}
        self._show_tiles()
        if fresh:
            self._pictures.request(lambda: (survey.plan, fresh), self._take_picture)

    def _take_picture(self, made: MadePicture) -> None:
        if made.directory == self._directory and made.name in self._infos:
            self._loaded[made.name] = (made.file, made.problem)
            self._show_tiles()

    def check(self, name: str) -> None:
        """Load a state in a hidden core, even if that was done before, and report the result."""

        def report(made: MadePicture) -> None:
            self._take_picture(made)
            if made.directory != self._directory:
                return  # another game was opened in the meantime
            if made.problem:
                self._report(made.problem)
            else:
                self._announce(self.tr("{0} loads in this core").format(name))

        request = self._pictures.request
        self._bridge.ask(
            lambda session: session.game.plan.hidden(),
            lambda plan: request(lambda: (plan, [name]), report, fresh=True),
        )

    def save_slot(self, slot: int) -> None:
        store = self._pictures.store

        def done(file: Path | None) -> None:
            self.slots.buttons[slot].fill(file)
            self._announce(self.tr("Saved slot {0}").format(slot))

        self._bridge.ask(lambda session: clips.save_slot(session, slot, store), done)

    def load_slot(self, slot: int) -> None:
        if (game := self._controller.game) is not None and self.slots.buttons[slot].filled:
            self.load_file(clips.slot_path(game.name, slot))
        elif game is not None:
            keys = shown_keys(self._actions.shortcuts[f"save-slot-{slot}"].keys)
            text = self.tr("Slot {0} is empty; {1} saves into it")
            self._inform(text.format(slot, keys or self.tr("Play > Slots")))
