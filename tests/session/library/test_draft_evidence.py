"""Evidence for a draft's part: scenes of its movie with the number and the reward."""

import shutil
from pathlib import Path

import numpy as np
import pytest
from desynced import put_out_of_step

import integrator
from integrator import paths
from integrator.domain.errors import MovieError
from integrator.domain.integration.auto_report import AutoPart, AutoReport
from integrator.domain.integration.directory import load_integration
from integrator.session.library.draft_evidence import draft_evidence
from integrator.session.library.entries import AutoDraft, take_next
from integrator.session.recorded_rows import import_movie

FRAMES = 90
ADDRESS = 0x306


@pytest.fixture
def draft(own_home: Path) -> AutoDraft:
    """A copy of the demo game whose part ``level`` is a number that no file names yet."""
    assert own_home.is_dir()
    game = paths.user_integrations_dir() / "EmberMoth-Nes-v0"
    shutil.copytree(paths.shipped("data") / game.name, game)
    with integrator.open_session(game, isolated=False) as session:
        session.reset()
        session.record(game / "played.bk2")
        session.advance(frames=FRAMES)
        session.stop_recording()
    choice = {
        "value": "0x306",
        "confidence": 0.4,
        "variables": {"level": {"address": ADDRESS, "type": "|u1"}},
    }
    part = AutoPart("0x306", 0.4, frames=(20, 40, 60, 80), choices=(choice,))
    report = AutoReport(game.name, {}, {"level": part}, movie="played.bk2")
    report.save(game)
    return AutoDraft(game, report)


def test_scenes_show_the_candidate_on_their_frames(draft: AutoDraft) -> None:
    evidence = draft_evidence(draft, lambda: False)
    assert [scene.frame for scene in evidence.scenes] == [20, 60, 80]
    with integrator.open_session(draft.directory, isolated=False) as session:
        played = import_movie(session, draft.directory / "played.bk2")
        ram = session.timeline.ram
        course = [int(ram(frame)[ADDRESS]) for frame in range(played.start, played.stop)]
    assert evidence.course.tolist() == course
    assert [scene.number for scene in evidence.scenes] == [course[at - 1] for at in (20, 60, 80)]
    assert all(scene.earned == 0 and len(scene.film) == 17 for scene in evidence.scenes)
    first, *_, last = evidence.scenes[1].film
    assert first.shape == last.shape
    assert (first != last).any()


def test_a_movie_that_is_out_of_step_is_no_evidence(draft: AutoDraft) -> None:
    row = put_out_of_step(draft.directory / "played.bk2", 30)
    with pytest.raises(MovieError, match=rf"played\.bk2: out of step from row {row} on"):
        draft_evidence(draft, lambda: False)


def test_pieces_of_a_score_are_one_number_in_the_unit_of_the_reward(draft: AutoDraft) -> None:
    with integrator.open_session(draft.directory, isolated=False) as session:
        played = import_movie(session, draft.directory / "played.bk2")
        rams = np.array([session.timeline.ram(at) for at in range(played.start, played.stop)])
    low, high = (int(at) for at in np.flatnonzero(np.ptp(rams, axis=0))[:2])
    variables = {"low": low, "high": high}
    choice = {
        "value": "2 pieces",
        "confidence": 0.4,
        "variables": {n: {"address": at, "type": "|u1"} for n, at in variables.items()},
        "reward": {"variables": {"low": {"reward": 0.5}, "high": {"reward": 10.0}}},
    }
    part = AutoPart("2 pieces", 0.4, frames=(20,), choices=(choice,))
    report = AutoReport("", {}, {"score": part}, movie="played.bk2")
    evidence = draft_evidence(AutoDraft(draft.directory, report), lambda: False)
    course = 0.5 * rams[:, low] + 10.0 * rams[:, high]
    assert evidence.course.tolist() == course.tolist()
    assert [scene.number for scene in evidence.scenes] == [course[19]]


def test_a_part_without_a_number_shows_the_whole_movie(draft: AutoDraft) -> None:
    report = AutoReport("", {}, {"actions": AutoPart("", 0.1)}, movie="played.bk2")
    evidence = draft_evidence(AutoDraft(draft.directory, report), lambda: False)
    frames = [scene.frame for scene in evidence.scenes]
    assert (frames[0], frames[-1] - FRAMES in (0, 1)) == (1, True)
    assert [scene.number for scene in evidence.scenes] == [None] * 3


def test_stopped_it_is_empty(draft: AutoDraft) -> None:
    assert not draft_evidence(draft, lambda: True).scenes


def test_a_movie_that_cannot_be_read_is_named(draft: AutoDraft) -> None:
    (draft.directory / "played.bk2").write_bytes(b"none")
    with pytest.raises(MovieError, match=r"played\.bk2"):
        draft_evidence(draft, lambda: False)


def test_the_next_score_brings_its_own_reward(draft: AutoDraft) -> None:
    other = {"variables": {"digit": {"reward": 10.0, "penalty": 10.0}}}
    first = {"value": "a", "confidence": 0.4, "variables": {}}
    variables = {"digit": {"address": ADDRESS, "type": "|u1"}}
    second = {"value": "b", "confidence": 0.3, "variables": variables, "reward": other}
    report = AutoReport("", {}, {"score": AutoPart("a", 0.4, choices=(first, second))})
    taken = take_next(AutoDraft(draft.directory, report))
    assert taken.part.value == "b"
    with load_integration(draft.directory).scenario.edit() as scenario:
        assert scenario["reward"] == other
