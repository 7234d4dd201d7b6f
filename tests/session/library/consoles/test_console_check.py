"""Every proof ROM on its core: all buttons, values and states right; and a wrong one is seen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from integrator.domain.values.memory import DataType
from integrator.domain.values.variables import VariableSpec
from integrator.session.library.consoles.console_check import (
    ConsoleReport,
    ProofRom,
    check_console,
    proof_roms,
)
from integrator.session.opening import core_for
from integrator.session.setup.roots import systems
from libretro_host.errors import CoreNotFoundError
from libretro_host.remote import RemoteHost

ROMS: Mapping[str, ProofRom] = proof_roms()
IN_NO_REGISTRY = {"Dreamcast"}


def report(rom: ProofRom, folder: Path) -> ConsoleReport:
    descriptor = systems()[rom.system]
    try:
        choice = core_for(descriptor)
    except CoreNotFoundError as error:
        if rom.system not in IN_NO_REGISTRY:
            raise
        pytest.skip(f"no registry has a core for {rom.system}: {error}")
    request = descriptor.load_request(
        choice.core, choice.path, rom.path, system_dir=folder, save_dir=folder
    )
    return check_console(rom, descriptor, request, RemoteHost)


@pytest.mark.parametrize("system", ROMS)
def test_the_console_is_proven(system: str, tmp_path: Path) -> None:
    found = report(ROMS[system], tmp_path)
    assert found.faults == ()
    # The chain of timers in this program is lost by the states of mGBA 0.7.
    assert found.deterministic == (system != "GbAdvance")
    assert found.buttons
    assert found.variables


def test_every_button_of_a_descriptor_is_asked_for() -> None:
    for system, rom in ROMS.items():
        asked = {*rom.input_bits, *rom.counted, *rom.switched_bits, *rom.unread}
        assert asked == set(filter(None, systems()[system].buttons)), system


def test_a_wrong_address_is_seen(tmp_path: Path) -> None:
    rom = ROMS["Genesis"]
    wrong = VariableSpec("bonus", rom.variables["bonus"].address - 1, DataType.parse("|u1"))
    found = report(replace(rom, variables={**rom.variables, "bonus": wrong}), tmp_path)
    assert not found.variables
    assert found.buttons
    assert "bonus is 1, not 2" in found.faults[0]


def test_a_button_that_does_not_arrive_is_seen(tmp_path: Path) -> None:
    rom = ROMS["Nes"]
    found = report(replace(rom, input_bits={**rom.input_bits, "SELECT": 4}), tmp_path)
    assert not found.buttons
    assert found.variables
    assert "while SELECT is held" in found.faults[0]


def test_an_address_outside_memory_is_seen(tmp_path: Path) -> None:
    rom = ROMS["Atari2600"]
    wrong = VariableSpec("score", 0x2000, DataType.parse("|u1"))
    found = report(replace(rom, variables={**rom.variables, "score": wrong}), tmp_path)
    assert found.faults == ("not in the core's memory: score",)
