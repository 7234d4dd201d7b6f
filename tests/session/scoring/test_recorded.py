"""Recorded play has one truth: after an edit its scores are as if played with that edit."""

from __future__ import annotations

import math
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import integrator
from integrator.commands.demo import PlayScript
from integrator.commands.shared.options import demo_game
from integrator.domain.errors import SessionError
from integrator.domain.values.datatype import DataType
from integrator.domain.values.variables import VariableSpec
from integrator.paths import shipped
from integrator.session.edits import commands as edits
from integrator.session.edits.editor import Edit
from integrator.session.frame.result import RecordedScored
from integrator.session.rescoring import SeriesNames, explain, term_sums
from integrator.session.scoring import rescorer
from integrator.session.scoring.rescorer import Rescorer
from integrator.session.session import Session
from integrator.session.setup.game import Game
from integrator.session.timeline_facts import TimelineFacts

START_FRAME = 184
"""Frame of the demo game's input script that its state Start begins with."""

SCRIPT = """
best, steps = 0, 0
function reward()
  local gained = math.max(0, data.score - best)
  best = math.max(best, data.score)
  steps = steps + 1
  data.steps = steps
  return gained + steps / 1000
end
function over() return data.lives < 1 end
"""


def replace_scenario(game: Game, scenario: dict[str, Any]) -> None:
    """Replace the whole scenario."""

    def change(root: Any) -> None:
        root.clear()
        root.update(scenario)

    edits.change_scenario(change)(game)


def use_script(game: Game) -> None:
    """Reward by a script's count since the episode began."""
    game.integration.history.touch("script.lua")
    game.integration.scripts["script.lua"] = SCRIPT
    scenario = {
        "scripts": ["script.lua"],
        "reward": {"script": "lua:reward"},
        "done": {"script": "lua:over"},
    }
    replace_scenario(game, scenario)


def use_terms(game: Game) -> None:
    """Other factors, a price of time, and another end."""
    scenario: dict[str, Any] = {
        "reward": {
            "variables": {"score": {"reward": 3.0}, "lives": {"reward": 1, "penalty": 100}},
            "time": {"reward": -0.25},
        },
        "done": {"variables": {"lives": {"op": "equal", "reference": 1}}},
    }
    replace_scenario(game, scenario)


def move_score(game: Game) -> None:
    """Read the score as a plain number instead of decimal digits."""
    score = game.integration.variables["score"]
    edits.put_variable("score", VariableSpec("score", score.address, DataType.parse(">u3")))(game)


def add_variable(game: Game) -> None:
    """Name a byte that was not named while playing, and pay for it."""
    address = game.integration.variables["score"].address
    edits.put_variable(None, VariableSpec("low", address + 2, DataType.parse("|u1")))(game)
    edits.set_in_scenario(("reward", "variables", "low"), {"reward": 1.0})(game)


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A copy of the demo game."""
    return Path(shutil.copytree(demo_game(), tmp_path / "EmberMoth-Nes-v0"))


def play(session: Session, *, branches: bool = True) -> None:
    """An episode, a second one with a loaded state and a poke, and two branches of it."""
    source = shipped("resources") / "demo-game" / "input-script.json"
    rows = PlayScript.load(source, session.system.buttons).inputs[START_FRAME:]
    session.reset()
    session.run(rows[:350])
    session.reset()
    session.run(rows[:300])
    state = session.save_state()
    session.run(rows[300:400])
    session.load_state(state)
    session.run(rows[300:500])
    session.memory.write(0x0306, ">d3", 4210)
    session.run(rows[500:600])
    for back in (600, 700) if branches else ():
        session.timeline.seek(back)
        session.run(np.roll(rows, 40, axis=0)[:200])


@pytest.fixture
def played(game: Path) -> Iterator[Session]:
    """The demo game, played with its own scenario."""
    with integrator.open_session(game, isolated=False) as session:
        play(session)
        yield session


def facts(session: Session) -> dict[str, Any]:
    """All numbers that panels show of recorded play."""
    travel = session.timeline
    here = travel.position
    found: dict[str, Any] = {
        "branches": travel.branches,
        "totals": travel.log.totals(),
        "going on": session.game.readout.engine.total_rewards,
        "names": sorted(travel.log.names),
    }
    for name in (travel.log.current, *(branch.name for branch in travel.branches)):
        line = travel.log if name == travel.log.current else travel.log.line(name)
        found[name] = line.rewards().tolist(), line.done().tolist()
        for variable in line.names:
            found[f"{name}: {variable}"] = [part.tolist() for part in line.column(variable)]
    for frame in (1, 250, 352, travel.length):
        shown = travel.seek(frame)
        found[f"frame {frame}"] = shown.outcome.rewards, shown.outcome.total_rewards
        found[f"ends {frame}"] = shown.outcome.done, shown.values
    travel.seek(here)
    return found


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


def test_scripts_score_what_is_recorded_and_go_on_counting(game: Path) -> None:
    with (
        integrator.open_session(game, isolated=False) as late,
        integrator.open_session(game) as early,
    ):
        play(late, branches=False)
        before = facts(late)
        late.editor.do(use_script)
        early.editor.do(use_script)
        play(early, branches=False)
        newest = [session.advance(frames=20) for session in (late, early)]
        assert newest[0].outcome == newest[1].outcome
        assert newest[0].values == newest[1].values
        assert facts(late) == facts(early)
        assert late.timeline.branches == ()
        late.editor.undo()
        late.timeline.seek(late.timeline.length - 20)
        late.timeline.continue_from_here(keep=False)
        assert facts(late)["main"] == before["main"]


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


def background(session: Session) -> None:
    """As under a runner, which gives scoring the time that it has left."""
    session.recorded.in_background = True


def finish(session: Session) -> list[RecordedScored]:
    """Score in many slices, and return the events."""
    while session.recorded.pending:
        session.recorded.step(time.perf_counter() + 0.0005)
    return [event for event in session.take_events() if isinstance(event, RecordedScored)]


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


def steps_at(session: Session, frame: int) -> float | None:
    """The script's own variable on a frame that was sought."""
    return session.timeline.seek(frame).values.get("steps")


def leave_and_play_on(session: Session) -> None:
    session.timeline.seek(120)


def branch_off(session: Session) -> None:
    session.timeline.seek(120)
    session.timeline.fork()


def lose_the_core(session: Session) -> None:
    session.recover()


def edit_what_scores_nothing(session: Session) -> None:
    session.editor.do(edits.set_in_scenario(("actions",), [[[]]]))


def load_a_state_after_a_seek(session: Session) -> None:
    session.timeline.seek(120)
    session.load_state(session.save_state())


@pytest.mark.parametrize(
    ("way", "at_once"),
    [
        (leave_and_play_on, 7200),
        (leave_and_play_on, 50),  # then all is scored again in the background
        (branch_off, 7200),
        (lose_the_core, 7200),
        (edit_what_scores_nothing, 7200),
        (load_a_state_after_a_seek, 7200),
    ],
)
def test_scripts_go_on_with_their_globals(
    game: Path, way: Callable[[Session], None], at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rescorer, "AT_ONCE_FRAMES", at_once)
    with integrator.open_session(game, isolated=False) as session:
        session.editor.do(use_script)
        session.reset()
        session.advance(frames=200)
        session.recorded.in_background = True
        way(session)
        began = session.timeline.position
        session.advance(frames=15)
        finish(session)
        session.advance(frames=15)
        log = session.timeline.log
        assert (log.length, began) in {(231, 201), (150, 120)}
        assert log.column("steps")[0].tolist() == [*range(1, log.length + 1)]
        rewards = Rescorer(log, session.memory.space, session.game.rules(), 1)
        rewards.run(math.inf, "")
        assert log.rewards().tolist() == rewards.scored().rewards.tolist()


def test_a_script_s_own_variables_are_those_of_the_frame_sought(played: Session) -> None:
    played.editor.do(use_script)
    first = 352  # of the second episode
    assert [steps_at(played, frame) for frame in (first, 400, first - 1)] == [1, 49, 351]
    played.timeline.fork()  # opens a block again that was scored
    played.advance(frames=2)
    log, score = (
        played.timeline.log,
        played.timeline.values_of(played.timeline.log.ram(340))["score"],
    )
    assert (steps_at(played, 340), int(log.column("score", 340, 341)[0][0])) == (340, score)
    assert log.terms(340, 341)[0, "lua:reward"][0] == log.rewards(340, 341)[0, 0]
    played.reset()
    last = played.advance(frames=30)
    assert last.values["steps"] == 31
    assert steps_at(played, last.number - 10) == 21
    assert "steps" in played.timeline.seek(last.number).outcome.custom


def test_a_variable_is_unknown_before_its_script_made_it(played: Session) -> None:
    late = SCRIPT.replace("data.steps = steps", "if steps > 300 then data.steps = steps end")

    def use_late(game: Game) -> None:
        use_script(game)
        game.integration.scripts["script.lua"] = late

    played.editor.do(use_late)
    assert [steps_at(played, frame) for frame in (300, 301)] == [None, 301]


def test_lamps_of_a_sought_frame_know_a_script_s_own_variables(played: Session) -> None:
    def use_steps(game: Game) -> None:
        use_script(game)
        done = {"variables": {"steps": {"op": "greater-than", "reference": 40}}}
        game.integration.scripts["script.lua"] = f"data.steps = 0\n{SCRIPT}"
        rules = {"scripts": ["script.lua"], "reward": {"script": "lua:reward"}, "done": done}
        replace_scenario(game, rules)

    played.editor.do(use_steps)
    for frame, done in ((392, False), (393, True)):
        outcome = played.timeline.seek(frame).outcome
        assert outcome.done is done
        assert set(outcome.nodes.values()) == {done}


@pytest.mark.parametrize("edited_here", [False, True])
def test_a_script_s_own_variables_go_on_as_they_were_written(
    played: Session, edited_here: bool
) -> None:
    """Of a frame, only whole numbers are recorded; 0 would count as true in Lua."""
    script = """
data.dead, data.best, data.share = false, -math.huge, 0.5
calls = 0
function reward()
  calls = calls + 1
  if calls == 2 then data.late = false end
  return (data.dead and 1 or 0) + (data.best > 5 and 2 or 0) + data.share
    + (calls > 2 and data.late and 4 or 0)
end
"""

    def use_flags(game: Game) -> None:
        use_script(game)
        game.integration.scripts["script.lua"] = script
        replace_scenario(game, {"scripts": ["script.lua"], "reward": {"script": "lua:reward"}})

    if edited_here:
        played.timeline.seek(400)
    played.editor.do(use_flags)
    if not edited_here:
        played.timeline.seek(400)
    results = [played.advance() for _ in range(3)]
    assert [result.script_error for result in results] == [None] * 3
    assert [result.outcome.rewards for result in results] == [(0.5,)] * 3


def test_until_scripts_have_their_globals_they_make_no_errors(
    played: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An infinity is no number that is recorded, and an unknown variable would be an error."""

    def use_record(game: Game) -> None:
        use_script(game)
        script = "data.best = -math.huge\nfunction reward() return data.best > 5 and 1 or 0 end"
        game.integration.scripts["script.lua"] = script
        replace_scenario(game, {"scripts": ["script.lua"], "reward": {"script": "lua:reward"}})

    played.editor.do(use_record)
    monkeypatch.setattr(rescorer, "AT_ONCE_FRAMES", 50)
    background(played)
    played.timeline.seek(500)
    assert played.advance().script_error is None
    assert played.recorded.pending
    played.recorded.cancel()
    assert played.advance().script_error is None
    assert "Stopped" in played.recorded.stale  # the next frame does not begin it again


def test_a_seek_lets_no_script_write_memory(played: Session) -> None:
    def use_writer(game: Game) -> None:
        use_script(game)
        writes = "data.lives = data.lives + 1\n"
        script = SCRIPT.replace("steps = steps + 1", f"steps = steps + 1 {writes}")
        game.integration.scripts["script.lua"] = writes + script

    played.editor.do(use_writer)
    played.reset()
    played.advance(frames=20)
    at = played.timeline.length - 5
    recorded = played.timeline.log.ram(at)
    result = played.timeline.seek(at)
    assert np.array_equal(played.memory.ram, recorded)
    assert np.array_equal(played.host.read_ram(), recorded)
    assert not played.memory.written
    assert result.values["lives"] == played.timeline.values_of(recorded)["lives"]


def test_a_poke_stays_in_sight_when_frames_are_scored_again(played: Session) -> None:
    spec = played.integration.variables["lives"]
    played.timeline.seek(30)
    played.memory.write(spec.address, spec.type, 9)
    played.editor.do(use_terms)
    [told] = finish(played)
    assert told.result is not None
    assert told.result.values["lives"] == 9
