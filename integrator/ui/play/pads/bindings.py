"""Bindings of keys and pad buttons to the console's buttons, for each system and player."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from integrator.session.frame.inputs import Pattern, on_off
from integrator.ui.screen.keyboard import key_of_name, player_keys
from integrator.ui.settings.settings import UiSettings

PLAYERS = 2
"""Players with bindings of their own in the settings, even while one plays."""

_PAD_OF_BIT = (
    *("a", "x", "back", "start", "dpup", "dpdown", "dpleft", "dpright"),
    *("b", "y", "leftshoulder", "rightshoulder", "lefttrigger", "righttrigger"),
    *("leftstick", "rightstick"),
)
"""Place of each joypad id of libretro on a pad (names as SDL has them): a is the lower button."""


@dataclass(frozen=True, slots=True)
class Binding:
    """The key and pad button of one console button ("" is none). ``turbo``: it pulses; ``pattern``
    is how, as :func:`parse_pattern` reads it, and "" is as the preferences say."""

    key: str = ""
    pad: str = ""
    turbo: bool = False
    pattern: str = ""


MAX_PATTERN_FRAMES = 600


def parse_pattern(text: str) -> Pattern | None:
    """The pattern of a text such as ``2/2`` or ``1/3/2/1``: frames down, up, down and so on. None
    for any other text, and for a pattern that never presses or never lets go."""
    runs = [run.strip() for run in text.split("/")]
    if not all(run.isascii() and run.isdigit() and len(run) < 4 for run in runs):
        return None
    numbers = [int(run) for run in runs]
    presses, releases = any(numbers[::2]), any(numbers[1::2])
    if not presses or not releases or sum(numbers) > MAX_PATTERN_FRAMES:
        return None
    return on_off(*numbers)


Bindings = tuple[Binding, ...]
"""One player's: item i is bit i of the mask."""


@dataclass(frozen=True, slots=True)
class Clash:
    """A key or pad button was taken from ``button`` (a bit) of ``player``."""

    player: int
    button: int


def default_bindings(
    buttons: Sequence[str | None], keys: Sequence[str | None], player: int
) -> Bindings:
    """The descriptor's keys for player 0, others for players 1 and 2; all have a gamepad's."""
    padded = (*player_keys(buttons, keys, player), *(None for _ in buttons))
    return tuple(
        Binding(padded[bit] or "", _PAD_OF_BIT[bit]) if name else Binding()
        for bit, name in enumerate(buttons)
    )


def bind(
    players: Sequence[Bindings], player: int, bit: int, binding: Binding
) -> tuple[tuple[Bindings, ...], tuple[Clash, ...]]:
    """Give a button another binding; another button with that key or pad button loses it. A key is
    one for all players. A pad button is one for its own player: each has a pad."""
    clashes = []
    changed = [list(each) for each in players]
    for other, bindings in enumerate(changed):
        for at, old in enumerate(bindings):
            same_key = binding.key and key_of_name(old.key) == key_of_name(binding.key)
            same_pad = other == player and binding.pad and old.pad == binding.pad
            if (same_key or same_pad) and (other, at) != (player, bit):
                key, pad = "" if same_key else old.key, "" if same_pad else old.pad
                bindings[at] = replace(old, key=key, pad=pad)
                clashes.append(Clash(other, at))
    changed[player][bit] = binding
    return tuple(tuple(each) for each in changed), tuple(clashes)


class BindingStore:
    """The bindings of each system in the settings file; only differences from the defaults."""

    def __init__(self, settings: UiSettings) -> None:
        self._settings = settings

    def load(
        self,
        system: str,
        buttons: Sequence[str | None],
        keys: Sequence[str | None],
        players: int = PLAYERS,
    ) -> tuple[Bindings, ...]:
        """The bindings of all players: of two always, so that a second one's are kept. A key that
        the user gave to an earlier player is no later player's by default."""
        found: list[Bindings] = []
        for player in range(max(players, PLAYERS)):
            taken = {key_of_name(each.key) for bindings in found for each in bindings if each.key}
            kept = self._settings.table(_key(system, player))
            bindings = []
            for name, default in zip(buttons, default_bindings(buttons, keys, player), strict=True):
                free = replace(default, key="") if key_of_name(default.key) in taken else default
                bindings.append(_binding(kept.get(str(name)), free) if name else free)
            found.append(tuple(bindings))
        return tuple(found)

    def save(
        self,
        system: str,
        buttons: Sequence[str | None],
        keys: Sequence[str | None],
        players: Sequence[Bindings],
    ) -> None:
        for player, bindings in enumerate(players):
            defaults = default_bindings(buttons, keys, player)
            changed = {
                str(name): asdict(new)
                for name, new, old in zip(buttons, bindings, defaults, strict=True)
                if name and new != old
            }
            self._settings.set_table(_key(system, player), changed)


def _key(system: str, player: int) -> str:
    return f"bindings/{system}-{player + 1}"


def _binding(stored: Any, default: Binding) -> Binding:
    """A stored binding; the default where it makes no sense."""
    match stored:
        case {"key": str(key), "pad": str(pad), "turbo": bool(turbo)}:
            pattern = stored.get("pattern")
            known = isinstance(pattern, str) and parse_pattern(pattern) is not None
            return Binding(key if key_of_name(key) else "", pad, turbo, pattern if known else "")
    return default
