"""The reference of JSON keys, made from the program's JSON Schemas."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from integrator.paths import shipped

_FIRST: Final = ("data", "scenario", "metadata")
_HEAD: Final = """# Keys of documents

The tables are made from the JSON Schemas in `resources/schemas`, which check documents and complete
keys in the window. A key that no table names is kept as it is."""


def schemas_page() -> str:
    """One table a document; a part that several places share has a table of its own."""
    lines = [_HEAD]
    paths = (shipped("resources") / "schemas").glob("*.schema.json")
    for path in sorted(paths, key=_place):
        lines += _document(json.loads(path.read_text(encoding="utf-8")))
    return "\n".join(lines) + "\n"


def _place(path: Path) -> tuple[int, str]:
    name = path.name.partition(".")[0]
    return (_FIRST.index(name) if name in _FIRST else len(_FIRST)), name


def _document(schema: Mapping[str, Any]) -> Iterator[str]:
    yield from ("", f"## {schema['title']}", "", schema.get("description", ""))
    yield from _table(schema)
    for name, part in schema.get("$defs", {}).items():
        yield from ("", f"### {schema['title']}: {name}", "", part.get("description", ""))
        yield from _table(part)
        if "properties" not in part:
            yield from ("", f"A {_kind(part)}.")


def _table(schema: Mapping[str, Any]) -> Iterator[str]:
    rows = list(_rows(schema, ""))
    if rows:
        yield from ("", "| key | value | meaning |", "|---|---|---|")
        yield from rows


def _rows(schema: Mapping[str, Any], path: str) -> Iterator[str]:
    for key, value in schema.get("properties", {}).items():
        place = f"{path}{key}"
        must = ", required" if key in schema.get("required", ()) else ""
        yield f"| `{place}` | {_cell(_kind(value))}{must} | {_cell(_meaning(value))} |"
        yield from _rows(value, f"{place}.")
        yield from _rows(value.get("items", {}), f"{place}[].")
    more = schema.get("additionalProperties")
    if isinstance(more, Mapping):
        yield f"| `{path}NAME` | {_cell(_kind(more))} | {_cell(_meaning(more))} |"
        yield from _rows(more, f"{path}NAME.")


def _meaning(value: Mapping[str, Any]) -> str:
    text = str(value.get("description", ""))
    if "default" in value:
        text += f" Default: `{json.dumps(value['default'])}`."
    if "examples" in value:
        text += " For instance " + ", ".join(f"`{json.dumps(each)}`" for each in value["examples"])
    return text


def _kind(value: Mapping[str, Any]) -> str:
    """The kind of a value in words: type, choices, or the name of a shared part."""
    for part in (value, *value.get("allOf", ())):
        if "$ref" in part:
            return f"*{part['$ref'].rpartition('/')[2]}*"
    if "enum" in value:
        return ", ".join(f"`{json.dumps(each)}`" for each in value["enum"])
    if "const" in value:
        return f"`{json.dumps(value['const'])}`"
    for several in ("oneOf", "anyOf"):
        kinds = [_kind(each) for each in value.get(several, ())]
        if any(kinds):
            return " or ".join(dict.fromkeys(filter(None, kinds)))
    kind = value.get("type", "")
    if kind == "array":
        return f"array of {_kind(value.get('items', {})) or 'values'}"
    return " or ".join(kind) if isinstance(kind, list) else str(kind)


def _cell(text: str) -> str:
    return " ".join(text.replace("|", r"\|").split())
