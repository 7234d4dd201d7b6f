"""Rewards taken apart: terms add up to what the engine pays, on every frame and over ranges."""

from __future__ import annotations

import math
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import integrator
from integrator.commands.demo import PlayScript
from integrator.commands.shared.options import demo_game
from integrator.domain.errors import ScriptError, SessionError
from integrator.domain.scenario.tree import OPS
from integrator.domain.timeline.timeline import Timeline
from integrator.domain.values.variables import TIME_TERM
from integrator.paths import shipped
from integrator.session.rescoring import attribute, explain
from integrator.session.scoring import rescorer
from integrator.session.session import Session

START_FRAME = 184
FRAMES = 700
FACTORS = st.floats(-3, 3, width=32)
TERMS = st.fixed_dictionaries(
    {"reward": FACTORS, "penalty": FACTORS, "reference": st.integers(-3, 90)},
    optional={
        "op": st.sampled_from([name for name in OPS if name]),
        "measurement": st.sampled_from(["absolute", "delta"]),
    },
)
VARIABLES = ("score", "lives", "frame_counter", "game_over")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    """The demo game's script: two episodes, with a jump to a loaded state in the second."""
    game = Path(shutil.copytree(demo_game(), tmp_path_factory.mktemp("g") / demo_game().name))
    with integrator.open_session(game, isolated=False) as session:
        source = shipped("resources") / "demo-game" / "input-script.json"
        inputs = PlayScript.load(source, session.system.buttons).inputs[START_FRAME:]
        session.reset()
        session.run(inputs[:FRAMES])
        state = session.save_state()
        session.reset()
        session.advance(frames=30)
        session.load_state(state)
        session.advance(frames=30)
        yield session


def use(session: Session, scenario: dict[str, Any]) -> None:
    session.integration.scenario.value = scenario
    session.game.apply_documents()


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    terms=st.dictionaries(st.sampled_from(VARIABLES), TERMS, max_size=4),
    time=st.none() | FACTORS,
    first=st.integers(1, 200),
    length=st.integers(1, 500),
)
def test_terms_add_up_to_the_reward_of_the_engine(
    played: Session, terms: dict[str, Any], time: float | None, first: int, length: int
) -> None:
    block = {"variables": terms} | ({} if time is None else {"time": {"reward": time}})
    use(played, {"reward": block})
    found = attribute(played)
    paid = played.timeline.log.rewards()[:, 0]
    assert np.array_equal(found.rewards, paid)
    summed = np.zeros(len(paid), np.float32)
    for column in found.columns:
        summed = summed + column.parts
    assert np.array_equal(summed, paid)
    last = first + length - 1
    shares = found.shares(first, last)
    total = math.fsum([*(share.gave for share in shares), found.rounding(first, last)])
    assert total == pytest.approx(found.reward(first, last), rel=1e-12, abs=1e-12)
    assert found.reward(first, last) == math.fsum(paid[first - 1 : last].tolist())


def test_time_and_a_variable_of_that_name_are_two_terms(played: Session) -> None:
    clock = {"time": {"measurement": "absolute", "reward": 1.0}}
    use(played, {"reward": {"time": {"reward": -0.5}, "variables": clock}})
    share, variable = attribute(played).shares(10, 20)
    assert (share.term, share.variable, share.before, share.after) == (TIME_TERM, "", None, None)
    assert share.gave == -5.5
    column = played.timeline.column("time")
    assert column.any()
    assert (variable.term, variable.variable) == ("time", "time")
    assert variable.gave == column[9:20].sum()


def test_a_share_names_its_variable_and_its_way(played: Session) -> None:
    use(played, {"reward": {"variables": {"score": {"reward": 2.0}}}})
    found = attribute(played)
    frame = int(np.flatnonzero(found.rewards)[0]) + 1
    scores = played.timeline.column("score")
    [share] = found.shares(frame, frame)
    assert (share.term, share.variable, share.paid_frames) == ("score", "score", 1)
    assert (share.before, share.after) == (int(scores[frame - 2]), int(scores[frame - 1]))
    assert share.after is not None
    assert share.before is not None
    assert share.gave == 2 * (share.after - share.before) == found.reward(frame, frame)
    begins = FRAMES + 2
    for start in (1, begins, begins + 31):
        assert found.shares(start, start)[0].gave == 0.0
    with pytest.raises(SessionError, match="there are frames 1 to"):
        found.shares(1, 10**6)
    with pytest.raises(SessionError, match="rewards no player 2"):
        attribute(played, player=1)


def test_a_frame_is_compared_with_the_one_before_across_pieces_episodes_and_states(
    played: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rescorer, "CHUNK_FRAMES", 64)
    use(played, {"reward": {"variables": {"frame_counter": {"reward": 1.0, "penalty": 1.0}}}})
    counts = np.asarray(played.timeline.column("frame_counter"), np.int64)
    before = np.concatenate((counts[:1], counts[:-1]))
    begins = FRAMES + 2
    before[begins - 1] = counts[begins - 1]  # nothing is before an episode
    before[begins + 30] = counts[FRAMES]  # before the first frame after it, the state itself
    assert counts[FRAMES] != counts[begins + 29]
    [column] = attribute(played).columns
    assert column.values is not None
    assert column.before is not None
    assert np.array_equal(column.values, counts)
    assert np.array_equal(column.before, before)
    assert np.array_equal(column.parts, (counts - before).astype(np.float32))


def test_terms_are_recorded_while_playing_as_they_are_scored_again(played: Session) -> None:
    """The terms of a play stay the same when its frames are scored by the same rules again."""
    rules = {"reward": {"time": {"reward": -0.5}, "variables": {"frame_counter": {"reward": 2.0}}}}
    use(played, rules)
    start = played.timeline.length + 1
    played.advance(frames=40)
    for _ in range(3):
        played.advance(frames=1)
    given = played.timeline.log.terms(start)
    assert list(given) == [(0, TIME_TERM), (0, "frame_counter")]
    assert [len(part) for part in given.values()] == [43, 43]
    assert given[0, "frame_counter"].sum() > 0
    played.recorded.again()
    again = played.timeline.log.terms(start)
    assert all(np.array_equal(again[term], part) for term, part in given.items())


def test_a_term_that_a_script_makes_is_recorded(played: Session) -> None:
    played.integration.scripts["combo.lua"] = (
        "local hits = 0\nfunction over() hits = hits + 3 data.combo = hits return 0 end\n"
    )
    combo = {"combo": {"measurement": "absolute", "reward": 1.0}}
    use(
        played,
        {"scripts": ["combo.lua"], "done": {"script": "lua:over"}, "reward": {"variables": combo}},
    )
    try:
        start = played.timeline.length + 1
        played.advance(frames=1)
        played.advance(frames=1)
        parts = played.timeline.log.terms(start)[0, "combo"]
        assert parts.tolist() == played.timeline.log.rewards(start)[:, 0].tolist()
        assert parts[1] - parts[0] == 3
    finally:
        use(played, {"reward": {"variables": {}}})
        del played.integration.scripts["combo.lua"]


def test_scores_from_before_a_broken_edit_are_not_explained(played: Session) -> None:
    use(played, {"reward": {"variables": {"score": {"reward": 1.0}}}})
    played.recorded.problem = "there is no variable"
    try:
        with pytest.raises(SessionError, match="there is no variable"):
            attribute(played)
    finally:
        played.recorded.problem = ""


@pytest.mark.parametrize("last", [1, FRAMES + 2, FRAMES + 31, None])
def test_a_range_is_explained_as_it_is_in_the_whole(played: Session, last: int | None) -> None:
    use(played, {"reward": {"variables": {"frame_counter": {"reward": 1.0}}}})
    whole = attribute(played)
    last = last or whole.last
    first = max(1, last - 3)
    part = attribute(played, first=first, last=last)
    assert (part.first, part.last) == (first, last)
    for start in range(first, last + 1):
        assert part.shares(start, last) == whole.shares(start, last)
        assert part.reward(start, last) == whole.reward(start, last)


def test_a_frame_is_explained_without_the_variables_and_states_of_others(
    played: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The panel asks for this while the game plays, also after hours with many loads."""
    use(played, {"reward": {"variables": {"frame_counter": {"reward": 1.0}}}})
    read: set[int] = set()
    column, ram = Timeline.column, Timeline.ram

    def noted_column(log: Timeline, name: str, start: int = 1, stop: int | None = None) -> Any:
        values = column(log, name, start, stop)
        read.update(range(start, start + len(values[0])))
        return values

    def noted_ram(log: Timeline, frame: int, *, resumed: bool = False) -> Any:
        read.add(frame)
        return ram(log, frame, resumed=resumed)

    monkeypatch.setattr(Timeline, "column", noted_column)
    monkeypatch.setattr(Timeline, "ram", noted_ram)
    explained = explain(played, (20, 20))
    assert explained is not None
    assert read == {19, 20}
    assert len(explained.sums[0]) == len(explained.frames) == 600
    assert explained.frames[-1] == played.timeline.length


def test_a_script_with_a_syntax_error_leaves_the_explanation_to_the_rules_in_use(
    played: Session,
) -> None:
    use(played, {"reward": {"variables": {"frame_counter": {"reward": 1.0}}}})
    before = attribute(played)
    played.integration.scripts["pay.lua"] = "function paid( return 1 end\n"
    played.integration.scenario.value = {
        "scripts": ["pay.lua"],
        "reward": {"script": "lua:paid"},
    }
    try:
        with pytest.raises(ScriptError):
            played.game.apply_documents()
        found = attribute(played)
        assert found.shares(1, found.last) == before.shares(1, before.last)
    finally:
        use(played, {"reward": {"variables": {}}})
        del played.integration.scripts["pay.lua"]


def test_a_lua_reward_is_one_term_by_file_and_function(played: Session) -> None:
    played.integration.scripts["pay.lua"] = "function paid() return data.score / 4 end\n"
    use(played, {"scripts": ["pay.lua"], "reward": {"script": "lua:paid"}})
    try:
        found = attribute(played)
        assert [column.term for column in found.columns] == ["pay.lua: paid"]
        assert np.array_equal(found.columns[0].parts, played.timeline.log.rewards()[:, 0])
        assert found.rewards.any()
        share = found.shares(1, found.last)[0]
        assert (share.variable, share.before) == ("", None)
    finally:
        use(played, {"reward": {"variables": {}}})
        del played.integration.scripts["pay.lua"]
