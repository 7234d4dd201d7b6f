"""Damaged documents of an integration directory, and their readers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from integrator.domain.errors import AddressError, DomainError
from integrator.domain.files.jsontext import JsonText, same
from integrator.domain.integration.directory import list_integrations, load_integration
from integrator.domain.integration.files import Integration
from integrator.domain.lint.lint import lint
from integrator.domain.roms import known_games
from integrator.domain.scenario.sandbox import ScriptLimits
from integrator.domain.scenario.scoring import ScenarioEngine
from integrator.domain.scenario.script import ScriptHooks
from integrator.domain.scenario.spec import ActionSet, ScenarioSpec
from integrator.domain.scenario.tree import ScriptCall
from integrator.domain.values.variables import VariableReader
from integrator.session.edits.editor import check_text
from integrator.session.setup.game import read_start_state
from scripts.campaign import seeds
from scripts.campaign.mutate import LUA_PIECES, encoded, mutated_bytes, mutated_json, mutated_text
from scripts.campaign.workshop import GAME, Workshop

# Endless loops are frequent among inputs: a smaller budget than play's ends them sooner.
_LIMITS = ScriptLimits(instructions=20_000, cpu_ms=20)
_PLACE = f"games/{GAME}"


def data_files(rng: Random, _: Workshop) -> dict[str, bytes]:
    """A data.json."""
    return {f"{_PLACE}/data.json": mutated_json(rng, seeds.DATA)}


def scenario_files(rng: Random, _: Workshop) -> dict[str, bytes]:
    """A scenario.json, or another scenario next to it."""
    files = {f"{_PLACE}/data.json": b'{"info": {"score": {"address": 0, "type": "|u1"}}}'}
    name = rng.choice(("scenario.json", "scenario.json", "scenario.json", "hard.json"))
    return {**files, f"{_PLACE}/{name}": mutated_json(rng, seeds.SCENARIO)}


def metadata_files(rng: Random, _: Workshop) -> dict[str, bytes]:
    """A metadata.json."""
    return {f"{_PLACE}/metadata.json": mutated_json(rng, seeds.METADATA)}


def cheats_files(rng: Random, _: Workshop) -> dict[str, bytes]:
    """A cheats.json."""
    data = b'{"info": {"lives": {"address": 0, "type": "|u1"}}}'
    cheats = mutated_json(rng, seeds.CHEATS)
    return {f"{_PLACE}/data.json": data, f"{_PLACE}/cheats.json": cheats}


def sha_files(rng: Random, _: Workshop) -> dict[str, bytes]:
    """A rom.sha."""
    text = mutated_text(rng, seeds.SHA, ("\0", "\n", "é", "\ud800", "g", "x" * 5000, " "))
    data = encoded(text)
    return {f"{_PLACE}/rom.sha": mutated_bytes(rng, data) if rng.random() < 0.3 else data}


def script_files(rng: Random, _: Workshop) -> dict[str, bytes]:
    """A Lua script."""
    data = encoded(mutated_text(rng, seeds.SCRIPTS, LUA_PIECES))
    data = mutated_bytes(rng, data) if rng.random() < 0.1 else data
    return {f"{_PLACE}/data.json": b"{}", f"{_PLACE}/s.lua": data}


def read_integration(case: Path, shop: Workshop) -> Iterator[str]:
    """Load, lint, edit, score and look at a directory as the window and training do."""
    yield from (info.name for info in list_integrations(case / "games"))
    integration = load_integration(shop.game)
    yield from (finding.message for finding in integration.findings)
    for finding in lint(integration, shop.options):
        yield finding.message
        yield finding.cure
    for document in integration.documents:
        if document.on_disk:
            data = document.path.read_bytes()
            if document.encoded() != data:
                raise AssertionError(f"{document.path.name} would not be saved as it is")
            text = data.decode("utf-8-sig")
            found = check_text(shop.options.schemas, document.path.name, text, frozenset())
            yield from (problem.message for problem in found)
            _edit(document)
    _use(integration, shop)
    variables = dict(integration.variables)
    for act in (
        lambda: read_start_state(integration, integration.metadata.default_state() or "-", ""),
        lambda: integration.read_state(integration.metadata.default_state(2) or "-"),
        lambda: [cheat and cheat.place(variables) for cheat in integration.cheats.cheats],
    ):
        try:
            act()
        except DomainError as error:
            yield str(error)


def _edit(document: Any) -> None:
    with document.edit() as value:
        value["added"] = 1
    saved = JsonText(document.encoded().decode("utf-8-sig"))
    if not same(saved.value, document.value):
        raise AssertionError(f"{document.path.name} would be saved as something else")
    with document.edit() as value:
        del value["added"]


def _use(integration: Integration, shop: Workshop) -> None:
    variables = dict(integration.variables)
    VariableReader(variables, shop.space)
    for document in integration.scenarios.values():
        spec = ScenarioSpec.parse(document.value)
        ScenarioEngine(spec).score(dict.fromkeys(variables, 1), None)
        if spec.actions:
            actions = ActionSet.of(seeds.BUTTONS, spec.actions)
            _ = actions.filter(0xFFF), actions.discrete_size


def read_shas(case: Path, shop: Workshop) -> Iterator[str]:
    """The hashes of a directory, by itself and among all known games."""
    for game in known_games([case / "games"]):
        yield game.name
    integration = load_integration(shop.game)
    yield from (finding.message for finding in lint(integration, shop.options))
    _ = integration.rom_sha


def read_scripts(_: Path, shop: Workshop) -> Iterator[str]:
    """Load and call a script's hooks."""
    integration = load_integration(shop.game)
    yield from (finding.message for finding in lint(integration, shop.options))
    hooks = ScriptHooks(dict(integration.scripts), _Ram(), _LIMITS)
    try:
        hooks.reset()
        hooks.begin_frame(1)
        numbers = [hooks.call(ScriptCall("f"))]
        hooks.begin_frame(2)
        numbers.append(hooks.call(ScriptCall("g", "lua")))
        if not all(isinstance(number, int | float) for number in numbers):
            raise AssertionError(f"hooks gave {numbers}")
        if not all(isinstance(value, int) for value in hooks.custom.values()):
            raise AssertionError("a variable of a script is no whole number")
    finally:
        close = getattr(hooks, "close", None)
        if close is not None:
            close()


class _Ram:
    """Script memory without a game."""

    def __init__(self) -> None:
        self.values = {"score": 5, "lives": 3}

    def read_variable(self, name: str) -> int:
        """As a game's."""
        return self.values[name]

    def write_variable(self, name: str, value: int) -> None:
        """As a game's."""
        if name not in self.values:
            raise KeyError(name)
        self.values[name] = value

    def read_byte(self, address: int) -> int:
        """As a game's."""
        if not 0 <= address < 2048:
            raise AddressError(f"0x{address:X} is not mapped")
        return address & 255
