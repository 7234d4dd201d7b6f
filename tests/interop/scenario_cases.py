"""Scenarios for comparing our scoring with stable-retro's, generated and with scripts."""

from __future__ import annotations

import random
from typing import Any

Case = dict[str, Any]

OPS = (
    None, "equal", "negative-equal", "not-equal", "less-than", "greater-than", "less-or-equal",
    "greater-or-equal", "nonzero", "zero", "positive", "negative", "sign", "no-such-op",
)  # fmt: skip
FACTORS = (1, 1.0, 0.1, 0.3, -0.7, 3.3333333, 1e-3, 12345.678, 2, 0, 1e30)
REFERENCES = (0, 1, 2, -1, 3, 255, 60, 1000, -5, 1.5)

_RAM = 0xFF0000
_SCORE = _RAM + 0x246


def data_json() -> Case:
    """Return Airstriker's variables, and others over the same RAM in all kinds of types."""
    info: dict[str, Case] = {
        "gameover": {"address": 16712294, "type": ">u2"},
        "lives": {"address": 16712282, "type": ">u2"},
        "score": {"address": 16712270, "type": ">u4"},
        "masked": {"address": 16712273, "type": "|u1", "mask": 0x3F},
        "masked_negative": {"address": 16712272, "type": ">i2", "mask": -113},
    }
    types = ("|u1", "|i1", ">u2", "<u2", ">i2", "<i4", ">u4", "|d1", ">d2", ">n2", ">u8", "<i8")
    rng = random.Random(5)
    for number, kind in enumerate(types * 3):
        info[f"v{number}_{kind[1:]}"] = {"address": _RAM + rng.randrange(0, 0x1000), "type": kind}
    # Near the variables that change on most frames.
    for number, kind in enumerate(types):
        info[f"near{number}"] = {"address": 16712260 + 3 * number, "type": kind}
    return {"info": info}


class Generator:
    """Makes random scenarios; the same ones for the same seed."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)
        self._names = sorted(data_json()["info"])

    def scenario(self) -> Case:
        """Return one scenario with rewards of one or two players and a done tree."""
        rng = self._rng
        case: Case = {"done": self._node(3)}
        kind = rng.randrange(3)
        if kind != 1:
            case["reward"] = self._reward()
        if kind != 0:
            case["rewards"] = [self._reward() for _ in range(rng.randint(1, 2))]
        return case

    def _reward(self) -> Case:
        rng = self._rng
        names = rng.sample(self._names, rng.choice((0, 1, 2, 3, 6, 20)))
        block: Case = {"variables": {name: self._term(FACTORS) for name in names}}
        if rng.random() < 0.4:
            block["time"] = self._term(FACTORS)
        return block

    def _node(self, depth: int) -> Case:
        rng = self._rng
        node: Case = {}
        if rng.random() < 0.8:
            names = rng.sample(self._names, rng.choice((1, 1, 2, 3, 5)))
            node["variables"] = {name: self._term(()) for name in names}
        if depth and rng.random() < 0.7:
            node["nodes"] = {f"n{i}": self._node(depth - 1) for i in range(rng.randint(1, 3))}
        if rng.random() < 0.8:
            node["condition"] = rng.choice(("any", "all"))
        return node

    def _term(self, factors: tuple[float, ...]) -> Case:
        rng = self._rng
        term: Case = {}
        if (op := rng.choice(OPS)) is not None:
            term["op"] = op
        if rng.random() < 0.5:
            term["measurement"] = rng.choice(("absolute", "delta"))
        if rng.random() < 0.7:
            term["reference"] = rng.choice(REFERENCES)
        if factors and rng.random() < 0.9:
            term["reward"] = rng.choice(factors)
        if factors and rng.random() < 0.7:
            term["penalty"] = rng.choice(factors)
        return term


def each_op_and_measurement() -> list[Case]:
    """Return one scenario for each op with each measurement, in reward and in done."""
    watched = (("score", 20), ("near4", 1), ("lives", -3), ("masked_negative", 2))
    cases: list[Case] = []
    for op in OPS:
        for measurement in (None, "absolute", "delta"):
            name, reference = watched[len(cases) % len(watched)]
            keys = {"op": op, "measurement": measurement, "reference": reference}
            term = {key: value for key, value in keys.items() if value is not None}
            reward = {"variables": {name: {**term, "reward": 0.1, "penalty": 0.7}}}
            cases.append({"reward": reward, "done": {"variables": {name: term}}})
    return cases


ACTION_CASES: list[Any] = [
    [],
    [[[], ["UP"], ["DOWN"]], [[], ["LEFT"], ["RIGHT"]], [[], ["B"], ["C"]]],
    [[["START"], [], ["A", "B"], ["B"]], [["UP", "LEFT"], [], ["UP"]]],
    [[["A"], ["B"]], [["B"], ["A"], []], [["MODE"]]],
    [[[]], [["Z", "Y", "X"]], []],
    [[["A", "C"], ["B"]], [["C", "UP"], ["A"]]],
]

_VARIABLES: Case = {
    "score": {"reward": 0.1, "penalty": 0.2},
    "near4": {"measurement": "absolute", "reward": 0.3, "penalty": 0.7},
    "lives": {"measurement": "absolute", "reward": 0.01},
}
_TWO: Case = {
    "scripts": ["script.lua"],
    "rewards": [{"script": "lua:reward"}, {"variables": _VARIABLES}],
}

SCRIPT_CASES: dict[str, tuple[Case, str]] = {
    "custom_variables": (
        {**_TWO, "done": {"script": "done"}},
        """
        data.best = 0
        data.ratio = 0.25
        data.flag = false
        function reward()
          local now = data.score
          if now > data.best then data.best = now end
          data.ratio = data.ratio * -1.5
          if data.ratio > 1000 or data.ratio < -1000 then data.ratio = 0.1 end
          data.flag = not data.flag
          data.nothing = nil
          return data.best / 3 + data.ratio
        end
        function done() return data.flag end
        """,
    ),
    "writes_ram_in_done": (
        {**_TWO, "done": {"script": "lua:done"}},
        """
        local n = 0
        function done()
          n = n + 1
          data.lives = 3 + n % 5
          if n % 7 == 0 then data.score = n * 1000 end
          return n % 3 - 1
        end
        function reward() return data.lives + data.score / 7 end
        """,
    ),
    "writes_ram_in_reward": (
        {
            "scripts": ["script.lua"],
            "rewards": [{"script": "reward"}, {"variables": _VARIABLES, "time": {"reward": 0.1}}],
            "done": {"variables": {"lives": {"op": "equal", "reference": 65535}}},
        },
        """
        function reward()
          if scenario.frame % 5 == 0 then data.lives = -1 end
          if scenario.frame % 5 == 1 then data.lives = 70000 end
          if scenario.frame % 5 == 2 then data.lives = 2.9 end
          if scenario.frame % 5 == 3 then data.lives = true end
          if scenario.frame % 50 == 4 then data.lives = nil end
          return data.lives / 10
        end
        """,
    ),
    "second_player": (
        {
            "scripts": ["script.lua"],
            "rewards": [{"variables": _VARIABLES}, {"script": "lua:second"}],
            "done": {"variables": {"lives": {"op": "zero"}}},
        },
        """
        function second() data.count = (data.count_started and 1 or 0) return 2 end
        data.count_started = false
        """,
    ),
    "frame_counter": (
        {**_TWO, "done": {"script": "lua:done"}},
        """
        function reward() scenario.frame = 7 return scenario.frame + scenario.timestep / 1000 end
        function done() return scenario.timestep % 2 == 1 end
        """,
    ),
    "bytes": (
        {**_TWO, "done": {"script": "lua:done"}},
        """
        data.sum = 0
        function reward()
          data[5] = 3
          data.sum = 0
          for a = 0xFF0240, 0xFF0260 do data.sum = data.sum + data[a] end
          return data.sum + data["16712272"] / 256
        end
        function done() return data.sum > 1500 end
        """,
    ),
    "results": (
        {**_TWO, "done": {"script": "lua:done"}},
        """
        function reward()
          local n = scenario.frame % 8
          if n == 0 then return true elseif n == 1 then return false elseif n == 2 then return
          elseif n == 3 then return "7" elseif n == 4 then return -1e300
          elseif n == 5 then return 16777217
          elseif n == 6 then return 1, 2 else return 1e-50 end
        end
        function done()
          local n = scenario.frame % 6
          if n == 0 then return -1 elseif n == 1 then return 0 elseif n == 2 then return 0.001
          elseif n == 3 then return {} elseif n == 4 then return false else return true end
        end
        """,
    ),
    "custom_in_rewards": (
        {
            "scripts": ["script.lua"],
            "rewards": [
                {"variables": {"mine": {"measurement": "absolute", "reward": 0.1, "penalty": 0.9},
                               "yours": {"reward": 5, "penalty": 5},
                               "score": {"reward": 0.1}}},
                {"script": "lua:step"},
            ],
            "done": {"variables": {"mine": {"op": "greater-than", "reference": 40}},
                     "nodes": {"deep": {"variables": {"yours": {"op": "negative"}}}}},
        },
        """
        data.mine, data.yours = -3.7, 0
        function step() data.mine = (data.mine + 1.9) % 50 data.yours = -data.yours - 1 return 0 end
        """,
    ),
    "random": (
        {**_TWO, "done": {"script": "lua:done"}},
        """
        math.random()
        function reward() return math.random() + math.random(6) + math.random(-3, 3) end
        function done()
          if scenario.frame % 100 == 0 then math.randomseed(scenario.frame) end
          return math.random(2) == 1
        end
        """,
    ),
    "library": (
        {**_TWO, "done": {"script": "lua:done"}},
        """
        local log = {}
        function reward()
          table.insert(log, string.format("%05.2f", data.score / 7))
          if #log > 9 then table.remove(log, 1) end
          table.sort(log)
          local ok, why = pcall(function() error("no", 0) end)
          local text = table.concat(log, ","):gsub("%d+%.", "%0 "):upper()
          local number = tonumber(text:match("%.%s*(%d+)") or 0)
          return #text + math.sqrt(data.score) + number + (ok and 1 or #why)
        end
        function done()
          local c = coroutine.wrap(function() for i = 1, 3 do coroutine.yield(i) end end)
          return c() + c() > 3 + data.lives
        end
        """,
    ),
}  # fmt: skip
