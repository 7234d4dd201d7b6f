"""The table of consoles: measured, written between its markers, with the missing ones named."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from homes import live_in

import integrator
from integrator import cli, paths
from integrator.commands.shared.options import demo_game
from integrator.commands.systems import (
    BEGIN,
    END,
    SystemRow,
    is_right,
    print_systems,
    system_rows,
    write_block,
)
from integrator.domain.errors import SessionError

PROOFS = Path(__file__).resolve().parents[3] / "resources" / "proof-roms"

pytestmark = pytest.mark.usefixtures("own_home")


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> list[SystemRow]:
    """Rows of three consoles, measured in a home that has one more console."""
    with pytest.MonkeyPatch.context() as patch:
        live_in(tmp_path_factory.mktemp("home"), patch)
        own = json.loads((paths.shipped("cores") / "systems" / "Saturn.json").read_text())
        path = paths.user_systems_dir() / "TwinSaturn.json"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps({**own, "system": "TwinSaturn"}))
        return system_rows(["Sms", "TwinSaturn", "FBNeo"])


def test_rows_are_measured_or_say_why_not(rows: list[SystemRow]) -> None:
    fbneo, sms, own = rows
    assert (sms["ram_bytes"], sms["state_bytes"], sms["fps"]) == (65536, 1036288, 59.9227)
    assert (sms["deterministic"], sms["buttons"], sms["variables"]) == (True, True, True)
    assert (fbneo["extension"], fbneo["ram_bytes"], fbneo["faults"]) == ("zip", 6165, [])
    assert own["problem"].startswith("needs the BIOS file mpr-17933.bin or sega_101.bin")
    assert all(is_right(row) for row in rows)
    assert not is_right({**sms, "faults": ["lives is 2, not 3"]})


def test_states_that_leave_something_out_are_a_note() -> None:
    [row] = system_rows(["GbAdvance"])
    assert row["deterministic"] is False
    assert "RAM differs after loading a state" in row["note"]
    assert is_right(row)


def test_lines_are_not_broken_where_they_go_to_another_program(
    rows: list[SystemRow], capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    print_systems(rows)
    lines = capfd.readouterr().out.splitlines()
    assert [
        line for line in lines if "needs the BIOS file mpr-17933.bin or sega_101.bin in" in line
    ]
    [sms] = [line for line in lines if "Sms" in line and "genesis_plus_gx" in line]
    assert "1,036,288" in sms


def test_the_block_between_the_markers_is_replaced(rows: list[SystemRow], tmp_path: Path) -> None:
    readme = tmp_path / "README.md"
    readme.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n")
    write_block(readme, rows)
    text = readme.read_text()
    assert text.startswith(f"before\n{BEGIN}\n| system |")
    assert "\nold\n" not in text
    assert text.endswith(f"\n{END}\nafter\n")
    assert (
        "| Sms | genesis_plus_gx | .sms | 65,536 | 59.9227 | 1,036,288 | yes | yes | yes |" in text
    )
    write_block(readme, rows)
    assert readme.read_text() == text
    readme.write_text("no markers")
    with pytest.raises(SessionError, match="put the lines"):
        write_block(readme, rows)


def test_a_core_that_is_missing_is_told_without_the_computers_folders(tmp_path: Path) -> None:
    own = json.loads((paths.shipped("cores") / "systems" / "Dreamcast.json").read_text())
    own.update(system="NoCore", cores=[{"core": "nowhere"}])
    path = paths.user_systems_dir() / "NoCore.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(own))
    rows = system_rows(["NoCore"])
    assert "looked for nowhere_libretro" in rows[0]["problem"]
    readme = tmp_path / "README.md"
    readme.write_text(f"{BEGIN}\n{END}")
    write_block(readme, rows)
    assert readme.read_text().endswith(f"\n- NoCore (no core): no core was found\n{END}")


def test_a_name_that_no_system_has_is_refused() -> None:
    with pytest.raises(SessionError, match="no system Nintendo; there are 32x Atari2600"):
        system_rows(["Nintendo"])


def test_a_console_that_makes_no_sense_is_told_and_stops_no_command(
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = paths.user_systems_dir() / "Mine.json"
    path.parent.mkdir(parents=True)
    path.write_text('{"system": "Mine"}')
    game = demo_game()
    assert cli.run(["systems", "Nes"]) == 0
    told = capsys.readouterr().err
    assert f"warning: this console is skipped: {path}: $: " in told
    assert "; correct this value" in told
    assert cli.run(["cores"]) == 0
    assert capsys.readouterr().err.count(f"this console is skipped: {path}: $: ") == 1
    assert cli.run(["check", str(game), "--no-live", "--jobs", "1", "--json"]) == 0
    first, *_ = json.loads(capsys.readouterr().out)["findings"]
    assert (first["code"], first["severity"]) == ("console-skipped", "warning")
    assert (first["file"], first["cure"]) == (str(path), "correct this value")
    assert cli.run(["check", str(game), "--no-live", "--jobs", "1"]) == 0
    told = capsys.readouterr().out
    assert "1 checked: 0 errors, 1 warning," in told
    assert "console-skipped Mine.json: $: " in told


@pytest.mark.parametrize(
    ("disc", "name", "files"),
    [
        (
            "saturn/proof.chd",
            "game.chd",
            r"mpr-17933\.bin \(American and European games\) or sega_101\.bin \(Japan",
        ),
        (
            "scd/proof.iso",
            "game.scd",
            r"bios_CD_U\.bin \(American games\) or bios_CD_E\.bin .* or bios_CD_J\.bin",
        ),
    ],
)
def test_without_a_bios_the_exact_files_are_named(
    disc: str, name: str, files: str, tmp_path: Path
) -> None:
    game = Path(shutil.copy(PROOFS / disc, tmp_path / name))
    with pytest.raises(SessionError, match=files):
        integrator.open_session(game)
