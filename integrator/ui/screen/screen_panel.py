"""The centre of the window: header, screen with its notices, transport bar."""

from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtWidgets import QFrame, QSizePolicy, QStackedWidget, QWidget

from integrator.session.edits.snapshot import GameSnapshot
from integrator.session.frame.result import FrameResult
from integrator.ui.actions.actions import Actions
from integrator.ui.screen.pad_overlay import PadOverlay
from integrator.ui.screen.screen_view import ScreenView
from integrator.ui.screen.transport import TransportBar
from integrator.ui.time_slider.timeline_view import TimelineView
from integrator.ui.widgets.notices import NoticeArea
from integrator.ui.widgets.panels.docks import PanelHeader
from integrator.ui.widgets.panels.parts import role_label, stack
from integrator.ui.widgets.proof_bar import ProofBar
from integrator.ui.widgets.theme import Theme

_NOTICE_GAP = 6
"""Pixels between notices and the edge that they lie at."""


class ScreenPanel(QWidget):
    """Holds the widgets of the picture, and decides nothing.

    ``welcome`` is the page shown while no game is open.
    """

    def __init__(self, theme: Theme, actions: Actions, welcome: QWidget) -> None:
        super().__init__()
        self.header = PanelHeader(self.tr("No game"))
        self.subtitle = role_label("", "secondary")
        self.header.add_after_title(self.subtitle)
        self.game_screen = ScreenView(theme)
        self.welcome = welcome
        self.transport = TransportBar(theme, actions)
        self.timeline = TimelineView(theme)
        self.replay = ProofBar(theme)
        self.replay.cancel.setToolTip(self.tr("Stop at the frame that was reached"))
        self.stage = QStackedWidget()
        # A stack is as wide as its widest page, also while another one is shown.
        self.welcome.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self.stage.addWidget(self.welcome)
        self.stage.addWidget(self.game_screen)
        self.notices = NoticeArea(theme, self, self._place_notices)
        self.notices.covers.connect(self._make_room)
        self.done_mark = role_label(self.tr("Done: the episode ends here"), "", self.stage)
        self.done_mark.setObjectName("DoneMark")
        self.done_mark.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.done_mark.hide()
        self.stage.installEventFilter(self)
        self._facts: dict[str, str] = {}
        self._overlay = PadOverlay()
        self._shows_buttons = False
        self._players = 1
        self._fps = 60.0
        self._number = self._length = 0
        self._build_ui()
        self.game_screen.scale_changed.connect(self._scale_changed)
        # Clicking a button must not take the keyboard away from the game for good.
        for button in self.transport.findChildren(QWidget):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def _build_ui(self) -> None:
        stage_frame = QFrame()
        stage_frame.setObjectName("StageFrame")
        stack(stage_frame, self.stage)
        layout = stack(self, self.header)
        stage_frame.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        # No stretch: with it, a low window would let the picture shrink before the time slider.
        layout.addWidget(stage_frame)
        layout.addWidget(self.transport)
        layout.addWidget(self.timeline)
        layout.addWidget(self.replay)

    def show_game(self, game: GameSnapshot) -> None:
        self.header.title.setText(game.name)
        self.subtitle.clear()
        self._fps = fps = game.fps
        self._players = game.players
        devices = sorted({each.axis.device for each in game.axes})
        self.game_screen.touchable = not {"pointer", "light-gun", "mouse"}.isdisjoint(devices)
        self.game_screen.has_mouse = "mouse" in devices
        self._facts.pop("axes", None)
        if game.axes:
            names = {
                "analog": self.tr("stick"),
                "disc": self.tr("discs"),
                "light-gun": self.tr("light gun"),
                "mouse": self.tr("mouse"),
                "pointer": self.tr("touch"),
            }
            shown = ", ".join(names[device] for device in devices)
            self.set_fact("axes", self.tr("{0}: not in training").format(shown))
        self._overlay = PadOverlay(game.buttons)
        self.show_buttons(shown=self._shows_buttons)
        self._number = self._length = 0
        self.done_mark.hide()
        self.set_fact("fps", f"{fps:.2f} fps")
        self.stage.setCurrentWidget(self.game_screen)
        self.game_screen.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_nothing(self) -> None:
        self.header.title.setText(self.tr("No game"))
        self.subtitle.clear()
        self._facts.clear()
        self._number = self._length = 0
        self.header.note.clear()
        self.done_mark.hide()
        self.game_screen.show_frame(None)
        self.transport.show_position(0, 0, self._fps)
        self.stage.setCurrentWidget(self.welcome)

    def show_frame(self, result: FrameResult) -> None:
        self._overlay.masks = result.inputs[: self._players]
        if result.frame is not None:
            self.game_screen.show_frame(result.frame)
        self._number = result.number
        self._length = max(self._length, result.number)
        self.transport.show_position(self._number, self._length, self._fps)

    def show_buttons(self, *, shown: bool) -> None:
        self._shows_buttons = shown
        self.game_screen.set_overlay(self._overlay if shown else None)

    def show_length(self, length: int) -> None:
        self._length = max(length, self._number)
        self.transport.show_position(self._number, self._length, self._fps)

    def show_done(self, *, done: bool) -> None:
        self.done_mark.setVisible(done)
        if done:
            self._place_done_mark()

    def _place_notices(self, height: int) -> int:
        """Over the header and the free room above the picture; else over its lower edge.

        Games write the score at the upper edge.
        """
        top, picture = self._stage_top, self.game_screen.picture_rect()
        free = int(picture.top()) if picture.isValid() else self.stage.height()
        if height <= top + free:
            return min(_NOTICE_GAP, top + free - height)
        return top + self.stage.height() - height - _NOTICE_GAP

    @property
    def _stage_top(self) -> int:
        return self.stage.mapTo(self, QPoint(0, 0)).y()

    def _make_room(self, height: int) -> None:
        covered = max(0, height + 2 * _NOTICE_GAP - self._stage_top) if height else 0
        self.welcome.setContentsMargins(0, covered, 0, 0)
        if self.done_mark.isVisible():
            self._place_done_mark()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if event.type() is QEvent.Type.Resize and self.done_mark.isVisible():
            self._place_done_mark()
        return super().eventFilter(watched, event)

    def _place_done_mark(self) -> None:
        mark = self.done_mark
        mark.adjustSize()
        picture = self.game_screen.picture_rect()
        bottom = int(picture.bottom()) if picture.isValid() else self.stage.height()
        notices = self.notices.y() - self._stage_top
        if self.notices.isVisible() and notices > self.stage.height() // 2:
            bottom = min(bottom, notices)
        mark.move((self.stage.width() - mark.width()) // 2, bottom - mark.height() - 14)
        mark.raise_()

    def set_fact(self, key: str, text: str) -> None:
        if self._facts.get(key) == text:
            return
        self._facts[key] = text
        order = ("axes", "scale", "fps", "episode")
        shown = [self._facts[name] for name in order if self._facts.get(name)]
        self.header.note.setText(" · ".join(shown))

    def _scale_changed(self, scale: float) -> None:
        self.set_fact("scale", f"{round(scale, 2):g}×" if scale >= 1 else f"{scale:.2f}×")
