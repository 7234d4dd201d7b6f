"""Watch lists (addresses to show) and cheats.json (values to hold in memory)."""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

from integrator.domain.errors import DataTypeError, DocumentError
from integrator.domain.files.document import JsonDocument
from integrator.domain.files.jsontext import JsonValue, parse_json
from integrator.domain.files.reading import decoding
from integrator.domain.values.memory import DataType
from integrator.domain.values.variables import VariableSpec


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
            spec = variables.get(self.variable)
            if spec is None:
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
            kept = dict(old) if isinstance(old, dict) else {}
            for key in ("variable", "address", "type"):
                kept.pop(key, None)
            cheats[index] = {**kept, **cheat.to_json()}

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
