"""Long work of panels: parts arrive before the answer, and a newer wish replaces an older one."""

import threading
from functools import partial

import pytest
from pytestqt.qtbot import QtBot

from integrator.ui.bridge.background import Job, PanelTask
from integrator.ui.shell.main_window import MainWindow


@pytest.fixture
def task(open_game: MainWindow) -> PanelTask:
    return PanelTask(open_game.bridge, open_game.controller, "test", [], open_game)


def test_parts_arrive_in_order_before_the_answer(task: PanelTask, qtbot: QtBot) -> None:
    shown: list[object] = []

    def work(_: None, job: Job) -> str:
        for part in range(3):
            job.give(part)
        return "answer"

    task.run("works", lambda _session: None, work, shown.append, shown.append)
    qtbot.waitUntil(lambda: "answer" in shown)
    assert shown == [0, 1, 2, "answer"]


def test_a_newer_wish_replaces_one_whose_work_has_not_begun(task: PanelTask, qtbot: QtBot) -> None:
    shown: list[object] = []

    def answer(wish: str, _: None, _job: Job) -> str:
        return wish

    for wish in ("older", "newer"):
        task.run(wish, lambda _: None, partial(answer, wish), shown.append)
    qtbot.waitUntil(lambda: bool(shown))
    qtbot.waitUntil(lambda: not task.busy)
    assert shown == ["newer"]


def test_parts_of_dropped_work_are_not_shown(task: PanelTask, qtbot: QtBot) -> None:
    shown: list[object] = []
    begun, go_on = threading.Event(), threading.Event()

    def work(_: None, job: Job) -> None:
        begun.set()
        go_on.wait()
        job.give("part")

    task.run("works", lambda _session: None, work, shown.append, shown.append)
    qtbot.waitUntil(begun.is_set)
    task.drop_all()
    go_on.set()
    qtbot.waitUntil(lambda: not task.busy)
    assert not shown
