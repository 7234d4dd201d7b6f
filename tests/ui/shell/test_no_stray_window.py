"""Parts of popups and dialogs are not shown as windows of their own before they have a place."""

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QWidget

from integrator.ui.bridge.background import Background
from integrator.ui.score.actions_view import CombinationPopup
from integrator.ui.shell.main_window import MainWindow
from integrator.ui.shell.steps_bar import VerifyDialog


class _Shown(QObject):
    """Notes the windows that are shown."""

    def __init__(self) -> None:
        super().__init__()
        self.windows: list[str] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
            self.windows.append(type(watched).__name__)
        return False


def test_only_dialog_and_popup_are_windows(qapp: QApplication, window: MainWindow) -> None:
    shown, works = _Shown(), Background(window.bridge, "verify", window)
    qapp.installEventFilter(shown)
    popup = CombinationPopup(["A", "B"], ["A"], window)
    dialog = VerifyDialog(works, "game", window, unsaved=True)
    qapp.removeEventFilter(shown)
    assert not dialog.unsaved.isHidden()
    assert shown.windows == []
    popup.close()
    dialog.close()
