"""The meaning of a scenario file: parses its JSON value into a frozen tree.

Unknown keys are ignored here; the document keeps them. Values that stable-retro silently replaces
(an unknown op by no op, a reward that is no number by 0) are replaced here too, and listed in
`ScenarioSpec.problems`; values on which stable-retro fails raise ScenarioError. Both name the JSON
path. Combinations of buttons that an agent may press are masks: bit i stands for ``buttons[i]``.
The rules for actions were found by running stable-retro's wheel 1.0.1 (`GameData.valid_actions`,
`GameData.filter_action`, `RetroEnv.action_to_array`)."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import or_
from typing import TypeAlias

from integrator.domain.errors import ScenarioError
from integrator.domain.files.jsontext import JsonKey, show_path
from integrator.domain.scenario import tree
from integrator.domain.values.variables import TIME_TERM

ActionGroups = tuple[tuple[tuple[str, ...], ...], ...]
MENU_BUTTONS = frozenset({"START", "SELECT", "RESET", "MODE", "RUN", "PAUSE"})
"""Buttons that pause or leave a game; this program's agents and probes never press them."""
START_BUTTONS = ("START", "RESET", "RUN")  # begin a game on its title; a console has one at most


def _union(masks: Iterable[int]) -> int:
    return reduce(or_, masks, 0)


@dataclass(frozen=True, slots=True)
class ActionSet:
    """The action groups of a game, as masks. ``buttons`` are the system's buttons in bit order
    (None: no such button). ``groups`` are the combinations of each group as masks in ascending
    order. As in stable-retro, groups are sorted by the union of their masks, and of groups with the
    same union only the first is kept. Build an ActionSet with `ActionSet.of`."""

    buttons: tuple[str | None, ...]
    groups: tuple[tuple[int, ...], ...]

    @classmethod
    def of(
        cls,
        buttons: Sequence[str | None],
        groups: Iterable[Iterable[Iterable[str]]],
        path: str = "actions",
    ) -> "ActionSet":
        """Convert groups of combinations of button names to masks.

        Raises ScenarioError with the JSON path of a button that the system lacks. (stable-retro
        maps an unknown name to the bit after the last button, which is never pressed.)"""
        # Reversed, so that a name that two buttons have means the first of them.
        bits = {name: 1 << bit for bit, name in reversed(list(enumerate(buttons))) if name}
        by_union: dict[int, tuple[int, ...]] = {}
        for g, group in enumerate(groups):
            masks = set()
            for c, combination in enumerate(group):
                mask = 0
                for name in combination:
                    if name not in bits:
                        known = ", ".join(filter(None, buttons))
                        where = f"{path}[{g}][{c}]"
                        raise ScenarioError(f"{where}: no button {name!r}; the system has {known}")
                    mask |= bits[name]
                masks.add(mask)
            by_union.setdefault(_union(masks), tuple(sorted(masks)))
        return cls(tuple(buttons), tuple(by_union[union] for union in sorted(by_union)))

    @property
    def usable(self) -> int:
        """The mask of all buttons in any combination; other buttons never reach the game."""
        return _union(map(_union, self.groups))

    def filter(self, mask: int) -> int:
        """Filter ``mask`` as in FILTERED mode: drop a group's bits that are no combination."""
        parts = ((mask & _union(group), group) for group in self.groups)
        return _union(part for part, group in parts if part in group)

    @property
    def discrete_size(self) -> int:
        return math.prod(len(group) for group in self.groups)

    def discrete_masks(self, action: int, players: int = 1) -> tuple[int, ...]:
        """Return one mask per player for an index. Raises ScenarioError.

        Player 1 and, for each player, the first group are the lowest digits of the index."""
        size = self.discrete_size**players
        if not 0 <= action < size:
            raise ScenarioError(f"discrete action {action} is outside 0..{size - 1}")
        masks = [0] * players
        for player in range(players):
            for group in self.groups:
                action, digit = divmod(action, len(group))
                masks[player] |= group[digit]
        return tuple(masks)

    def multi_discrete_mask(self, digits: Sequence[int]) -> int:
        """Return one player's mask for a MULTI_DISCRETE action. Raises ScenarioError."""
        if len(digits) != len(self.groups):
            raise ScenarioError(f"{len(digits)} digits for {len(self.groups)} action groups")
        mask = 0
        for group, digit in zip(self.groups, digits, strict=True):
            if not 0 <= digit < len(group):
                raise ScenarioError(f"digit {digit} is outside 0..{len(group) - 1}")
            mask |= group[digit]
        return mask

    def names(self, mask: int) -> tuple[str, ...]:
        return tuple(
            button for i, button in enumerate(self.buttons) if button is not None and mask >> i & 1
        )


_MASK = (1 << 64) - 1
_MULTIPLIER = 0xC6A4A7935BD1E995
# Bucket counts of a growing map in libstdc++: each is its first listed prime >= twice the last.
_BUCKETS = (
    13, 29, 59, 127, 257, 541, 1109, 2357, 5087, 10273, 20753, 42043, 85229, 172933,
)  # fmt: skip


def string_hash(text: str) -> int:
    """Return libstdc++'s 64-bit hash of ``text`` in UTF-8 (MurmurHash64A with its fixed seed)."""
    raw = text.encode("utf-8", "surrogatepass")
    value = 0xC70F6907 ^ (len(raw) * _MULTIPLIER & _MASK)
    whole = len(raw) & ~7
    for start in range(0, whole, 8):
        word = int.from_bytes(raw[start : start + 8], "little") * _MULTIPLIER & _MASK
        word = (word ^ word >> 47) * _MULTIPLIER & _MASK
        value = (value ^ word) * _MULTIPLIER & _MASK
    if len(raw) > whole:
        value = (value ^ int.from_bytes(raw[whole:], "little")) * _MULTIPLIER & _MASK
    value = (value ^ value >> 47) * _MULTIPLIER & _MASK
    return value ^ value >> 47


def insertion_order(names: Iterable[str]) -> list[str]:
    """Return ``names`` in stable-retro's order of a JSON object: by their UTF-8 bytes."""
    return sorted(names, key=lambda name: name.encode("utf-8", "surrogatepass"))


def upstream_order(names: Iterable[str]) -> list[str]:
    """Return ``names`` in stable-retro's iteration order of a map filled in the given order."""
    hashes: dict[str, int] = {}
    chain: list[str] = []
    sizes = iter(_BUCKETS)
    buckets = 0
    for name in names:
        if name in hashes:
            continue
        if len(chain) >= buckets:
            buckets, old, chain = next(sizes), chain, []
            for other in old:
                _insert(chain, hashes, other, buckets)
        hashes[name] = string_hash(name)
        _insert(chain, hashes, name, buckets)
    return chain


def _insert(chain: list[str], hashes: dict[str, int], name: str, buckets: int) -> None:
    """Put ``name`` before its bucket's first entry, or at the head when the bucket is empty."""
    bucket = hashes[name] % buckets
    for index, other in enumerate(chain):
        if hashes[other] % buckets == bucket:
            chain.insert(index, name)
            return
    chain.insert(0, name)


JsonObject: TypeAlias = Mapping[str, object]

MAX_PLAYERS = 2  # stable-retro supports rewards and crops for this many players


@dataclass(frozen=True, slots=True)
class ScenarioSpec:
    """The content of a scenario file; players beyond ``rewards`` get no reward."""

    rewards: tuple[tree.RewardSpec, ...] = ()
    done: tree.DoneNode = field(default_factory=lambda: tree.DoneNode("done"))
    done_script: tree.ScriptCall | None = None
    actions: tuple[tuple[tuple[str, ...], ...], ...] | None = None
    crops: tuple[tree.Crop, ...] = (tree.Crop(),) * MAX_PLAYERS
    scripts: tuple[str, ...] = ()
    problems: tuple[tree.Problem, ...] = ()

    @classmethod
    def parse(cls, value: object, path: str = "") -> "ScenarioSpec":
        """Parse a scenario file's value. Raises ScenarioError, which names the JSON path."""
        return _Parser(path).scenario(value)

    @property
    def script_calls(self) -> tuple[tree.ScriptCall, ...]:
        """Every Lua function that scoring calls, in the order of the calls (done first)."""
        calls = [self.done_script, *(reward.script for reward in self.rewards)]
        return tuple(call for call in calls if call is not None)

    @property
    def variables(self) -> frozenset[str]:
        """Names of all variables that rewards and done read (scripts may read more)."""
        names = {term.name for r in self.rewards if r.script is None for term in r.terms}
        if self.done_script is None:
            names |= {test.name for node in self.done.walk() for test in node.tests}
        return frozenset(names)


class _Parser:
    """Builds the tree and collects problems; one object for each parse."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._problems: list[tree.Problem] = []

    def scenario(self, value: object) -> ScenarioSpec:
        root = self._object(value, "")
        done = self._object(root.get("done", {}), "done")
        return ScenarioSpec(
            rewards=self._rewards(root),
            done=self._node(done, "done"),
            done_script=self._script(done, "done"),
            actions=self._actions(root.get("actions", [])),
            crops=self._crops(root),
            scripts=tuple(
                self._text(item, show_path(("scripts", i)))
                for i, item in enumerate(self._array(root.get("scripts", []), "scripts"))
            ),
            problems=tuple(self._problems),
        )

    def _rewards(self, root: JsonObject) -> tuple[tree.RewardSpec, ...]:
        blocks = []
        if "reward" in root:
            blocks.append((0, "reward", root["reward"]))
        items = self._array(root.get("rewards", []), "rewards")
        if len(items) > MAX_PLAYERS:
            self._warn(f"only the first {MAX_PLAYERS} players are read", "rewards")
        blocks += [(i, show_path(("rewards", i)), x) for i, x in enumerate(items[:MAX_PLAYERS])]
        rewards: dict[int, tree.RewardSpec] = {}
        for player, path, value in blocks:
            block = self._reward(self._object(value, path), path)
            rewards[player] = self._merge(rewards[player], block) if player in rewards else block
        return tuple(rewards[player] for player in sorted(rewards))

    @staticmethod
    def _merge(first: tree.RewardSpec, second: tree.RewardSpec) -> tree.RewardSpec:
        by_name = {term.name: term for term in (*second.terms, *first.terms)}
        names = [
            name
            for block in (first, second)
            for name in insertion_order(term.name for term in block.terms)
        ]
        return tree.RewardSpec(
            path=second.path,
            terms=tuple(by_name[name] for name in upstream_order(names)),
            time=second.time or first.time,
            script=second.script or first.script,
        )

    def _reward(self, block: JsonObject, path: str) -> tree.RewardSpec:
        variables = self._entries(block, path, "variables")
        time = None
        if "time" in block:
            where = show_path((path, "time"))
            time = self._term(TIME_TERM, self._object(block["time"], where), where)
        script = self._script(block, path)
        if script and (variables or time):
            self._warn("replaces the variables and time next to it", path, "script")
        return tree.RewardSpec(
            path=path,
            terms=tuple(self._term(name, *variables[name]) for name in variables),
            time=time,
            script=script,
        )

    def _entries(self, block: JsonObject, path: str, key: str) -> dict[str, tuple[JsonObject, str]]:
        """Return the objects under ``key`` with their paths, in stable-retro's order."""
        where = show_path((path, key))
        found = self._object(block.get(key, {}), where)
        entries = {}
        for name, value in found.items():
            below = show_path((where, name))
            entries[name] = self._object(value, below), below
        return {name: entries[name] for name in upstream_order(insertion_order(entries))}

    def _term(self, name: str, value: JsonObject, path: str) -> tree.TermSpec:
        measurement, op, reference = self._measured(value, path, tree.Measurement.DELTA)
        return tree.TermSpec(
            name=name,
            measurement=measurement,
            op=op,
            reference=reference,
            reward=self._factor(value, "reward", path),
            penalty=self._factor(value, "penalty", path),
            path=path,
        )

    def _test(self, name: str, value: JsonObject, path: str) -> tree.TestSpec:
        measurement, op, reference = self._measured(value, path, tree.Measurement.ABSOLUTE)
        return tree.TestSpec(name, measurement, op, reference, path)

    def _node(self, value: JsonObject, path: str) -> tree.DoneNode:
        variables = self._entries(value, path, "variables")
        nodes = self._entries(value, path, "nodes")
        condition = value.get("condition", tree.Condition.ANY.value)
        if condition not in tuple(tree.Condition):
            self._warn(f"{condition!r} is no condition: `any` is used", path, "condition")
        return tree.DoneNode(
            path=path,
            condition=tree.Condition.ALL if condition == tree.Condition.ALL else tree.Condition.ANY,
            tests=tuple(self._test(name, *variables[name]) for name in variables),
            nodes=tuple(self._node(*node) for node in nodes.values()),
        )

    def _script(self, block: JsonObject, path: str) -> tree.ScriptCall | None:
        if "script" not in block:
            return None
        text = self._text(block["script"], show_path((path, "script")))
        scope, colon, function = text.partition(":")
        call = tree.ScriptCall(function, scope) if colon else tree.ScriptCall(text)
        if call.scope not in {"", "lua"}:
            raise self._error(f"no script language {call.scope!r}; use lua", path, "script")
        return call if call.function else None

    def _actions(self, value: object) -> tuple[tuple[tuple[str, ...], ...], ...] | None:
        groups = tuple(
            tuple(
                tuple(
                    self._text(button, show_path(("actions", g, c, b)))
                    for b, button in enumerate(self._array(combo, show_path(("actions", g, c))))
                )
                for c, combo in enumerate(self._array(group, show_path(("actions", g))))
            )
            for g, group in enumerate(self._array(value, "actions"))
        )
        return groups or None

    def _crops(self, root: JsonObject) -> tuple[tree.Crop, ...]:
        shared = self._crop(root["crop"], "crop") if "crop" in root else tree.Crop()
        if "crops" not in root:
            return (shared,) * MAX_PLAYERS
        self._warn("stable-retro fails to load a scenario with this key; use `crop`", "crops")
        own = [
            self._crop(value, show_path(("crops", i)))
            for i, value in enumerate(self._array(root["crops"], "crops")[:MAX_PLAYERS])
        ]
        return tuple(own + [tree.Crop()] * (MAX_PLAYERS - len(own)))

    def _crop(self, value: object, path: str) -> tree.Crop:
        numbers = [int(n) for n in self._array(value, path) if isinstance(n, int | float)]
        if len(numbers) != 4 or min(numbers) < 0:
            raise self._error(f"expected [x, y, width, height] in pixels, not {value!r}", path)
        return tree.Crop(*numbers)

    def _measured(
        self, value: JsonObject, path: str, default: tree.Measurement
    ) -> tuple[tree.Measurement, tree.Op, int]:
        measurement = value.get("measurement", default.value)
        if measurement not in tuple(tree.Measurement):
            self._warn(f"{measurement!r} is unknown: `{default}` is used", path, "measurement")
            measurement = default
        op = value.get("op", "")
        known = tree.OPS.get(op) if isinstance(op, str) else None
        if known is None:
            self._warn(f"{op!r} is no op: it is ignored", path, "op")
        return tree.Measurement(str(measurement)), known or tree.NO_OP, self._reference(value, path)

    def _reference(self, value: JsonObject, path: str) -> int:
        reference = value.get("reference", 0)
        if (
            isinstance(reference, bool)
            or not isinstance(reference, int | float)
            or (isinstance(reference, float) and not math.isfinite(reference))
        ):
            self._warn(f"{reference!r} is no number: 0 is used", path, "reference")
            return 0
        if isinstance(reference, float) and not reference.is_integer():
            self._warn(f"{reference!r} is no integer: {int(reference)} is used", path, "reference")
        return tree.wrap_int64(int(reference))

    def _factor(self, value: JsonObject, key: str, path: str) -> float:
        factor = value.get(key, 0.0)
        if not isinstance(factor, int | float):
            self._warn(f"{factor!r} is no number: 0 is used", path, key)
            return 0.0
        return float(tree.to_float32(int(factor) if isinstance(factor, bool) else factor))

    def _object(self, value: object, path: str) -> JsonObject:
        if isinstance(value, Mapping):
            return value
        if value is None:
            self._warn("null is read as empty", path)
            return {}
        raise self._error(f"expected an object, not {type(value).__name__}", path)

    def _array(self, value: object, path: str) -> Sequence[object]:
        if isinstance(value, Sequence) and not isinstance(value, str):
            return value
        raise self._error(f"expected an array, not {type(value).__name__}", path)

    def _text(self, value: object, path: str) -> str:
        if isinstance(value, str):
            return value
        raise self._error(f"expected a string, not {type(value).__name__}", path)

    def _warn(self, message: str, *path: JsonKey) -> None:
        self._problems.append(tree.Problem(show_path(path), message))

    def _error(self, message: str, *path: JsonKey) -> ScenarioError:
        where = ": ".join(part for part in (self._file, show_path(path)) if part)
        return ScenarioError(f"{where}: {message}" if where else message)
