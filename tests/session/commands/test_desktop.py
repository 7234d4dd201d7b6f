"""The desktop, the manual and the shells of one user know the program, and forget it again."""

from __future__ import annotations

import configparser
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from integrator import cli, paths
from integrator.commands.desktop import ROM_TYPES, own_program
from integrator.domain.movies.reading import MOVIE_FORMATS

PLACES = {
    f"applications/{paths.APP_ID}.desktop",
    f"icons/hicolor/scalable/apps/{paths.APP_ID}.svg",
    f"metainfo/{paths.APP_ID}.metainfo.xml",
    f"mime/packages/{paths.APP_ID}.xml",
    "man/man1/integrator.1",
    "bash-completion/completions/integrator",
    "fish/vendor_completions.d/integrator.fish",
    "zsh/site-functions/_integrator",
}


@pytest.fixture
def home(own_home: Path) -> Path:
    """The user's data folder; it is not there yet."""
    return own_home / "data"


def tree(folder: Path) -> dict[str, bytes | None]:
    """Everything below a folder: files with their bytes."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in folder.rglob("*")
    }


def run(*arguments: str, status: int = 0) -> None:
    assert cli.run(["desktop", *arguments]) == status


def validate(tool: str, *arguments: object) -> None:
    if shutil.which(tool) is None:
        pytest.skip(f"{tool} is not installed")
    command = [tool, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_what_is_installed_is_taken_back_and_nothing_else(own_home: Path, home: Path) -> None:
    before = tree(own_home)
    run("install")
    assert {place for place in PLACES if (home / place).is_file()} == PLACES
    installed = tree(home)
    run("install")
    assert {place: tree(home)[place] for place in PLACES} == {
        place: installed[place] for place in PLACES
    }
    run("remove")
    assert tree(own_home) == before


def test_a_package_gets_the_files_alone(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DESTDIR", str(tmp_path / "package"))
    run("install", "--prefix", "/usr")
    share = tmp_path / "package" / "usr" / "share"
    written = {place for place, content in tree(share).items() if content is not None}
    assert written == PLACES
    entry = (share / "applications" / f"{paths.APP_ID}.desktop").read_text()
    assert 'Exec="/usr/bin/integrator"' in entry
    assert not home.exists()


def test_a_prefix_that_cannot_be_written_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "taken").touch()
    run("install", "--prefix", str(tmp_path / "taken"), status=1)
    [line] = capsys.readouterr().err.splitlines()
    assert str(tmp_path / "taken" / "share") in line
    assert "DESTDIR or --prefix" in line


def test_files_of_others_stay(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    theirs = {
        *("applications/other.desktop", "mime/packages/other.txt", "man/man1/integrator.1"),
        "retro-integrator/integrations/kept",
    }
    for place in theirs:
        (home / place).parent.mkdir(parents=True, exist_ok=True)
        (home / place).write_text("theirs")
    run("install")
    assert "integrator.1 is not ours and was left alone" in capsys.readouterr().out
    changed = "bash-completion/completions/integrator"
    (home / changed).write_text("changed since")
    run("remove")
    assert "was changed since and was left alone" in capsys.readouterr().out
    assert {(home / place).read_text() for place in theirs} == {"theirs"}
    assert (home / changed).read_text() == "changed since"
    assert not any((home / place).exists() for place in PLACES - theirs - {changed})
    assert not (home / "fish").exists()


def test_nothing_to_remove_is_an_error(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run("remove", status=1)
    assert str(home) in capsys.readouterr().err


def test_missing_tools_are_told_and_not_fatal(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "")
    run("install")
    assert "update-mime-database is not installed here" in capsys.readouterr().out
    run("remove")
    assert not home.exists()


def test_the_entry_starts_this_program(home: Path) -> None:
    run("install")
    entry = configparser.ConfigParser(interpolation=None)
    entry.optionxform = str  # type: ignore[assignment,method-assign]  # keys are case-sensitive
    entry.read(home / f"applications/{paths.APP_ID}.desktop")
    values = entry["Desktop Entry"]
    assert values["Exec"].startswith(f'"{own_program()[0]}" ')
    assert Path(values["TryExec"]).is_file()
    assert values["Icon"] == paths.APP_ID
    assert values["StartupWMClass"] == paths.APP_NAME
    types = (home / f"mime/packages/{paths.APP_ID}.xml").read_text()
    for suffix in (*MOVIE_FORMATS, ".state"):
        assert f'pattern="*{suffix}"' in types
    own_types = re.findall('mime-type type="([^"]+)"', types)
    assert set(values["MimeType"].rstrip(";").split(";")) == {*own_types, *ROM_TYPES}


def test_the_desktops_own_validators_agree(home: Path) -> None:
    run("install")
    validate("desktop-file-validate", home / f"applications/{paths.APP_ID}.desktop")
    validate("appstreamcli", "validate", "--no-net", home / f"metainfo/{paths.APP_ID}.metainfo.xml")


def test_the_manual_tells_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["man"]) == 0
    page = capsys.readouterr().out
    assert page.startswith(".TH INTEGRATOR 1 ")
    for name in cli.command_names() - {"desktop"}:
        assert f"\n.SS integrator {name} " in page
    assert "\n.SS integrator desktop remove " in page
    assert "\n.B \\-\\-list\\-codes\n" in page


def test_bash_completes_commands_and_options(home: Path) -> None:
    run("install")
    script = (
        'source "$1"; COMP_WORDS=(integrator $2); COMP_CWORD=$3; '
        '_integrator_completion integrator; echo "${COMPREPLY[@]}"'
    )
    bin_folder = Path(sys.executable).parent
    for words, at, expected in (("che", "1", "check"), ("check --li", "2", "--live --list-codes")):
        done = subprocess.run(
            ["bash", "-c", script, "-", home / "bash-completion/completions/integrator", words, at],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PATH": f"{bin_folder}:{os.environ['PATH']}"},
        )
        assert done.stdout.split() == expected.split()
