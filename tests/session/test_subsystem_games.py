"""Games of several files: opened, kept as integrations, checked, recovered, and by the commands."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import integrator
from integrator import cli
from integrator.domain.errors import DocumentError, DomainError
from integrator.domain.integration.naming import SubsystemList
from integrator.session.library.checks.live_check import core_findings
from integrator.session.library.consoles import core_rows
from integrator.session.opening import list_of_files
from integrator.session.recovery import recover_from
from integrator.session.setup.roots import systems
from libretro_host.errors import ContentError
from libretro_host.subsystems import Subsystem, SubsystemFile
from scripts.campaign import toys

FURTHER = slice(30, 32)
"""First bytes of the second and the third file, in toycore's RAM."""
A = 1 << 8


def test_files_make_one_game(toy_pair: list[Path]) -> None:
    with integrator.open_session(list_of_files(toy_pair, "pair"), isolated=False) as session:
        assert session.game.system.name == toys.SYSTEM
        assert session.integration.name == "Base-Toy"
        assert len(session.memory.ram) == 2048
        assert bytes(session.memory.ram[FURTHER]) == b"ST"


def test_an_integration_keeps_all_files(toy_pair: list[Path], own_home: Path) -> None:
    path = list_of_files([*toy_pair[:2], None], "pair", toys.SYSTEM)
    with integrator.open_session(path, isolated=False) as session:
        kept = session.game.keep_as(own_home / "root").directory
        movie = own_home / "a.bk2"
        session.record(movie)
        session.advance((A,), 7)
        ram = session.memory.ram.copy()
    for file in (path, *toy_pair):
        file.unlink()
    moved = shutil.move(kept, own_home / "Moved-Toy-v0")
    with integrator.open_session(moved, isolated=False) as session:
        assert bytes(session.memory.ram[FURTHER]) == b"S\0"
        session.play(movie)
        session.advance(frames=7)
        assert bytes(session.memory.ram) == bytes(ram)
    assert {each.name for each in Path(moved).glob("*.t*")} == {"part1.toy", "part2.txt"}


def test_a_check_tells_that_training_opens_one_file(toy_pair: list[Path]) -> None:
    path = list_of_files(toy_pair, "pair")
    with integrator.open_session(path, isolated=False) as session:
        found = {one.code: one.message for one in core_findings(session)}
    assert "subsystem pair, and stable-retro opens none" in found["subsystem-not-training"]


@pytest.mark.parametrize("how", ["crash", "death"])
def test_play_goes_on_with_all_files(toy_pair: list[Path], own_home: Path, how: str) -> None:
    journal = own_home / "a.journal"
    path = list_of_files(toy_pair, "pair")
    session = integrator.open_session(path, isolated=how == "crash", journal=journal)
    session.reset()
    session.advance((A,), 9)
    ram = session.memory.ram.copy()
    if how == "crash":
        session.recover()
    else:
        session.persistence.close(keep=True)
        session.close()
        session = recover_from(journal, isolated=False)
    with session:
        assert bytes(session.memory.ram) == bytes(ram)
        assert bytes(ram[FURTHER]) == b"ST"


def test_agents_play_such_a_game(toy_pair: list[Path], own_home: Path) -> None:
    with integrator.open_session(list_of_files(toy_pair, "pair"), isolated=False) as session:
        kept = session.game.keep_as(own_home / "root").directory
    env = integrator.make_env(kept, observation="ram")
    observation, _ = env.reset()
    env.close()
    assert bytes(observation[FURTHER]) == b"ST"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[", "game.subsystem"),
        ('{"system": "Toy", "files": []}', "no 'subsystem'"),
        ('{"system": "Toy", "subsystem": "pair", "files": "a"}', "are texts"),
        ('{"system": "Toy", "subsystem": "pair", "files": [1]}', "are texts"),
        ('{"system": "Toys", "subsystem": "pair", "files": []}', "no system Toys"),
        ('{"system": "Toy", "subsystem": "trio", "files": []}', "it has pair, alone"),
        ('{"system": "Toy", "subsystem": "pair", "files": ["Base.toy"]}', r"needs a file for Text"),
        ('{"system": "Toy", "subsystem": "alone", "files": ["No.toy"]}', r"No\.toy: No such file"),
    ],
)
@pytest.mark.usefixtures("toy_pair")
def test_a_wrong_list_names_its_fault(own_home: Path, text: str, words: str) -> None:
    path = own_home / "game.subsystem"
    path.write_text(text)
    with pytest.raises((DomainError, ContentError), match=words):
        integrator.open_session(path, isolated=False)


def test_a_list_reads_back(tmp_path: Path) -> None:
    made = SubsystemList("Toy", "pair", (tmp_path / "a.toy", None))
    (tmp_path / "a.subsystem").write_bytes(made.to_bytes())
    assert SubsystemList.read(tmp_path / "a.subsystem") == made
    with pytest.raises(DocumentError, match="there is no such file"):
        SubsystemList.read(tmp_path / "b.subsystem")


Run = Callable[..., int]


@pytest.fixture
def run() -> Run:
    """Runs the command line and gives its exit status."""
    return lambda *words: cli.run([str(word) for word in words])


def test_a_directory_is_made_of_the_command_line(
    toy_pair: list[Path], own_home: Path, run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--subsystem", "pair", "--root", own_home / "root", "--json"]
    assert run("new", toy_pair[0], "-", toy_pair[2], *words) == 0
    made = Path(json.loads(capsys.readouterr().out)["directory"])
    listed = SubsystemList.read(made / "rom.subsystem")
    assert listed == SubsystemList("Toy", "pair", (made / "part1.toy", None, made / "part3.txt"))


def test_several_files_need_a_subsystem(
    toy_pair: list[Path], own_home: Path, run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("new", *toy_pair, "--root", own_home / "root") == 2
    assert "only with --subsystem NAME" in capsys.readouterr().err
    assert run("new", "nowhere.toy", toy_pair[0], "--subsystem", "pair") == 1
    assert "nowhere.toy: there is no such file" in capsys.readouterr().err


@pytest.mark.usefixtures("toy_pair")
def test_the_cores_list_their_subsystems(
    run: Run, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    toy = {toys.SYSTEM: systems()[toys.SYSTEM]}
    monkeypatch.setattr(core_rows, "systems", lambda: toy)
    assert run("cores", "--json") == 0
    [row] = json.loads(capsys.readouterr().out)["systems"]
    assert row["subsystems"][0]["files"] == ["Base (.toy .txt)", "Text (.txt)", "Third (.txt)"]
    assert row["subsystems"][0]["required"] == [True, True, False]
    assert run("cores") == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "has --subsystem pair of Base (.toy .txt), Text (.txt), Third (.txt); alone of" in told


def test_files_find_their_places_however_many_there_are() -> None:
    disk = SubsystemFile("Disk", ("d64",), need_fullpath=True, required=True)
    tape = SubsystemFile("Tape", ("tap", "d64"), need_fullpath=True, required=False)
    kind = Subsystem("pair", "Pair", 1, (tape, disk, tape))
    choice = core_rows.SubsystemChoice("Toy", "Toy", "toycore", kind)
    one, two, text = Path("one.d64"), Path("two.d64"), Path("three.tap")
    assert choice.places_of([one]) == (None, one, None)
    assert choice.places_of([one, text]) == (text, one, None)
    assert choice.places_of([one, two, text]) == (one, two, text)
    assert choice.places_of([text]) is None
    assert choice.places_of([Path(f"{number}.d64") for number in range(16)]) is None
