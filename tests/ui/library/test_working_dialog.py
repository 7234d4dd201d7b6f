"""Dialogs whose work outlives a click: closed, opened again, and ended with their window."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from integrator.session.session import Session
from integrator.ui.bridge.background import Background, Job
from integrator.ui.bridge.bridge import SessionBridge
from integrator.ui.library.dialogs import WorkingDialog

TIMEOUT_S = 60


class Patient(WorkingDialog):
    """Works until it is allowed to end; ``told`` holds the results that came."""

    def __init__(self, background: Background) -> None:
        super().__init__(background)
        self.may_end = threading.Event()
        self.stopped: list[bool] = []
        self.told: list[object] = []
        self.gone: list[str] = []
        gone = self.gone
        self.destroyed.connect(lambda: gone.append("gone"))

    def work(self) -> None:
        """Start work whose result says if it was stopped."""
        may_end, stopped = self.may_end, self.stopped

        def run(job: Job) -> bool:
            may_end.wait(TIMEOUT_S)
            stopped.append(job.stopped())
            return job.stopped()

        self.background.start(run, self.told.append)


def no_game(path: Path) -> Session:
    raise AssertionError(path)


@pytest.fixture
def bridge(qtbot: QtBot) -> Iterator[SessionBridge]:  # noqa: ARG001 - it needs an application
    made = SessionBridge(no_game)
    yield made
    made.shut_down()


@pytest.fixture
def background(bridge: SessionBridge) -> Background:
    return Background(bridge, "patient", bridge, outlives_game=True)


@pytest.fixture
def patient(background: Background, qtbot: QtBot) -> Patient:
    """A visible dialog that works."""
    dialog = Patient(background)
    dialog.show()
    qtbot.waitUntil(dialog.isVisible)
    dialog.work()
    assert dialog.background.busy
    return dialog


def test_a_result_comes_to_the_open_dialog(patient: Patient, qtbot: QtBot) -> None:
    patient.may_end.set()
    qtbot.waitUntil(lambda: patient.told == [False])
    assert not patient.background.busy
    gone = patient.gone
    patient.reject()
    qtbot.waitUntil(lambda: bool(gone))


@pytest.mark.parametrize("way", ["reject", "close"])
def test_a_closed_dialog_goes_at_once_and_stops_its_work(
    patient: Patient, qtbot: QtBot, way: str
) -> None:
    gone, told, stopped, may_end = patient.gone, patient.told, patient.stopped, patient.may_end
    getattr(patient, way)()
    qtbot.waitUntil(lambda: bool(gone))
    assert stopped == [], "its work goes on"
    may_end.set()
    qtbot.waitUntil(lambda: stopped == [True])
    assert told == []


def test_a_dialog_that_is_opened_again_works_after_the_old_work(
    patient: Patient, background: Background, qtbot: QtBot
) -> None:
    may_end, stopped = patient.may_end, patient.stopped
    patient.reject()
    again = Patient(background)
    qtbot.addWidget(again)
    again.show()
    again.may_end.set()
    again.work()
    may_end.set()
    qtbot.waitUntil(lambda: again.told == [False])
    assert stopped == [True]


def test_the_end_of_the_program_waits_for_the_work(patient: Patient, bridge: SessionBridge) -> None:
    told, stopped = patient.told, patient.stopped
    threading.Timer(0.05, patient.may_end.set).start()
    bridge.shut_down()
    assert stopped == [True]
    assert told == []
    patient.reject()
