"""Banners over the window: messages with a fact and a remedy that do not interrupt the work."""

from collections.abc import Callable
from enum import StrEnum

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QLabel, QToolButton, QWidget

from integrator.ui.widgets import parts as ui
from integrator.ui.widgets.theme import icon

MAX_BANNERS = 4
_BUTTON = 26  # height of a banner's buttons in pixels; a line is then as high as a panel's header


class NoticeKind(StrEnum):
    """The kind of a notice, which sets its look and its lifetime."""

    INFO = "info"
    GOOD = "good"
    WARNING = "warning"
    ERROR = "error"


Remedy = tuple[str, ui.Call]  # text of the button, and its action

_LOOKS = {  # icon with its role, and lifetime in milliseconds by kind; 0 means no end
    NoticeKind.INFO: ("info accent", 6000),
    NoticeKind.GOOD: ("check good", 5000),
    NoticeKind.WARNING: ("warning warn", 12_000),
    NoticeKind.ERROR: ("error bad", 0),
}


class Banner(QFrame):
    """One message with an icon, at most one remedy, and a button that dismisses it. ``dismissed``
    is emitted before Qt deletes the banner, so that its holder can drop the reference."""

    dismissed = Signal()

    def __init__(self, kind: NoticeKind, text: str, remedy: Remedy | None) -> None:
        super().__init__()
        self.kind, self.text, self.count = kind, text, 1
        self.setObjectName("Banner")
        self.setProperty("kind", kind.value)
        self.setAccessibleName(text)
        shown = icon(_LOOKS[kind][0]).pixmap(QSize(18, 18), self.devicePixelRatioF())
        picture = QLabel(pixmap=shown)
        plain = Qt.TextFormat.PlainText
        label = QLabel(text, wordWrap=True, textFormat=plain, textInteractionFlags=ui.SELECTABLE)
        self._times = ui.role_label("", "faint")
        row = ui.hbox(picture, (label, 1), self._times, on=self, margins=(12, 2, 6, 2), gap=10)
        if remedy is not None:
            button = ui.push_button(*remedy, maximumHeight=_BUTTON)
            button.clicked.connect(self.dismiss)
            row.addWidget(button)
        name = self.tr("Dismiss this message")
        close = ui.named(QToolButton(), name, icon="close", iconSize=QSize(14, 14))
        close.setToolTip(self.tr("Dismiss"))
        close.setFixedSize(_BUTTON, _BUTTON)
        close.clicked.connect(self.dismiss)
        row.addWidget(close)

    def repeat(self) -> None:
        self.count += 1
        self._times.setText(f"×{self.count}")

    def dismiss(self) -> None:
        self.hide()
        self.dismissed.emit()
        self.deleteLater()


class NoticeArea(ui.OverlaidFrame):
    """A stack of banners over the widget ``stage``, the newest on top. ``place`` maps the height of
    the stack to its upper edge. ``covers`` gives the covered height in pixels."""

    covers = Signal(int)

    def __init__(self, stage: QWidget, place: Callable[[int], int]) -> None:
        super().__init__(stage)
        self._place = place
        self._stack = ui.vbox(on=self, margins=0, gap=6)
        # The layout still lists widgets that Qt is deleting, and PySide would keep wrappers of
        # them, so the banners are listed here.
        self._banners: list[Banner] = []

    def banners(self) -> list[Banner]:
        return list(self._banners)

    def show_notice(
        self, kind: NoticeKind, text: str, remedy: Remedy | None = None, *, stays: bool = False
    ) -> None:
        """Show a message, until it is dismissed if it ``stays``; a repetition is only counted."""
        for shown in self._banners:
            if shown.text == text and shown.kind is kind:
                shown.repeat()
                return
        banner = Banner(kind, text, remedy)
        banner.dismissed.connect(lambda: self._let_go(banner))
        self._banners.insert(0, banner)
        self._stack.insertWidget(0, banner)
        banner.show()
        for old in self._banners[MAX_BANNERS:]:
            old.dismiss()
        lifetime = _LOOKS[kind][1]
        if lifetime and not stays:
            # A message with a remedy stays longer, because the user has to decide about it.
            wait_ms = lifetime if remedy is None else 20_000
            QTimer.singleShot(wait_ms, banner, banner.dismiss)
        self.show()

    def clear(self) -> None:
        for banner in self.banners():
            banner.dismiss()

    def _let_go(self, banner: Banner) -> None:
        if banner in self._banners:
            self._banners.remove(banner)
            self._stack.removeWidget(banner)
            if self._banners:
                self.place()
            else:
                self.hide()
                self.covers.emit(0)

    def place(self) -> None:
        width = max(220, min(760, self._under.width() - 24))
        self.setFixedWidth(width)
        height = self._stack.heightForWidth(width)
        self.resize(width, height if height > 0 else self.sizeHint().height())
        self.move((self._under.width() - width) // 2, self._place(self.height()))
        self.covers.emit(self.height())
