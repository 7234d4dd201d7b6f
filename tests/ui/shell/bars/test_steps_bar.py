"""The strip of steps: what an integration lacks, one click from where it is done."""

import shutil
from functools import partial
from pathlib import Path

from pytestqt.qtbot import QtBot
from ui_driver import open_and_wait

from integrator.commands.shared.options import demo_game
from integrator.domain.audit.play import Trap
from integrator.domain.values.memory import DataType
from integrator.domain.values.variables import VariableSpec
from integrator.session.library.checks.checking import STEPS, StepStatus, Verification
from integrator.ui.shell.main_window import MainWindow
from integrator.ui.shell.steps_bar import StepsBar
from integrator.ui.widgets.docks import is_in_sight


def _done(window: MainWindow) -> set[str]:
    return {key for key, step in window.parts[StepsBar].shown.items() if step.done}


def test_a_fresh_rom_lacks_all_and_each_step_leads_to_its_panel(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    rom = Path(shutil.copy(demo_game() / "rom.nes", tmp_path / "fresh.nes"))
    open_and_wait(window, qtbot, rom)
    bar = window.parts[StepsBar]
    qtbot.waitUntil(bar.isVisible)
    assert not _done(window)
    for key, panel in (("state", "states"), ("reward", "reward"), ("audit", "audit")):
        bar.buttons[key].click()
        qtbot.waitUntil(partial(is_in_sight, window.docks.all[panel]))
    window.controller.put_variable(VariableSpec("score", 0x306, DataType.parse(">d3")))
    qtbot.waitUntil(lambda: "variables" in _done(window))
    assert "score" in bar.buttons["variables"].accessibleName()


def test_results_are_remembered_until_the_files_change_and_the_strip_goes(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    game = Path(shutil.copytree(demo_game(), tmp_path / "EmberMoth-Nes-v0"))
    open_and_wait(window, qtbot, game)
    steps = window.parts[StepsBar]
    qtbot.waitUntil(lambda: _done(window) == {*STEPS} - {"audit", "verify"})
    trap = Trap(
        kind="idle",
        is_serious=True,
        source="a",
        frames=(1, 9),
        term="",
        weight=0.5,
        evidence="",
        cure="",
    )
    steps.note_audit([trap], 9)
    assert steps.shown["audit"].failed
    steps.note_audit([], 9)
    steps.note_verification(Verification(game, (), None))
    assert not steps.shown["verify"].done
    qtbot.waitUntil(lambda: len(window.context.settings.table("steps/EmberMoth-Nes-v0")) == 2)
    open_and_wait(window, qtbot, game)
    qtbot.waitUntil(lambda: "audit" in _done(window))
    window.controller.put_variable(VariableSpec("more", 0x300, DataType.parse("|u1")))
    qtbot.waitUntil(lambda: "audit" not in _done(window))
    steps.show_steps(dict.fromkeys(STEPS, StepStatus(done=True, evidence="")))
    assert steps.isHidden()
