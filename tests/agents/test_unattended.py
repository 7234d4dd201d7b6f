"""`integrator auto` on the demo game and Airstriker: a ROM goes in, an integration comes out."""

import hashlib
import json
import re
import shutil
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from unittest.mock import MagicMock, Mock

import numpy as np
import pytest
import warm_children

import integrator
from integrator.commands import audit
from integrator.commands.audit import make_all
from integrator.commands.shared.options import airstriker, demo_game
from integrator.domain.ends.marks import EndCondition
from integrator.domain.errors import SessionError
from integrator.domain.files.atomic import write_atomically
from integrator.domain.integration.auto_report import AutoPart, AutoReport
from integrator.domain.integration.directory import load_integration
from integrator.domain.suggest.suggestion import Suggestion
from integrator.domain.values.memory import DataType
from integrator.session.audit import play_masks, recorded_play
from integrator.session.frame.inputs import Inputs
from integrator.session.opening import open_session
from integrator.session.session import Session
from integrator.session.suggestions.hidden_look import EndsRun
from integrator.unattended import ends, job, play
from integrator.unattended.control import ONE_BUTTON, Explorer
from integrator.unattended.finding import Found
from integrator.unattended.job import AutoJob, AutoResult, run_job
from integrator.unattended.play import Episode
from integrator.unattended.reaching import PLAY, Reached, reach
from scripts.bench_evidence import human_rows

MINUTES = 1.5  # in a minute of its random play nobody dies
HASTY_MINUTES = 0.1


@pytest.fixture(autouse=True)
def _own_home(own_home: object) -> None:
    """Settings of whoever runs the tests have no effect."""


def made_in(folder: Path, minutes: float) -> AutoResult:
    """The demo game's ROM, integrated where stable-retro is not installed."""

    def not_there(*_: object, **__: object) -> None:
        raise SessionError("stable-retro is not installed")

    rom = Path(shutil.copy(demo_game() / "rom.nes", folder / "game.nes"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
        patch.setattr(job, "judge", not_there)
        return run_job(AutoJob(rom, folder / "root", minutes, attack=False))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> AutoResult:
    return made_in(tmp_path_factory.mktemp("auto"), MINUTES)


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> AutoResult:
    """As ``made``, by six seconds of play, which find little."""
    return made_in(tmp_path_factory.mktemp("hasty"), HASTY_MINUTES)


def test_a_rom_becomes_a_whole_directory(hasty: AutoResult) -> None:
    assert hasty.outcome == "made", hasty.reason
    directory = Path(hasty.directory)
    report = AutoReport.load(directory)
    assert report == hasty.report
    assert set(report.parts) == {"start", "score", "lives", "done", "actions"}
    assert all(part.evidence for part in report.parts.values() if part.confidence)
    found = re.match(r"Start: frame (\d+) from power-on, after START$", report.parts["start"].value)
    assert found is not None
    assert int(found[1]) < 300
    assert "check: no error" in report.checks
    assert {"auto.json", "Start.state", "rom.nes", "rom.sha", report.movie} <= {
        each.name for each in directory.iterdir()
    }
    # Nothing else is left where the integrations are.
    assert list(directory.parent.iterdir()) == [directory]
    with open_session(directory, isolated=False) as session:
        session.play(directory / report.movie)
        assert session.timeline.length > 0


def test_the_demo_game_pays_and_ends_as_its_own_integration_says(made: AutoResult) -> None:
    assert made.outcome == "made", made.reason
    with open_session(made.directory, isolated=False) as session:
        play_masks(session, human_rows(session.system.buttons, 4000, 5))
        ours = recorded_play(session, "", session.integration)
        theirs = recorded_play(session, "", load_integration(demo_game()))
    assert theirs.rewards.sum() > 0
    factor = theirs.rewards.sum() / ours.rewards.sum()
    until = theirs.until_done
    np.testing.assert_allclose(ours.rewards[until] * factor, theirs.rewards[until])
    assert theirs.done.any()
    assert abs(int(ours.done.argmax()) - int(theirs.done.argmax())) <= 60


def test_each_part_has_its_evidence(made: AutoResult) -> None:
    report = AutoReport.load(Path(made.directory))
    assert report == made.report
    for part in report.parts.values():
        assert 0 < part.confidence <= 1
        assert part.evidence
    assert report.parts["score"].choices
    movie = Path(made.directory) / report.movie
    with open_session(made.directory, isolated=False) as session:
        session.play(movie)
        session.advance(frames=report.parts["score"].frames[0] - 1)
        earned = session.timeline.log.rewards(1, session.timeline.length + 1)[:, 0]
    assert np.flatnonzero(earned).tolist() == [report.parts["score"].frames[0] - 1]


def test_made_before_is_kept_and_a_persons_files_are_never_changed(
    hasty: AutoResult, tmp_path: Path
) -> None:
    root = shutil.copytree(Path(hasty.directory).parent, tmp_path / "root")
    wanted = AutoJob(Path(hasty.rom), root, HASTY_MINUTES, attack=False)
    assert run_job(wanted).outcome == "kept"
    [directory] = root.iterdir()
    report = AutoReport.load(directory)
    replace(report, made=report.made | {"fingerprint": "of another core"}).save(directory)
    assert "another core" in run_job(wanted).reason
    (directory / "auto.json").unlink()
    scenario = directory / "scenario.json"
    scenario.write_text('{"reward": {}}')
    kept = run_job(wanted)
    assert kept.outcome == "kept"
    assert "a person's integration" in kept.reason
    assert scenario.read_text() == '{"reward": {}}'


def test_a_game_too_large_for_a_hash_is_kept(tmp_path: Path) -> None:
    rom = tmp_path / "Large.z64"
    with rom.open("wb") as file:
        file.truncate(33 << 20)  # bytes, more than a cartridge image of the training library
    directory = tmp_path / "root" / job.named_content(rom)[0]
    directory.mkdir(parents=True)
    (directory / "rom.sha").write_text("0" * 40)
    assert run_job(AutoJob(rom, directory.parent)).outcome == "kept"


def test_a_root_that_cannot_be_made_is_named_with_a_fix(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    root = tmp_path / "file" / "root"
    result = run_job(AutoJob(demo_game() / "rom.nes", root))
    assert result.outcome == "failed"
    assert result.reason == (
        f"{root}: cannot be written (Not a directory); create the folder first, or save elsewhere"
    )


def test_another_rom_of_the_same_name_is_not_taken_for_the_one_that_was_made(
    made: AutoResult, tmp_path: Path
) -> None:
    root = shutil.copytree(Path(made.directory).parent, tmp_path / "root")
    roms = tmp_path / "roms"
    roms.mkdir()
    rom = Path(made.rom).read_bytes()
    (roms / "game (Europe).nes").write_bytes(rom[:-1] + bytes([rom[-1] ^ 1]))
    (roms / "game (USA).nes").write_bytes(rom)
    found = make_all([roms], root=root, minutes=MINUTES, seed=0, update=False, jobs=2, cluster=None)
    results = list(found)
    assert [each.outcome for each in results] == ["failed", "kept"]
    assert "belongs to another ROM" in results[0].reason


def test_roms_of_one_name_are_made_one_after_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("game (Europe)", "game (Japan)", "game (USA)", "other"):
        shutil.copy(demo_game() / "rom.nes", tmp_path / f"{name}.nes")
    turns: list[list[str]] = []

    def noted(_: object, turn: list[AutoJob], *__: object) -> list[AutoResult]:
        turns.append([each.rom.stem for each in turn])
        return []

    monkeypatch.setattr(audit, "fan_out", noted)
    made = make_all(
        [tmp_path], root=tmp_path, minutes=1, seed=0, update=False, jobs=2, cluster=None
    )
    assert list(made) == []
    assert turns == [["game (Europe)", "other"], ["game (Japan)"], ["game (USA)"]]


def test_a_game_that_cannot_be_done_says_why_and_others_go_on(tmp_path: Path) -> None:
    bad = tmp_path / "bad.nes"
    bad.write_bytes(b"no game at all")
    other = tmp_path / "empty.md"
    other.touch()
    words = ["auto", str(tmp_path), "--root", str(tmp_path / "root"), "--json"]
    command = [sys.executable, "-P", "-m", "integrator", *words]
    done = warm_children.run(command, capture_output=True, text=True, check=False)
    games = json.loads(done.stdout)["games"]
    assert done.returncode == 1
    assert [game["outcome"] for game in games] == ["failed", "failed"]
    assert all(game["reason"] and "\n" not in game["reason"] for game in games)


def test_control_begins_after_start_is_pressed() -> None:
    with open_session(demo_game() / "rom.nes", isolated=False) as session:
        console = Explorer(session)
        [first, *_] = reach(console, session.save_state())
        # The way back to a frame may open another core.
        session.recover()
        console.go(first.state, first.inputs[:2])
    assert console.mask("START") in first.inputs
    assert len(first.inputs) < 300


def test_a_start_is_some_frames_after_the_first_control_because_numbers_are_set_then() -> None:
    def rows(*holds: tuple[int, int]) -> Inputs:
        return np.zeros((sum(frames for _, frames in holds), 1), np.uint16)

    console = Mock(steered=lambda *_: PLAY, rows=rows, fires=[], mask=lambda *_: 0, left=1)
    console.go = lambda state, played: (state + bytes(len(played)), None)
    [start, *_] = reach(console, b"")
    assert len(start.state) == len(start.inputs) == 4


def test_start_may_begin_a_game_that_looks_as_its_title_does() -> None:
    begin = 8

    def rows(*holds: tuple[int, int]) -> Inputs:
        return np.concatenate([np.full((frames, 1), mask, np.uint16) for mask, frames in holds])

    console = Mock(rows=lambda *holds: rows((0, 0), *holds), fires=[1], left=1)
    console.mask = lambda *names: begin if "START" in names else 0
    console.host.read_ram = lambda: np.array([console.begun])

    def go(state: bytes, played: Inputs) -> tuple[bytes, None]:
        console.begun = b"begun" in state or bool((played == begin).any())
        return state + b"begun" * bool((played == begin).any()), None

    console.go = go
    console.steered = lambda state, *_: PLAY * (b"begun" in state)
    [start, *_] = reach(console, b"")
    assert (start.inputs == begin).any()


def test_a_file_that_cannot_be_written_is_named_where_it_would_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: AutoJob, folder: Path, name: str) -> None:
        write_atomically(folder / name / "data.json", b"{}")

    monkeypatch.setattr(job, "_drafted", full)
    result = run_job(AutoJob(demo_game() / "rom.nes", tmp_path))
    [name] = re.findall(rf"^{tmp_path}/(\S+)/data.json could not be written", result.reason)
    assert not name.startswith(".")
    assert not list(tmp_path.iterdir())


def test_few_ends_are_played_again_from_moments_before_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun = []

    def episode(_: object, __: object, moment: Reached, *___: object) -> Episode:
        begun.append(len(moment.state))
        return Episode(0, 900, np.zeros((900, 1), np.uint16), 700)

    monkeypatch.setattr(play, "play_episode", episode)
    session, console = MagicMock(), Mock(fires=[])
    console.go = lambda state, rows: (state + bytes(len(rows)), None)
    rows = np.zeros((3000, 1), np.uint16)
    start = Reached(b"", rows[:0], 8)
    ended = Episode(100, 3099, rows, 2000, steered=1900)
    random = np.random.default_rng(0)
    again = partial(play.play_ends_again, session, console, start, random=random, frames=10_800)
    found = again([ended])
    assert all(each.resumed for each in found)
    assert sorted(set(begun)) == [900, 1200, 1500]
    assert again([ended] * 12) == []
    assert len(again([ended] * 4)) == 8
    assert again([replace(ended, end=None)]) == []
    # A short job does not play ends again for longer than it was asked to play.
    assert len(again([ended], frames=1800)) == 2


def test_a_part_that_is_half_as_sure_stays_so_when_a_person_comes_back_to_it() -> None:
    choices = ({"value": "0x10", "confidence": 0.9}, {"value": "0x20", "confidence": 0.5})
    half = job._half_as_sure(AutoPart("0x10", 0.8, choices=choices))
    assert half.confidence == 0.4
    assert [each["confidence"] for each in half.choices] == [0.45, 0.5]


def test_lives_from_one_start_are_not_in_the_documents_of_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind = DataType.parse("|u1")
    lives = Found(Suggestion("lives", 0x302, kind, 0.9, ""), np.zeros(9, np.int64), 1.0, "")
    looks = Mock(best=lambda kind, *_, **__: [lives] if kind == "lives" else [], places=list)
    monkeypatch.setattr(job, "Gathering", lambda *_: looks)
    episode = Episode(0, 2, np.zeros((2999, 1), np.uint16), 2, restarted=True)
    monkeypatch.setattr(play, "play_episode", lambda *_: episode)
    monkeypatch.setattr(play, "play_ends_again", lambda *_: [])
    monkeypatch.setattr(ends, "cut_at_restarts", lambda each, _: [each])
    monkeypatch.setattr(ends, "sure_lives", lambda *_: [])
    monkeypatch.setattr(ends, "signs_of", lambda *_: [])
    mined_with: list[list[str]] = []

    def played_without(session: Session, console: Explorer, *_: object) -> list[Episode]:
        session.run(console.rows((0, 30)))
        return []

    def mined(run: EndsRun) -> list[EndCondition]:
        mined_with.append(list(run.specs))
        return []

    monkeypatch.setattr(play, "without_restarts", played_without)
    monkeypatch.setattr(EndsRun, "run", mined)
    rom = shutil.copy(demo_game() / "rom.nes", tmp_path / "game.nes")
    with open_session(rom, isolated=False) as session:
        session.reset()
        session.advance(frames=4)
        start = Reached(session.save_state(), np.zeros((1, 1), np.uint16), 8, look=ONE_BUTTON)
        made = AutoJob(session.game.content, Path(), 1.0, 0, update=False)
        console = Explorer(session)
        job._findings(session, console, start, made, 0)
        assert console.look == ONE_BUTTON, "another start may be played by another look"
        assert mined_with == [["lives"]]
        assert session.timeline.length == 3, "games that show no sign of an end are left"
        assert "lives" not in session.integration.variables


def test_unlikely_scores_are_played_for_until_one_is_likely() -> None:
    kind, flat = DataType.parse("|u1"), np.zeros(9, np.int64)
    sure = {0x10: 0.1, 0x20: 0.05, 0x30: 0.02, 0x40: 0.01}

    def best(*_: object, prove: bool) -> list[Found]:
        assert not prove
        ranked = sorted(sure, key=lambda each: -sure[each])
        return [Found(Suggestion("score", e, kind, sure[e], ""), flat, 1.0, "") for e in ranked]

    def played(likely: dict[int, float]) -> list[int]:
        """The scores that are played for; the play for a score gives it this confidence."""
        found = []
        for each in filter(None, job._likely_scores(Mock(best=best), [])):
            found.append(each.suggestion.address)
            sure.update({found[-1]: likely.get(found[-1], sure[found[-1]])})
        return found

    assert played({}) == [0x10, 0x20, 0x30]
    assert played({0x20: 0.8}) == [0x10, 0x20]
    assert played({}) == [0x20], "a likely score needs one play"
    none = list(job._likely_scores(Mock(best=Mock(return_value=[])), []))
    assert none == [None] * 3, "without a score, play that lasts may bring one"


def test_airstriker_by_the_public_function_as_on_other_processes(tmp_path: Path) -> None:
    rom = shutil.copy(airstriker() / "rom.md", tmp_path / "a.md")
    results = [
        integrator.auto(rom, root=tmp_path / name, minutes=1) for name in ("first", "second")
    ]
    assert [each.outcome for each in results] == ["made", "made"]
    # A state with the cartridge's save chip is none for training.
    report = results[0].report
    assert report is not None
    assert "stable-retro: equal on 1000 steps" in report.checks
    first, second = (
        {path.name: hashlib.sha1(path.read_bytes()).hexdigest() for path in Path(d).iterdir()}
        for d in (each.directory for each in results)
    )
    assert first == second


def test_an_update_adds_what_is_missing_and_changes_nothing(tmp_path: Path) -> None:
    rom = Path(shutil.copy(demo_game() / "rom.nes", tmp_path / "game.nes"))
    wanted = AutoJob(rom, tmp_path / "root", 0.2, attack=False)
    directory = Path(run_job(wanted).directory)
    for name in ("auto.json", "data.json"):
        (directory / name).unlink()
    (directory / "Start.state").write_bytes(b"a person's")
    updated = run_job(replace(wanted, update=True))
    assert updated.outcome == "updated", updated.reason
    assert updated.reason == "added data.json; would have changed Start.state"
    assert (directory / "Start.state").read_bytes() == b"a person's"
    assert not (directory / "auto.json").exists()
