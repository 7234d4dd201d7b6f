"""`integrator auto` on the demo game and Airstriker: a ROM goes in, an integration comes out."""

import hashlib
import json
import shutil
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
from numpy.typing import NDArray

import integrator
from integrator import paths
from integrator.commands import audit
from integrator.commands.audit import make_all
from integrator.commands.shared.options import airstriker, demo_game
from integrator.domain.audit.play import Trap
from integrator.domain.ends import signs
from integrator.domain.ends.marks import EndCondition
from integrator.domain.errors import SessionError
from integrator.domain.integration.auto_report import AutoPart, AutoReport
from integrator.domain.integration.directory import load_integration
from integrator.domain.suggest.suggestion import Suggestion
from integrator.domain.timeline.timeline import Timeline
from integrator.domain.values.datatype import DataType
from integrator.domain.values.memory import AddressSpace, Region
from integrator.domain.values.variables import VariableReader, VariableSpec
from integrator.session.audit import play_masks, recorded_play
from integrator.session.opening import open_session, plan_session
from integrator.session.suggestions.hidden_look import EndsRun
from integrator.unattended import attack as attacks
from integrator.unattended import ends, finding, job
from integrator.unattended.attack import attack, hear_alone
from integrator.unattended.ends import find_end, signs_of, sure_lives
from integrator.unattended.finding import Found, Gathering, cut_at_restart
from integrator.unattended.job import AutoJob, AutoResult, run_job
from integrator.unattended.play import Episode, Explorer, Reached, reach
from scripts.bench_evidence import human_rows

MINUTES = 1.5  # in a minute of its random play nobody dies
HASTY_MINUTES = 0.1

# The demo game is integrated once, by the worker that runs them all.
pytestmark = pytest.mark.xdist_group("unattended")


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
    assert "is of another ROM" in results[0].reason


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
    done = subprocess.run(command, capture_output=True, text=True, check=False)
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


def test_directions_are_tapped_where_a_game_takes_a_step_for_each_press(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[tuple[int, bool]] = []

    def nowhere(console: Explorer, _: bytes) -> list[Reached]:
        looked.append((console.look_frames, console.taps))
        return []

    monkeypatch.setattr(job, "reach", nowhere)
    rom = Path(shutil.copy(demo_game() / "rom.nes", tmp_path / "game.nes"))
    failed = run_job(AutoJob(rom, tmp_path / "root", attack=False))
    assert failed.outcome == "failed"
    assert looked == [(32, False), (128, True)]


class Recorded:
    """A session with a recording, uint8 (frames, bytes), and likely scores at its first bytes."""

    def __init__(self, rams: NDArray[np.uint8], scores: int = 0) -> None:
        self.timeline = self.memory = self
        self.space = AddressSpace([Region(0, rams.shape[1])])
        self.log = Timeline(rams.shape[1], 1)
        self.log.discontinuity("state", b"", rams[0])
        count = len(rams) - 1
        still = np.zeros((count, 1), np.uint16)
        rewards, done = np.zeros((count, 1), np.float32), np.zeros(count, np.bool_)
        self.log.append(still, rams[1:], rewards=rewards, done=done)
        self.scores = scores

    def suggest(self, _: object) -> list[Suggestion]:
        places = range(self.scores)
        return [Suggestion("score", at, DataType.parse("|u1"), 0.9, "+1") for at in places]


def episodes_of(*ends: int) -> list[Episode]:
    firsts = range(0, 3000 * len(ends), 3000)
    rows = np.zeros((2999, 1), np.uint16)
    pairs = zip(firsts, ends, strict=True)
    return [Episode(first, first + 2999, rows, first + end) for first, end in pairs]


def deaths_of(*deaths: tuple[int, ...]) -> NDArray[np.uint8]:
    """Episodes of 3,000 frames: lives in byte 1 and in the high half of 5, with what looks alike.

    Byte 4 is 7 from 100 frames after the last death on.
    """
    rams = np.zeros((3000 * len(deaths) + 1, 6), np.uint8)
    at = np.arange(3000)
    for number, frames in enumerate(deaths):
        game = rams[3000 * number : 3000 * (number + 1)]
        game[:, 1] = 3 - np.searchsorted(frames, at, side="right")
        game[:, 2] = 200 - at // 500  # a clock
        game[:, 3] = np.searchsorted(frames, at, side="right")  # deaths, which rise
        game[:, 4] = np.where(at < frames[-1] + 100, 0, 7)
        game[:, 5] = game[:, 1] << 4 | at // 7 % 16
    return rams


def test_the_end_is_where_lives_count_down_and_further_signs_confirm_it() -> None:
    session: Any = Recorded(deaths_of((300, 900, 1500), (450, 700, 2100), (800, 1400, 1900)))
    episodes = episodes_of(1560, 2160, 1920)
    found = signs_of(session, episodes)
    assert [(each.address, each.mask, each.value) for each in found if each.counts] == [
        (1, None, 0),
        (5, 0xF0, 0),
    ]
    assert found[0].late == (-60, -60, -20)
    assert (4, 7) in {(each.address, each.value) for each in found}
    [best, *_] = find_end(session, episodes, None, [], found)
    assert str(best.condition) == "0x1 (|u1) zero"
    assert best.confidence >= 0.8
    assert signs_of(session, episodes_of(1560)) == []
    # A sign that comes while the player is in control marks no end.
    goes_on = replace(episodes[2], end=None, steered=8500)
    assert signs_of(session, [*episodes[:2], goes_on]) == []


def test_a_sign_of_each_death_ends_a_game_together_with_the_last_life() -> None:
    deaths = ((300, 900, 1000, 1900), (450, 700, 1700, 2100), (500, 600, 700, 1800))
    rams = deaths_of(*(each[:3] for each in deaths))
    rams[:, [2, 5]] = 0
    at = np.arange(3000)
    for number, frames in enumerate(deaths):
        dying = np.any([(at >= frame - 90) & (at < frame) for frame in frames], axis=0)
        rams[3000 * number : 3000 * (number + 1), 4] = np.where(dying, 128, 0)
    session: Any = Recorded(rams)
    lives = Suggestion("lives", 1, DataType.parse("|u1"), 0.9, "")
    found = Found(lives, finding.values_of(session, lives), 1.0, "")
    episodes = episodes_of(1920, 2160, 1920)
    [best, *_] = find_end(session, episodes, None, [found], signs_of(session, episodes))
    assert str(best.condition) == "0x4 (|u1) equal 128 and lives zero"


def test_lives_that_nobody_saw_run_out_are_no_sure_end() -> None:
    session: Any = Recorded(deaths_of((300, 900, 2950)))
    lives = Suggestion("lives", 1, DataType.parse("|u1"), 0.9, "")
    found = Found(lives, finding.values_of(session, lives)[:2900], 1.0, "")
    rows = np.zeros((2899, 1), np.uint16)
    [end] = find_end(session, [Episode(0, 2899, rows, steered=2899)], None, [found], [])
    assert str(end.condition) == "lives zero"
    assert end.confidence < 0.3


def test_control_that_came_back_after_a_longer_wait_before_is_not_lost_for_good() -> None:
    episode = Episode(100, 1600, np.zeros((1500, 1), np.uint16), steered=500)
    assert episode.ended_by(8).end == 620
    assert episode.ended_by(8).ended_by(12).end is None


def test_signs_are_the_same_in_blocks_of_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    session: Any = Recorded(deaths_of((300, 900, 1500), (450, 700, 2100), (800, 1400, 1900)))
    episodes = episodes_of(1560, 2160, 1920)
    whole = [(each.address, each.value, each.cost) for each in signs_of(session, episodes)]
    monkeypatch.setattr(signs, "_BLOCK", 2)
    parts = [(each.address, each.value, each.cost) for each in signs_of(session, episodes)]
    assert parts == whole


def test_no_lives_come_back_in_episodes_of_less_than_a_second() -> None:
    session: Any = Recorded(deaths_of((300, 900, 1500)))
    assert sure_lives(session, [Episode(0, 40, np.zeros((40, 1), np.uint16))]) == []
    assert sure_lives(session, []) == []


def test_lives_that_jump_back_show_where_another_game_begins() -> None:
    first, again = deaths_of((300, 900, 1500)), deaths_of((800, 1400, 1900))
    rams = np.concatenate([first[:1560], again[:1950], first[:1890], again[:-1]])
    session: Any = Recorded(np.concatenate([rams, rams, rams[:1]]))
    length = len(rams)
    rows = np.zeros((length - 1, 1), np.uint16)
    episodes = [Episode(at, at + length - 1, rows) for at in (0, length)]
    [lives, *_] = sure_lives(session, episodes)
    assert (lives.address, lives.mask) == (1, None)
    found = Found(lives, finding.values_of(session, lives), 1.0, "")
    cut = [cut_at_restart(each, found) for each in episodes]
    assert [(each.end, each.restarted) for each in cut] == [(1559, True), (length + 1559, True)]


def test_a_mask_leaves_a_number_where_its_bits_are_as_training_does() -> None:
    session: Any = Recorded(deaths_of((300, 900, 1500)))
    lives = Suggestion("lives", 5, DataType.parse("|u1"), 0.9, "", mask=0xF0)
    values = finding.values_of(session, lives)
    [spec] = Found(lives, values, 1.0, "").named("lives")
    reader = VariableReader({"lives": spec}, session.space)
    rams = session.log.ram_ranges(reader.ranges, 0)
    np.testing.assert_array_equal(values, reader.read_ranges(rams)["lives"])
    assert set(values[:2000].tolist()) == {0, 16, 32, 48}


def test_a_score_in_pieces_is_paid_by_terms_that_pay_their_carries_back() -> None:
    points = np.cumsum(np.arange(3001) % 40 == 0) * 7
    rams = np.zeros((3001, 8), np.uint8)
    for place, byte in ((0, 6), (1, 3)):
        digits = points // 100**place % 100
        rams[:, byte] = digits // 10 << 4 | digits % 10
    session: Any = Recorded(rams)
    looks = Gathering(session, np.zeros(8, np.uint8))
    [best, *_] = looks.best("score", episodes_of(2900), prove=False)
    assert best.pieces is not None
    assert [each.address for each in best.named("score")] == [6, 3]
    np.testing.assert_array_equal(best.values, points)
    reward = best.reward(10)["variables"]
    assert reward["score_0"] == {"reward": 10.0, "penalty": 10.0}
    assert reward["score_1"] == {"reward": 1000.0, "penalty": 1000.0}


def test_a_clock_and_a_number_that_needs_no_press_are_doubted_as_a_score() -> None:
    at = np.arange(3000)
    rams = np.zeros((3001, 3), np.uint8)
    rams[:3000, 0] = at // 60
    rams[:3000, 1] = rams[:3000, 2] = np.searchsorted((7, 95, 300, 340, 700, 1200), at)
    idle = np.array([20, 5, 0], np.uint8)
    session: Any = Recorded(rams, scores=3)
    looks = Gathering(session, idle)
    looks.add()
    sure = {
        each.spec[0]: each.confidence
        for each in looks.best("score", episodes_of(2900), prove=False)
    }
    assert sure[2] == 0.9
    assert sure[0] < 0.3
    assert sure[1] < 0.3


@pytest.mark.parametrize(("penalty", "is_farmed"), [(0.0, True), (1.0, False)])
def test_an_attack_finds_a_loop_that_farms_and_leaves_its_twin_alone(
    tmp_path: Path, penalty: float, is_farmed: bool
) -> None:
    game = tmp_path / "EmberMoth-Nes-v0"
    shutil.copytree(paths.shipped("data") / game.name, game)
    scenario = {
        "actions": [[[], ["LEFT"], ["RIGHT"]]],
        "done": {"variables": {"game_over": {"op": "equal", "reference": 1}}},
        "reward": {"variables": {"x": {"reward": 1.0, "penalty": penalty}}},
    }
    (game / "scenario.json").write_text(json.dumps(scenario))
    found = attack(game, frames=3000, record=tmp_path)
    assert bool(found) == is_farmed
    if found:
        assert found[0].movie is not None
        assert found[0].movie.is_file()


@pytest.mark.parametrize(("taken", "is_farmed"), [(-8.0, False), (0.0, True)])
def test_a_gain_that_penalties_mostly_take_back_is_no_farming(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, taken: float, is_farmed: bool
) -> None:
    trap = Trap(kind="jump", term="x", source="", frames=(0, 1), evidence="", cure="")
    rewards = np.tile([9.0, taken], 600)
    play = Mock(rewards=rewards, terms={"x": rewards}, until_done=slice(0, 1200), fps=60)
    monkeypatch.setattr(attacks, "hear_as", lambda *_: [Mock(play=play, traps=[trap])])
    found = attacks._heard(plan_session(demo_game(), isolated=False), tmp_path, np.zeros(9, "u2"))
    assert bool(found) == is_farmed


def test_an_attack_on_a_scenario_with_one_button_changes_the_few_loops_that_there_are(
    tmp_path: Path,
) -> None:
    game = tmp_path / demo_game().name
    shutil.copytree(demo_game(), game)
    scenario = {"reward": {"variables": {}}, "actions": [[[], ["RIGHT"]]]}
    (game / "scenario.json").write_text(json.dumps(scenario))
    assert attack(game, frames=4500, seed=1) == []


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
    looks = Mock(best=lambda kind, *_, **__: [lives] if kind == "lives" else [])
    monkeypatch.setattr(job, "Gathering", lambda *_: looks)
    [episode] = episodes_of(2)
    monkeypatch.setattr(job, "play_episode", lambda *_: episode)
    monkeypatch.setattr(finding, "cut_at_restart", lambda each, _: each)
    monkeypatch.setattr(ends, "sure_lives", lambda *_: [])
    monkeypatch.setattr(ends, "signs_of", lambda *_: [])
    mined_with: list[list[str]] = []

    def mined(run: EndsRun) -> list[EndCondition]:
        mined_with.append(list(run.specs))
        return []

    monkeypatch.setattr(EndsRun, "run", mined)
    rom = shutil.copy(demo_game() / "rom.nes", tmp_path / "game.nes")
    with open_session(rom, isolated=False) as session:
        session.reset()
        session.advance(frames=4)
        start = Reached(session.save_state(), np.zeros((1, 1), np.uint16), 8)
        made = AutoJob(session.game.content, Path(), 1.0, 0, update=False)
        job._findings(session, Explorer(session), start, made, 0)
        assert mined_with == [["lives"]]
        assert "lives" not in session.integration.variables


@dataclass
class NoEnds:
    """A line in which nothing marks an end."""

    specs: dict[str, VariableSpec]

    def run(self) -> list[EndCondition]:
        return []


def test_an_end_long_after_the_last_life_is_one_where_nothing_is_paid_any_more() -> None:
    at = np.arange(3000)
    rams = np.zeros((9001, 2), np.uint8)
    lasts = (900, 1200, 1500)
    for number, last in enumerate(lasts):
        game = rams[3000 * number : 3000 * (number + 1)]
        game[:, 0] = np.where(at < last, 1, 0)
        game[:, 1] = np.minimum(at, last) // 50
    session: Any = Recorded(rams)
    session.ends_run = lambda _: NoEnds({})
    kind = DataType.parse("|u1")
    lives, score = (
        Found(Suggestion(name, at, kind, 0.9, ""), rams[:, at].astype(np.int64), 1.0, "")
        for at, name in enumerate(("lives", "score"))
    )
    episodes = episodes_of(2800, 2300, 2900)  # some buttons still do something for a while
    [end] = find_end(session, episodes, score, [lives], [])
    assert "3 of them at an end" in end.text
    assert not find_end(session, episodes, None, [lives], [])
    goes_on = replace(score, values=np.arange(9001) // 50)
    assert not find_end(session, episodes, goes_on, [lives], [])


def test_an_attack_from_the_window_judges_the_documents_as_they_are_there(tmp_path: Path) -> None:
    plan = plan_session("EmberMoth-Nes-v0")
    with plan.integration.scenario.edit() as scenario:
        scenario["reward"] = {"variables": {"x": {"reward": 1.0}}}
    [heard] = hear_alone(plan, tmp_path, lambda: False)
    assert not heard.error
    assert "repaid" in {trap.kind for trap in heard.traps}
    assert all(Path(trap.source).parent == tmp_path for trap in heard.traps)
    assert Path(heard.traps[0].source).is_file()


def test_airstriker_by_the_public_function_as_on_other_processes(tmp_path: Path) -> None:
    rom = shutil.copy(airstriker() / "rom.md", tmp_path / "a.md")
    results = [
        integrator.auto(rom, root=tmp_path / name, minutes=2) for name in ("first", "second")
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
