"""Each format of notes: what is written comes back, and a line that cannot be read is named."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from integrator.domain.errors import DocumentError
from integrator.domain.integration.json_files import Watch
from integrator.domain.notes import formats
from integrator.domain.notes.formats import NOTES_FORMATS, VALUE, format_of, read_notes, write_notes
from integrator.domain.notes.places import NotesFormat, Places
from integrator.domain.values.memory import AddressSpace, DataType, Overlay, Region

NES = Places(AddressSpace([Region(0, 0x800), Region(0x6000, 0x2000)]), 0)
GENESIS = Places(AddressSpace([Region(0xFF0000, 0x10000)], Overlay("=", ">", 2)), 0xFF0000)

WORD = st.text("abcXYZ019_äß", min_size=1, max_size=12)
TYPES = {
    ".wch": ("|u1", "|i1", "<u2", ">u2", "<i2", ">u4", "<u4", "<i4"),
    ".json": ("|u1", "|i1", "<u2", ">u2", ">i2", "<u3", ">u4", "<u4", "|d1", ">d3"),
    "-User.txt": ("|u1", "|i1", "<u2", ">u2", ">i2", "<u3", ">u4", "<u4", "|d1", ">d3"),
    ".nl": ("|u1", "<u2", "<u3", "<u4", "<u8"),
    ".mlb": ("|u1", "<u2", "<u3", "<u4", "<u8"),
    ".sym": ("|u1",),
    ".cht": ("|u1", "<u2", ">u2", "<u4", ">u4"),
}


def watches(suffix: str, swapped: bool) -> st.SearchStrategy[list[Watch]]:
    """Watches that a format holds whole."""
    types = [spec for spec in TYPES[suffix] if not swapped or spec[0] != "<"]
    first = 0xFF0000 if swapped else 0
    made = st.builds(
        Watch,
        st.integers(0, 0x700 // 4).map(lambda n: first + 4 * n),
        st.sampled_from(types).map(DataType.parse),
        WORD,
        st.one_of(st.just(""), WORD),
        st.builds(lambda n: {VALUE: n} if suffix == ".cht" else {}, st.integers(0, 255)),
    )
    return st.lists(made, max_size=8)


@pytest.mark.parametrize("known", NOTES_FORMATS, ids=lambda known: known.suffix)
@given(swapped=st.booleans(), data=st.data())
def test_written_notes_come_back(known: NotesFormat, swapped: bool, data: st.DataObject) -> None:
    if known.suffix in (".nl", ".mlb"):
        swapped = False  # of the NES alone
    places = GENESIS if swapped else NES
    given_watches = data.draw(watches(known.suffix, swapped))
    text, problems = known.write(given_watches, places)
    assert problems == ()
    read = known.read(text, places)
    assert read.problems == ()
    assert list(read.watches) == given_watches


def test_a_made_up_format_comes_and_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    symbols = format_of(Path("a.sym"))
    made_up = NotesFormat(".plain", "plain notes", symbols.read, symbols.write)
    monkeypatch.setattr(formats, "NOTES_FORMATS", (*NOTES_FORMATS, made_up))
    path = tmp_path / "a.PLAIN"
    kept = [Watch(0x10, DataType.parse("|u1"), "lives", "")]
    assert write_notes(path, kept, NES) == ()
    assert list(read_notes(path, NES).watches) == kept
    with pytest.raises(DocumentError, match=r"end in \.wch.*\.plain"):
        format_of(Path("a.doc"))


@pytest.mark.parametrize("known", NOTES_FORMATS, ids=lambda known: known.suffix)
@given(text=st.text() | st.text('cheat0_="$#/\\:[]{},|\t\n0Aab; uswd'))
def test_no_text_breaks_a_reader(known: NotesFormat, text: str) -> None:
    try:
        read = known.read(text, NES)
    except DocumentError:
        return
    assert len(read.watches) + len(read.problems) <= len(text) + 1


@pytest.mark.parametrize(
    ("suffix", "text", "found", "problems"),
    [
        (
            ".wch",
            ("SystemID NES\n0\tS\t_\t0\t\t\n0075\tb\tu\t0\tRAM\tLives: left\n"
            "10\tw\th\t1\tSystem Bus\tscore\n20\td\t3\t0\tRAM\tx\n0\tb\tu\t0\tVROM\tx\nnonsense\n"
             "Oh\tb\tu\t0\tRAM\tx"),
            [(0x75, "|u1", "Lives", "left"), (0x10, ">u2", "score", "")],
            ["line 5: numbers of size 'd' shown as '3'", "line 6: this game has no memory called",
             "line 7: 6 fields separated by tabs are needed, not 1",
             "line 8: “Oh” is no address in hexadecimal digits"],
        ),
        (
            ".json",
            ('{"Success": true, "CodeNotes": [{"User": "a", "Address": "0x0075", "Note": "Lives"},'
            '{"Address": "0x000010", "Note": "[16-bit BE] Score"}, {"Address": "x", "Note": "y"},'
            '{"Address": "0x20", "Note": ""}, 5]}'),
            [(0x75, "|u1", "Lives", ""), (0x10, ">u2", "Score", "")],
            ["note 3: “x” is no address in hexadecimal digits", "note 5: no note with Address"],
        ),
        (
            ".nl",
            "$0075#Lives#left\n\\and more\n$0010/2#Score#\n$0100/10#Table#\n$C000#Reset#\nLives",
            [(0x75, "|u1", "Lives", "left and more"), (0x10, "<u2", "Score", ""),
             (0x100, "|u1", "Table", "16 bytes.")],
            ["line 5: address 0xC000 is not mapped", "line 6: no line such as"],
        ),
        (
            "-User.txt",
            ('1.3.0.0\nA game\nN0:0x000075:"Lives"\n'
             'N0:0x000010:"[16-bit BE] Score: of \\"one\\"\\nrow"\n'
             '1:"0xH0075=0":Die:Lose them all:0\n'
             'N0:0x0020:""\nN0:20:lives\nN0:0xfffff:"far"'),
            [(0x75, "|u1", "Lives", ""), (0x10, ">u2", "Score", 'of "one" row')],
            ["line 7: no line such as N0:", "line 8: address 0xFFFFF is not mapped"],
        ),
        (
            ".mlb",
            ("R:0075:Lives:left\\nand more\nNesInternalRam:0010-0011:Score\nNesWorkRam:0002:Saved\n"
             "G:0100-010F:Table\nNesPrgRom:0000:Reset\nSnesWorkRam:0020:Elsewhere\nP:12\n"),
            [(0x75, "|u1", "Lives", "left and more"), (0x10, "<u2", "Score", ""),
             (0x6002, "|u1", "Saved", ""), (0x100, "|u1", "Table", "16 bytes."),
             (0x20, "|u1", "Elsewhere", "")],
            ["line 5: NesPrgRom is not in", "line 7: no line such as NesInternalRam"],
        ),
        (
            ".sym",
            ("; made by hand\n[labels]\n00:0075 Lives\n0010 Score ; two bytes\nTimer = $20\n"
            "01:C000 Reset\n???\n[source files]\n0001 main.asm"),
            [(0x75, "|u1", "Lives", ""), (0x10, "|u1", "Score", "two bytes"),
             (0x20, "|u1", "Timer", "")],
            ["line 6: Reset at C000 is not in", "line 7: no line such as", "line 8: section"],
        ),
        (
            ".cht",
            ('cheats = 3\ncheat0_desc = "Lives"\ncheat0_code = "0075:09"\ncheat1_desc = "Jump"\n'
            'cheat1_code = "SXIOPO"\ncheat2_desc = "Score"\ncheat2_handler = "1"\n'
            'cheat2_address = "16"\ncheat2_memory_search_size = "4"\ncheat2_value = "7"'),
            [(0x75, "|u1", "Lives", ""), (0x10, "<u2", "Score", "")],
            ["line 4, cheat 1: Jump: code 'SXIOPO' names no address"],
        ),
    ],
)  # fmt: skip
def test_files_of_other_programs_are_read_and_the_rest_is_told(
    tmp_path: Path,
    suffix: str,
    text: str,
    found: list[tuple[int, str, str, str]],
    problems: list[str],
) -> None:
    path = tmp_path / f"game{suffix}"
    path.write_text(text, "utf-8")
    read = read_notes(path, NES)
    assert [(w.address, w.type.spec, w.name, w.note) for w in read.watches] == found
    assert len(read.problems) == len(problems)
    assert all(told.startswith(start) for told, start in zip(read.problems, problems, strict=True))
    assert not any("object" in told for told in read.problems), "Python's words"


def test_what_a_format_can_not_hold_is_told(tmp_path: Path) -> None:
    digits = Watch(0x10, DataType.parse(">d4"), "bcd")
    far = Watch(0xFF0000, DataType.parse("|u1"), "far")
    assert write_notes(tmp_path / "a.wch", [digits], NES) == ("bcd: BizHawk has no type >d4",)
    tiles = Watch(0x10, DataType.parse(">n4"), "tiles")
    assert write_notes(tmp_path / "a.json", [tiles], NES) == ("tiles: code notes have no type >n4",)
    assert write_notes(tmp_path / "a.nl", [far], GENESIS) == (
        "far: FCEUX has addresses up to $FFFF",
    )
    assert write_notes(tmp_path / "a.mlb", [far], GENESIS) == (
        "far: labels are written for the RAM of the NES alone",
    )
    nameless = Watch(0x10, DataType.parse("|u1"))
    assert write_notes(tmp_path / "a.sym", [nameless], NES) == ("0x10: a symbol needs a name",)


def test_files_that_are_no_notes_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match=r"end in \.wch, \.json"):
        format_of(tmp_path / "a.txt")
    with pytest.raises(DocumentError, match="there is no such file"):
        read_notes(tmp_path / "missing.wch", NES)
    (tmp_path / "a.json").write_text('{"CodeNotes": 3}')
    with pytest.raises(DocumentError, match="no list of them"):
        read_notes(tmp_path / "a.json", NES)
