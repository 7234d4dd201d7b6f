"""A short part of the campaign: every part of it does its work, and finds no fault."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from scripts.campaign import mutants, report
from scripts.campaign.kinds import KINDS, SHAPED
from scripts.campaign.toys import ROOT
from scripts.campaign.workshop import Workshop, prepare


def campaign(part: str, out: Path, *words: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "scripts.campaign", part, "--out", str(out), *words]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    found: dict[str, Any] = json.loads((out / f"{part}.json").read_text())
    return found


def test_damaged_files(tmp_path: Path) -> None:
    found = campaign("mutants", tmp_path, "--count", "600", "--jobs", "2")
    assert found["inputs"] >= 570
    assert found["faults"] == {}
    again = campaign("mutants", tmp_path, "--count", "600")
    assert again["kinds"] == found["kinds"], "what was read is not read again"


def test_crashes_and_hangs(tmp_path: Path) -> None:
    found = campaign("crashes", tmp_path, "--count", "10")
    assert (found["crashes"], found["hangs"], found["faults"]) == (10, 1, [])


def test_kills(tmp_path: Path) -> None:
    found = campaign("kills", tmp_path, "--count", "40")
    assert (found["kills"], found["recovered"], found["faults"]) == (40, 8, [])
    # The kills did hit the moments that matter: between two files, and between edit and save.
    assert found["mixed"] > 0
    assert found["drafted"] > 0


def test_full_disks(tmp_path: Path) -> None:
    found = campaign("disks", tmp_path, "--count", "2")
    assert (found["disks"], found["faults"]) == (2, [])
    assert found["saves_refused"] > 0


def test_an_input_is_the_same_for_ever(tmp_path: Path, own_home: Path) -> None:
    assert own_home.is_dir()
    shop = Workshop(tmp_path / "case", prepare(tmp_path))
    for kind in KINDS:
        first = kind.files(Random("1 x 7"), shop)
        assert first == kind.files(Random("1 x 7"), shop)


def test_blocks_cover_every_kind_in_step() -> None:
    found = mutants.blocks(50_000)
    inputs = {kind.name: 0 for kind in KINDS}
    for block in found:
        assert block.start == inputs[block.kind], "the blocks of a kind follow one another"
        inputs[block.kind] = block.stop
    assert abs(sum(inputs.values()) - 50_000) < len(KINDS)
    half = {block.kind for block in found[: len(found) // 2]}
    assert half >= {kind.name for kind in KINDS if kind.share > SHAPED.share * 10}


def test_the_document_says_what_was_counted() -> None:
    kinds = {"state": {"inputs": 1000, "ok": 400, "typed": 600, "faults": 0}}
    found = {"inputs": 1000, "kinds": kinds, "faults": {}, "leaked": 0}
    text = report.text({"mutants": found | {"commit": "c" * 40, "command": "run it"}})
    assert "| mutants | 1,000 of 1,000,000 inputs | 0 | 0 | 0 | 0 | 0 | cccccccccc |" in text
    assert "| state | 1,000 | 400 | 600 | 0 |" in text
    assert "kill" not in text.partition("## Counts")[0].partition("## Promises")[2]


@pytest.mark.parametrize(
    ("found", "count"),
    [({"faults": {"hung": 2}}, 2), ({"faults": ["a"], "lost": 1}, 1), ({"leaked": 3}, 3)],
)
def test_faults_are_counted(found: dict[str, Any], count: int) -> None:
    assert report.faults(found) == count


def test_environments_that_fail(tmp_path: Path) -> None:
    found = campaign("training", tmp_path, "--count", "5")
    assert (found["faults_made"], found["faults"]) == (5, [])


def test_commands_that_fail(tmp_path: Path) -> None:
    found = campaign("commands", tmp_path, "--count", "3")
    assert (found["faults_made"], found["faults"]) == (3, [])
