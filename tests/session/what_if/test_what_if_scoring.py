"""Recorded play of the demo game scored again: as it was, and as an edit would have it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import integrator
from integrator.commands.demo import PlayScript
from integrator.commands.shared.options import demo_game
from integrator.domain.errors import SessionError
from integrator.paths import shipped
from integrator.session.rescoring import WhatIfJob, WhatIfResult, done_moves
from integrator.session.scoring.rescorer import Rules
from integrator.session.session import Session

START_FRAME = 184


@pytest.fixture
def played(tmp_path: Path) -> Iterator[Session]:
    """The demo game's script played from its start state, then a short second episode."""
    game = Path(shutil.copytree(demo_game(), tmp_path / "EmberMoth-Nes-v0"))
    with integrator.open_session(game, isolated=False) as session:
        source = shipped("resources") / "demo-game" / "input-script.json"
        script = PlayScript.load(source, session.system.buttons)
        session.reset()
        session.run(script.inputs[START_FRAME:])
        session.advance((1 << session.system.buttons.index("START"),), frames=2)  # it ends paused
        while not session.advance(frames=30).values["game_over"]:
            assert session.timeline.length < 8000
        session.reset()
        session.advance(frames=40)
        yield session


def what_if(session: Session, before: Rules | None = None) -> WhatIfResult:
    job = WhatIfJob(before)
    while (result := job.step(session)) is None:
        assert 0 < job.progress < 1
    return result


def use(session: Session, scenario: dict[str, object]) -> None:
    """Edit the scenario as a panel would."""
    session.integration.scenario.value = scenario  # type: ignore[assignment]  # JSON
    session.game.apply_documents()


def test_the_rules_of_play_give_the_numbers_of_play(played: Session) -> None:
    result = what_if(played)
    log = played.timeline.log
    np.testing.assert_array_equal(result.after.rewards, log.rewards())
    np.testing.assert_array_equal(result.after.done, log.done())
    assert result.after.rewards.sum() > 0
    assert result.after.done.any()
    assert result.same
    assert len(result.episodes) == 2
    assert not any(episode.changed for episode in result.episodes)
    for episode in result.episodes:
        rows = slice(episode.start - 1, episode.stop - 1)
        sums = np.cumsum(log.rewards()[rows], axis=0, dtype=np.float32)
        np.testing.assert_array_equal(result.after.totals[rows], sums)


def test_a_wrong_done_is_seen_and_its_correction_too(played: Session) -> None:
    lost = next(e.before_done for e in what_if(played).episodes)
    assert lost is not None
    wrong = {"op": "zero"}  # the last life is the one in play: 0 does not end the game
    use(played, {"done": {"variables": {"lives": wrong}}, "reward": {}})
    result = what_if(played)
    first = result.episodes[0]
    assert first.after_done is not None
    assert first.after_done < lost
    assert first.before_return[0] > first.after_return[0] == 0
    assert result.moves[0].start == first.after_done
    assert result.moves[0].done
    assert not result.moves[-1].done
    use(played, {"done": {"variables": {"lives": {"op": "negative"}}}, "reward": {}})
    result = what_if(played)
    assert result.episodes[0].after_done == lost


def test_the_present_frame_has_the_scores_of_an_edit(played: Session) -> None:
    shown = played.last
    assert shown is not None
    alive = {"reward": 7, "op": "positive", "measurement": "absolute"}
    use(played, {"reward": {"variables": {"lives": alive}}})
    last, log = played.last, played.timeline.log
    assert last is not None
    assert last.outcome.rewards[0] == log.rewards()[-1, 0] == 7
    assert last.outcome.total_rewards[0] > shown.outcome.total_rewards[0]
    assert last.number == shown.number


def test_variables_are_read_anew_from_recorded_ram(played: Session) -> None:
    variables = played.integration.variables
    score = variables["score"]
    variables.set("score", type(score)("score", score.address, score.type.parse(">u3")))
    played.game.apply_documents()
    result = what_if(played)
    # 0x000120 read as a plain number is 288: BCD taken for a number pays too much.
    assert result.episodes[0].after_return[0] > result.episodes[0].before_return[0] > 0


def test_a_loaded_state_and_a_poke_go_on_as_in_play(played: Session) -> None:
    state = played.save_state()
    played.advance(frames=30)
    played.load_state(state)
    played.advance(frames=5)
    played.memory.write(0x0306, ">d3", 4210)
    played.advance(frames=5)
    result = what_if(played)
    np.testing.assert_array_equal(result.after.rewards, played.timeline.log.rewards())
    assert result.after.rewards.max() > 4000


SCRIPT = """
previous = 0
function reward()
  local gained = data.score - previous
  previous = data.score
  return gained * 2
end
"""


def scripted(played: Session, text: str, function: str) -> Rules:
    """Rules that only call a script."""
    scenario = {"scripts": ["s.lua"], "reward": {"script": function}}
    return Rules(scenario, dict(played.integration.variables), {"s.lua": text})


def test_scripts_run_over_recorded_frames_in_slices(played: Session) -> None:
    job = WhatIfJob(scripted(played, SCRIPT, "lua:reward"))
    shares = []
    while (result := job.step(played)) is None:
        shares.append(job.progress)
    assert job.scripted
    assert shares == sorted(shares)
    first = result.episodes[0]
    assert first.after_return[0] > 0
    assert not result.warnings
    # Without `done` in the script's scenario the episode goes on: compare the same frames.
    doubled = result.before.rewards[1 : first.stop - 1] / 2
    np.testing.assert_array_equal(doubled, result.after.rewards[1 : first.stop - 1])


def test_a_script_that_writes_is_told_of_and_touches_nothing(played: Session) -> None:
    before = played.memory.ram.copy()
    played.integration.scripts["script.lua"] = "function f() data.score = 0 return 1 end"
    use(played, {"scripts": ["script.lua"], "reward": {"script": "f"}})
    result = what_if(played)
    assert "wrote memory" in result.warnings[0]
    np.testing.assert_array_equal(played.memory.ram, before)


SLOW = "function f() local n = 0 for i = 1, 2000 do n = n + i end return n end"


def test_a_cancelled_job_ends_and_a_left_branch_is_refused(played: Session) -> None:
    slow = scripted(played, SLOW, "f")
    job = WhatIfJob(slow)
    assert job.step(played) is None
    assert 0 < job.progress < 1
    played.timeline.seek(50)
    played.timeline.fork()
    played.timeline.switch_to(played.timeline.branches[0].name)
    with pytest.raises(SessionError, match="branch"):
        job.step(played)


def test_rules_beyond_use_count_as_nothing_before(played: Session) -> None:
    present = Rules.present(played.integration, played.game.scenario_name)
    broken = Rules({"reward": {"variables": {"gone": {"reward": 1}}}}, present.variables, {})
    result = what_if(played, broken)
    assert "gone" in result.warnings[0]
    assert result.after.rewards.sum() > 0 == result.before.rewards.sum()


def test_rewards_beyond_float32_add_up_to_infinity_everywhere(played: Session) -> None:
    """No place that sums rewards warns of the overflow, because training does not either."""
    huge: dict[str, object] = {"reward": {"time": {"reward": 3e38}}}
    use(played, huge)
    played.load_state(played.save_state())
    result = what_if(played, Rules.of(huge | {"done": {}}, dict(played.integration.variables), {}))
    for scored in (result.before, result.after):
        assert scored.totals[0, 0] < np.inf
        assert scored.totals[1, 0] == np.inf


def test_runs_of_frames_on_which_done_differs() -> None:
    before = np.array([0, 0, 1, 1, 0, 0], bool)
    after = np.array([0, 1, 1, 0, 0, 1], bool)
    runs = [(move.start, move.stop, move.done) for move in done_moves(before, after)]
    assert runs == [(2, 3, True), (4, 5, False), (6, 7, True)]
    assert done_moves(before, before) == ()
