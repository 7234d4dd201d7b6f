"""Scripts score recorded play, with the globals and the memory that they had in it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scored_play import (
    SCRIPT,
    background,
    demo_copy,
    facts,
    finish,
    play,
    played_demo,
    replace_scenario,
    use_script,
)

import integrator
from integrator.session.edits import commands as edits
from integrator.session.edits.editor import Edit
from integrator.session.scoring import rescorer
from integrator.session.scoring.rescorer import Rescorer
from integrator.session.session import Session
from integrator.session.setup.game import Game


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return demo_copy(tmp_path)


@pytest.fixture
def played(game: Path) -> Iterator[Session]:
    yield from played_demo(game)


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


@pytest.mark.parametrize("rule", ["delta", "absolute"])
def test_rewards_of_frames_whose_memory_a_script_wrote(game: Path, rule: str) -> None:
    """A script keeps the lives up, so recorded RAM never shows that one was lost."""
    script = """
data.lives = data.lives + 1
function hold()
  if data.lives < 4 then data.lives = 4 end
  data.score = data.score + 1
  return false
end
"""

    def use_writer(game: Game) -> None:
        use_script(game)
        game.integration.scripts["script.lua"] = script
        lives, score = ({"reward": 1.0, "penalty": by} for by in (1.0, 2.0))
        terms = {"lives": lives, "score": {**score, "measurement": rule}}
        done = {"script": "lua:hold"}
        rules = {"scripts": ["script.lua"], "reward": {"variables": terms}, "done": done}
        replace_scenario(game, rules)

    edit = edits.set_in_scenario(("reward", "variables", "lives", "penalty"), 50.0)
    with (
        integrator.open_session(game, isolated=False) as late,
        integrator.open_session(game) as early,
    ):
        late.editor.do(use_writer)
        play(late, branches=False)
        before = facts(late)
        late.editor.do(edit)
        early.editor.do(use_writer)
        early.editor.do(edit)
        play(early, branches=False)
        newest = [session.advance(frames=20) for session in (late, early)]
        assert newest[0].outcome == newest[1].outcome
        assert newest[0].previous == newest[1].previous
        shown = facts(late)
        assert shown == facts(early)
        assert shown["main"] != before["main"]
        assert not late.recorded.warnings
        late.editor.undo()
        late.timeline.seek(late.timeline.length - 20)
        late.timeline.continue_from_here(keep=False)
        assert facts(late)["main"] == before["main"]


@pytest.mark.parametrize("names", [("hearts",), ("", "lives")], ids=str)
def test_a_variable_that_is_renamed_or_comes_back_has_the_values_of_play(
    game: Path, names: tuple[str, ...]
) -> None:
    """A script keeps the lives up, which are renamed, or deleted if their name is empty."""
    script = """
function hold()
  if data.lives < 4 then data.lives = 4 end
  return false
end
"""

    def use_writer(name: str) -> Edit:
        def change(game: Game) -> None:
            use_script(game)
            game.integration.scripts["script.lua"] = script.replace("lives", name or "score")
            for old in {"lives", "hearts"} & game.integration.variables.keys():
                game.integration.variables.remove(old)
            if name:
                edits.put_variable(None, replace(lives, name=name))(game)
            terms = {name or "score": {"reward": 1.0, "penalty": 9.0}}
            done = {"script": "lua:hold"}
            rules = {"scripts": ["script.lua"], "reward": {"variables": terms}, "done": done}
            replace_scenario(game, rules)

        return change

    with (
        integrator.open_session(game, isolated=False) as late,
        integrator.open_session(game) as early,
    ):
        lives = late.integration.variables["lives"]
        late.editor.do(use_writer("lives"))
        late.advance(frames=340)
        background(late)
        early.editor.do(use_writer(names[-1]))
        early.advance(frames=340)
        for name in names:
            late.editor.do(use_writer(name))
            late.advance(frames=20)
            early.advance(frames=20)
        finish(late)
        assert min(early.timeline.log.rewards()) < 0
        assert facts(late) == facts(early)


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
