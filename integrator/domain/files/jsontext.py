"""JSON text with positions, so that an edit changes its own part and keeps all other text."""

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, cast

JsonValue: TypeAlias = "dict[str, JsonValue] | list[JsonValue] | str | int | float | bool | None"
JsonKey: TypeAlias = str | int
JsonPath: TypeAlias = tuple[JsonKey, ...]

MAX_DEPTH: Final = 100  # limit of nesting; integrations need less than ten levels
MAX_VALUES: Final = 50_000  # of a document, read in a second; the largest shipped one has 1,090
MAX_CONTAINERS: Final = 500_000  # limit of other files; that many take 0.5 s and 120 MB

_SPACE = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()


class JsonSyntaxError(ValueError):
    """Text is not JSON. ``line`` and ``column`` count from 1."""

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(message)
        self.message, self.line, self.column = message, line, column


@dataclass(frozen=True, slots=True)
class Member:
    """A key with its value. The key's quote is at ``start``; the texts around hold spaces."""

    key: str
    start: int
    node: "Node"
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Node:
    """A value at ``text[start:end]``. Objects have members; arrays have members with key ''."""

    start: int
    end: int
    value: JsonValue
    members: tuple[Member, ...] = ()


class JsonText:
    """Parsed strict JSON text; the first of repeated keys counts. Raises JsonSyntaxError."""

    def __init__(self, text: str) -> None:
        self.text = text
        if sum(map(text.count, ",[{")) > MAX_VALUES:
            raise JsonSyntaxError(f"more than {MAX_VALUES:,} values", 1, 1)
        # This only validates; _Reader reads numbers with their positions.
        _parsed(text, parse_int=str)
        self.root = _Reader(text).read()

    @property
    def value(self) -> JsonValue:
        return copy_value(self.root.value)

    def line_of(self, path: tuple[JsonKey, ...]) -> int:
        """Return the line, from 1, of the value at ``path`` or its nearest existing parent."""
        node, start = self.root, self.root.start
        for key in path:
            member = _find(node, key)
            if member is None:
                break
            node, start = member.node, member.start
        return self.text.count("\n", 0, start) + 1

    def duplicates(
        self, node: Node | None = None, path: JsonPath = ()
    ) -> Iterator[tuple[JsonPath, int]]:
        """Yield path and line of each repetition of a key in an object."""
        node = node or self.root
        is_array = isinstance(node.value, list)
        seen: set[str] = set()
        for index, member in enumerate(node.members):
            here = (*path, index if is_array else member.key)
            if not is_array and member.key in seen:
                yield here, (self.text.count("\n", 0, member.start) + 1)
            seen.add(member.key)
            yield from self.duplicates(member.node, here)

    def render(self, value: JsonValue) -> str:
        """Return text for ``value``, with unchanged parts copied. Raises TypeError, ValueError."""
        if same(self.root.value, value):
            return self.text
        body = _Renderer(self).render(self.root, value, "")
        return self.text[: self.root.start] + body + self.text[self.root.end :]


def parse_json(data: str | bytes, most_containers: int = MAX_CONTAINERS) -> Any:
    """Parse strict JSON, as text or UTF-8 bytes, without positions; the last repeated key counts.

    Raises only JsonSyntaxError, also for NaN and Infinity, numbers of thousands of digits, nesting
    deeper than :data:`MAX_DEPTH`, and more lists and objects than ``most_containers``."""
    try:
        text = data if isinstance(data, str) else data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise JsonSyntaxError("not UTF-8", line, 1) from error
    if sum(map(text.count, "[{")) > most_containers:
        raise JsonSyntaxError(f"more than {most_containers:,} lists and objects", 1, 1)
    value = _parsed(text)
    layer = [value] if isinstance(value, dict | list) else []
    for _ in range(MAX_DEPTH + 2):
        if not layer:
            return value
        inner = [each.values() if isinstance(each, dict) else each for each in layer]
        layer = [item for items in inner for item in items if isinstance(item, dict | list)]
    raise JsonSyntaxError(f"nested deeper than {MAX_DEPTH}", 1, 1)


def copy_value(value: JsonValue) -> JsonValue:
    if isinstance(value, dict):
        return {key: copy_value(item) for key, item in value.items()}
    return [copy_value(item) for item in value] if isinstance(value, list) else value


def same(left: JsonValue, right: JsonValue) -> bool:
    """Return True if both values have the same text: key order counts; 1, 1.0, true differ."""
    if type(left) is not type(right):
        return False
    if isinstance(left, dict):
        other = cast("dict[str, JsonValue]", right)
        return list(left) == list(other) and all(same(left[key], other[key]) for key in left)
    if isinstance(left, list):
        items = cast("list[JsonValue]", right)
        return len(left) == len(items) and all(map(same, left, items))
    return left == right


def _parsed(text: str, parse_int: Callable[[str], object] = int) -> Any:

    def refuse(constant: str) -> None:
        raise json.JSONDecodeError(f"{constant} is not JSON", text, text.find(constant))

    try:
        return json.loads(text, parse_constant=refuse, parse_int=parse_int, parse_float=_finite)
    except json.JSONDecodeError as error:
        raise JsonSyntaxError(error.msg, error.lineno, error.colno) from error
    except RecursionError as error:
        raise JsonSyntaxError("nested too deep", 1, 1) from error
    except ValueError as error:
        # Python refuses integers of thousands of digits.
        raise JsonSyntaxError("a number is too long", 1, 1) from error


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise ValueError(digits)
    return number


class _Reader:
    """Builds nodes from valid JSON text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def read(self) -> Node:
        self._space()
        return self._value(0)

    def _space(self) -> str:
        start = self._at
        match = _SPACE.match(self._text, start)
        self._at = match.end() if match else start
        return self._text[start : self._at]

    def _value(self, depth: int) -> Node:
        text, start = self._text, self._at
        if depth > MAX_DEPTH:
            line = text.count("\n", 0, start) + 1
            raise JsonSyntaxError(f"nested deeper than {MAX_DEPTH}", line, 1)
        if text[start] in "{[":
            return self._container(depth, is_object=text[start] == "{")
        try:
            value, self._at = _DECODER.raw_decode(text, start)
        except ValueError as error:
            # Python refuses integers of thousands of digits.
            line = text.count("\n", 0, start) + 1
            raise JsonSyntaxError("number is too long", line, 1) from error
        return Node(start, self._at, value)

    def _container(self, depth: int, *, is_object: bool) -> Node:
        start = self._at
        members: list[Member] = []
        self._at += 1
        before = self._space()
        while self._text[self._at] not in "}]":
            key, at = "", self._at
            if is_object:
                key, self._at = _DECODER.raw_decode(self._text, at)
                self._space()
                self._at += 1
                self._space()
            node = self._value(depth + 1)
            members.append(Member(key, at, node, before, self._space()))
            if self._text[self._at] == ",":
                self._at += 1
                before = self._space()
        self._at += 1
        value: JsonValue
        if is_object:
            # The dict is built backwards, so that the first of repeated keys counts, then sorted.
            last = {member.key: member.node.value for member in reversed(members)}
            value = {member.key: last[member.key] for member in members}
        else:
            value = [member.node.value for member in members]
        return Node(start, self._at, value, tuple(members))


class _Renderer:
    """Writes a changed value into the text of the old value."""

    def __init__(self, source: JsonText) -> None:
        self._text = source.text
        self._newline = "\r\n" if "\r\n" in source.text else "\n"
        # The text's own unit of indentation; empty if the text is a single line.
        match = re.search(r"\n([ \t]+)\S", source.text)
        self._indent = match[1] if match else ""
        self._ascii = source.text.isascii()

    def render(self, node: Node, value: JsonValue, margin: str) -> str:
        if same(node.value, value):
            return self._text[node.start : node.end]
        if isinstance(value, dict) and isinstance(node.value, dict):
            return self._object(node, value, margin)
        if isinstance(value, list) and isinstance(node.value, list):
            return self._array(node, value, margin)
        return self._fresh(value, margin)

    def _fresh(self, value: JsonValue, margin: str) -> str:
        text = json.dumps(
            value, indent=self._indent or None, ensure_ascii=self._ascii, allow_nan=False
        )
        return text.replace("\n", self._newline + margin)

    def _object(self, node: Node, value: dict[str, JsonValue], margin: str) -> str:
        old = {member.key: member for member in reversed(node.members)}
        gone = [member for key, member in old.items() if key not in value]
        inner = self._margin(node, margin)
        pieces: list[tuple[Member | None, str]] = []
        for member, key in _sequence(node, value):
            if member is not None and member is not old[key]:
                text = self._text[member.start : member.node.end]  # a repeated key keeps its text
            elif member is not None:
                head = self._text[member.start : member.node.start]
                text = head + self.render(member.node, value[key], inner)
            else:
                renamed = [m for m in gone if same(m.node.value, value[key])]
                head = json.dumps(key, ensure_ascii=self._ascii) + ": "
                text = head + (
                    self._text[renamed[0].node.start : renamed[0].node.end]
                    if renamed
                    else self._fresh(value[key], inner)
                )
            pieces.append((member, text))
        return "{" + self._join(node, pieces, margin) + "}"

    def _array(self, node: Node, value: list[JsonValue], margin: str) -> str:
        old, inner = node.members, self._margin(node, margin)
        shared = min(len(old), len(value))
        head = next((i for i in range(shared) if not same(old[i].node.value, value[i])), shared)
        tail = 0
        while tail < shared - head and same(old[-1 - tail].node.value, value[-1 - tail]):
            tail += 1
        pieces: list[tuple[Member | None, str]] = []
        for index, item in enumerate(value):
            behind = len(value) - index
            if behind <= tail:
                member: Member | None = old[len(old) - behind]
            else:
                member = old[index] if index < len(old) - tail else None
            text = self.render(member.node, item, inner) if member else self._fresh(item, inner)
            pieces.append((member, text))
        return "[" + self._join(node, pieces, margin) + "]"

    def _margin(self, node: Node, margin: str) -> str:
        if node.members and "\n" in node.members[0].before:
            return node.members[0].before.rsplit("\n", 1)[1]
        return margin + ("" if node.members else self._indent)

    def _join(self, node: Node, pieces: list[tuple[Member | None, str]], margin: str) -> str:
        if not pieces:
            return ""
        if node.members:
            first, closing = node.members[0].before, node.members[-1].after
            between = node.members[1].before if len(node.members) > 1 else first or " "
        elif self._indent:
            first = between = self._newline + self._margin(node, margin)
            closing = self._newline + margin
        else:
            first, between, closing = "", " ", ""
        text = ""
        for index, (member, piece) in enumerate(pieces):
            before, after = (first if index == 0 else between), ""
            if member is not None:
                if index and member is not node.members[0]:
                    before = member.before
                if member is not node.members[-1]:
                    after = member.after
            if index == len(pieces) - 1:
                text += before + piece + closing
            else:
                text += before + piece + after + ","
        return text


def _sequence(node: Node, value: Mapping[str, JsonValue]) -> list[tuple[Member | None, str]]:
    kept = [member for member in node.members if member.key in value]
    known = list(dict.fromkeys(member.key for member in kept))
    result: list[tuple[Member | None, str]] = []
    if known != [key for key in value if key in set(known)]:
        for key in value:  # reordered: repeated keys follow the member that counts
            found = [member for member in kept if member.key == key]
            result += [(member, key) for member in found] or [(None, key)]
        return result
    result += [(member, member.key) for member in kept]
    at = 0
    for key in value:
        place = next((i for i, (_, name) in enumerate(result) if name == key), None)
        if place is not None:
            at = place + 1
            continue
        if known and key not in known and at and result[at - 1][1] == known[-1]:
            at = len(result)  # a key after the last one also goes after repeated keys
        result.insert(at, (None, key))
        at += 1
    return result


def _find(node: Node, key: JsonKey) -> Member | None:
    if isinstance(node.value, list):
        if isinstance(key, int) and 0 <= key < len(node.members):
            return node.members[key]
        return None
    return next((member for member in node.members if member.key == key), None)


def keys_of(path: str) -> JsonPath:
    """Return the keys and indices of a path that :func:`show_path` made."""
    parts = re.findall(r"\[(\d+)\]|([^.\[\]]+)", path)
    return tuple(int(index) if index else key for index, key in parts)


def show_path(keys: JsonPath) -> str:
    """Return keys and indices as a JSON path such as ``rewards[1].variables.score``."""
    text = ""
    for key in keys:
        if isinstance(key, int):
            text += f"[{key}]"
        else:
            text += f".{key}" if text else key
    return text
