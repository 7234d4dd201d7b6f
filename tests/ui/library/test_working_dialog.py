"""Dialogs whose work outlives a click: closed, shown again, and ended with their window."""

import threading
from concurrent.futures import Future
from typing import Any

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from integrator.ui.library.import_dialog import WorkingDialog

TIMEOUT_S = 60


class Patient(WorkingDialog):
    """Works until it is allowed to end; ``told`` holds the results that came."""

    def __init__(self) -> None:
        super().__init__("patient")
        self.may_end = threading.Event()
        self.told: list[object] = []
        self.gone: list[str] = []
        gone = self.gone
        self.destroyed.connect(lambda: gone.append("gone"))

    def work(self) -> None:
        """Start work whose result says if it was stopped."""

        def run() -> bool:
            self.may_end.wait(TIMEOUT_S)
            return self.stopping.is_set()

        def show(done: Future[Any]) -> None:
            self.told.append(done.result())

        self.begin(run, show)


@pytest.fixture
def patient(qtbot: QtBot) -> Patient:
    """A visible dialog that works."""
    dialog = Patient()
    dialog.show()
    qtbot.waitUntil(dialog.isVisible)
    dialog.work()
    assert dialog.running
    return dialog


def test_a_result_comes_to_the_open_dialog(patient: Patient, qtbot: QtBot) -> None:
    patient.may_end.set()
    qtbot.waitUntil(lambda: patient.told == [False])
    assert not patient.running
    patient.reject()
    gone = patient.gone
    qtbot.waitUntil(lambda: bool(gone))


@pytest.mark.parametrize("way", ["reject", "close"])
def test_a_closed_dialog_stops_its_work_and_goes_after_it(
    patient: Patient, qtbot: QtBot, way: str
) -> None:
    gone, told = patient.gone, patient.told
    getattr(patient, way)()
    assert not patient.isVisible()
    assert patient.running
    assert patient.stopping.is_set()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    assert gone == [], "its work goes on"
    patient.may_end.set()
    qtbot.waitUntil(lambda: bool(gone))
    assert told == []


def test_a_dialog_that_is_shown_again_stays_and_works_again(patient: Patient, qtbot: QtBot) -> None:
    patient.reject()
    patient.show()
    patient.may_end.set()
    qtbot.waitUntil(lambda: patient.told == [True])
    assert patient.isVisible()
    patient.work()
    qtbot.waitUntil(lambda: patient.told == [True, False])
    gone = patient.gone
    patient.close()
    qtbot.waitUntil(lambda: bool(gone))


def test_the_end_of_the_program_waits_for_the_work(patient: Patient, qtbot: QtBot) -> None:
    gone, told = patient.gone, patient.told
    threading.Timer(0.05, patient.may_end.set).start()
    patient.finish()
    assert patient.may_end.is_set()
    qtbot.waitUntil(lambda: bool(gone))
    assert told == []
