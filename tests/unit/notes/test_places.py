"""Address expressions, names of regions, and offsets of other programs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from integrator.domain.errors import AddressError
from integrator.domain.notes.places import Places
from integrator.domain.values.memory import AddressSpace, DataType, Overlay, Region

BYTE = DataType.parse("|u1")
SNES = AddressSpace([Region(0, 0x2000), Region(0x700000, 0x800), Region(0x7E0000, 0x20000)])
GBA = AddressSpace([Region(0x2000000, 0x40000), Region(0x3000000, 0x8000)])
GENESIS = AddressSpace([Region(0xFF0000, 0x10000)], Overlay("=", ">", 2))
NES = AddressSpace([Region(0, 0x800), Region(0x6000, 0x2000)])

CONSOLES = {
    "Snes": Places(SNES, 0x7E0000),
    "GbAdvance": Places(GBA, 0x2000000),
    "Genesis": Places(GENESIS, 0xFF0000),
    "Nes": Places(NES, 0),
}


def places() -> Places:
    variables = {"score": (0x7E0010, BYTE), "ptr": (0x7E0020, BYTE), "add": (0x7E0030, BYTE)}
    return Places(SNES, 0x7E0000, variables, {"ptr": 0x20}.__getitem__)


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("7E00D4", 0x7E00D4),
        ("0x7e00d4", 0x7E00D4),
        ("$d4", 0xD4),
        (" ram + 20 ", 0x7E0020),
        ("wram:0x100", 0x7E0100),
        ("sram:4", 0x700004),
        ("score", 0x7E0010),
        ("score+2-1", 0x7E0011),
        ("[ptr]+4", 0x24),
        ("add", 0x7E0030),
        ("0add", 0xADD),
    ],
)
def test_an_expression_names_an_address(text: str, address: int) -> None:
    assert places().address(text) == address


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "write an address"),
        ("lives", "no address, variable or region; regions here are ram, sram"),
        ("iwram+4", "no address, variable or region"),
        ("[7E0000]", "needs a variable"),
        ("10-20", "below zero"),
        ("ram+", "no address"),
    ],
)
def test_an_expression_that_names_none_is_refused(text: str, says: str) -> None:
    with pytest.raises(AddressError, match=says):
        places().address(text)


@pytest.mark.parametrize("console", CONSOLES)
@given(index=st.integers(0, 1 << 20), width=st.sampled_from([1, 2, 4]))
def test_an_offset_leads_back_to_its_address(console: str, index: int, width: int) -> None:
    known = CONSOLES[console]
    address = known.space.address_of(index % known.space.size_bytes)
    try:
        offset = known.to_offset(address, width)
    except AddressError:
        assert console == "Snes"  # its low mirror and save RAM have no offset
        assert address < 0x7E0000
        return
    assert known.of_offset(offset, width) == address


def test_bytes_of_swapped_words_lie_at_their_neighbor() -> None:
    genesis = CONSOLES["Genesis"]
    assert genesis.of_offset(0x10, 1) == 0xFF0011
    assert genesis.of_offset(0x10, 2) == 0xFF0010
    assert CONSOLES["GbAdvance"].of_offset(0x8004, 1) == 0x2000004


def test_domains_of_bizhawk_are_regions() -> None:
    assert CONSOLES["Genesis"].in_domain("68K RAM", 4) == 0xFF0004
    assert CONSOLES["Nes"].in_domain("System Bus", 0x6001) == 0x6001
    for console, domain, offset in (("Nes", "CHR VROM", 0), ("Nes", "RAM", 0x4000)):
        with pytest.raises(AddressError):
            CONSOLES[console].in_domain(domain, offset)
