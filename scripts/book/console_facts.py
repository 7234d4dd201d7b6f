"""The facts of a console as its page shows them, made from its descriptor."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from integrator.session.setup.roots import systems
from libretro_host.systems.descriptor import SystemDescriptor

_ORDERS = {"<": "little-endian", ">": "big-endian", "=": "little-endian", "|": "bytes"}


def console_facts(name: str) -> str:
    """Markdown to stand below the page's own words. Raises KeyError for an unknown console."""
    return "\n".join(("", *_memory(systems()[name]), *_pad(systems()[name]), ""))


def _memory(system: SystemDescriptor) -> Iterator[str]:
    yield from ("", "## In short", "", "| | |", "|---|---|")
    yield f"| name that ends a directory | `-{system.name}-v0` |"
    yield f"| ROM files | {_codes(f'.{each}' for each in (*system.extensions, *system.aliases))} |"
    yield f"| cores, preferred first | {_codes(system.cores)} |"
    if system.work_ram is not None:
        first, size = system.work_ram.address, system.work_ram.size_bytes
        yield f"| work RAM | `0x{first:X}` to `0x{first + size - 1:X}`, {size:,} bytes |"
    else:
        yield f"| first address | `0x{system.rambase:X}`, unless the core announces a memory map |"
    yield f"| byte order | {_order(system)} |"
    yield f"| types that a search tries | {_codes(system.types)} |"
    for bios in system.bios:
        must = "needed unless another one is there" if bios.required else "not needed"
        yield f"| BIOS file | `{bios.file}`: {bios.note or must} |"


def _order(system: SystemDescriptor) -> str:
    if system.overlay is not None:
        _, real, width = system.overlay
        return (
            f"{_ORDERS[real]}; the core keeps words of {width} bytes turned round, and the program "
            "shows addresses and bytes as the console's processor sees them"
        )
    orders = {each[0] for each in system.types if each[1] == "u" and each[-1] != "1"}
    return " and ".join(_ORDERS.get(order, f"`{order}`") for order in sorted(orders)) or "bytes"


def _pad(system: SystemDescriptor) -> Iterator[str]:
    yield from ("", "## Buttons", "", "| bit of a mask | button | key at first |", "|---|---|---|")
    for bit, (button, key) in enumerate(zip(system.buttons, system.keys, strict=True)):
        if button is not None:
            yield f"| {bit} | {button} | {(key or '').capitalize()} |"


def _codes(texts: Iterable[str]) -> str:
    return " ".join(f"`{text}`".replace("|", r"\|") for text in texts)
