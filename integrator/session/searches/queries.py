"""Questions to recorded play: which types are tried, and facts as text."""

from collections.abc import Sequence
from typing import Final

from integrator.domain.query.facts import Fact, parse_facts
from integrator.domain.values.datatype import DataType

SHIPPED_TYPES: Final = (
    *("|n1", ">u3", "<u3", ">d2", "<d2", ">d3", "<d3", ">d5", "<d5"),
    *(f"{endian}n{width}" for width in range(2, 9) for endian in "><"),
)
"""Types that integrations shipped with stable-retro 1.0.1 use without their system listing them.

Counted over its 1,068 data.json files: scores of three packed bytes, one digit a byte in any
number and either order.
"""


_SMALL_RAM_BYTES: Final = 1 << 20


def query_types(listed: Sequence[str], ram_bytes: int) -> tuple[DataType, ...]:
    """The types that queries and searches try: those of the system, then other likely ones.

    Up to 1 MiB of RAM these are :data:`SHIPPED_TYPES`: no integration for a larger console uses
    them, and there a search has much to go through. In more RAM, numbers in the other byte order
    than the listed big one: a core may keep words in the order of the PC without saying so, as
    N64's does.
    """
    also = SHIPPED_TYPES if ram_bytes <= _SMALL_RAM_BYTES else tuple(map(_little, listed))
    types = (DataType.parse(spec) for spec in (*listed, *also))
    return tuple({str(each): each for each in types}.values())


def _little(spec: str) -> str:
    """The little-endian type for an unsigned or signed big-endian one; other types unchanged."""
    return spec.replace(">", "<", 1) if spec[:2] in (">u", ">i") else spec


def as_facts(facts: str | Sequence[Fact]) -> tuple[Fact, ...]:
    """Facts as given, or as read from lines of text. Raises SearchError."""
    return parse_facts(facts) if isinstance(facts, str) else tuple(facts)
