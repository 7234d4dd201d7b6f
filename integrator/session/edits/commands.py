"""Commands that edit the files of the open game; the editor makes each of them one step."""

import re
import shutil
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from string import Template
from typing import Any, Concatenate, Final, ParamSpec

from integrator.domain.ends.marks import EndCondition
from integrator.domain.errors import DomainError, ScenarioError
from integrator.domain.files.atomic import writing
from integrator.domain.files.jsontext import JsonPath, copy_value
from integrator.domain.files.reading import SMALL_BYTES, not_plain, read_text
from integrator.domain.integration.naming import free_name, leads_out
from integrator.domain.integration.script_files import SCRIPT_SUFFIX, ScriptFiles
from integrator.domain.query.pieces import Pieces, reward_function, script_of, variables_of
from integrator.domain.query.pointers import PointerChain, accessor_script
from integrator.domain.scenario.sandbox import syntax_error
from integrator.domain.scenario.tree import Condition, Measurement, TestSpec
from integrator.domain.sweep.readings import Scale
from integrator.domain.values.memory import DataType
from integrator.domain.values.variables import VariableSpec
from integrator.session.edits.editor import Edit, Editor
from integrator.session.edits.snapshot import Documents
from integrator.session.searches import FOLDER, search_folders
from integrator.session.setup.game import Game

P = ParamSpec("P")


def _edit(work: Callable[Concatenate[Game, P], object]) -> Callable[P, Edit]:
    """Turn a function of a game and other arguments into one that makes an edit of the others."""
    return lambda *args, **named: lambda game: work(game, *args, **named)


def value_at(root: Any, path: Sequence[str | int]) -> Any:
    """The value at ``path``. Raises ScenarioError when there is none."""
    place = root
    try:
        for key in path:
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
    held[free_name(name, held)] = value_at(root, path[:-1]).pop(name)


def rename_group(root: Any, path: JsonPath, name: str) -> None:
    """Give a group of the done tree another name, in its place. Raises ScenarioError if taken."""
    siblings = value_at(root, path[:-1])
    if not name.strip() or (name in siblings and name != path[-1]):
        raise ScenarioError(f"a group cannot be called “{name}” here; choose another name")
    renamed = {name if key == path[-1] else key: item for key, item in siblings.items()}
    siblings.clear()
    siblings.update(renamed)


def set_crop(root: Any, player: int, crop: list[int] | None) -> None:
    """Set a player's crop: ``crop`` holds for all players, ``crops`` is used for later players."""
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
    """Let tests of variables end episodes, too. Raises ScenarioError if a script decides done."""
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


@_edit
def put_variable(game: Game, old_name: str | None, spec: VariableSpec) -> None:
    variables = game.integration.variables
    if old_name is not None and old_name != spec.name:
        variables.rename(old_name, spec.name)
    variables.set(spec.name, spec)


@_edit
def take_text(game: Game, file: str, text: str) -> None:
    document = game.integration.document_at(Path(file))
    if document is None:
        raise DomainError(f"{game.integration.directory}: there is no document {file}")
    with document.edit():
        document.take_text(text)


def set_in_scenario(path: Sequence[str | int], value: object) -> Edit:
    """Set the value at a JSON path of the scenario in use, creating parents; None removes it."""
    return change_scenario(set_at, path, value)


@_edit
def change_scenario(game: Game, change: Callable[..., object], *arguments: object) -> None:
    """Call a function with the JSON value of the scenario in use, which it changes, as one step."""
    document = game.integration.scenarios.get(game.scenario_name)
    if document is None:
        none = "there is no scenario to edit; save the integration to make one"
        raise DomainError(f"{game.integration.directory}: {none}")
    with document.edit() as value:
        change(value, *arguments)


@_edit
def add_done_condition(game: Game, condition: EndCondition) -> None:
    """Let a found condition end episodes, too, and add its variables, as one step."""
    variables = game.integration.variables
    named = name_bytes(condition, variables)
    for test in named.tests:
        name = test.spec.name
        if name not in variables:
            variables.set(name, VariableSpec(name, test.address, test.type))
    tests = [(test.spec.name, test.spec) for test in named.tests]
    change_scenario(add_done, tests, named.condition)(game)


def name_bytes(condition: EndCondition, taken: Collection[str]) -> EndCondition:
    """Return the condition with a name for each raw byte, of which a variable will be made."""
    names, tests = set(taken), []
    for test in condition.tests:
        name = test.spec.name or free_name("ended", names)  # ``data.end`` is not valid Lua
        names.add(name)
        tests.append(replace(test, spec=replace(test.spec, name=name)))
    return replace(condition, tests=tuple(tests))


@_edit
def write_pieces(game: Game, name: str, pieces: Pieces) -> None:
    """Add variables for a number's pieces, and a script that pays growth. Raises ScenarioError."""
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
            why = "the scenario has a reward already, which a script would replace"
            raise ScenarioError(f"{why}: take its terms out, or choose a new scenario")
        call_script(root, "reward", reward_function(name))
        root.setdefault("scripts", []).append(file)

    change_scenario(pay)(game)


@_edit
def write_accessor(game: Game, name: str, chain: PointerChain, data_type: DataType) -> None:
    """Add a script that follows a chain of pointers, as one step. Raises SearchError."""
    scripts = game.integration.scripts
    file = _free_script(name, scripts)
    scripts[file] = accessor_script(name, chain, data_type, game.memory.space)
    change_scenario(lambda root: root.setdefault("scripts", []).append(file))(game)


def _free_script(name: str, scripts: ScriptFiles) -> str:
    return f"{free_name(name, {Path(taken).stem for taken in scripts.files})}{SCRIPT_SUFFIX}"


@_edit
def add_scenario(game: Game, name: str) -> None:
    """Copy the scenario in use into a new file, and use it."""
    source = game.integration.scenarios[game.scenario_name].value
    game.integration.add_scenario(name, {key: copy_value(item) for key, item in source.items()})
    game.use_scenario(name)


def set_at(root: Any, path: Sequence[str | int], value: object) -> None:
    """Set the value at ``path``, creating its parents; None removes the value."""
    last = path[-1]
    if path[0] == "rewards" and "rewards" not in root and value is not None:
        # Turn ``reward`` into ``rewards`` with one player, at its place in the file.
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


@_edit
def save_state(game: Game, name: str) -> None:
    """Save the present frame as a start state; the first one becomes the default."""
    game.write_state(name)
    integration, players = game.integration, game.players
    if integration.states == [name] and integration.metadata.default_state(players) is None:
        integration.metadata.set_default_state(name, players)
        game.use_state(None)


@_edit
def make_default(game: Game, name: str, players: int) -> None:
    """Let episodes of that many players (0: as now) begin at a state, also in training."""
    game.integration.metadata.set_default_state(name, players or game.players)
    game.use_state(None)


def own_directory(root: Path, name: str) -> Path:
    """Return a free directory for a copy of ``name``, with its version number counted up."""
    found = re.search(r"-v(\d+)$", name)
    stem, number = (name[: found.start()], int(found[1])) if found else (name, 0)
    directory = root / name
    while directory.exists():
        number += 1
        directory = root / f"{stem}-v{number}"
    return directory


def save_own_copy(editor: Editor, directory: Path, *, follow_links: bool = False) -> None:
    """Save the integration and its searches elsewhere. Raises SaveError, DocumentError."""
    kept, copy = search_folders(editor.integration.directory)[0], directory / FOLDER
    editor.move_to(directory, follow_links=follow_links)
    if kept.is_dir() and copy != kept:
        with writing(copy):

            def left_out(folder: str, names: list[str]) -> set[str]:
                links = {each for each in names if leads_out(Path(folder, each), kept) is not None}
                return not_plain(folder, names) | (set() if follow_links else links)

            shutil.copytree(kept, copy, ignore=left_out, dirs_exist_ok=True)


SCRIPT: Final = "script.lua"


@dataclass(frozen=True, slots=True)
class Naming:
    """A variable to add; ``real`` means that its bytes are a float. ``factor`` is a reward for its
    growth, ``lua`` adds a function of its number on the screen."""

    spec: VariableSpec
    scale: Scale
    factor: float | None = None
    lua: bool = False
    real: bool = False


def scaled_edits(naming: Naming, documents: Documents | None) -> Iterator[tuple[Edit, bool]]:
    """Yield the edits that use a variable's scale, and False if the game must not follow yet."""
    name = naming.spec.name
    if naming.factor is not None:
        several = documents is not None and "rewards" in documents.scenario
        reward = ("rewards", 0) if several else ("reward",)
        yield set_in_scenario((*reward, "variables", name), {"reward": naming.factor}), True
    if naming.lua:
        text = float_function(name) if naming.real else lua_function(name, naming.scale)
        yield _add_function(text), False
        yield change_scenario(list_script, SCRIPT), True


def factor_of(scale: Scale) -> float:
    """Return the change of the number on the screen when memory changes by one."""
    return float(scale.shown(1) - scale.shown(0))


def lua_name(name: str) -> str:
    """Return the name of the Lua function that returns a variable's number on the screen."""
    return f"shown_{name}"


def lua_function(name: str, scale: Scale) -> str:
    """Return that function's text: ``(stored - bias) * divisor / multiplier + offset``."""
    stored = f"data.{name}"
    if scale.bias:
        sign = "-" if scale.bias > 0 else "+"
        stored = f"({stored} {sign} {abs(scale.bias)})"
    if scale.divisor != 1:
        stored = f"{stored} * {scale.divisor}"
    if scale.multiplier != 1:
        stored = f"{stored} / {scale.multiplier}"
    if scale.offset:
        stored = f"{stored} {'-' if scale.offset < 0 else '+'} {abs(scale.offset)}"
    head = f"-- {name} as the screen shows it.\nfunction {lua_name(name)}()\n"
    return f"{head}  return {stored}\nend\n"


def float_function(name: str) -> str:
    """Return that function for a variable with the bytes of a float; NaN and infinity are 0."""
    template = read_text(Path(__file__).with_name("float.lua"), SMALL_BYTES)
    return Template(template).substitute(name=name, function=lua_name(name))


@_edit
def _add_function(game: Game, function: str) -> None:
    scripts = game.integration.scripts
    before = scripts.get(SCRIPT, "")
    gap = "\n" if before and not before.endswith("\n\n") else ""
    text = before + gap + function
    if syntax_error(text, SCRIPT) is None or syntax_error(before, SCRIPT) is not None:
        scripts[SCRIPT] = text
