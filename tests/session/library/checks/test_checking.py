"""Live checks on a real core: each finding on a copy of the demo game with exactly that fault."""

from __future__ import annotations

import gzip
import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest
import undoing

import integrator
from integrator.commands.shared.options import demo_game
from integrator.domain.errors import DocumentError
from integrator.domain.findings import Finding
from integrator.domain.integration.states import pack_state
from integrator.session.library.checks.checking import (
    check_integration,
    integrations_below,
    lint_options,
    lint_session,
)
from integrator.session.setup.roots import systems

pytestmark = pytest.mark.usefixtures("own_home", "few_moments")
PROOF_ROMS = Path(__file__).resolve().parents[4] / "resources" / "proof-roms"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return Path(shutil.copytree(demo_game(), tmp_path / "Copy-Nes-v0"))


def write_scenario(directory: Path, name: str = "scenario", **changes: object) -> Path:
    path = directory / f"{name}.json"
    value = json.loads((demo_game() / "scenario.json").read_text()) | changes
    path.write_text(json.dumps(value, indent=2))
    return path


def check(directory: Path) -> list[Finding]:
    found = check_integration(directory, lint_options())
    return [f for f in found if f.code not in ("start-filtered", "sha-missing")]


def told(findings: Sequence[Finding]) -> list[tuple[str, str, str]]:
    return [(f.code, str(f.severity), f.file.name) for f in findings]


def test_the_demo_game_is_in_order(game: Path) -> None:
    assert check(game) == []


def test_a_variable_outside_of_the_running_games_memory(game: Path) -> None:
    data = json.loads((game / "data.json").read_text())
    data["info"]["lives"]["address"] = 0x5000
    (game / "data.json").write_text(json.dumps(data, indent=2))
    (found,) = check(game)
    assert told([found]) == [("variable-outside-memory", "error", "data.json")]
    assert found.path == "info.lives"
    assert found.line > 0


def test_a_state_that_the_core_refuses_or_that_another_core_made(game: Path) -> None:
    raw = gzip.decompress((game / "Start.state").read_bytes())
    (game / "Short.state").write_bytes(pack_state(raw[:100]))
    (game / "Other.state").write_bytes(pack_state(raw, "QuickNES 1.0"))
    (game / "Torn.state").write_bytes(pack_state(raw)[:-20])
    found = check(game)
    assert told(found) == [
        ("state-refused", "error", "Short.state"),
        ("state-damaged", "error", "Torn.state"),
        ("state-other-core", "warning", "Other.state"),
    ]
    assert "QuickNES 1.0" in found[2].message
    assert "Short.state" not in found[0].message


def test_done_at_the_start_of_one_state_and_of_another_scenario(game: Path) -> None:
    level = {"variables": {"level": {"op": "equal", "reference": 2}}}
    write_scenario(game, done=level)
    write_scenario(game, "always", done={"variables": {"level": {"op": "nonzero"}}})
    found = check(game)
    assert told(found) == [
        ("done-at-start", "error", "always.json"),
        ("done-at-start", "error", "scenario.json"),
    ]
    assert "from Level2 " in found[1].message
    assert "from Start " in found[0].message
    assert found[0].path == "done"


def test_scripts_that_fail_after_a_while_at_once_and_while_loading(game: Path) -> None:
    late = (
        "function f()\n  if scenario.frame > 400 then return nothing.at_all end\n  return 1\nend\n"
    )
    (game / "late.lua").write_text(late)
    (game / "loading.lua").write_text("function g() return 0 end\nerror('no')\n")
    (game / "endless.lua").write_text("function h() while true do end end\n")
    write_scenario(game, scripts=["late.lua"], reward={"script": "lua:f"})
    write_scenario(game, "second", scripts=["loading.lua"], reward={"script": "g"})
    write_scenario(game, "third", scripts=["endless.lua"], done={"script": "h"})
    found = check(game)
    assert told(found) == [
        ("script-error", "error", "endless.lua"),
        ("script-error", "error", "late.lua"),
        ("script-error", "error", "loading.lua"),
    ]
    assert found[1].line == 2
    assert "nothing" in found[1].message
    assert found[2].line == 2


def test_a_second_players_script_runs_too(game: Path) -> None:
    (game / "two.lua").write_text("function second() return data.no_such end\n")
    write_scenario(game, scripts=["two.lua"], rewards=[{}, {"script": "second"}])
    assert told(check(game)) == [("script-error", "error", "two.lua")]


def test_a_rom_that_does_not_run_and_a_core_that_is_not_there(game: Path) -> None:
    (game / "rom.nes").write_bytes(b"not a ROM")
    assert told(check(game)) == [
        ("game-not-started", "error", "Copy-Nes-v0"),
        ("sha-mismatch", "error", "rom.sha"),
    ]
    bios = game.with_name("Copy-Saturn-v0")
    game.rename(bios)
    (bios / "rom.nes").rename(bios / "rom.cue")
    assert ("live-skipped", "warning", "Copy-Saturn-v0") in told(check(bios))


def test_a_document_that_does_not_parse_stops_the_rest(game: Path) -> None:
    (game / "data.json").write_text('{\n  "info": {,}\n}\n')
    (found,) = check(game)
    assert told([found]) == [("document-unreadable", "error", "data.json")]
    assert (found.file, found.line) == (game / "data.json", 2)
    assert found.message.startswith("invalid JSON")


def test_documents_of_an_open_session_are_checked_before_they_are_saved(game: Path) -> None:
    options = lint_options()
    with integrator.open_session(game) as session:
        with session.integration.scenario.edit() as value:
            value["done"] = {"condition": "all"}
        codes = [f.code for f in lint_session(session, options) if f.severity == "error"]
        assert codes == ["done-at-once"]
        undoing.undo(session.integration.scenario.history)
        assert [f.code for f in lint_session(session, options)] == ["start-filtered"]


def test_integrations_are_found_below_a_folder(game: Path) -> None:
    deep = game.parent / "more" / "Deep-Nes"
    shutil.copytree(game, deep)
    (game.parent / ".hidden").mkdir()
    shutil.copytree(game, game.parent / ".hidden" / "Not-Nes")
    assert list(integrations_below(game.parent)) == [game, deep]
    assert list(integrations_below(game)) == [game]
    for path in (game / "data.json", game / "missing", game.parent / "data"):
        with pytest.raises(DocumentError, match="integration"):
            list(integrations_below(path))


WORK_RAM = {name: system.work_ram for name, system in systems().items() if system.work_ram}


@pytest.mark.parametrize("system", WORK_RAM)
def test_work_ram_is_as_the_cores_map_it(system: str) -> None:
    rom = PROOF_ROMS / json.loads((PROOF_ROMS / "proof.json").read_text())[system]["rom"]
    with integrator.open_session(rom) as session:
        regions = session.memory.space.regions
    ram = WORK_RAM[system]
    end = ram.address + ram.size_bytes
    inside = [r for r in regions if ram.address <= r.address < end]
    assert sum(r.size for r in inside) == ram.size_bytes
    assert not any(r.address == end for r in regions)
    if ram.is_all:
        assert inside == list(regions)


def test_a_crop_beyond_the_picture_that_agents_get(game: Path) -> None:
    write_scenario(game, crop=[0, 200, 240, 60])
    write_scenario(game, "beside", crop=[250, 0, 8, 8])
    beside, found = check(game)
    assert told([beside, found]) == [
        ("observation-differs", "warning", "beside.json"),
        ("observation-differs", "warning", "scenario.json"),
    ]
    assert "beyond the agents' picture of 240 x 224" in found.message
    assert (found.path, found.line > 1) == ("crop", True)
    assert "get nothing" in beside.message


def test_a_game_that_draws_less_than_agents_get(tmp_path: Path) -> None:
    game = tmp_path / "Copy-32x-v0"
    game.mkdir()
    shutil.copy(PROOF_ROMS / "32x" / "proof.32x", game / "rom.32x")
    write_scenario(game, reward={}, done={})
    (game / "data.json").write_text(json.dumps({"info": {}}))
    (game / "metadata.json").write_text("{}")
    found = [f for f in check(game) if f.code == "observation-differs"]
    assert [f.message for f in found] == [
        "the game draws 320 x 224, and agents get 320 x 240, partly old memory"
    ]
