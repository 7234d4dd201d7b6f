"""Commands that edit the files of the open game; the editor makes each of them one step."""

import re
import shutil
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from integrator.domain.ends.marks import EndCondition
from integrator.domain.errors import DomainError, ScenarioError
from integrator.domain.files.atomic import writing
from integrator.domain.files.jsontext import JsonPath, JsonValue, copy_value
from integrator.domain.files.reading import not_plain
from integrator.domain.integration.expectations import Expectation
from integrator.domain.integration.naming import free_name, ignore_links_out
from integrator.domain.integration.script_files import SCRIPT_SUFFIX, ScriptFiles
from integrator.domain.query.pieces import Pieces, reward_function, script_of, variables_of
from integrator.domain.query.pointers import PointerChain, accessor_script
from integrator.domain.scenario.tree import Condition, Measurement, TestSpec
from integrator.domain.values.datatype import DataType
from integrator.domain.values.variables import VariableSpec
from integrator.session.edits.editor import Edit, Editor
from integrator.session.searches import FOLDER, search_folders
from integrator.session.setup.game import Game


def value_at(root: Any, path: Sequence[str | int]) -> Any:
    """The value at ``path``. Raises ScenarioError when there is none."""
    place = root
    for key in path:
        try:
            place = place[key]
        except (KeyError, IndexError, TypeError) as error:
            raise ScenarioError(f"there is nothing at {'.'.join(map(str, path))}") from error
    return place


def move_done_node(root: Any, path: JsonPath, group: JsonPath) -> None:
    """Move a node of the done tree into another group. Raises ScenarioError."""
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
    """Let tests of variables end episodes too. Raises ScenarioError when a script decides."""
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
        test: dict[str, object] = {"op": spec.op.name}
        if spec.op.needs_reference:
            test["reference"] = spec.reference
        if spec.measurement is Measurement.DELTA:
            test["measurement"] = str(spec.measurement)
        held[name] = test


def call_script(root: Any, part: str, function: str) -> None:
    """Let a function of a script give the first player's ``reward``, or decide ``done``."""
    rewards = root.get("rewards")
    block = rewards[0] if part == "reward" and rewards else root.setdefault(part, {})
    block["script"] = f"lua:{function}"


def list_script(root: dict[str, Any], name: str) -> None:
    listed = root.setdefault("scripts", [])
    if isinstance(listed, list) and name not in listed:
        listed.append(name)


def unlist_script(root: dict[str, Any], name: str) -> None:
    listed = root.get("scripts")
    if isinstance(listed, list) and name in listed:
        listed.remove(name)
        if not listed:
            del root["scripts"]


_END_VARIABLE = "ended"
"""The name of a variable that is made of a byte that shows the end; ``data.end`` is no Lua."""


def put_variable(old_name: str | None, spec: VariableSpec) -> Edit:

    def edit(game: Game) -> None:
        variables = game.integration.variables
        if old_name is not None and old_name != spec.name:
            variables.rename(old_name, spec.name)
        variables.set(spec.name, spec)

    return edit


def remove_variable(name: str) -> Edit:
    return lambda game: game.integration.variables.remove(name)


def take_text(file: str, text: str) -> Edit:

    def edit(game: Game) -> None:
        document = game.integration.document_at(Path(file))
        if document is None:
            raise DomainError(f"{game.integration.directory}: there is no document {file}")
        with document.edit():
            document.take_text(text)

    return edit


def set_in_scenario(path: Sequence[str | int], value: object) -> Edit:
    """Set the value at a JSON path of the scenario in use; None removes it. Parents are made."""
    return change_scenario(lambda root: set_at(root, path, value))


def change_scenario(change: Callable[[dict[str, Any]], object]) -> Edit:
    """Change the scenario in use by a function of its JSON value, as one step."""

    def edit(game: Game) -> None:
        document = game.integration.scenarios.get(game.scenario_name)
        if document is None:
            raise DomainError(
                f"{game.integration.directory}: there is no scenario to edit; "
                "save the integration to make one"
            )
        with document.edit() as value:
            change(value)

    return edit


def add_done_condition(condition: EndCondition) -> Edit:
    """End episodes on a found condition too; variables that it lacks are made. One step."""

    def edit(game: Game) -> None:
        variables = game.integration.variables
        named = name_bytes(condition, variables)
        for test in named.tests:
            name = test.spec.name
            if name not in variables:
                variables.set(name, VariableSpec(name, test.address, test.type))
        tests = [(test.spec.name, test.spec) for test in named.tests]
        change_scenario(lambda root: add_done(root, tests, named.condition))(game)

    return edit


def name_bytes(condition: EndCondition, taken: Collection[str]) -> EndCondition:
    """The condition with a name for each raw byte, as variables made of them will have."""
    names = set(taken)
    tests = []
    for test in condition.tests:
        name = test.spec.name or free_name(_END_VARIABLE, names)
        names.add(name)
        tests.append(replace(test, spec=replace(test.spec, name=name)))
    return replace(condition, tests=tuple(tests))


def write_pieces(name: str, pieces: Pieces) -> Edit:
    """Make a variable of each piece and a script that rewards growth. Raises ScenarioError."""

    def edit(game: Game) -> None:
        variables, scripts = game.integration.variables, game.integration.scripts
        if name in variables:
            raise ScenarioError(f"there is already a variable {name!r}; choose another name")
        specs = variables_of(name, pieces, variables)
        for spec in specs:
            variables.set(spec.name, spec)
        file = _free_script(name, scripts)
        scripts[file] = script_of(name, pieces, specs)

        def pay(root: Any) -> None:
            rewards = root.get("rewards")
            reward = rewards[0] if rewards else root.get("reward", {})
            if any(reward.get(key) for key in ("variables", "time", "script")):
                raise ScenarioError(
                    "the scenario has a reward already, which a script would replace: take its "
                    "terms out, or choose a new scenario"
                )
            call_script(root, "reward", reward_function(name))
            root.setdefault("scripts", []).append(file)

        change_scenario(pay)(game)

    return edit


def write_accessor(name: str, chain: PointerChain, data_type: DataType) -> Edit:
    """Add a script that follows a chain of pointers, as one step. Raises SearchError."""

    def edit(game: Game) -> None:
        scripts = game.integration.scripts
        file = _free_script(name, scripts)
        scripts[file] = accessor_script(name, chain, data_type, game.memory.space)
        change_scenario(lambda root: root.setdefault("scripts", []).append(file))(game)

    return edit


def _free_script(name: str, scripts: ScriptFiles) -> str:
    return f"{free_name(name, {Path(taken).stem for taken in scripts.files})}{SCRIPT_SUFFIX}"


def add_scenario(name: str) -> Edit:
    """Copy the scenario in use into a new file, and use it."""

    def edit(game: Game) -> None:
        source = game.integration.scenarios[game.scenario_name].value
        copied = {key: copy_value(item) for key, item in source.items()}
        game.integration.add_scenario(name, copied)
        game.use_scenario(name)

    return edit


def set_at(root: Any, path: Sequence[str | int], value: object) -> None:
    """Set the value at ``path``, making what leads there; None removes it."""
    last = path[-1]
    if path[0] == "rewards" and "rewards" not in root and value is not None:
        # ``reward`` becomes ``rewards`` with one player, where it stands.
        items = [("rewards", [v]) if key == "reward" else (key, v) for key, v in root.items()]
        root.clear()
        root.update(items)
        root.setdefault("rewards", [])
    place = root
    for key, following in pairwise(path):
        if isinstance(place, dict):
            place = place.setdefault(key, [] if isinstance(following, int) else {})
        else:
            place.extend({} for _ in range(int(key) + 1 - len(place)))
            place = place[key]
    if value is not None:
        place[last] = value
    elif isinstance(place, dict):
        place.pop(last, None)


def save_state(name: str) -> Edit:
    """Keep this moment as a start state, the default one if there is no other."""

    def edit(game: Game) -> None:
        game.write_state(name)
        integration, players = game.integration, game.players
        if integration.states == [name] and integration.metadata.default_state(players) is None:
            integration.metadata.set_default_state(name, players)
            game.use_state(None)

    return edit


def make_default(name: str, players: int) -> Edit:
    """Let every episode of this many players (0: as now) begin at a state, also in training."""

    def edit(game: Game) -> None:
        game.integration.metadata.set_default_state(name, players or game.players)
        game.use_state(None)

    return edit


def rename_state(old: str, new: str) -> Edit:
    """Give a start state another name, also in the metadata that names it."""
    return lambda game: game.integration.rename_state(old, new)


def remove_state(name: str) -> Edit:
    return lambda game: game.integration.remove_state(name)


def add_expectations(expectations: Sequence[Expectation]) -> Edit:
    return lambda game: game.integration.expectations.add(expectations)


def accept_values(values: Mapping[int, JsonValue]) -> Edit:
    return lambda game: game.integration.expectations.accept(values)


def remove_expectations(indices: Collection[int]) -> Edit:
    return lambda game: game.integration.expectations.remove(indices)


_VERSION = re.compile(r"-v(\d+)$")


def own_directory(root: Path, name: str) -> Path:
    """A free directory for a copy of ``name``, its version counted up."""
    found = _VERSION.search(name)
    stem, number = (name[: found.start()], int(found[1])) if found else (name, 0)
    directory = root / name
    while directory.exists():
        number += 1
        directory = root / f"{stem}-v{number}"
    return directory


def save_own_copy(editor: Editor, directory: Path, *, follow_links: bool = False) -> None:
    """Write the open integration elsewhere with its searches. Raises SaveError, DocumentError."""
    kept, _ = search_folders(editor.integration.directory)
    editor.move_to(directory, follow_links=follow_links)
    if kept.is_dir() and directory / FOLDER != kept:
        with writing(directory / FOLDER):
            outside = ignore_links_out(kept)

            def left_out(folder: str, names: list[str]) -> set[str]:
                links = set() if follow_links else outside(folder, names)
                return not_plain(folder, names) | links

            shutil.copytree(kept, directory / FOLDER, ignore=left_out, dirs_exist_ok=True)
