"""The Audit panel: findings with evidence and cure, which open at the frame where they are seen."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot
from ui_driver import OPEN_TIMEOUT_MS, frame_number

from integrator.domain.audit.play import ScoredPlay, Trap
from integrator.session import audit
from integrator.session.audit import AuditResult
from integrator.session.setup.plan import SessionPlan
from integrator.ui.review.audit_panel import AuditView
from integrator.ui.shell.main_window import MainWindow

FRAMES = (40, 60)


@pytest.fixture(autouse=True)
def no_comparison(monkeypatch: pytest.MonkeyPatch) -> None:
    """Movies of a second have nothing to be compared."""
    monkeypatch.setattr(audit, "judge_game", lambda *_: [])


@pytest.fixture
def trapped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every play that goes on for long enough has a trap."""

    def judge(play: ScoredPlay, *_: Any) -> list[Trap]:
        return [
            Trap(
                kind="farming", is_serious=True, source=play.source, frames=FRAMES, term="score",
                weight=0.5, evidence="the same 8 times", cure="reward progress",
            )
        ]  # fmt: skip

    monkeypatch.setattr(audit, "judge_play", judge)


@pytest.fixture
def go_on(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Audits begin, and go on once the event is set."""
    run_jobs, event = audit.run_jobs, threading.Event()

    def held(*arguments: Any) -> Any:
        event.wait()
        return run_jobs(*arguments)

    monkeypatch.setattr("integrator.ui.review.audit_panel.run_jobs", held)
    yield event
    event.set()


def audited(window: MainWindow, qtbot: QtBot, go_on: threading.Event) -> AuditView:
    """The panel after an audit of the listed movies alone."""
    view = window.parts[AuditView]
    view.probes.setChecked(False)
    assert view.pages.empty.heading.text() == "No audit yet"
    view.start.click()
    qtbot.waitUntil(lambda: view.pages.empty.heading.text() != "No audit yet")
    assert view.pages.empty.heading.text() == "The audit runs"
    go_on.set()
    qtbot.waitUntil(lambda: bool(view.summary.text()), timeout=4 * OPEN_TIMEOUT_MS)
    return view


@pytest.mark.usefixtures("trapped")
def test_a_finding_shows_its_evidence_and_opens_at_its_frame(
    review: MainWindow, qtbot: QtBot, airstriker: Path, go_on: threading.Event
) -> None:
    view = audited(review, qtbot, go_on)
    # The broken movie is left out; the two others have one finding.
    assert view.summary.text() == "traps: 1, remarks: 0, plays: 2"
    texts = [str(view.model.index(0, column).data()) for column in range(6)]
    assert texts[:5] == ["farming", "50%", "score", "2", "40 to 60"]
    assert view.details.text() == "the same 8 times\nCure: reward progress"
    assert set(view.curves.drawn) == {airstriker / "good.bk2", airstriker / "lies.bk2"}
    assert [str(path.name) for path in view.curves.chosen] == [texts[5]]
    before = frame_number(review)
    view.table.activated.emit(view.model.index(0, 0))
    qtbot.waitUntil(lambda: frame_number(review) == before + FRAMES[0])
    assert review.controller.paused


def test_an_attack_is_made_on_the_open_games_documents(
    review: MainWindow, qtbot: QtBot, go_on: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    def attacked(plan: SessionPlan, record: Path, *_: object) -> list[AuditResult]:
        assert plan.integration.directory.name.startswith("Airstriker")
        trap = Trap(
            kind="repaid", source=str(record / "attack-0.bk2"), frames=FRAMES,
            evidence="won again", cure="a penalty",
        )  # fmt: skip
        return [AuditResult(trap.source, traps=(trap,))]

    monkeypatch.setattr("integrator.unattended.attack.attack_alone", attacked)
    review.parts[AuditView].attack.setChecked(True)
    view = audited(review, qtbot, go_on)
    assert view.summary.text() == "traps: 1, remarks: 0, plays: 3"
    assert view.details.text() == "won again\nCure: a penalty"


def test_without_a_finding_the_panel_says_so_and_a_closed_game_leaves_nothing(
    review: MainWindow, qtbot: QtBot, go_on: threading.Event
) -> None:
    view = audited(review, qtbot, go_on)
    assert view.pages.empty.heading.text() == "No trap was found"
    assert view.chosen() is None
    assert view.open.isHidden()
    assert view.start.isEnabled()
    review.bridge.close_game()
    qtbot.waitUntil(lambda: not view.summary.text())
    assert view.pages.empty.heading.text() == "No audit yet"
