"""The JSON files of an integration: metadata, data, cheats, scenarios, and lists of watches."""

import json
from collections.abc import ItemsView, Iterator, KeysView, Mapping, Sequence, ValuesView
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, cast

from integrator.domain.errors import DataTypeError, DocumentError
from integrator.domain.files.document import JsonDocument
from integrator.domain.files.jsontext import JsonValue, parse_json
from integrator.domain.files.reading import decoding
from integrator.domain.findings import Finding
from integrator.domain.integration.expectations import EXPECTATIONS_FILE
from integrator.domain.integration.naming import DATA_FILE, METADATA_FILE, SCENARIO_FILE
from integrator.domain.values.memory import DataType
from integrator.domain.values.variables import TIME_TERM, VariableSpec


class MetadataDocument(JsonDocument):
    """metadata.json. Entries without a method here are kept unchanged."""

    def default_state(self, players: int = 1) -> str | None:
        """Return stable-retro's default state for this many players; None means power on."""
        by_players = self.value.get("default_player_state")
        if isinstance(by_players, list) and 0 < players <= len(by_players):
            name = by_players[players - 1]
        else:
            name = self.value.get("default_state")
        return name if isinstance(name, str) and name else None

    def set_default_state(self, name: str | None, players: int = 1) -> None:
        """Set the default state as one undoable edit; for one player, None removes the entry."""
        with self.edit() as value:
            given = value.get("default_player_state")
            if players == 1 and not isinstance(given, list):
                if name is None:
                    value.pop("default_state", None)
                else:
                    value["default_state"] = name
                return
            states = given if isinstance(given, list) else []
            while len(states) < players:
                states.append(cast("JsonValue", self.default_state(len(states) or 1) or ""))
            states[players - 1] = name or ""
            value["default_player_state"] = states

    def replace_state(self, old: str, new: str | None) -> tuple[int, ...]:
        """Replace the default ``old``, as one edit; return the player counts that had it."""
        by_players = self.value.get("default_player_state")
        listed = by_players if isinstance(by_players, list) else []
        named = tuple(count for count, name in enumerate(listed, 1) if name == old)
        with self.edit() as value:
            if named:
                value["default_player_state"] = [(new or "") if n == old else n for n in listed]
            if value.get("default_state") == old:
                named = tuple(sorted({1, *named}))
                if new is None:
                    del value["default_state"]
                else:
                    value["default_state"] = new
        return named


class ScenarioDocument(JsonDocument):
    """A scenario file. :mod:`integrator.domain.scenario` parses its meaning."""

    @property
    def name(self) -> str:
        """The file name without ``.json``, which stable-retro takes as ``scenario=``."""
        return self.path.stem


def scenario_skeleton() -> dict[str, JsonValue]:
    """Return a scenario without reward that never ends, since ``any`` of no tests is not done."""
    return {"done": {"variables": {}}, "reward": {"variables": {}}}


def other_scenarios(directory: Path) -> tuple[dict[str, ScenarioDocument], list[Finding]]:
    """Load the scenario files except scenario.json: any JSON with reward, rewards or done."""
    known = (DATA_FILE, SCENARIO_FILE, METADATA_FILE, CHEATS_FILE, EXPECTATIONS_FILE)
    scenarios: dict[str, ScenarioDocument] = {}
    findings: list[Finding] = []
    for path in sorted(directory.glob("*.json")):
        if path.name in known or path.name.startswith(".") or not path.is_file():
            continue
        try:
            document = ScenarioDocument.load(path)
        except DocumentError as error:
            # Training reads this file only on request, so the rest of the integration is usable.
            findings.append(damaged_finding(path, error))
            continue
        if any(document.value.get(key) is not None for key in ("reward", "rewards", "done")):
            scenarios[path.stem] = document
    return scenarios, findings


def damaged_finding(path: Path, error: DocumentError) -> Finding:
    """Make a finding for an unreadable file that training does not read by itself."""
    message = str(error).removeprefix(f"{path}:")
    return Finding.of("json-invalid", path, message, "correct or remove the file")


class VariablesDocument(JsonDocument):
    """The variables of data.json by name; :attr:`problems` has the entries that are unusable."""

    def __getitem__(self, name: str) -> VariableSpec:
        return _spec(name, self._info()[name], str(self.path))

    def __iter__(self) -> Iterator[str]:
        return iter(self._specs())

    def __len__(self) -> int:
        return len(self._specs())

    def __contains__(self, name: object) -> bool:
        return name in self._specs()

    def keys(self) -> KeysView[str]:
        return self._specs().keys()

    def values(self) -> ValuesView[VariableSpec]:
        return self._specs().values()

    def items(self) -> ItemsView[str, VariableSpec]:
        return self._specs().items()

    def get(self, name: str) -> VariableSpec | None:
        """Return the variable, or None if its entry is missing or unusable."""
        return self._specs().get(name)

    @property
    def problems(self) -> dict[str, str]:
        return self._sorted_out()[1]

    @property
    def findings(self) -> tuple[Finding, ...]:
        found = list(super().findings)
        for name, problem in self.problems.items():
            message = problem.removeprefix(f"{self.path}: info.{name}: ")
            cure = "correct or remove the variable"
            found.append(self.finding("variable-invalid", message, cure, ("info", name)))
        return tuple(found)

    def set(self, name: str, spec: VariableSpec) -> None:
        """Add or change a variable as one edit; keep unknown keys. Raises DocumentError."""
        if not name.strip():
            raise DocumentError(f"{self.path}: a variable needs a name")
        with self.edit() as value:
            info = value.setdefault("info", {})
            if not isinstance(info, dict):
                raise DocumentError(f"{self.path}: info is not an object; correct the file first")
            given = info.get(name)
            entry = given if isinstance(given, dict) else {}
            entry |= {"address": spec.address, "type": spec.type.spec}
            if spec.mask is None:
                entry.pop("mask", None)
            else:
                entry["mask"] = spec.mask
            info[name] = entry

    def remove(self, name: str) -> None:
        """Remove a variable as one undoable edit. Raises DocumentError if it does not exist."""
        with self.edit():
            del self._existing(name)[name]

    def rename(self, old: str, new: str) -> None:
        """Rename in place as one undoable edit. Raises DocumentError if ``new`` is taken."""
        info = self._existing(old)
        if old == new:
            return
        if new in info or not new.strip():
            reason = "is taken already" if new in info else "is empty"
            raise DocumentError(f"{self.path}: the name {new!r} {reason}; choose another")
        with self.edit():
            renamed = {new if name == old else name: entry for name, entry in info.items()}
            info.clear()
            info.update(renamed)

    def _specs(self) -> dict[str, VariableSpec]:
        return self._sorted_out()[0]

    def _sorted_out(self) -> tuple[dict[str, VariableSpec], dict[str, str]]:
        specs: dict[str, VariableSpec] = {}
        problems: dict[str, str] = {}
        for name, entry in self._info().items():
            try:
                specs[name] = _spec(name, entry, str(self.path))
            except DocumentError as error:
                problems[name] = str(error)
        return specs, problems

    def _existing(self, name: str) -> dict[str, JsonValue]:
        info = self._info()
        if name not in info:
            raise DocumentError(f"{self.path}: there is no variable {name!r}; see info in the file")
        return info

    def _info(self) -> dict[str, JsonValue]:
        info = self.value.get("info", {})
        return info if isinstance(info, dict) else {}


def _spec(name: str, entry: JsonValue, file: str) -> VariableSpec:
    where = f"{file}: info.{name}"
    if name == TIME_TERM:
        raise DocumentError(f"{where}: names the reward of each frame; choose another name")
    if not isinstance(entry, dict):
        raise DocumentError(f"{where}: not an object; write address and type in braces")
    address, mask = _integer(entry, "address", where), _integer(entry, "mask", where)
    if address is None:
        raise DocumentError(f"{where}: has no address; stable-retro refuses the whole file")
    if "type" not in entry:
        raise DocumentError(f"{where}: has no type; stable-retro refuses the whole file")
    if address < 0:
        raise DocumentError(f"{where}.address: {address} is below zero")
    try:
        data_type = DataType.parse(str(entry["type"]))
    except DataTypeError as error:
        raise DocumentError(f"{where}.type: {error}") from error
    return VariableSpec(name, address, data_type, mask)


def _integer(entry: dict[str, JsonValue], key: str, where: str) -> int | None:
    number = entry.get(key)
    if key not in entry:
        return None
    if isinstance(number, float) and number.is_integer():
        return int(number)  # stable-retro reads 5.0 as 5
    if not isinstance(number, int) or isinstance(number, bool):
        raise DocumentError(f"{where}.{key}: {number!r} is not a whole number")
    return number


@dataclass(frozen=True, slots=True)
class Watch:
    """A watched address; ``more`` are unknown keys, which another program wrote."""

    address: int
    type: DataType
    name: str = ""
    note: str = ""
    more: Mapping[str, Any] = field(default_factory=dict, repr=False)

    @property
    def key(self) -> tuple[int, DataType]:
        """Identity of a watch: two watches with the same key are the same watch."""
        return self.address, self.type


def dump_watches(watches: Sequence[Watch]) -> str:
    lines = []
    for each in watches:
        own = {"address": each.address, "type": each.type.spec, "name": each.name}
        line = json.dumps({**own, "note": each.note, **each.more}, ensure_ascii=False)
        lines.append(f"\n  {line}")
    head = '{"format": "integrator-watches", "version": 1, "watches": ['
    return f"{head}{','.join(lines)}\n]}}\n"


def load_watches(text: str) -> tuple[Watch, ...]:
    """Parse a watch list. Raises DocumentError if it is malformed, DataTypeError for a bad type."""
    with decoding(DocumentError, "the watch list is malformed"):
        document = parse_json(text)
        if document["format"] != "integrator-watches" or document["version"] != 1:
            what = f"{document['format']} version {document['version']}"
            raise DocumentError(f"this is {what}, not integrator-watches version 1")
        return tuple(map(_watch, document["watches"]))


def _watch(entry: Mapping[str, Any]) -> Watch:
    known = {"address", "type", "name", "note"}
    return Watch(
        address=int(entry["address"]),
        type=DataType.parse(entry["type"]),
        name=str(entry.get("name", "")),
        note=str(entry.get("note", "")),
        more={key: value for key, value in entry.items() if key not in known},
    )


CHEATS_FILE: Final = "cheats.json"


@dataclass(frozen=True, slots=True)
class CheatSpec:
    """One cheat. Its place is given either by ``variable`` or by ``address`` and ``type``."""

    name: str
    value: int
    enabled: bool = True
    variable: str = ""
    address: int | None = None
    type: str = ""

    def place(self, variables: Mapping[str, VariableSpec]) -> VariableSpec:
        """Return the place of the held value. Raises DocumentError, DataTypeError."""
        if self.variable:
            if (spec := variables.get(self.variable)) is None:
                raise DocumentError(
                    f"cheat {self.name!r}: there is no variable {self.variable!r}; choose another"
                )
            return spec
        if self.address is None:
            raise DocumentError(f"cheat {self.name!r} needs a variable, or an address and a type")
        return VariableSpec(self.name, self.address, DataType.parse(self.type))

    def to_json(self) -> dict[str, JsonValue]:
        where: dict[str, JsonValue] = {"address": self.address, "type": self.type}
        if self.variable:
            where = {"variable": self.variable}
        return {"name": self.name, **where, "value": self.value, "enabled": self.enabled}


class CheatsDocument(JsonDocument):
    """cheats.json. Invalid entries stay in the file, but are no cheats."""

    @property
    def cheats(self) -> tuple[CheatSpec | None, ...]:
        """The cheats in the file's order; None stands for an entry that could not be read."""
        listed = self.value.get("cheats")
        return tuple(_parse(entry) for entry in listed) if isinstance(listed, list) else ()

    def put(self, index: int | None, cheat: CheatSpec) -> None:
        """Change the cheat at ``index``, or add a cheat if it is None, as one undoable edit."""
        with self.edit() as value:
            listed = value.get("cheats")
            cheats: list[JsonValue] = listed if isinstance(listed, list) else []
            value["cheats"] = cheats
            if index is None:
                cheats.append(cheat.to_json())
                return
            # Unknown keys stay; the keys of the old place go, which may be of the other kind.
            old = cheats[index]
            known, place = old if isinstance(old, dict) else {}, {"variable", "address", "type"}
            cheats[index] = {k: known[k] for k in known if k not in place} | cheat.to_json()

    def remove(self, index: int) -> None:
        with self.edit() as value:
            listed = value.get("cheats")
            if isinstance(listed, list):
                del listed[index]


def _parse(entry: JsonValue) -> CheatSpec | None:
    if not isinstance(entry, dict):
        return None
    value, variable, address = entry.get("value"), entry.get("variable"), entry.get("address")
    spec = entry.get("type")
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    name, enabled = entry.get("name"), entry.get("enabled") is not False
    if isinstance(variable, str) and variable:
        return CheatSpec(str(name or variable), value, enabled, variable)
    if not isinstance(address, int) or isinstance(address, bool) or not isinstance(spec, str):
        return None
    with suppress(DataTypeError):
        DataType.parse(spec)
        return CheatSpec(str(name or f"0x{address:X}"), value, enabled, "", address, spec)
    return None
