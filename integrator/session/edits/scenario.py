"""Changes of a scenario's JSON value that are more than setting one key."""

from collections.abc import Sequence
from typing import Any

from integrator.domain.errors import ScenarioError
from integrator.domain.files.jsontext import JsonPath
from integrator.domain.integration.naming import free_name
from integrator.domain.scenario.tree import Condition, Measurement, TestSpec


def value_at(root: Any, path: JsonPath) -> Any:
    """The value at ``path``. Raises ScenarioError when there is none."""
    place = root
    for key in path:
        try:
            place = place[key]
        except (KeyError, IndexError, TypeError) as error:
            raise ScenarioError(f"there is nothing at {'.'.join(map(str, path))}") from error
    return place


def move_done_node(root: Any, path: JsonPath, group: JsonPath) -> None:
    """Move a condition or group of the done tree into another group.

    A group whose name is taken there gets a number; raises ScenarioError for a variable that is
    tested there already, and for a group that would hold itself.
    """
    kind, name = str(path[-2]), str(path[-1])
    if group[: len(path)] == path:
        raise ScenarioError(f"the group “{name}” cannot be put into itself")
    if path[:-2] == group:
        return
    held = value_at(root, group).setdefault(kind, {})
    if kind == "variables" and name in held:
        raise ScenarioError(f"“{name}” is tested in that group already; it can be there once")
    siblings = value_at(root, path[:-1])
    held[free_name(name, held)] = siblings.pop(name)


def rename_group(root: Any, path: JsonPath, name: str) -> None:
    """Give a group of the done tree another name, in its place. Raises ScenarioError if taken."""
    siblings = value_at(root, path[:-1])
    if not name.strip() or (name in siblings and name != path[-1]):
        raise ScenarioError(f"a group cannot be called “{name}” here; choose another name")
    renamed = {name if key == path[-1] else key: item for key, item in siblings.items()}
    siblings.clear()
    siblings.update(renamed)


def set_crop(root: Any, player: int, crop: list[int] | None) -> None:
    """Set a player's crop. ``crop`` is everybody's; ``crops`` is written for another player."""
    if player == 0 and "crops" not in root:
        if crop is None:
            root.pop("crop", None)
        else:
            root["crop"] = crop
        return
    crops = root.setdefault("crops", [root.get("crop", [0, 0, 0, 0])])
    while len(crops) <= player:
        crops.append([0, 0, 0, 0])
    crops[player] = crop or [0, 0, 0, 0]
    if all(not any(each) for each in crops[1:] if isinstance(each, list)):
        root["crop"] = crops[0]
        del root["crops"]


def add_done(root: Any, tests: Sequence[tuple[str, TestSpec]], condition: Condition) -> None:
    """Let tests of variables, by name, end episodes too; a done tree that is there stays.

    Raises ScenarioError when a script decides the end, because tests would not be asked.
    """
    done = root.setdefault("done", {})
    if "script" in done:
        raise ScenarioError("a script ends the episodes: take it out of `done` first")
    if done.get("condition") == Condition.ALL and (done.get("variables") or done.get("nodes")):
        done = root["done"] = {"nodes": {"earlier": done}}
    held = done.setdefault("variables", {}) if len(tests) == 1 else {}
    if done.get("variables", {}).keys() & {name for name, _ in tests} or len(tests) > 1:
        nodes = done.setdefault("nodes", {})
        node = nodes[free_name("end", nodes)] = {"condition": str(condition), "variables": {}}
        held = node["variables"]
    for name, spec in tests:
        held[name] = _as_json(spec)


def call_script(root: Any, part: str, function: str) -> None:
    """Let a function of a script give the first player's ``reward``, or decide ``done``."""
    rewards = root.get("rewards")
    block = rewards[0] if part == "reward" and rewards else root.setdefault(part, {})
    block["script"] = f"lua:{function}"


def reward_by_script(root: Any, file: str, function: str) -> None:
    """Let a function of a script make the first player's reward.

    Raises ScenarioError when there is a reward, because a script replaces variables and time.
    """
    rewards = root.get("rewards")
    reward = rewards[0] if rewards else root.setdefault("reward", {})
    if any(reward.get(key) for key in ("variables", "time", "script")):
        raise ScenarioError(
            "the scenario has a reward already, which a script would replace: take its terms out, "
            "or choose a new scenario"
        )
    call_script(root, "reward", function)
    root.setdefault("scripts", []).append(file)


def _as_json(spec: TestSpec) -> dict[str, object]:
    value: dict[str, object] = {"op": spec.op.name}
    if spec.op.needs_reference:
        value["reference"] = spec.reference
    if spec.measurement is Measurement.DELTA:
        value["measurement"] = str(spec.measurement)
    return value


def list_script(root: dict[str, Any], name: str) -> None:
    """Let a scenario use a script's file."""
    listed = root.setdefault("scripts", [])
    if isinstance(listed, list) and name not in listed:
        listed.append(name)


def unlist_script(root: dict[str, Any], name: str) -> None:
    """Take a script's file out of a scenario."""
    listed = root.get("scripts")
    if isinstance(listed, list) and name in listed:
        listed.remove(name)
        if not listed:
            del root["scripts"]
