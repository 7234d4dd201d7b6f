"""The Branches panel: lines with their pictures, compared, gone to, renamed and deleted."""

import pytest
from PySide6.QtWidgets import QInputDialog
from pytestqt.qtbot import QtBot
from ui_driver import PLAYED_FRAMES, frame_number, step, timeline_facts

from integrator.session.session import Session
from integrator.ui.review.branches import (
    BranchColumn,
    BranchesView,
)
from integrator.ui.review.travel_controller import TravelController
from integrator.ui.shell.main_window import MainWindow
from integrator.ui.widgets.docks import dock_of


@pytest.fixture
def branched(played: MainWindow, qtbot: QtBot) -> MainWindow:
    """Earlier play is kept as "branch 1"; the present line parts from it at frame 60."""
    played.parts[TravelController].seek(60)
    qtbot.waitUntil(lambda: frame_number(played) == 60)
    played.actions_by_key["follow"].setChecked(False)
    step(played, qtbot, 3)
    qtbot.waitUntil(lambda: panel(played).model.rowCount() == 2)
    return played


def panel(window: MainWindow) -> BranchesView:
    return window.parts[BranchesView]


def cells(window: MainWindow, name: str) -> list[str]:
    model = panel(window).model
    row = model.row_of(name)
    assert row is not None
    return [str(model.index(row, column).data()) for column in BranchColumn]


def test_a_panel_that_is_built_late_knows_the_present_line(
    played: MainWindow,
) -> None:
    length = timeline_facts(played).length
    assert played.parts.built(BranchesView) is None
    assert [line.length for line in panel(played).model.rows] == [length]


def test_the_panel_shows_each_line_with_its_picture(branched: MainWindow, qtbot: QtBot) -> None:
    view = panel(branched)
    dock_of(branched.parts[BranchesView]).come_forward()
    for name in ("main", "branch 1"):
        qtbot.waitUntil(lambda n=name: n in view.model.pictures)  # type: ignore[misc] # a default binds the loop's value
    assert cells(branched, "branch 1")[BranchColumn.PARTS] == "60"
    assert cells(branched, "main")[BranchColumn.PARTS] == "now"
    assert view.pages.currentIndex() == 1


def test_a_line_that_is_cut_and_as_long_again_has_another_picture(
    branched: MainWindow, qtbot: QtBot
) -> None:
    view, travel = panel(branched), branched.parts[TravelController]
    dock_of(view).come_forward()
    qtbot.waitUntil(lambda: "main" in view.model.pictures)
    shown = view.model.pictures["main"].cacheKey()

    def play_on(session: Session) -> None:
        length = session.timeline.length
        session.timeline.seek(length - 2)
        session.timeline.continue_from_here(keep=False)
        assert session.advance((255,), frames=2).number == length

    branched.bridge.ask(play_on, lambda _: travel.refresh())
    qtbot.waitUntil(lambda: view.model.pictures["main"].cacheKey() != shown)


def test_a_branch_is_compared_gone_to_renamed_and_deleted(
    branched: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    dock_of(branched.parts[BranchesView]).come_forward()
    view = panel(branched)
    view.table.selectRow(view.model.row_of("branch 1") or 0)
    qtbot.waitUntil(lambda: "60" in view.compare.heading.text())
    qtbot.waitUntil(view.compare.isVisible)
    assert [name.text() for name in view.compare.names] == ["main", "branch 1"]
    assert not view.compare.pictures[1].pixmap().isNull()
    menu = view.branch_menu(1)
    assert menu is not None
    go, rename, delete = menu.actions()
    monkeypatch.setattr(QInputDialog, "getText", lambda *_, **__: ("first try", True))
    rename.trigger()
    qtbot.waitUntil(lambda: view.model.row_of("first try") == 1)
    del go, delete
    menu = view.branch_menu(1)
    assert menu is not None
    menu.actions()[0].trigger()
    qtbot.waitUntil(lambda: frame_number(branched) == PLAYED_FRAMES + 2)
    qtbot.waitUntil(lambda: view.model.row_of("main") == 1)
    assert view.branch_menu(0) is None
    menu = view.branch_menu(1)
    assert menu is not None
    menu.actions()[2].trigger()
    qtbot.waitUntil(lambda: view.model.rowCount() == 1)
    assert view.pages.currentIndex() == 0


# -- ranges -----------------------------------------------------------------------------------
