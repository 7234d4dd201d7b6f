"""The Log panel's lines can be read in both themes."""

from integrator.ui.shell.log_view import LogView
from integrator.ui.shell.main_window import MainWindow
from integrator.ui.widgets.notices import NoticeKind
from integrator.ui.widgets.theme import DARK, LIGHT, Theme, ThemeChoice


def test_lines_take_the_colors_of_another_theme(window: MainWindow) -> None:
    log, theme = window.parts[LogView], Theme.now
    theme.choose(ThemeChoice.DARK)
    log.add("saved <here>\nand there", NoticeKind.GOOD)
    log.add("lost", NoticeKind.ERROR)
    before = log.text.toPlainText()
    assert DARK.good in log.text.document().toHtml()
    theme.choose(ThemeChoice.LIGHT)
    shown = log.text.document().toHtml()
    assert log.text.toPlainText() == before
    assert LIGHT.good in shown
    assert LIGHT.bad in shown
    assert DARK.good not in shown
