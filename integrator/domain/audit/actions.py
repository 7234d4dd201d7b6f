"""Buttons that do nothing, and buttons that do the same."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from integrator.domain.audit.play import Scene, Trap


@dataclass(frozen=True, slots=True)
class Effects:
    """Memory after each mask was pressed at some moments of play: by mask, a digest a moment.

    Mask 0 is among them. ``source`` is the play whose moments these are; ``moments`` its frames.
    """

    source: str
    moments: tuple[int, ...]
    digests: Mapping[int, tuple[bytes, ...]]


def without_effect(effects: Effects, scene: Scene) -> Iterator[Trap]:
    """Buttons after which memory is as if nothing had been pressed, or another button."""
    idle = effects.digests[0]
    groups: dict[tuple[bytes, ...], list[int]] = {}
    for mask, digests in effects.digests.items():
        groups.setdefault(digests, []).append(mask)
    for digests, masks in groups.items():
        names = [scene.spell(mask) for mask in masks if mask]
        listed = " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))
        if digests == idle and len(names) + 1 == len(effects.digests) > 1:
            kind, text = "dead-start", "no button changes anything at these moments"
            cure = "save the start state later, where the player is in control"
        elif digests == idle and names:
            kind, text = "no-effect", f"{listed} never changed anything"
            cure = f"leave {'them' if len(names) > 1 else 'it'} out of the scenario's actions"
        elif len(names) > 1:
            kind, text = "same-effect", f"{listed} did the same"
            cure = "keep one of them in the scenario's actions"
        else:
            continue
        yield Trap(
            kind=kind,
            is_serious=kind == "dead-start",
            source=effects.source,
            frames=(effects.moments[0], effects.moments[-1]),
            term="",
            weight=float(kind == "dead-start"),
            evidence=f"{text}, from {len(effects.moments)} moments of play",
            cure=cure,
        )
