"""The keyboard as a controller: names of keys, and the keys of players."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence

_NAMED_KEYS: Mapping[str, Qt.Key] = {
    "ENTER": Qt.Key.Key_Return,
    **{
        name.upper(): Qt.Key[f"Key_{name}"]
        for name in (
            *("Tab", "Return", "Space", "Backspace", "Shift", "Alt", "Up", "Down", "Left"),
            *("Right", "Comma", "Period", "Semicolon", "Slash"),
        )
    },
    "RSHIFT": Qt.Key.Key_Shift,
    "CTRL": Qt.Key.Key_Control,
}
"""Keys by the names of descriptors and settings, which write the first name of a key."""


def key_of_name(name: str) -> Qt.Key | None:
    """The Qt key of a name such as ``Z`` or ``ENTER``, or of Qt's such as ``F5``; else None."""
    upper = name.upper()
    if upper in _NAMED_KEYS:
        return _NAMED_KEYS[upper]
    if len(upper) == 1 and (upper.isascii() and upper.isprintable()):
        return Qt.Key(ord(upper))
    sequence = QKeySequence.fromString(name, QKeySequence.SequenceFormat.PortableText)
    if sequence.count() != 1:
        return None
    key: Qt.Key = sequence[0].key()  # type: ignore[index] # PySide's stubs leave it out
    return None if key in (Qt.Key.Key_unknown, Qt.Key(0)) else key


def keys_of(names: str) -> frozenset[Qt.Key]:
    """The keys of names with spaces between: a button may have two."""
    return frozenset(key for key in map(key_of_name, names.split()) if key is not None)


def name_of_key(key: int) -> str:
    """The name that :func:`key_of_name` knows a key by; "" for keys that cannot be bound."""
    key = plain_key(key)
    named = next((name for name, each in _NAMED_KEYS.items() if each.value == key), None)
    if named is not None:
        return named
    text = QKeySequence(key).toString(QKeySequence.SequenceFormat.PortableText)
    found = key_of_name(text)
    return text if found is not None and found.value == key else ""


def key_label(name: str) -> str:
    """The names of keys as a user reads them."""
    if " " in name:
        return " / ".join(map(key_label, name.split()))
    key = key_of_name(name)
    arrows = {"UP": "↑", "DOWN": "↓", "LEFT": "←", "RIGHT": "→"}
    if key is None or name.upper() in arrows:
        return arrows.get(name.upper(), "")
    return name.title() if len(name) > 1 else name.upper()


_DIRECTIONS: Sequence[Mapping[str, str]] = (
    {"UP": "I", "DOWN": "K", "LEFT": "J", "RIGHT": "L"},
    {"UP": "9", "DOWN": "8", "LEFT": "7", "RIGHT": "0"},
)
"""Keys of the directions of players 2 and 3; the row of digits is in the order of vi's HJKL."""
_SPARE = "OUPYTHGNMB123456ERDFCV"


def player_keys(
    buttons: Sequence[str | None], first: Sequence[str | None], player: int
) -> tuple[str | None, ...]:
    """The keys of a player's buttons (0 is the first, who has ``first``). Players 2 and 3 have
    directions of their own, and letters that nobody has before them. A keyboard has no room for
    more players."""
    if player == 0:
        return tuple(first)
    if player > len(_DIRECTIONS):
        return tuple(None for _ in buttons)
    earlier = [player_keys(buttons, first, each) for each in range(player)]
    used = {name.upper() for keys in earlier for name in keys if name}
    directions = {n: key for n, key in _DIRECTIONS[player - 1].items() if key not in used}
    spare = iter([key for key in _SPARE if key not in used | {*directions.values()}])
    return tuple(None if not n else directions.get(n) or next(spare, None) for n in buttons)


def plain_key(key: int) -> int:
    """The keypad's Enter plays as the main one."""
    return Qt.Key.Key_Return.value if key == Qt.Key.Key_Enter.value else key
