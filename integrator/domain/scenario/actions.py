"""Owns the combinations of buttons that an agent may press, and the masks of action numbers.

A mask is an int; bit i stands for ``buttons[i]``. Facts below were read from stable-retro's
behaviour (`GameData.valid_actions`, `GameData.filter_action`, `RetroEnv.action_to_array`, wheel
1.0.1).
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_

from integrator.domain.errors import ScenarioError

ActionGroups = tuple[tuple[tuple[str, ...], ...], ...]
MENU_BUTTONS = frozenset({"START", "SELECT", "RESET", "MODE", "RUN", "PAUSE"})
"""Buttons that pause a game or leave it; agents and probes of ours leave them alone."""


def _union(masks: Iterable[int]) -> int:
    return reduce(or_, masks, 0)


@dataclass(frozen=True, slots=True)
class ActionSet:
    """The action groups of a game, as masks.

    ``buttons`` are the system's buttons in bit order (None: no such button). ``groups`` are the
    combinations of each group as masks in ascending order; groups are in ascending order of the
    union of their masks, and of two groups with the same union only the first is kept, as upstream
    does. Build one with `ActionSet.of`.
    """

    buttons: tuple[str | None, ...]
    groups: tuple[tuple[int, ...], ...]

    @classmethod
    def of(
        cls,
        buttons: Sequence[str | None],
        groups: Iterable[Iterable[Iterable[str]]],
        path: str = "actions",
    ) -> "ActionSet":
        """Turn groups of combinations of button names into masks.

        Raises ScenarioError with the JSON path of a button that the system lacks. (Upstream maps
        every unknown name to the bit after the last button, so such a combination can never be
        pressed.)
        """
        # From the last button on, so that a name that two have is the first one's.
        bits = {name: 1 << bit for bit, name in reversed(list(enumerate(buttons))) if name}
        by_union: dict[int, tuple[int, ...]] = {}
        for g, group in enumerate(groups):
            masks = set()
            for c, combination in enumerate(group):
                mask = 0
                for name in combination:
                    if name not in bits:
                        known = ", ".join(filter(None, buttons))
                        where = f"{path}[{g}][{c}]"
                        raise ScenarioError(f"{where}: no button {name!r}; the system has {known}")
                    mask |= bits[name]
                masks.add(mask)
            by_union.setdefault(_union(masks), tuple(sorted(masks)))
        return cls(tuple(buttons), tuple(by_union[union] for union in sorted(by_union)))

    @property
    def usable(self) -> int:
        """The mask of every button that some combination uses; others never reach the game."""
        return _union(map(_union, self.groups))

    def filter(self, mask: int) -> int:
        """The part of ``mask`` in FILTERED mode: a group that is no combination gives nothing."""
        parts = ((mask & _union(group), group) for group in self.groups)
        return _union(part for part, group in parts if part in group)

    @property
    def discrete_size(self) -> int:
        return math.prod(len(group) for group in self.groups)

    def discrete_masks(self, action: int, players: int = 1) -> tuple[int, ...]:
        """One mask a player for an index, player 1 lowest, and of its groups the first.

        Raises ScenarioError.
        """
        size = self.discrete_size**players
        if not 0 <= action < size:
            raise ScenarioError(f"discrete action {action} is outside 0..{size - 1}")
        masks = [0] * players
        for player in range(players):
            for group in self.groups:
                action, digit = divmod(action, len(group))
                masks[player] |= group[digit]
        return tuple(masks)

    def multi_discrete_mask(self, digits: Sequence[int]) -> int:
        """One player's mask for a MULTI_DISCRETE action. Raises ScenarioError."""
        if len(digits) != len(self.groups):
            raise ScenarioError(f"{len(digits)} digits for {len(self.groups)} action groups")
        mask = 0
        for group, digit in zip(self.groups, digits, strict=True):
            if not 0 <= digit < len(group):
                raise ScenarioError(f"digit {digit} is outside 0..{len(group) - 1}")
            mask |= group[digit]
        return mask

    def names(self, mask: int) -> tuple[str, ...]:
        return tuple(
            button for i, button in enumerate(self.buttons) if button is not None and mask >> i & 1
        )
