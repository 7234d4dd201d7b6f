"""The proof ROMs: their source builds them, and on each console every button reaches RAM."""

import json
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import warm_children

from integrator.session.setup.roots import systems
from libretro_host.systems.discovery import training_core

FOLDER = Path(__file__).resolve().parents[2] / "resources" / "proof-roms"
JUDGE = Path(__file__).with_name("proof_rom_judge.py")
PROOFS: dict[str, dict[str, Any]] = json.loads((FOLDER / "proof.json").read_text())
# cc65 comes with `make test`; the other assemblers are used where they are.
TOOLS = {
    "Nes": "ca65",
    "GameBoy": "sdasgb",
    "GbColor": "sdasgb",
    "Sms": "sdasz80",
    "GameGear": "sdasz80",
    "Genesis": "m68k-linux-gnu-as",
    "32x": "sh-elf-as",
    "Snes": "ca65",
    "PCEngine": "ca65",
    "Atari2600": "dasm",
    "GbAdvance": "arm-none-eabi-as",
    "NintendoDs": "arm-none-eabi-as",
    "N64": "mips-linux-gnu-as",
    "SCD": "m68k-linux-gnu-as",
    "Saturn": "sh-elf-as",
    "Dreamcast": "sh-elf-as",
    "FBNeo": "sdasz80",
}
BOOT_ROMS = {"SCD": "scd/bios_CD_U.bin", "Saturn": "saturn/mpr-17933.bin"}
# stable-retro's cores look for system files in its own folder, where ours cannot be. One judge
# answers all questions about a system.
each_system = pytest.mark.parametrize(
    "system",
    [
        pytest.param(system, marks=pytest.mark.xdist_group(f"proof ROM {system}"))
        for system, proof in PROOFS.items()
        if "system_dir" not in proof
    ],
)


@cache
def judge(system: str) -> dict[str, Any]:
    if training_core(systems()[system]) is None:
        pytest.skip(f"stable-retro's package has no core for {system}")
    with tempfile.TemporaryDirectory() as folder:
        answer = Path(folder) / "answer.json"
        run = warm_children.run(
            [sys.executable, str(JUDGE), system, str(answer)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.returncode == 0, run.stderr
        result: dict[str, Any] = json.loads(answer.read_text())
    return result


@pytest.mark.parametrize("system", PROOFS)
def test_source_builds_the_committed_rom(system: str, tmp_path: Path) -> None:
    tool = TOOLS[system]
    if not shutil.which(tool):
        assert tool != "ca65", "ca65 is missing: install cc65"
        pytest.skip(f"{tool} is not installed")
    files = [PROOFS[system]["rom"], *filter(None, [BOOT_ROMS.get(system)])]
    targets = [str(tmp_path / file) for file in files]
    subprocess.run(
        ["make", "-s", f"OUT={tmp_path}", f"PYTHON={sys.executable}", *targets],
        cwd=FOLDER,
        check=True,
        capture_output=True,
    )
    for file in files:
        assert (tmp_path / file).read_bytes() == (FOLDER / file).read_bytes()


@each_system
def test_variables_stand_where_the_source_puts_them(system: str) -> None:
    result = judge(system)
    start, later = result["start"], result["later"]
    assert (start["score"], start["lives"], start["game_over"], start["input"]) == (0, 3, 0, 0)
    assert later["frame_counter"] - start["frame_counter"] == 100
    for name, value in PROOFS[system].get("constants", {}).items():
        assert start[name] == value


@each_system
def test_every_button_reaches_the_game(system: str) -> None:
    proof, result = PROOFS[system], judge(system)
    bits, counted = proof["input_bits"], proof.get("counted", {})
    switched = proof.get("switched_bits", {})
    # Some buttons need an option that training leaves alone, or another one held with them.
    alone = {name: bits[name] for name in bits if name not in proof.get("by_option", ())}
    alone = {name: bit for name, bit in alone.items() if name not in proof.get("with_button", {})}
    known = {*bits, *counted, *switched, *proof.get("unread", ())}
    assert known == set(result["held"])
    for name, values in result["held"].items():
        assert values["input"] == (1 << alone[name] if name in alone else 0), name
        assert result["released"][name]["input"] == 0, name
    for name, variable in counted.items():
        assert result["released"][name][variable] == 1
    for name, bit in switched.items():
        assert result["held"][name]["input_more"] == 0, name
        assert result["switched"][name]["input_more"] == 1 << bit, name


@each_system
def test_one_button_scores_and_one_costs_lives(system: str) -> None:
    proof, result = PROOFS[system], judge(system)
    scored, lost = proof["score_button"], proof["lives_button"]
    order = list(result["released"])
    before = result["released"][order[order.index(scored) - 1]] if order.index(scored) else None
    assert result["held"][scored]["score"] == (before or result["later"])["score"] + 10
    assert result["held"][lost]["lives"] == 2
    assert (result["over"]["lives"], result["over"]["game_over"]) == (0, 1)
    assert result["still_over"]["score"] == result["over"]["score"]
    assert result["color_over"] != result["color"]
    if proof["reset_button"]:
        again = result["again"]
        assert (again["score"], again["lives"], again["game_over"]) == (0, 3, 0)
