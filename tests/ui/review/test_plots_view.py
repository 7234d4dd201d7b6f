"""The Plots panel: sums of single terms, the pointer in all plots, a range that becomes a fact."""

import shutil
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from ui_driver import do_and_show, frame_number, open_and_wait, step

from integrator.commands.demo import PlayScript
from integrator.commands.shared.options import demo_game
from integrator.domain.values.variables import TIME_TERM
from integrator.paths import shipped
from integrator.session.edits import commands as edits
from integrator.session.frame.result import FrameResult
from integrator.session.session import Session
from integrator.ui.find.facts import FactsView
from integrator.ui.review.plots_panel import REWARD, PlotsView
from integrator.ui.score.reward_view import RewardView
from integrator.ui.shell.main_window import MainWindow
from integrator.ui.widgets.plots import PlotsCanvas

pytestmark = pytest.mark.usefixtures("shared_window")

START_FRAME = 184
TERM = "score → reward"


def play_some(session: Session) -> FrameResult:
    """Fly as somebody did for the demo game's input script."""
    source = shipped("resources") / "demo-game" / "input-script.json"
    script = PlayScript.load(source, session.system.buttons)
    session.run(script.inputs[START_FRAME:800])
    return session.advance()


@pytest.fixture
def plotted(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> MainWindow:
    """The demo game in the Review workspace, with some play."""
    game = Path(shutil.copytree(demo_game(), tmp_path / "EmberMoth-Nes-v0"))
    open_and_wait(window, qtbot, game)
    window.use_workspace("review")
    window.docks.all["plots"].raise_()
    newest = do_and_show(window, qtbot, play_some)
    canvas = canvas_of(window)
    qtbot.waitUntil(lambda: len(series(canvas, "score")) == newest.number)
    return window


def series(canvas: PlotsCanvas, name: str) -> list[float]:
    """The numbers of a series that is drawn."""
    row = canvas.shown.get(name)
    values = row.curve.getOriginalDataset()[1] if row else None
    return [] if values is None else list(values)


def canvas_of(window: MainWindow) -> PlotsCanvas:
    return window.parts[PlotsView].canvas


def test_terms_add_up_to_the_reward_and_follow_edits(plotted: MainWindow, qtbot: QtBot) -> None:
    view, canvas = plotted.parts[PlotsView], canvas_of(plotted)
    plotted.controller.edit(edits.set_in_scenario(("reward", "time"), {"reward": -0.5}))
    qtbot.waitUntil(lambda: plotted.parts[RewardView].card(TIME_TERM) is not None)
    view.toggle(TERM)
    view.toggle(f"{TIME_TERM} → reward")
    assert view.add.isVisible()
    frames = len(series(canvas, "score"))
    qtbot.waitUntil(lambda: len(series(canvas, f"{TIME_TERM} → reward")) == frames)
    score = series(canvas, TERM)
    # Played before time had a price, scored with it all the same.
    assert series(canvas, f"{TIME_TERM} → reward")[-1] == pytest.approx(-0.5 * frames)
    assert score[-1] == series(canvas, "score")[-1] - series(canvas, "score")[0] > 0
    price = series(canvas, f"{TIME_TERM} → reward")
    qtbot.waitUntil(lambda: series(canvas, REWARD)[-1] == score[-1] + price[-1])
    np.testing.assert_allclose(series(canvas, REWARD), np.add(score, price))
    path = ("reward", "variables", "score", "reward")
    plotted.controller.edit(edits.set_in_scenario(path, 2))
    qtbot.waitUntil(lambda: series(canvas, TERM)[-1] == 2 * score[-1])


def test_a_term_grows_with_play(plotted: MainWindow, qtbot: QtBot) -> None:
    canvas = canvas_of(plotted)
    plotted.parts[PlotsView].toggle(TERM)
    qtbot.waitUntil(lambda: len(series(canvas, TERM)) > 0)
    before = len(series(canvas, TERM))
    plotted.bridge.ask(lambda session: session.advance(frames=30), plotted.bridge.show)
    qtbot.waitUntil(lambda: len(series(canvas, TERM)) == before + 30)


@pytest.mark.parametrize(
    ("values", "lowest", "highest"), [([0] * 9, 0, 2), ([3] * 9, 2, 4), ([0, 30] * 5, 0, 30)]
)
@pytest.mark.usefixtures("theme")
def test_a_title_strikes_no_curve_and_a_constant_has_whole_numbers(
    qtbot: QtBot, values: list[float], lowest: float, highest: float
) -> None:
    canvas = PlotsCanvas(lambda: False)
    qtbot.addWidget(canvas)
    canvas.resize(400, 160)
    canvas.arrange({"lives": "lives"})
    canvas.show()
    canvas.show_series(1, {"lives": np.array(values, np.float64)})
    row = canvas.shown["lives"]
    box = row.plot.getViewBox()

    def is_fitted() -> bool:
        low, high = box.viewRange()[1]
        title = row.label.sceneBoundingRect().bottom()
        top = box.mapViewToScene(QPointF(1, max(values))).y()
        slack = (highest - lowest) / 8
        return bool(top >= title and lowest - slack <= low <= lowest and high > highest)

    qtbot.waitUntil(is_fitted)
    canvas.dispose()


def test_a_range_becomes_a_fact(plotted: MainWindow, qtbot: QtBot) -> None:
    view, canvas = plotted.parts[PlotsView], canvas_of(plotted)
    view.select.setChecked(True)
    plot = next(iter(canvas.shown.values())).plot
    box = plot.getViewBox()
    qtbot.wait(50)
    ends = [
        canvas.mapFromScene(box.mapViewToScene(QPointF(frame, box.viewRange()[1][0])))
        for frame in (200, 280)
    ]
    middle = box.sceneBoundingRect().center().y()
    for point in ends:
        point.setY(round(middle))
    viewport = canvas.viewport()
    QTest.mousePress(viewport, Qt.MouseButton.LeftButton, pos=ends[0])
    for part in range(1, 6):
        share = ends[0] + (ends[1] - ends[0]) * part / 5
        QTest.mouseMove(viewport, share)
        qtbot.wait(20)
    QTest.mouseRelease(viewport, Qt.MouseButton.LeftButton, pos=ends[1])
    qtbot.waitUntil(view.range_buttons["unchanged"].isVisible)
    QTest.mouseClick(view.range_buttons["unchanged"], Qt.MouseButton.LeftButton)
    text = plotted.parts[FactsView].text
    assert text.endswith("unchanged")
    first, last = (int(part) for part in text.split(" ")[0].split(".."))
    assert abs(first - 200) < 20
    assert abs(last - 280) < 20
    qtbot.waitUntil(lambda: plotted.parts[FactsView].model.rowCount() > 0)


def test_the_pointer_reads_all_plots_and_a_click_goes_there(
    plotted: MainWindow, qtbot: QtBot
) -> None:
    canvas = canvas_of(plotted)
    plot = next(iter(canvas.shown.values())).plot
    box = plot.getViewBox()
    place = QPointF(box.mapViewToScene(QPointF(300, 0)).x(), plot.sceneBoundingRect().center().y())
    canvas.scene().sigMouseMoved.emit(place)
    labels = {name: row.label.toPlainText() for name, row in canvas.shown.items()}
    assert "@ 300" in labels["score"]
    assert "@ 300" in labels[REWARD]
    assert labels["score"].split()[1] == f"{series(canvas, 'score')[299]:g}"
    QTest.mouseClick(canvas.viewport(), Qt.MouseButton.LeftButton, pos=canvas.mapFromScene(place))
    qtbot.waitUntil(lambda: abs(frame_number(plotted) - 300) <= 2)


def test_series_are_drawn_and_a_click_goes_to_the_frame(
    open_game: MainWindow, qtbot: QtBot
) -> None:
    open_game.docks.all["plots"].show()
    open_game.docks.all["plots"].raise_()
    step(open_game, qtbot, 5)
    plots = open_game.parts[PlotsView]
    assert plots.chosen[0] == REWARD
    plots.toggle("lives")
    canvas = plots.canvas
    qtbot.waitUntil(lambda: series(canvas, "lives") == [3.0] * 6)
    assert canvas.cursor_frame == 6
    with qtbot.waitSignal(open_game.bridge.frame_ready):
        canvas.seek_requested.emit(2)
    qtbot.waitUntil(lambda: canvas.cursor_frame == 2)
    plots.toggle("lives")
    assert series(canvas, "lives") == []


def test_after_a_stop_no_sum_mixes_old_and_new_scores(plotted: MainWindow, qtbot: QtBot) -> None:
    """Recorded frames keep the old scores, while new frames get those of the new rules."""
    view, canvas, rewards = plotted.parts[PlotsView], canvas_of(plotted), plotted.parts[RewardView]
    view.toggle(TERM)
    qtbot.waitUntil(lambda: bool(series(canvas, TERM) and series(canvas, REWARD)))

    def stop(session: Session) -> None:
        session.editor.do(edits.set_in_scenario(("reward", "variables", "score", "reward"), 9.0))
        session.recorded.cancel()
        session.advance(frames=30)

    plotted.bridge.ask(stop)
    qtbot.waitUntil(lambda: canvas.shown[TERM].title.endswith("old scores"))
    assert canvas.shown[REWARD].title.endswith("old scores")
    assert series(canvas, TERM) == series(canvas, REWARD) == []
    assert canvas.shown["score"].title == "score"
    assert series(canvas, "score")
    plotted.use_workspace("score")
    card = rewards.card("score")
    assert card is not None
    qtbot.waitUntil(lambda: "keep the scores" in rewards.script_note.text())
    assert not any(card.term.history)
    plotted.controller.score_again()
    qtbot.waitUntil(lambda: not rewards.script_note.text())
    assert card.term.history[-1] > 0
    plotted.use_workspace("review")
    qtbot.waitUntil(lambda: bool(series(canvas, REWARD)))
    assert canvas.shown[TERM].title == TERM
