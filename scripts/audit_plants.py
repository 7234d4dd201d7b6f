"""Plants for the audit's benchmark: shipped integrations of Atari games, honest or with one trap.

A plant needs no source of the game: it changes the scenario, a variable's type, the script or the
start state. Amounts and periods are drawn by the game's name."""

from __future__ import annotations

import gzip
import hashlib
import json
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.audit.play import ScoredPlay
from integrator.session.opening import open_session
from integrator.session.session import Session
from scripts.bench_games import played_rows
from scripts.bench_labels import BASE, PUBLISHED

_LOOKED_AT: Final = frozenset(
    {
        "Asterix", "BankHeist", "Berzerk", "Breakout", "CrazyClimber", "Enduro", "Frostbite",
        "Hero", "Jamesbond", "Kaboom", "Kangaroo", "Krull", "KungFuMaster", "MontezumaRevenge",
        "MsPacman", "Phoenix", "Pitfall", "Pooyan", "Qbert", "Seaquest", "SpaceInvaders", "Venture",
    }
)  # fmt: skip
"""Games on which rules were tuned, or whose plants were looked at."""
_IDLE_FRAMES: Final = 300
_SEARCHED_FRAMES: Final = 3600
FEWEST: Final = 3
"""Rises of a score that show a sign."""


@dataclass(frozen=True, slots=True)
class Facts:
    """A game as its integration ships it.

    ``scenario`` and ``variables`` are their JSON; ``plays`` are honest ones. ``clock`` is the
    address of a byte that counts frames, ``x`` that of the player's place; None: not known.
    ``draw`` draws amounts."""

    directory: Path
    scenario: Mapping[str, Any]
    variables: Mapping[str, Mapping[str, Any]]
    plays: Sequence[ScoredPlay]
    clock: int | None
    x: int | None
    draw: np.random.Generator

    @property
    def score(self) -> Mapping[str, Any]:
        """The entry of the score."""
        return self.variables["score"]


@dataclass(frozen=True, slots=True)
class Plant:
    """Parts of an integration that differ; ``trap`` is the kind to name, empty for an honest one.

    ``also`` are kinds that are true of it, too. ``state`` is a start state, ``script`` a Lua file;
    ``farms`` are masks of a player who falls into the trap."""

    name: str
    trap: str = ""
    also: frozenset[str] = frozenset()
    reward: Mapping[str, Any] | None = None
    done: Mapping[str, Any] | None = None
    variables: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    script: str = ""
    state: bytes = b""
    farms: NDArray[np.uint16] | None = None


Planter = Callable[[Facts], Iterator[Plant]]
"""Yields a plant, or none where the trap would not show in this game."""

_DRIP: Final = """
local before = data.score
function reward()
  local gain = math.max(0, data.score - before)
  before = data.score
  if scenario.frame % {period} == {period} - 1 then gain = gain + {drip} end
  return gain
end
"""
_HIT: Final = """
local before = data.score
local lives = data.lives
function reward()
  local gain = math.max(0, data.score - before)
  before = data.score
  if data.lives < lives then gain = gain + ({pay}) end
  lives = data.lives
  return gain
end
"""
_CROSSING: Final = """
local side = nil
local before = data.score
function reward()
  local gain = math.max(0, data.score - before)
  before = data.score
  local now = data.x > {middle}
  if side ~= nil and now and not side then gain = gain + {pay} end
  side = now
  return gain
end
"""


def honest(_: Facts) -> Iterator[Plant]:
    """As it ships."""
    yield Plant("honest")


def dripping(facts: Facts) -> Iterator[Plant]:
    """A script pays at even pauses, in addition to the score; its twin takes as much."""
    drip, period = max(1, _best(facts) // 50), int(facts.draw.integers(20, 100))
    for name, trap, sign in (("drip", "reward-without-input", 1), ("honest-drip", "", -1)):
        yield Plant(name, trap, reward={"script": "lua:reward"},
                    script=_DRIP.format(period=period, drip=sign * drip))  # fmt: skip


def for_living(_: Facts) -> Iterator[Plant]:
    """Lives pay on every frame."""
    term = {"lives": {"reward": 1.0, "measurement": "absolute"}}
    yield Plant("for-living", "reward-without-input", reward={"variables": term})


def by_the_clock(facts: Facts) -> Iterator[Plant]:
    """A counter of frames pays."""
    if facts.clock is not None:
        entry = {"clock": {"address": facts.clock, "type": "|u1"}}
        yield Plant("clock-pays", "reward-without-input", frozenset({"jump"}),
                    {"variables": {"clock": {"reward": float(facts.draw.choice([0.01, 0.1, 2]))}}},
                    variables=entry)  # fmt: skip


def to_and_fro(facts: Facts) -> Iterator[Plant]:
    """Each way to the right pays."""
    if facts.x is not None and _moves(facts):
        entry = {"x": {"address": facts.x, "type": "|u1"}}
        # At the edge of a screen the player's place is set again, far on the other side.
        yield Plant("ground-pays", "repaid", frozenset({"jump"}),
                    {"variables": {"x": {"reward": 1.0}}}, variables=entry)  # fmt: skip


def crossing(facts: Facts) -> Iterator[Plant]:
    """A script pays whenever the middle is crossed to the right; a player goes to and fro."""
    if facts.x is None or not _moves(facts):
        return
    with open_session(facts.directory) as session:
        left, right = (1 << session.system.buttons.index(way) for way in ("LEFT", "RIGHT"))
    frames = np.arange(_SEARCHED_FRAMES) // 40 % 2
    rows = np.where(frames, left, right).astype(np.uint16).reshape(-1, 1)
    places = _x_of(facts, rows)
    middle = int((int(places.min()) + int(places.max())) // 2)
    script = _CROSSING.format(middle=middle, pay=max(1, _best(facts) // 20))
    paid = np.count_nonzero((places[1:] > middle) & (places[:-1] <= middle))
    if paid >= 12:
        entry = {"x": {"address": facts.x, "type": "|u1"}}
        yield Plant("crossing-pays", "farming", reward={"script": "lua:reward"}, variables=entry,
                    script=script, farms=rows)  # fmt: skip


def never_done(facts: Facts) -> Iterator[Plant]:
    """No done at all, where honest play is done long before its end."""
    if any(p.done.any() and np.argmax(p.done) < p.frames - 10 * p.fps for p in facts.plays):
        yield Plant("never-done", "done-missed", done={})


def done_by_score(facts: Facts) -> Iterator[Plant]:
    """The first points end the episode, where honest play earns on."""
    test = {"score": {"measurement": "delta", "op": "positive"}}
    if all(np.count_nonzero(play.earned[play.until_done] > 0) > 1 for play in facts.plays):
        yield Plant("done-by-score", "done-alive", done={"variables": test})


def done_at_once(facts: Facts) -> Iterator[Plant]:
    """Done from the start on."""
    if facts.plays[0].values["lives"][0] >= 0:
        test = {"lives": {"op": "greater-than", "reference": -1}}
        yield Plant("done-at-once", "done-at-once", done={"variables": test})


def done_by_clock(facts: Facts) -> Iterator[Plant]:
    """A counter of frames ends the episode."""
    if facts.clock is not None:
        entry = {"clock": {"address": facts.clock, "type": "|u1"}}
        with open_session(facts.directory) as session:
            session.reset()
            first = int(session.memory.read(facts.clock, "|u1"))
        late = int(facts.draw.integers(90, 250))
        test = {"clock": {"op": "equal", "reference": (first + late) % 256}}
        yield Plant("done-by-clock", "clock-only", done={"variables": test}, variables=entry)


def debts(facts: Facts) -> Iterator[Plant]:
    """Points cost, also of a score in two variables, and lost lives pay; each with a twin."""
    size = float(facts.draw.integers(1, 50))
    steps = sum(int((np.diff(p.values["score"][p.until_done]) > 0).sum()) for p in facts.plays)
    if steps > FEWEST:
        yield Plant("score-costs", "wrong-sign", reward=_terms(score=-size))
    if any(np.any(np.diff(p.values["lives"][p.until_done]) < 0) for p in facts.plays):
        both = {"score": {"reward": 1.0}, "lives": {"penalty": -size}}
        yield Plant("death-pays", "wrong-sign", reward={"variables": both})
        both = {"score": {"reward": 1.0}, "lives": {"penalty": size}}
        yield Plant("honest-death", reward={"variables": both})
    halves = _halves(facts)
    if halves and steps > FEWEST:
        costs = _terms(low=-1.0, high=-100.0)
        yield Plant("halves-cost", "wrong-sign", reward=costs, variables=halves)
        pays = {
            name: {"reward": each, "penalty": each} for name, each in (("low", 1), ("high", 100))
        }
        yield Plant("honest-halves", reward={"variables": pays}, variables=halves)


def _terms(**rewards: float) -> dict[str, Any]:
    return {"variables": {name: {"reward": reward} for name, reward in rewards.items()}}


def _halves(facts: Facts) -> dict[str, dict[str, Any]]:
    """The last two digits of a decimal score, and the digits before them; none of other scores."""
    kind, address = str(facts.score["type"]), facts.score["address"]
    width = int(kind[2:])
    if kind[1] != "d" or width < 2 or "mask" in facts.score:
        return {}
    first, order = kind[0] == "<", kind[0] if width > 2 else "|"
    return {
        "low": {"address": address + (0 if first else width - 1), "type": "|d1"},
        "high": {
            "address": address + first,
            "type": f"{order}d{width - 1}",
        },
    }


def hits(facts: Facts) -> Iterator[Plant]:
    """A script pays for each lost life, in addition to the score."""
    lost = sum(
        int(np.count_nonzero(np.diff(play.values["lives"][play.until_done]) < 0))
        for play in facts.plays
    )
    if lost >= 4:
        pay = max(10, int(_best(facts) * facts.draw.uniform(0.5, 2)))
        for name, trap, sign in (("hit-pays", "paid-loss", 1), ("honest-hit", "", -1)):
            script = _HIT.format(pay=sign * pay)
            yield Plant(name, trap, reward={"script": "lua:reward"}, script=script)


def misread(facts: Facts) -> Iterator[Plant]:
    """The score's decimal digits as a binary number."""
    kind = str(facts.score["type"])
    if kind[1] == "d" and _steps(facts) >= 12:
        entry = {**facts.score, "type": kind.replace("d", "u")}
        yield Plant("binary-digits", "misread", variables={"score": entry})


def low_byte(facts: Facts) -> Iterator[Plant]:
    """The lowest byte of the score alone, where it runs over twice in a play; its twin has all."""
    kind, address = str(facts.score["type"]), facts.score["address"]
    if kind[1] not in "du" or int(kind[2:]) < 2 or "mask" in facts.score:
        return
    size = 100 if kind[1] == "d" else 256
    scores = [play.values["score"][play.until_done] for play in facts.plays]
    carries = max(int(np.count_nonzero(np.diff(each // size) > 0)) for each in scores)
    if carries >= 3 and len(np.unique(np.concatenate(scores) % size)) > 2:
        low = address + (int(kind[2:]) - 1 if kind[0] == ">" else 0)
        entry = {"address": low, "type": f"|{kind[1]}1"}
        also = frozenset({"misread"})
        yield Plant("low-byte", "jump", also, reward=_terms(score=1.0), variables={"score": entry})
        yield Plant("honest-score", reward=_terms(score=1.0))


def all_by_one(facts: Facts) -> Iterator[Plant]:
    """One term pays all."""
    if _best(facts) > 0:
        both = {"score": {"reward": 1000.0}, "lives": {"penalty": 0.01}}
        yield Plant("all-by-one", "share", reward={"variables": both})


def paid_at_start(facts: Facts) -> Iterator[Plant]:
    """The start state lies a frame before the score rises."""
    with open_session(facts.directory) as session:
        state = _before_a_payment(session, facts)
    if state:
        yield Plant("paid-at-start", "reward-at-start", state=state)


PLANTERS: Final[tuple[Planter, ...]] = (
    honest, dripping, for_living, by_the_clock, to_and_fro, crossing, never_done, done_by_score,
    done_at_once, done_by_clock, debts, hits, misread, low_byte, all_by_one, paid_at_start,
)  # fmt: skip


def facts_of(directory: Path, plays: Sequence[ScoredPlay]) -> Facts:
    """The facts of a game that plants need."""
    offset = PUBLISHED.get(directory.name.split("-")[0], (None, None))[0]
    return Facts(
        directory,
        json.loads((directory / "scenario.json").read_text()),
        json.loads((directory / "data.json").read_text())["info"],
        plays,
        _clock(directory),
        None if offset is None else BASE + offset,
        np.random.default_rng(int(digest(directory.name)[:8], 16)),
    )


def build(facts: Facts, plant: Plant, folder: Path) -> Path:
    """Copy the integration and plant the trap; returns the new directory."""
    directory = folder / facts.directory.name
    shutil.copytree(facts.directory, directory)
    scenario: dict[str, Any] = {**facts.scenario}
    if plant.reward is not None:
        scenario["reward"] = plant.reward
    if plant.done is not None:
        scenario["done"] = plant.done
    if plant.script:
        scenario["scripts"] = ["script.lua"]
        (directory / "script.lua").write_text(plant.script)
    (directory / "scenario.json").write_text(json.dumps(scenario))
    info = {**facts.variables, **plant.variables}
    (directory / "data.json").write_text(json.dumps({"info": info}))
    if plant.state:
        (directory / "Plant.state").write_bytes(gzip.compress(plant.state))
        (directory / "metadata.json").write_text(json.dumps({"default_state": "Plant"}))
    return directory


def _best(facts: Facts) -> int:
    return int(max(p.earned_within(p.frames) for p in facts.plays))


def _steps(facts: Facts) -> int:
    """The most rises of the score in an episode, carries among them."""
    scores = (play.values["score"][play.until_done] for play in facts.plays)
    return max(int(np.count_nonzero(np.diff(each) > 0)) for each in scores)


def _moves(facts: Facts) -> bool:
    rows = played_rows(_buttons(facts.directory), 1200, 5)
    return int(np.ptp(_x_of(facts, rows).astype(np.int64))) >= 16


def _buttons(directory: Path) -> Sequence[str | None]:
    with open_session(directory) as session:
        return session.system.buttons


def _x_of(facts: Facts, rows: NDArray[np.uint16]) -> NDArray[np.uint8]:
    assert facts.x is not None
    with open_session(facts.directory) as session:
        session.reset()
        session.run(rows)
        (offset,) = session.memory.space.offsets(facts.x, 1)
        log = session.timeline.log
        return np.array([log.ram(frame)[offset] for frame in range(1, session.timeline.length + 1)])


def _clock(directory: Path) -> int | None:
    """A byte that grows by one on every frame of idle play; the first by address."""
    with open_session(directory) as session:
        session.reset()
        session.advance((0,), frames=_IDLE_FRAMES)
        log = session.timeline.log
        rams = np.array([log.ram(frame) for frame in range(2, _IDLE_FRAMES)])
    # Bytes count around their end.
    found = np.flatnonzero((np.diff(rams, axis=0) == 1).all(axis=0))
    return BASE + int(found[0]) if len(found) else None


def _before_a_payment(session: Session, facts: Facts) -> bytes:
    """A state after which the second idle frame pays, or none."""
    rows = played_rows(session.system.buttons, _SEARCHED_FRAMES, 11)
    address, kind = facts.score["address"], str(facts.score["type"])
    session.reset()
    for row in rows:
        state = session.save_state()
        before = session.memory.read(address, kind)
        session.advance((0,))
        first = session.memory.read(address, kind)
        session.advance((0,))
        if first == before < session.memory.read(address, kind):
            return state
        session.load_state(state)
        session.run(row.reshape(1, 1))
    return b""


def digest(name: str) -> str:
    """The order of games, which nobody chose."""
    return hashlib.sha1(name.encode()).hexdigest()


def is_tuned(game: str) -> bool:
    """True for a game that was looked at, or that is in the half for tuning."""
    return game in _LOOKED_AT or int(digest(game), 16) % 2 == 0


def is_frozen(game: str) -> bool:
    """True for a game of the other half, which is looked at once."""
    return not is_tuned(game)
