"""Words agree with the counts next to them, also in another language."""

import pytest
from PySide6.QtWidgets import QLabel

from integrator.domain.scenario.spec import ActionSet
from integrator.ui.score.actions_view import ActionsView
from integrator.ui.shell.main_window import MainWindow
from integrator.ui.widgets.texts import counted


@pytest.mark.parametrize(
    ("text", "count", "shown"),
    [
        ("{0} frame[|s]", 1, "{0} frame"),
        ("{0} frame[|s]", 0, "{0} frames"),
        ("{0} frame[|s], with [it|them]", 2, "{0} frames, with them"),
        ("«{0} kadroj»", 1, "«{0} kadroj»"),
        ("bytes [0x10] of memory", 1, "bytes [0x10] of memory"),
    ],
)
def test_a_count_chooses_the_words(text: str, count: int, shown: str) -> None:
    assert counted(text, count) == shown


@pytest.mark.parametrize(("missing", "verb"), [("A", "reaches"), ("A, B", "reach")])
def test_buttons_that_agents_can_not_press(window: MainWindow, missing: str, verb: str) -> None:
    view = window.parts[ActionsView]
    buttons = ("A", "B", "LEFT")
    allowed = [[[], *([name] for name in buttons if name not in missing.split(", "))]]
    view.show_actions({"actions": allowed}, ActionSet.of(buttons, allowed))
    texts = [label.text() for label in view.findChildren(QLabel)]
    assert f"{missing} never {verb} the game in training." in texts
