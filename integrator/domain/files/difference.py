"""The place in a JSON value where another value of the same document differs."""

from __future__ import annotations

from integrator.domain.files.jsontext import JsonKey, JsonPath, JsonValue, same


def place_of_difference(old: JsonValue, new: JsonValue) -> JsonPath:
    """The longest path that leads to all differences of two values; () when they are the same."""
    path: list[JsonKey] = []
    while (key := _only_difference(old, new)) is not None:
        path.append(key)
        old, new = value_at(old, key), value_at(new, key)
    return tuple(path)


def value_at(value: JsonValue, *path: JsonKey) -> JsonValue:
    """The value at ``path``; None when there is none."""
    for key in path:
        if isinstance(value, dict):
            value = value.get(str(key))
        elif isinstance(value, list) and isinstance(key, int) and key < len(value):
            value = value[key]
        else:
            return None
    return value


def _only_difference(old: JsonValue, new: JsonValue) -> JsonKey | None:
    """The one key or index under which two containers differ; None when there is no such one."""
    differing: list[JsonKey] = []
    if isinstance(old, dict) and isinstance(new, dict):
        keys = {**old, **new}
        differing.extend(
            key for key in keys if key not in old or key not in new or not same(old[key], new[key])
        )
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        differing.extend(i for i, pair in enumerate(zip(old, new, strict=True)) if not same(*pair))
    return differing[0] if len(differing) == 1 else None
