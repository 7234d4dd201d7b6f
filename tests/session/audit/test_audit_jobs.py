"""Jobs of an audit: probes that leave movies, and every start state tried."""

from __future__ import annotations

import json
import shutil
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

import numpy as np
import pytest
from desynced import give_another_rom

from integrator import paths
from integrator.domain.movies.reading import read_movie
from integrator.session import audit
from integrator.session.audit import gathered, play_masks, probe_jobs, run_job
from integrator.session.opening import movie_consoles, open_session, plan_session
from integrator.session.session import Session
from integrator.session.setup.roots import systems

FRAMES = 240


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The demo game, and short audit."""
    monkeypatch.setattr(audit, "PROBE_FRAMES", FRAMES)
    name = "EmberMoth-Nes-v0"
    return Path(shutil.copytree(paths.shipped("data") / name, tmp_path / name))


def test_probes_are_recorded_and_played_by_the_documents_of_the_open_game(
    game: Path, tmp_path: Path
) -> None:
    plan = plan_session(game)
    jobs = probe_jobs(plan, tmp_path)
    job = next(each for each in jobs if each.probe is not None and each.probe.seed == 1)
    told = run_job(job, plan)
    assert not told.error
    assert told.play is not None
    assert told.source == str(tmp_path / "random-seed-1.bk2")
    movie = read_movie(Path(told.source), movie_consoles())
    assert movie.frames == told.play.frames == FRAMES + 1
    again = run_job(replace(job, probe=None, movie=Path(told.source)))
    assert again.play is not None
    assert again.play.rewards.tolist() == told.play.rewards.tolist()


def test_a_movie_whose_play_is_not_as_recorded_is_an_error(game: Path, tmp_path: Path) -> None:
    with open_session(game, isolated=False) as session:
        play_masks(session, np.full((20, 1), 1 << 7, np.uint16), tmp_path / "other.bk2")
    with zipfile.ZipFile(tmp_path / "other.bk2") as file:
        parts = {name: file.read(name) for name in file.namelist()}
    with zipfile.ZipFile(tmp_path / "other.bk2", "w") as file:
        for name, part in parts.items():
            file.writestr(name, part.replace(b"R", b".") if name == "Input Log.txt" else part)
    state = tmp_path / "state.fm2"
    state.write_text("version 3\nsavestate base64:AAAA\n|0|........||\n|0|........||\n")
    rom = Path(shutil.copy(tmp_path / "other.bk2", tmp_path / "rom.bk2"))
    give_another_rom(rom)
    for movie, why in (
        ("other.bk2", "out of step from row"),
        ("state.fm2", "savestate"),
        ("rom.bk2", "recorded with another ROM"),
    ):
        result = run_job(audit.AuditJob(game, movie=tmp_path / movie))
        assert why in result.error
        assert result.error.endswith("; leave it out")
        assert result.play is None


@pytest.mark.parametrize("is_done", [False, True])
def test_the_last_probe_goes_on_while_done_does_not_come(game: Path, is_done: bool) -> None:
    """Lives of some games last for minutes, and a done that never comes shows after the last."""
    test = {"lives": {"op": "not-equal" if is_done else "equal", "reference": 77}}
    (game / "scenario.json").write_text(json.dumps({"done": {"variables": test}}))
    *_, job = (each for each in probe_jobs(plan_session(game)) if each.probe is not None)
    play = run_job(job).play
    assert play is not None
    assert play.frames == 1 + FRAMES * (1 if is_done else 4)


def test_given_masks_are_played_beyond_done(game: Path) -> None:
    """Other rules may have their done later, and the rows of an attack lead to its loop."""
    test = {"lives": {"op": "not-equal", "reference": 77}}
    (game / "scenario.json").write_text(json.dumps({"done": {"variables": test}}))
    with open_session(game) as session:
        begin = session.timeline.length
        play_masks(session, np.zeros((2 * FRAMES, session.game.players), np.uint16))
        assert session.timeline.length - begin == 1 + 2 * FRAMES


def test_the_buttons_are_tried_from_every_start_state(game: Path) -> None:
    plan = plan_session(game)
    tried = [job for job in probe_jobs(plan) if job.probe is None]
    assert sorted(job.state or "" for job in tried) == ["Level2", "Start"]
    assert len({job.source for job in tried}) == 2
    [named] = [job for job in tried if job.state == "Level2"]
    assert named.source.endswith("from Level2")
    shutil.copy(game / "Level2.state", game / "Lost.state")
    (game / "Lost.state").write_bytes(b"no state")
    lost = run_job(replace(named, state="Lost"))
    assert "Lost" in lost.error
    assert gathered([lost]) == []


def test_the_scenarios_own_actions_are_tried_instead(
    game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """B does nothing in this game, and START is a button of menus."""
    monkeypatch.setattr(audit, "_MOMENTS", 3)
    groups = [[[], ["LEFT"], ["B", "LEFT"], ["START"]], [["A"], ["A", "START"]]]
    scenario = json.loads((game / "scenario.json").read_text())
    (game / "scenario.json").write_text(json.dumps(scenario | {"actions": groups}))
    job = next(each for each in probe_jobs(plan_session(game)) if each.state == "Start")
    told = run_job(job)
    assert not told.error
    [same] = told.traps
    assert (same.kind, same.is_serious) == ("same-effect", False)
    assert same.evidence.startswith("LEFT and B+LEFT did the same")


def test_a_play_that_ends_without_control_lacks_a_done(
    game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audit, "PROBE_FRAMES", 2000)
    [idle] = [job for job in probe_jobs(plan_session(game)) if job.source == "nothing pressed"]

    def told() -> list[str]:
        return [trap.evidence for trap in run_job(idle).traps if "no button" in trap.evidence]

    assert told() == []
    (game / "scenario.json").write_text('{"reward": {"variables": {"score": {"reward": 1.0}}}}')
    [evidence] = told()
    assert "from frame 1,521 to 2,001" in evidence
    idle = replace(idle, frames=900)
    assert told() == []


def test_a_button_that_works_with_a_direction_alone_is_control(
    game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    needed = 256 | 64

    def after(*given: object) -> Iterator[tuple[int, bytes]]:
        masks = cast("Sequence[int]", given[2])
        return ((mask, b"fired" if mask & needed == needed else b"") for mask in masks)

    monkeypatch.setattr(audit, "_after", after)
    with open_session(game) as session:
        session.advance((0,), frames=60)
        assert audit._in_control(session, 50)
        needed |= 128  # which nobody presses
        assert not audit._in_control(session, 50)


def test_looking_for_control_leaves_the_play_as_it_was(game: Path) -> None:
    with open_session(game) as session:
        session.advance((0,), frames=200)
        last, ram = session.timeline.length, session.memory.ram.copy()
        assert audit._in_control(session, 120)
        session.timeline.seek(last)
        np.testing.assert_array_equal(session.memory.ram, ram)


def test_control_that_is_lost_for_a_death_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    alive: set[int] = set()
    monkeypatch.setattr(audit, "_in_control", lambda _, frame: frame in alive)
    session = cast("Session", None)
    assert audit.controls_lost(session, 2000) is None, "never in control: another trap"
    alive.add(120)
    assert audit.controls_lost(session, 2000) == (1520, 2000)
    assert audit.controls_lost(session, 600) is None, "too short"
    alive.add(2000 - 2 * 96)
    assert audit.controls_lost(session, 2000) is None


def test_a_menu_button_that_pays_is_a_trap_where_the_game_goes_on(
    game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audit, "PROBE_FRAMES", 600)
    (game / "script.lua").write_text(
        "function pay() return scenario.frame % 64 == 63 and 10 or 0 end"
    )
    (game / "scenario.json").write_text(
        '{"reward": {"script": "lua:pay"}, "scripts": ["script.lua"]}'
    )
    jobs = {job.source: job for job in probe_jobs(plan_session(game)) if job.probe is not None}
    [trap] = run_job(jobs["SELECT held"]).traps
    assert (trap.kind, trap.is_serious) == ("reward-without-input", True)
    [remark] = run_job(jobs["START held"]).traps
    assert not remark.is_serious
    assert remark.evidence.endswith("while the game is in a menu or restarts")


@pytest.mark.parametrize(
    ("console", "menus"), [("PCEngine", {"RUN", "SELECT"}), ("Sms", {"PAUSE"})]
)
def test_probes_leave_each_consoles_own_menu_buttons_alone(console: str, menus: set[str]) -> None:
    descriptor = systems()[console]
    assert (
        set(filter(None, descriptor.buttons)) - set(audit.play_buttons(descriptor).values())
        == menus
    )
