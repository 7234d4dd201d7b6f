"""The center of the window: header, screen with its notices, transport bar and time slider."""

from functools import partial

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QMenu,
    QSizePolicy,
    QSlider,
    QStackedWidget,
    QToolButton,
    QWidget,
    QWidgetAction,
)

from integrator.domain.words import tr
from integrator.session.edits.snapshot import GameSnapshot
from integrator.session.frame.result import FrameResult
from integrator.ui import widgets as ui
from integrator.ui.actions.shortcuts import Actions, with_keys
from integrator.ui.screen.pad_overlay import PadOverlay
from integrator.ui.screen.screen_view import ScreenView
from integrator.ui.time_slider.timeline_view import TimelineView

SPEEDS: tuple[tuple[str, float], ...] = (  # 0 is as fast as the core can run
    *(("⅛×", 0.125), ("¼×", 0.25), ("½×", 0.5), ("1×", 1.0), ("2×", 2.0), ("4×", 4.0)),
    (tr("max"), 0.0),
)

REPEAT_DELAY_MS, REPEAT_MS = 350, 50  # of a button that is held down


class TransportBar(ui.FitsSize, QFrame):
    """The buttons that control the runner. The bar shows a given state and decides nothing."""

    speed_chosen = Signal(float)
    rewind = Signal(bool)

    def __init__(self, actions: Actions) -> None:
        super().__init__()
        self._actions = actions
        ui.styled(self, "TransportBar", fixedHeight=46)
        self._build_buttons()
        self.frame = ui.configured(ui.LiveLabel(), font=ui.mono_font())
        self.time = ui.configured(ui.LiveLabel(), "faint")
        self.branches = QToolButton(popupMode=QToolButton.ToolButtonPopupMode.MenuButtonPopup)
        traits = {"defaultAction": actions["fork"], "fixedHeight": 30}
        ui.named(self.branches, self.tr("Fork, and branches"), **traits)
        self.save_state = ui.action_button(actions["save_state"])
        self._save_text, self._folded = self.save_state.text(), False
        ui.hbox(
            *(self.record, self.stop, self.back, self.step_back, self.play, self.advance),
            *(self.reset, self.speed, self.sound, 8, self.frame, 4, self.time, None),
            *(self.branches, self.save_state),
            on=self,
            margins=(12, 0, 12, 0),
            gap=7,
        )
        self._build_menus()
        self.show_branches(0)
        self.show_running(running=False)
        self.show_position(0, 0, 60.0)
        for button in (self.play, self.back, self.speed):
            actions["play"].enabledChanged.connect(button.setEnabled)
            button.setEnabled(actions["play"].isEnabled())
        actions.shortcuts.changed.connect(self._show_keys)

    def _build_buttons(self) -> None:
        self.record, self.stop = self._flat("record"), self._flat("stop_recording")
        self.stop.hide()
        tip = self.tr("Hold to rewind (Backspace on the screen)")
        traits = {"icon": "rewind", "toolTip": tip, "fixedSize": QSize(34, 30)}
        self.back = ui.named(QToolButton(), self.tr("Rewind"), **traits)
        for down, signal in ((True, self.back.pressed), (False, self.back.released)):
            signal.connect(partial(self.rewind.emit, down))
        self.step_back = self._flat("step_back")
        self.play = ui.configured(QToolButton(), "primary", fixedSize=QSize(36, 30))
        self.play.clicked.connect(self._actions["play"].trigger)
        for button in (self.back, self.play):
            button.setIconSize(QSize(18, 18))
        self.advance = self._flat("advance")
        for held in (self.advance, self.step_back):
            held.setAutoRepeat(True)
            ui.configured(held, autoRepeatDelay=REPEAT_DELAY_MS, autoRepeatInterval=REPEAT_MS)
        self.reset = self._flat("reset")
        self.speed = QToolButton(popupMode=QToolButton.ToolButtonPopupMode.InstantPopup)
        tip = self.tr("Speed; hold Space on the screen to fast-forward")
        ui.named(self.speed, self.tr("Speed"), toolTip=tip, fixedHeight=30, minimumWidth=44)
        self.sound = ui.configured(self._flat("sound"), "flat")

    def _flat(self, key: str) -> QToolButton:
        traits = {"defaultAction": self._actions[key], "iconSize": QSize(18, 18)}
        name = ui.plain_text(self._actions[key])
        return ui.named(QToolButton(), name, fixedSize=QSize(34, 30), **traits)

    def minimumSizeHint(self) -> QSize:
        least = super().minimumSizeHint()
        return least if self._folded else QSize(least.width() - self._words(), least.height())

    def _words(self) -> int:
        return self.fontMetrics().horizontalAdvance(self.branches.text() + self._save_text)

    def _fit(self) -> None:
        """Hide the playing time and the words of buttons if the frame number needs their space."""
        digits = self.frame.fontMetrics().horizontalAdvance("0" * len("frame 12345 / 12345"))
        spare = self.width() - self.minimumSizeHint().width() - digits
        self.time.setVisible(spare >= self._words() + self.time.sizeHint().width())
        self._folded = spare < self._words()
        styles = Qt.ToolButtonStyle
        style = styles.ToolButtonIconOnly if self._folded else styles.ToolButtonTextBesideIcon
        self.branches.setToolButtonStyle(style)
        self.save_state.setText("" if self._folded else self._save_text)

    def _build_menus(self) -> None:
        menu = QMenu(self)
        group = QActionGroup(menu)
        self._speed_actions: dict[float, QAction] = {}
        for text, speed in SPEEDS:
            action = self._speed_actions[speed] = menu.addAction(ui.words(text))
            action.setCheckable(True)
            action.triggered.connect(partial(self.speed_chosen.emit, speed))
            group.addAction(action)
        self.speed.setMenu(menu)
        self.show_speed(1.0)
        volume, name = QSlider(Qt.Orientation.Horizontal), self.tr("Volume")
        self.volume = ui.named(volume, name, maximum=100, fixedWidth=150)
        box = QFrame()
        ui.hbox(self.volume, on=box, margins=(10, 6, 10, 6))
        menu = QMenu(self)
        action = QWidgetAction(menu)
        action.setDefaultWidget(box)
        menu.addAction(action)
        corner = self.sound.mapToGlobal
        self.sound.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.sound.customContextMenuRequested.connect(lambda _: menu.popup(corner(QPoint())))

    def show_running(self, *, running: bool) -> None:
        self.play.setIcon(ui.icon("pause on_accent" if running else "play on_accent"))
        self.play.setAccessibleName(self.tr("Pause") if running else self.tr("Play"))
        self._show_keys()

    def _show_keys(self) -> None:
        self.play.setToolTip(with_keys(self.play.accessibleName(), self._actions["play"]))

    def change_speed(self, steps: int) -> None:
        """Request the speed that is ``steps`` further in the list, or the end of the list."""
        speeds = list(self._speed_actions)
        here = next((at for at, each in self._speed_actions.items() if each.isChecked()), 1.0)
        self.speed_chosen.emit(speeds[min(max(0, speeds.index(here) + steps), len(speeds) - 1)])

    def show_speed(self, speed: float) -> None:
        action = self._speed_actions.get(speed)
        # plain_text removes a mnemonic that the desktop may have added to the action's text.
        self.speed.setText(ui.plain_text(action) if action else f"{speed:g}×")
        if action is not None:
            action.setChecked(True)

    def show_position(self, number: int, length: int, fps: float) -> None:
        """Show frame number and playing time; the timeline has ``length`` frames."""
        faint = ui.Theme.now.colors.faint
        tail = f' <span style="color:{faint}">/ {length}</span>' if length > number else ""
        self.frame.setText(self.tr("frame {0}").format(f"{number}{tail}"), f"{number}")
        self.time.setText(ui.clock_text(number, fps))

    def show_branches(self, count: int) -> None:
        text = self.tr("Fork")
        self.branches.setText(f"{text} · {count}" if count else text)
        self._fit()


_NOTICE_GAP = 6  # pixels between the notices and the edge next to them


class ScreenPanel(QWidget):
    """The widgets around the picture, without any logic. ``welcome`` is shown without a game."""

    def __init__(self, actions: Actions, welcome: QWidget) -> None:
        super().__init__()
        self.header = ui.PanelHeader(self.tr("No game"))
        self.subtitle = ui.role_label("", "secondary")
        self.header.add_after_title(self.subtitle)
        self.game_screen = ScreenView()
        self.welcome = welcome
        self.transport = TransportBar(actions)
        self.timeline = TimelineView()
        self.replay = ui.ProofBar()
        self.replay.cancel.setToolTip(self.tr("Stop; nothing that was recorded is lost"))
        self.stage = QStackedWidget()
        # A stack is as wide as its widest page, even while another page is shown.
        self.welcome.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self.stage.addWidget(self.welcome)
        self.stage.addWidget(self.game_screen)
        self.notices = ui.NoticeArea(self, self._place_notices)
        self.notices.covers.connect(self._make_room)
        text, stage = self.tr("Done: the episode ends here"), self.stage
        self.done_mark = ui.styled(QLabel(text, stage), "DoneMark", visible=False)
        self.done_mark.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.stage.installEventFilter(self)
        self._facts = dict.fromkeys(("axes", "scale", "fps", "episode"), "")
        self._players, self._fps = 1, 60.0
        self._number = self._length = 0
        stage_frame = ui.styled(QFrame(), "StageFrame")
        ui.stack(stage_frame, self.stage)
        stage_frame.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        # No stretch factors: with them, the picture would shrink before the time slider does.
        ui.stack(self, self.header, stage_frame, self.transport, self.timeline, self.replay)
        self.game_screen.scale_changed.connect(self._scale_changed)
        # A click on a button must not take the keyboard focus from the game.
        for button in self.transport.findChildren(QWidget):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def show_game(self, game: GameSnapshot) -> None:
        self._show_title(game.name)
        self._fps, self._players = game.fps, game.players
        devices = sorted({each.axis.device for each in game.axes})
        self.game_screen.touchable = not {"pointer", "light-gun", "mouse"}.isdisjoint(devices)
        self.game_screen.take_mouse(taken="mouse" in devices)
        names = {
            "analog": self.tr("stick"),
            "disc": self.tr("discs"),
            "light-gun": self.tr("light gun"),
            "mouse": self.tr("mouse"),
            "pointer": self.tr("touch"),
        }
        shown = ", ".join(names[device] for device in devices)
        self.set_fact("axes", self.tr("{0}: not in training").format(shown) if shown else "")
        self.game_screen.overlay = PadOverlay(game.system.buttons)
        self.set_fact("fps", f"{game.fps:.2f} fps")
        self.stage.setCurrentWidget(self.game_screen)
        self.game_screen.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_title(self, title: str) -> None:
        self.header.title.setText(title)
        self.subtitle.clear()
        self._number = self._length = 0
        self.done_mark.hide()

    def show_nothing(self) -> None:
        self._show_title(self.tr("No game"))
        for fact in self._facts:
            self.set_fact(fact, "")
        self.game_screen.show_frame(None)
        self.transport.show_position(0, 0, self._fps)
        self.stage.setCurrentWidget(self.welcome)

    def show_frame(self, result: FrameResult) -> None:
        self.game_screen.overlay.masks = result.inputs[: self._players]
        if result.frame is not None:
            self.game_screen.show_frame(result.frame)
        self._number = result.number
        total = ", ".join(ui.plain_number(each) for each in result.outcome.total_rewards)
        text = self.tr("frame {0}, reward so far {1}").format(result.number, total)
        ui.describe(self.game_screen, text + (self.tr(", done") if result.outcome.done else ""))
        self.show_length(self._length)

    def show_buttons(self, *, shown: bool) -> None:
        self.game_screen.shows_overlay = shown
        self.game_screen.update()

    def show_length(self, length: int) -> None:
        self._length = max(length, self._number)
        self.transport.show_position(self._number, self._length, self._fps)

    def show_done(self, *, done: bool) -> None:
        self.done_mark.setVisible(done)
        self._place_done_mark()

    def _place_notices(self, height: int) -> int:
        """Return the top of the notices: above the picture if they fit there, else at its lower
        edge, because games show the score at the top, and the header shows the next step."""
        top, picture = self._stage_top, self.game_screen.picture_rect()
        free = int(picture.top()) if picture.isValid() else self.stage.height()
        if height + _NOTICE_GAP <= free:
            return top + _NOTICE_GAP
        return top + self.stage.height() - height - _NOTICE_GAP

    @property
    def _stage_top(self) -> int:
        return self.stage.mapTo(self, QPoint(0, 0)).y()

    def _make_room(self, height: int) -> None:
        covered = max(0, height + 2 * _NOTICE_GAP - self._stage_top) if height else 0
        self.welcome.setContentsMargins(0, covered, 0, 0)
        self._place_done_mark()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize:
            self._place_done_mark()
        return super().eventFilter(watched, event)

    def _place_done_mark(self) -> None:
        mark = self.done_mark
        if mark.isHidden():
            return
        mark.adjustSize()
        picture = self.game_screen.picture_rect()
        bottom = int(picture.bottom()) if picture.isValid() else self.stage.height()
        notices = self.notices.y() - self._stage_top
        if self.notices.isVisible() and notices > self.stage.height() // 2:
            bottom = min(bottom, notices)
        mark.move((self.stage.width() - mark.width()) // 2, bottom - mark.height() - 14)
        mark.raise_()

    def set_fact(self, key: str, text: str) -> None:
        self._facts[key] = text
        self.header.note.setText(" · ".join(filter(None, self._facts.values())))

    def _scale_changed(self, scale: float) -> None:
        self.set_fact("scale", f"{round(scale, 2):g}×" if scale >= 1 else f"{scale:.2f}×")
        if self.notices.isVisible():  # The picture may have been shown after the notices.
            self.notices.place()
