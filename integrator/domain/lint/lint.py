"""Static lint of an integration: needs no core, and the ROM only for its hash."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import accumulate
from pathlib import Path

from integrator.domain.errors import DocumentError, ScenarioError
from integrator.domain.files.document import JsonDocument
from integrator.domain.files.jsontext import JsonPath, JsonValue
from integrator.domain.files.reading import SMALL_BYTES, decoding, read_head, read_text, rom_sha1
from integrator.domain.findings import Finding, Severity
from integrator.domain.integration.files import Integration
from integrator.domain.integration.json_files import VariablesDocument
from integrator.domain.integration.naming import SHA_FILE
from integrator.domain.lint.scenario import ScenarioLint
from integrator.domain.roms import ROM_HEAD_BYTES, cut_off
from integrator.domain.scenario.sandbox import syntax_error
from integrator.domain.scenario.spec import ScenarioSpec
from integrator.domain.scenario.tree import OPS
from integrator.domain.values.memory import ENDIANS, KINDS, MAX_WIDTH, AddressSpace, Region
from integrator.domain.values.variables import VariableReader, VariableSpec


class SchemaSet:
    """The JSON schemas of a folder, with ops and data types added. Raises DocumentError."""

    def __init__(self, folder: Path) -> None:
        # Imported lazily, because this is the slowest import and the window starts without it.
        from jsonschema import Draft202012Validator  # noqa: PLC0415 - see above

        self._validators: dict[str, Draft202012Validator] = {}
        for kind in ("data", "scenario", "metadata", "expectations"):
            path = folder / f"{kind}.schema.json"
            with decoding(DocumentError, path, "install the program again"):
                schema = json.loads(read_text(path, SMALL_BYTES))
            if kind == "scenario":
                schema["$defs"]["op"]["enum"] = [name for name in OPS if name]
            if kind == "data":
                schema["$defs"]["type"]["pattern"] = _spec_pattern()
            self._validators[kind] = Draft202012Validator(schema)

    def check(self, kind: str, document: JsonDocument) -> Iterator[Finding]:
        """Yield a finding for each place at which ``document`` violates the schema ``kind``."""
        for keys, message, cure in self.problems(kind, document.value):
            yield document.finding("schema", message, cure, keys)

    def problems(self, kind: str, value: JsonValue) -> Iterator[tuple[JsonPath, str, str]]:
        """Yield path, fault and fix for each place at which a value violates a schema."""
        for error in self._validators[kind].iter_errors(value):
            text, schema = error.message, error.schema
            message = text if len(text) <= 160 else f"{text[:120]} ... {text[-36:]}"
            cure = str(schema.get("description", "")) if isinstance(schema, dict) else ""
            yield tuple(error.absolute_path), message, cure


def _spec_pattern() -> str:
    """Return a regular expression that matches exactly the valid specs of data.json."""
    kinds = "".join(KINDS)
    signs = "".join(sign for sign in ENDIANS if len(sign) == 1)
    mixed = "|".join(sign for sign in ENDIANS if len(sign) > 1)
    return f"^([{signs}][{kinds}][1-{MAX_WIDTH}]|({mixed})[{kinds}][468])$"


ActionGroups = tuple[tuple[tuple[str, ...], ...], ...]


@dataclass(frozen=True, slots=True)
class SystemFacts:
    """The facts of one system that lint needs: buttons, default action groups and work RAM. With
    ``only_work_ram``, no cartridge maps other memory."""

    buttons: tuple[str, ...] = ()
    actions: ActionGroups = ()
    work_ram: Region | None = None
    only_work_ram: bool = False


def _variables(
    document: VariablesDocument, system: str, facts: SystemFacts, space: AddressSpace | None
) -> Iterator[Finding]:
    """Yield findings on the places of variables in a core's ``space``, else in work RAM."""
    specs = dict(document)
    if space is not None:
        outside = dict(VariableReader(specs, space).skipped)
    else:
        outside = _outside_work_ram(specs, system, facts)
    for name, reason in outside.items():
        cure = "correct the address, or use a narrower type"
        yield document.finding("variable-outside-memory", reason, cure, ("info", name))
    for name, text in _overlapping(specs.values()):
        cure = "check the addresses and widths"
        yield document.finding("variables-overlap", text, cure, ("info", name))


def _outside_work_ram(
    specs: Mapping[str, VariableSpec], system: str, facts: SystemFacts
) -> dict[str, str]:
    outside: dict[str, str] = {}
    if (ram := facts.work_ram) is None:
        return outside
    for name, spec in specs.items():
        span = f"0x{ram.address:X} to 0x{ram.end - 1:X}"
        if not ram.address <= spec.address < ram.end:
            if facts.only_work_ram:
                outside[name] = f"0x{spec.address:X} is no memory of {system}, which has {span}"
        elif _end(spec) > ram.end:
            what = f"{spec.type.width} bytes at 0x{spec.address:X} reach behind the memory"
            outside[name] = f"{what} of {system}, which is {span}"
    return outside


def _overlapping(specs: Iterable[VariableSpec]) -> Iterator[tuple[str, str]]:
    """Yield each variable that shares bytes with another one, and a message about both."""
    # Masks pick bits out of shared bytes, so masked variables overlap on purpose.
    plain = sorted((spec for spec in specs if spec.mask is None), key=lambda spec: spec.address)
    for farthest, spec in zip(accumulate(plain, partial(max, key=_end)), plain[1:], strict=False):
        if (farthest.address, str(farthest.type)) == (spec.address, str(spec.type)):
            yield spec.name, f"{farthest.name} and {spec.name} are the same place"
        elif _end(farthest) > spec.address:
            both = (f"{s.name} ({s.type.spec} at 0x{s.address:X})" for s in (farthest, spec))
            yield spec.name, f"{' and '.join(both)} share bytes"


def _end(spec: VariableSpec) -> int:
    return spec.address + spec.type.width


@dataclass(frozen=True, slots=True)
class LintOptions:
    """Facts for lint. ``states`` allows unpacking start states, ``rom`` hashing the ROM."""

    schemas: SchemaSet
    systems: Mapping[str, SystemFacts] = field(default_factory=dict)
    space: AddressSpace | None = None
    states: bool = True
    rom: bool = True


def lint(integration: Integration, options: LintOptions) -> tuple[Finding, ...]:
    found = list(_findings(integration, options))
    # The other checks describe a fault better than the schema, so they replace its findings.
    better = {(f.file, f.path) for f in found if f.code != "schema"}
    kept = {f: None for f in found if f.code != "schema" or (f.file, f.path) not in better}
    return sort_findings(kept)


def sort_findings(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    ranks = list(Severity)
    return tuple(sorted(findings, key=lambda f: (ranks.index(f.severity), str(f.file), f.line)))


def _findings(integration: Integration, options: LintOptions) -> Iterator[Finding]:
    yield from integration.findings
    yield from _schemas(integration, options.schemas)
    system = integration.system
    facts = options.systems.get(system, SystemFacts())
    yield from _variables(integration.variables, system, facts, options.space)
    for document in integration.scenarios.values():
        if document.on_disk or document.modified:
            yield from ScenarioLint(integration, document, facts.buttons, facts.actions).findings()
    if text := integration.unscored:
        cure = "say what is rewarded and when an episode ends"
        yield Finding.of("scenario-missing", integration.directory, text, cure)
    yield from _scripts(integration)
    yield from _states(integration, unpack=options.states)
    if options.systems and system not in options.systems:
        text = f"the name does not end with a system ({', '.join(sorted(options.systems))})"
        cure = "rename the directory, for instance to SuperGame-Nes"
        yield Finding.of("name-without-system", integration.directory, text, cure)
    yield from _rom(integration, hashed=options.rom)


def _schemas(integration: Integration, schemas: SchemaSet) -> Iterator[Finding]:
    for finding in schemas.check("data", integration.variables):
        # Unusable variables have findings of their own.
        if not finding.path.startswith("info."):
            yield finding
    yield from schemas.check("metadata", integration.metadata)
    yield from schemas.check("expectations", integration.expectations)
    for document in integration.scenarios.values():
        yield from schemas.check("scenario", document)


def _scripts(integration: Integration) -> Iterator[Finding]:
    for name, text in integration.scripts.items():
        problem = syntax_error(text, name)
        if problem is not None:
            place = re.match(r":(\d+):", problem.removeprefix(name))
            line = int(place[1]) if place else 0
            file = integration.directory / name
            yield Finding.of("script-invalid", file, problem, "correct the script there", line=line)
    used: set[str] = set()
    for document in integration.scenarios.values():
        try:
            used |= set(ScenarioSpec.parse(document.value).scripts)
        except ScenarioError:
            return  # reported as scenario-invalid; its scripts are unknown
    for name in sorted(set(integration.scripts) - used):
        text, cure = "no scenario lists this script", "add it to scripts, or delete the file"
        yield Finding.of("script-unused", integration.directory / name, text, cure)


def _states(integration: Integration, *, unpack: bool) -> Iterator[Finding]:
    names, metadata = integration.states, integration.metadata
    if not (metadata.on_disk or metadata.modified):
        fails = "stable-retro fails unless a start state is asked for"
        cure = "make a start state the default; an empty {} is enough to start at power on"
        text = f"there is no metadata.json, so {fails}"
        yield Finding.of("metadata-missing", integration.directory, text, cure)
    by_players = metadata.value.get("default_player_state")
    listed = by_players if isinstance(by_players, list) else []
    named: dict[JsonPath, object] = {("default_state",): metadata.value.get("default_state")}
    named |= {("default_player_state", number): name for number, name in enumerate(listed)}
    for keys, state in named.items():
        # A default state may also be hidden.
        if isinstance(state, str) and state and not integration.state_files.exists(state):
            text, cure = f"there is no file {state}.state", "save that state or choose another"
            yield metadata.finding("default-state-missing", text, cure, keys)
    if names and metadata.default_state() is None:
        text = "there are states, but training starts at power on unless one is asked for"
        cure = f"set default_state, for instance to {names[0]}"
        yield metadata.finding("default-state-unset", text, cure)
    if not names:
        text = (
            "there is no start state, so stable-retro's reset() does not restart the game: in "
            "training an episode goes on where the one before ended"
        )
        cure = "play to where an episode should begin and save one"
        yield Finding.of("states-none", integration.directory, text, cure)
    for name in names if unpack else ():
        try:
            integration.read_state(name)
        except DocumentError as error:
            yield Finding.of("state-damaged", integration.state_files.path(name), str(error))


def _rom(integration: Integration, *, hashed: bool) -> Iterator[Finding]:
    sha = integration.directory / SHA_FILE
    cure = "write the ROM's SHA-1 into it"
    try:
        rom, hashes = integration.rom, integration.rom_sha
    except DocumentError as error:
        yield Finding.of("sha-unreadable", sha, str(error))
        return
    if not hashes and sha.exists():
        text = "no hash is in it, so stable-retro lists the game but cannot import its ROM"
        yield Finding.of("sha-empty", sha, text, cure)
    elif not hashes:
        text = "there is no rom.sha, so stable-retro does not list the game and cannot import it"
        yield Finding.of("sha-missing", integration.directory, text, cure)
    if rom is None or not hashed:
        return
    try:
        missing = cut_off(read_head(rom, ROM_HEAD_BYTES), rom.stat().st_size)
    except OSError:
        missing = ""  # The hash below fails too, which becomes a finding.
    if missing:
        yield Finding.of("rom-cut-off", rom, missing, "find a whole dump of the game")
    if not hashes:
        return
    try:
        digest = rom_sha1(rom)
    except DocumentError as error:
        yield Finding.of("rom-unreadable", rom, str(error))
        return
    if digest not in hashes:
        doubt = "which is not listed: addresses and states may not fit"
        cure = "use the ROM that the integration was made for, or add its hash"
        yield Finding.of("sha-mismatch", sha, f"{rom.name} has SHA-1 {digest}, {doubt}", cure)
