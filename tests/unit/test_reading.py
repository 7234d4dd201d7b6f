"""Only regular files are read, without waiting at a pipe, and no more of them than their kind has.

A pipe, a device, a folder or a file larger than memory may stand in the place of any file."""

from __future__ import annotations

import ast
import gzip
import os
import re
import signal
import socket
import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from integrator import paths
from integrator.domain.errors import DomainError
from integrator.domain.files.reading import (
    MAX_GZIP_MEMBERS,
    gunzip,
    inflated,
    not_plain,
    open_file,
    open_handle,
    read_file,
    read_text,
)
from integrator.domain.integration.directory import load_integration
from integrator.domain.integration.states import MAX_STATE_BYTES, pack_state, unpack_state
from integrator.domain.movies.model import MovieConsole
from integrator.domain.movies.reading import read_movie
from integrator.domain.roms import known_games
from integrator.session.hidden.clips import survey_states
from integrator.session.journal.drafts import pending_drafts
from integrator.session.journal.journal_file import header_and_frames, is_abandoned
from integrator.session.library.watch_list import FILE, read_watch_file
from integrator.session.setup.roots import systems
from libretro_host.systems.descriptor import BiosFile
from libretro_host.systems.discovery import BiosState, check_bios

ROOT = Path(paths.__file__).parent.parent


def pipe(path: Path) -> None:
    os.mkfifo(path)


def endless_device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def pipe_behind_a_link(path: Path) -> None:
    os.mkfifo(path.with_name(f"{path.name}.pipe"))
    path.symlink_to(f"{path.name}.pipe")


def local_socket(path: Path) -> None:
    here = Path.cwd()
    os.chdir(path.parent)  # the path of a socket must be short
    try:
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(path.name)
    finally:
        os.chdir(here)


def huge(path: Path) -> None:
    with path.open("wb") as stream:
        stream.truncate(1 << 40)  # takes no room on disk


def folder(path: Path) -> None:
    path.mkdir()


NO_FILES = [pipe, endless_device, pipe_behind_a_link, local_socket, huge, folder]
Make = Callable[[Path], None]


@pytest.fixture(autouse=True)
def _no_hang() -> Iterator[None]:
    """A reader that waits at a pipe ends here, and not when the whole run is killed."""

    def hung(*_: object) -> None:
        raise AssertionError("it waits for ever, or reads without end")

    before = signal.signal(signal.SIGALRM, hung)
    signal.alarm(300)  # far more than the tests take on a machine that is busy with others
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("make", NO_FILES)
def test_nothing_but_files_is_read(make: Make, tmp_path: Path) -> None:
    path = tmp_path / "file"
    make(path)
    with pytest.raises(OSError, match=r"it is (a|larger)") as refused:
        read_file(path, 1000)
    assert refused.value.strerror
    assert refused.value.filename == str(path)
    if make is not huge:
        with pytest.raises(OSError, match="it is a"), open_file(path, None):
            pass


def test_limits_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"12345")
    assert read_file(path, 5) == b"12345"
    with pytest.raises(OSError, match="it is larger than"):
        read_file(path, 4)
    # The kernel's files have no size that could be looked at first.
    with pytest.raises(OSError, match="it is larger than 10 bytes"):
        read_file(Path("/proc/self/status"), 10)


@pytest.mark.parametrize("name", ["a\0b", "a\ud800b"])
def test_names_that_no_file_has(name: str) -> None:
    with pytest.raises(OSError, match="no file can have this name"):
        read_file(Path(name), 10)


def test_a_link_can_be_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"1")
    (tmp_path / "link").symlink_to("file")
    assert read_text(tmp_path / "link", 10) == "1"
    with pytest.raises(OSError, match="it is a link"):
        open_handle(tmp_path / "link", follow=False)


def test_copies_leave_out_what_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"1")
    (tmp_path / "folder").mkdir()
    (tmp_path / "good").symlink_to("file")
    (tmp_path / "up").symlink_to(".")
    (tmp_path / "gone").symlink_to("nowhere")
    pipe(tmp_path / "pipe")
    endless_device(tmp_path / "zero")
    names = sorted(path.name for path in tmp_path.iterdir())
    assert not_plain(str(tmp_path), names) == {"up", "gone", "pipe", "zero"}


# -- in the place of each file ------------------------------------------------------------------


@pytest.fixture
def game(tmp_path: Path) -> Path:
    directory = tmp_path / "Game-Nes-v0"
    directory.mkdir()
    for name in ("data", "scenario", "metadata"):
        (directory / f"{name}.json").write_text("{}")
    return directory


@pytest.mark.parametrize("make", NO_FILES)
@pytest.mark.parametrize(
    "name",
    [
        "data.json",
        "scenario.json",
        "metadata.json",
        "cheats.json",
        "expectations.json",
        "rom.sha",
    ],
)
def test_documents(make: Make, name: str, game: Path) -> None:
    (game / name).unlink(missing_ok=True)
    make(game / name)
    if name in ("cheats.json", "expectations.json"):
        # Told, and the game goes on without it.
        files = [str(finding.file) for finding in load_integration(game).findings]
        assert any(name in file for file in files)
        return
    with pytest.raises(DomainError, match=rf"{name}(:| could not be read) \(?it is"):
        assert load_integration(game).rom_sha


@pytest.mark.parametrize("make", NO_FILES)
def test_scripts(make: Make, game: Path) -> None:
    make(game / "script.lua")
    if make is huge:
        with pytest.raises(DomainError, match=r"script\.lua could not be read \(it is larger"):
            load_integration(game)
    else:
        assert not load_integration(game).scripts.files


@pytest.mark.parametrize("make", NO_FILES)
def test_states(make: Make, game: Path) -> None:
    make(game / "Level1.state")
    integration = load_integration(game)
    with pytest.raises(DomainError, match=r"Level1\.state could not be read \(it is"):
        integration.read_state("Level1")
    with pytest.raises(DomainError, match=r"Level1\.state could not be read \(it is"):
        integration.write_state("Level1", b"new")
    assert len(survey_states(integration)) == (make is huge)


@pytest.mark.parametrize("make", NO_FILES)
@pytest.mark.parametrize("name", ["a.bk2", "a.fm2"])
def test_movies(make: Make, name: str, tmp_path: Path) -> None:
    make(tmp_path / name)
    with pytest.raises(DomainError, match=rf"{name}: cannot be read: it is"):
        read_movie(tmp_path / name, {"Nes": MovieConsole(("B", "A"))})


@pytest.mark.parametrize("make", NO_FILES)
def test_what_the_program_keeps(
    make: Make, tmp_path: Path, game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paths, "user_cache_dir", lambda: tmp_path)
    (tmp_path / "drafts").mkdir()
    (game / "notes").mkdir()
    for path in (tmp_path / "a.journal", game / FILE):
        make(path)
    for name in ("a.json", "a.lock"):
        make(tmp_path / "drafts" / name)
    with pytest.raises(DomainError):
        header_and_frames(tmp_path / "a.journal")
    assert is_abandoned(tmp_path / "a.journal") == (make is huge)
    with pytest.raises(DomainError):
        read_watch_file(game)
    assert pending_drafts() == ()


@pytest.mark.parametrize("make", NO_FILES)
def test_hashes_of_known_games(make: Make, game: Path) -> None:
    (game.parent / "Other-Nes-v0").mkdir()
    (game.parent / "Other-Nes-v0" / "rom.sha").write_text("ab")
    make(game / "rom.sha")
    assert [known.name for known in known_games([game.parent])] == ["Other-Nes-v0"]


@pytest.mark.parametrize("make", NO_FILES)
def test_bios_files(make: Make, tmp_path: Path) -> None:
    make(tmp_path / "bios.bin")
    bios = BiosFile(file="bios.bin", md5="0" * 32, required=True)
    system = replace(next(iter(systems().values())), bios=(bios,))
    assert [check.state for check in check_bios(system, tmp_path)] == [BiosState.MISSING]


# -- packed ------------------------------------------------------------------------------------


def bomb() -> bytes:
    """A gzip file of 64 KiB that holds 65 MiB."""
    return gzip.compress(bytes(MAX_STATE_BYTES + (1 << 20)), 9)


def test_states_that_unpack_to_too_much() -> None:
    path = Path("a.state")
    with pytest.raises(DomainError, match=r"a\.state is damaged: it unpacks to more than 67,"):
        unpack_state(bomb(), path)
    half = gzip.compress(bytes(MAX_STATE_BYTES // 2 + 1), 9)
    with pytest.raises(DomainError, match="it unpacks to more than 67,"):
        unpack_state(half * 2, path)
    member = gzip.compress(b"")
    with pytest.raises(DomainError, match="it has more than 100 parts"):
        unpack_state(member * 100_000, path)


@pytest.mark.parametrize("members", [1, 2, MAX_GZIP_MEMBERS])
@pytest.mark.parametrize("size", [0, 1, 1 << 16, (1 << 17) + 1])
@pytest.mark.parametrize("padding", [b"", b"\0", bytes(100_000)])
def test_gzip_files_of_several_members(members: int, size: int, padding: bytes) -> None:
    raw = os.urandom(size)
    data = (pack_state(raw) + padding) * members
    assert gunzip(data, size * members) == raw * members
    if size:
        with pytest.raises(zlib.error, match="unpacks to more"):
            gunzip(data, size * members - 1)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda data: data[:-1], "cut off after 1000 bytes"),
        (lambda data: data[:12], "cut off after [01] bytes"),
        (lambda data: data + b"rest", "incorrect header"),
        (lambda data: data[:-8] + bytes(8), "incorrect data check"),
        (lambda data: data + data[:20], "cut off after"),
    ],
)
def test_damaged_gzip_files(change: Callable[[bytes], bytes], message: str) -> None:
    with pytest.raises(zlib.error, match=message):
        gunzip(change(gzip.compress(bytes(1000))), 10_000)


def test_zlib() -> None:
    packed = zlib.compress(bytes(1000))
    assert inflated(packed, 1000) == bytes(1000)
    with pytest.raises(zlib.error, match="unpacks to more"):
        inflated(packed, 999)
    with pytest.raises(zlib.error, match="cut off"):
        inflated(packed[:-1], 1000)


# -- everywhere --------------------------------------------------------------------------------

MAY_READ = {
    "integrator/domain/files/reading.py": "the way to unpack",
    "integrator/domain/files/atomic.py": "it opens what it makes itself",
    "integrator/domain/timeline/pool.py": "it unpacks what it packed itself",
    "integrator/domain/words.py": "it reads own pages; the way to read reports findings",
    "integrator/domain/movies/bk2.py": "the way to open movies",
    "integrator/domain/movies/writer.py": "it writes",
    "integrator/session/library/checks/judge.py": "it reads what its own child wrote",
    "integrator/session/setup/content.py": "the way to open zips with content",
    "integrator/session/library/rom_import.py": "the way to open zips with ROMs",
    "integrator/session/film.py": "it writes",
    "integrator/session/stills.py": "it writes an animated PNG, whose start it fills in at the end",
    "integrator/session/journal/drafts.py": "it makes a lock",
    "integrator/session/journal/journal_file.py": "it makes a journal",
    "integrator/commands/dataset.py": "it writes",
    "integrator/commands/scores.py": "it opens a file to append to it",
    "integrator/agents/result.py": "it opens a file to append to it, and one for a child's errors",
    "integrator/log_files.py": "it opens a file to append to it",
    "integrator/display.py": "it opens /dev/null",
    "integrator/commands/play/table.py": "it maps a file that it made itself",
    "libretro_host/content_file.py": "the way to read",
    "libretro_host/processes/children.py": "it reads what its own fork wrote",
    "libretro_host/processes/kernel.py": "it reads /proc",
    "libretro_host/processes/links.py": "it maps a file of its own, and opens /dev/null",
    "libretro_host/worker.py": "it reads /proc",
    "libretro_host/processes/wire.py": "it reads what its own processes share",
    "scripts/": "no part of the program",
}
"""Files that read or unpack in other ways, and why they may."""

READERS = {"read_text", "read_bytes", "memmap", "fromfile", "decompress", "decompressobj"}
OPENERS = {"open", "fdopen", "ZipFile", "GzipFile", "BZ2File", "LZMAFile", "mmap"}
MENTIONS = re.compile(rf"\b(?:{'|'.join(READERS | OPENERS)})\b")
OPENING = {"os", "gzip", "zipfile", "bz2", "lzma", "io", "codecs", "tarfile", "av", "mmap", "zlib"}


def ways_to_read(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Line and name of each call that could read a file, or unpack a bomb.

    Functions and modules of the program's own, such as the readers, are none of them."""
    own = {
        name.asname or name.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("integrator.")
        for name in node.names
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        match node.func:
            case ast.Name(id=name) if name in {"open", *READERS, *OPENERS} - own:
                yield node.lineno, name
            case ast.Attribute(value=ast.Name(id=module), attr=name):
                if module in OPENING and name in READERS | OPENERS:
                    yield node.lineno, f"{module}.{name}"
                elif module not in own and (name in READERS or is_path_open(node, name)):
                    yield node.lineno, name
            case ast.Attribute(attr=name) if name in READERS or is_path_open(node, name):
                yield node.lineno, name


def is_path_open(node: ast.Call, name: str) -> bool:
    """``path.open("rb")``: other things are opened too, but not with a mode."""
    first = node.args[0] if node.args else None
    return name == "open" and isinstance(first, ast.Constant) and isinstance(first.value, str)


def test_there_is_one_way_to_read() -> None:
    found = []
    for top in ("integrator", "libretro_host", "scripts"):
        for file in sorted((ROOT / top).rglob("*.py")):
            name = file.relative_to(ROOT).as_posix()
            if name in MAY_READ or f"{top}/" in MAY_READ:
                continue
            text = file.read_text(encoding="utf-8")
            tree = ast.parse(text if MENTIONS.search(text) else "")
            found += [f"{name}:{line}: {way}" for line, way in ways_to_read(tree)]
    assert not found, "read it with integrator.domain.files.reading instead:\n" + "\n".join(found)


@pytest.mark.parametrize(
    "code",
    [
        *(
            "open('x')",
            "path.read_text()",
            "Path('x').read_bytes()",
            "path.open('rb')",
            "os.open(p)",
        ),
        *("gzip.open('x')", "gzip.decompress(b'')", "zlib.decompress(b'')", "zipfile.ZipFile(p)"),
        *("ZipFile(p)", "zlib.decompressobj()", "np.memmap(p)", "np.fromfile(p)"),
        *("from zlib import decompress\ndecompress(b'')", "io.open('x')", "av.open('x')"),
    ],
)
def test_the_walk_over_the_code_sees(code: str) -> None:
    assert MENTIONS.search(code)
    assert list(ways_to_read(ast.parse(code)))
