"""Ember Moth: its source builds the ROM, and its integration agrees with the screen."""

import hashlib
import importlib.util
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import warm_children

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "resources" / "demo-game"
GAME = ROOT / "data" / "EmberMoth-Nes-v0"
JUDGE = Path(__file__).with_name("demo_game_judge.py")

# The HUD's places: first column of tiles, digits, and the number added to the value in RAM.
HUD = {
    "score": (2, 6, 0),
    "score_digits": (2, 6, 0),
    "high_score": (9, 6, 0),
    "level": (17, 2, 0),
    "time": (21, 2, 0),
    "lives": (27, 1, 1),
}


def judge(*arguments: str) -> Any:
    run = warm_children.run(
        [sys.executable, str(JUDGE), *arguments], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def load_artwork() -> ModuleType:
    spec = importlib.util.spec_from_file_location("artwork", SOURCE / "artwork.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def read_number(hud: list[list[int]], column: int, digits: int) -> int:
    """Read a number off the picture by its digit shapes."""
    artwork = load_artwork()
    shapes = {}
    for digit in "0123456789":
        low = artwork.glyph(digit, 0)[:8]
        shapes[tuple(low)] = digit
    text = ""
    for place in range(column, column + digits):
        # The core hides the first 8 pixels of each line.
        cells = [row[place * 8 - 8 : place * 8] for row in hud]
        text += shapes[tuple(int("".join(map(str, cell)), 2) for cell in cells)]
    return int(text)


@pytest.fixture(scope="module")
def script() -> dict[str, Any]:
    document: dict[str, Any] = json.loads((SOURCE / "input-script.json").read_text())
    return document


@pytest.fixture(scope="module")
def replayed() -> list[dict[str, Any]]:
    seen: list[dict[str, Any]] = judge("replay")
    return seen


def test_source_builds_the_committed_rom(tmp_path: Path) -> None:
    for tool in ("ca65", "ld65", "make"):
        assert shutil.which(tool), f"{tool} is missing: install cc65 and make to build the game"
    subprocess.run(
        ["make", "-s", f"BUILD={tmp_path}", f"PYTHON={sys.executable}"],
        cwd=SOURCE,
        check=True,
        capture_output=True,
    )
    built = (tmp_path / "ember-moth.nes").read_bytes()
    assert built == (GAME / "rom.nes").read_bytes(), "run `make install` in resources/demo-game"


def test_rom_sha_leaves_out_the_header() -> None:
    rom = (GAME / "rom.nes").read_bytes()
    assert rom[:8] == b"NES\x1a\x01\x01\x01\x00"
    assert len(rom) == 16 + 16384 + 8192
    assert (GAME / "rom.sha").read_text().split() == [hashlib.sha1(rom[16:]).hexdigest()]


def test_variables_stand_where_source_and_ram_map_say() -> None:
    include = (SOURCE / "ram.inc").read_text()
    source = dict(re.findall(r"(?m)^(\w+)\s*= \$(03\w\w)\s+; [|<>]\w\d", include))
    table = (SOURCE / "RAM-MAP.md").read_text().replace("\\|", "|")
    rows = re.findall(r"(?m)^\| `0x(\w{4})` \| `([^`]+)` \| `(\w+)` \|", table)
    in_map = {name: (int(address, 16), data_type) for address, data_type, name in rows}
    in_data = {
        name: (entry["address"], entry["type"])
        for name, entry in json.loads((GAME / "data.json").read_text())["info"].items()
    }
    arrays = {"x": "x_pos", "y": "y_pos"}
    assert in_data.items() <= in_map.items()
    for name, (address, _) in in_map.items():
        assert address == int(source[arrays.get(name, name)], 16), name
    assert set(source) - {arrays.get(name, name) for name in in_map} == set()


def test_script_gives_the_noted_values(
    script: dict[str, Any], replayed: list[dict[str, Any]]
) -> None:
    assert script["frames"] == sum(entry["frames"] for entry in script["inputs"])
    assert len(replayed) == len(script["observations"])
    for noted, seen in zip(script["observations"], replayed, strict=True):
        told = {name: seen["values"][name] for name in noted if name in seen["values"]}
        assert {"frame": seen["frame"], "note": noted["note"], **told} == noted


def test_script_tells_the_whole_story(script: dict[str, Any]) -> None:
    observations = script["observations"]
    scores = [entry["score"] for entry in observations]
    assert len(set(scores)) >= 6
    assert {entry["level"] for entry in observations} >= {1, 2}
    assert [n for n in (2, 1, 0, -1) if n in {entry["lives"] for entry in observations}] == [
        2, 1, 0, -1,
    ]  # fmt: skip
    assert any(entry["game_over"] for entry in observations)
    # The high score is a decoy: it equals the score only while the score is the best.
    equal = {entry["score"] == entry["high_score"] for entry in observations if entry["score"]}
    assert equal == {True, False}


def test_screen_shows_the_variables(replayed: list[dict[str, Any]]) -> None:
    for seen in replayed:
        for name, (column, digits, offset) in HUD.items():
            shown = read_number(seen["hud"], column, digits)
            assert shown == seen["values"][name] + offset, (seen["frame"], name)


@pytest.mark.parametrize(("state", "level"), [("Start", 1), ("Level2", 2)])
def test_random_play_scores_and_ends(state: str, level: int) -> None:
    result = judge("episode", state)
    start = result["start"]
    assert (start["mode"], start["level"], start["lives"]) == (1, level, 2)
    assert start["embers"] == {1: 0, 2: 6}[level]
    rewards = result["rewards"]
    assert sum(reward > 0 for reward in rewards) >= 5
    assert min(rewards) == 0
    assert set(result["lives"]) == {2, 1, 0, -1}
    assert result["dones"] >= 1
