"""Recorded play has one truth: after an edit its scores are as if played with that edit."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pytest
from scored_play import (
    background,
    demo_copy,
    facts,
    finish,
    play,
    played_demo,
    use_script,
    use_terms,
)

import integrator
from integrator.domain.errors import SessionError
from integrator.domain.values.memory import DataType
from integrator.domain.values.variables import VariableSpec
from integrator.session.edits import commands as edits
from integrator.session.edits.editor import Edit
from integrator.session.rescoring import SeriesNames, explain, term_sums
from integrator.session.scoring import rescorer
from integrator.session.session import Session
from integrator.session.setup.game import Game
from integrator.session.timeline_facts import TimelineFacts


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return demo_copy(tmp_path)


@pytest.fixture
def played(game: Path) -> Iterator[Session]:
    yield from played_demo(game)


def move_score(game: Game) -> None:
    """Read the score as a plain number instead of decimal digits."""
    score = game.integration.variables["score"]
    edits.put_variable("score", VariableSpec("score", score.address, DataType.parse(">u3")))(game)


def add_variable(game: Game) -> None:
    """Name a byte that was not named while playing, and pay for it."""
    address = game.integration.variables["score"].address
    edits.put_variable(None, VariableSpec("low", address + 2, DataType.parse("|u1")))(game)
    edits.set_in_scenario(("reward", "variables", "low"), {"reward": 1.0})(game)


@pytest.mark.parametrize("edit", [use_terms, move_score, add_variable])
def test_an_edit_scores_as_if_it_had_been_there_from_the_beginning(
    played: Session, game: Path, edit: Edit
) -> None:
    before = facts(played)
    played.editor.do(edit)
    edited = facts(played)
    assert edited["main"] != before["main"]
    with integrator.open_session(game) as session:
        session.editor.do(edit)
        play(session)
        assert edited == facts(session)
    played.editor.undo()
    assert facts(played) == before


def test_terms_of_a_frame_that_is_sought_are_the_recorded_ones(played: Session) -> None:
    def paid(frame: int) -> list[tuple[str, float]]:
        outcome = played.timeline.seek(frame).outcome
        assert sum(given for _, given in outcome.terms[0]) == pytest.approx(outcome.rewards[0])
        return list(outcome.terms[0])

    frames = (250, 351, 400)
    before = [paid(frame) for frame in frames]
    background(played)
    played.editor.do(use_script)
    assert [paid(frame) for frame in frames] == before
    finish(played)
    # The script starts over at a seek, so it would count each of these frames as its first.
    assert [paid(frame)[0][0] for frame in frames] == ["lua:reward"] * 3


def test_nothing_changes_before_all_is_scored(played: Session) -> None:
    before = facts(played)["main"]
    background(played)
    played.editor.do(use_script)
    while played.recorded.progress.share in {0, 1}:
        played.recorded.step(time.perf_counter() + 0.0005)
    progress = played.recorded.progress
    assert 0 < progress.share < 1
    assert progress.scripted
    assert progress.frames > played.timeline.length
    assert played.recorded.pending
    assert played.timeline.log.rewards().tolist() == before[0]
    played.advance(frames=10)
    [told] = finish(played)
    assert told.result is not None
    assert told.result.number == played.timeline.length
    rewards = played.timeline.log.rewards()[:, 0]
    assert rewards[:350].tolist() == pytest.approx(
        [steps / 1000 + gained for steps, gained in enumerate(gains(played)[:350], start=1)]
    )
    sums = np.add.accumulate(rewards[351:])
    assert told.result.outcome.total_rewards == (float(sums[-1]),)
    assert played.game.readout.engine.total_rewards == (float(sums[-1]),)


def test_a_curve_shows_no_frames_of_two_rules(played: Session) -> None:
    background(played)
    before = TimelineFacts.of(played)
    played.editor.do(use_terms)
    played.advance(frames=10)
    meanwhile = TimelineFacts.of(played, before)
    assert (meanwhile.length, meanwhile.rewards) == (before.length + 10, ())
    assert (meanwhile.frames is before.frames, meanwhile.totals is before.totals) == (True, True)
    assert not len(TimelineFacts.of(played).frames)
    finish(played)
    after = TimelineFacts.of(played, meanwhile)
    assert after.frames[-1] == after.length
    assert after.rewards == played.timeline.log.totals()


def test_no_sum_is_shown_of_rewards_by_two_rules(played: Session) -> None:
    before = played.last
    assert before is not None
    background(played)
    played.editor.do(use_terms)
    sums = [played.advance().outcome.total_rewards, played.timeline.seek(700).outcome.total_rewards]
    sums.append(played.advance().outcome.total_rewards)
    assert all(math.isnan(each) for (each,) in sums)
    [told] = finish(played)
    assert told.result is not None
    shown = told.result.outcome.total_rewards
    assert shown == played.timeline.seek(701).outcome.total_rewards
    assert not math.isnan(shown[0] + played.advance().outcome.total_rewards[0])


def gains(session: Session) -> list[int]:
    """Growth of the best score of the first episode on each frame."""
    best = np.maximum.accumulate(session.timeline.column("score", 1, 351))
    return [int(gain) for gain in np.diff(best, prepend=0)]


def test_going_elsewhere_meanwhile_is_followed(played: Session) -> None:
    background(played)
    played.editor.do(use_terms)
    played.recorded.step(0.0)
    played.timeline.switch_to("branch 1")
    played.timeline.seek(played.timeline.length - 30)
    played.advance(frames=60)
    finish(played)
    shown = facts(played)
    played.recorded.in_background = False
    played.recorded.again()
    assert facts(played) == shown
    price = -0.25  # of a frame without another reward
    for name in ("main", "branch 1", "branch 2"):
        assert price in np.ravel(shown[name][0])[-20:]


def test_stopped_scoring_leaves_all_as_it_was_until_it_is_asked_for(played: Session) -> None:
    before = facts(played)
    background(played)
    played.editor.do(use_terms)
    played.recorded.step(0.0)
    played.recorded.cancel()
    [told] = finish(played)
    assert told.result is None
    assert "Stopped" in played.recorded.problem
    assert facts(played)["main"] == before["main"]
    played.recorded.again()
    [told] = finish(played)
    assert told.result is not None
    assert not played.recorded.problem
    assert facts(played)["main"] != before["main"]


def test_rules_beyond_use_leave_all_as_it_was(played: Session) -> None:
    before = facts(played)
    played.editor.do(edits.set_in_scenario(("reward", "variables", "nobody"), {"reward": 1}))
    assert "nobody" in played.recorded.problem
    assert facts(played)["branches"] == before["branches"]
    played.editor.undo()
    assert not played.recorded.problem
    assert facts(played) == before


def test_edits_that_score_nothing_are_not_waited_for(played: Session) -> None:
    background(played)
    played.editor.do(edits.set_in_scenario(("crop",), [0, 0, 100, 100]))
    assert not played.recorded.pending


def test_old_scores_are_not_shown_next_to_new_ones(played: Session) -> None:
    background(played)
    names = SeriesNames({"reward": 0}, {"time": (0, "time")})
    played.editor.do(use_terms)
    assert played.recorded.pending
    series = names.read(played, ("reward", "time", "score"))
    assert "scored again" in series.problem
    assert [len(series.by_name[name]) for name in ("reward", "time")] == [0, 0]
    assert len(series.by_name["score"]) == played.timeline.length
    for read in (lambda: explain(played, (20, 20)), lambda: term_sums(played, 9)):
        with pytest.raises(SessionError, match="scored again"):
            read()
    finish(played)
    assert len(names.read(played, ("reward",)).by_name["reward"]) == played.timeline.length
    assert explain(played, (20, 20)) is not None


def test_thousands_of_variables_are_not_compared_each_with_each(
    played: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = Mock(wraps=replace)
    monkeypatch.setattr(rescorer, "replace", made)
    score = played.integration.variables["score"]

    def add_many(game: Game) -> None:
        for number in range(100):
            game.integration.variables.set(f"v{number}", replace(score, name=f"v{number}"))

    played.editor.do(add_many)
    scored = 1 + len(played.timeline.branches)
    assert made.call_count < 3 * scored * len(played.integration.variables)


def test_a_poke_stays_in_sight_when_frames_are_scored_again(played: Session) -> None:
    spec = played.integration.variables["lives"]
    played.timeline.seek(30)
    played.memory.write(spec.address, spec.type, 9)
    played.editor.do(use_terms)
    [told] = finish(played)
    assert told.result is not None
    assert told.result.values["lives"] == 9
