"""Messages and shared slots: every value arrives as it left, and forged references do not."""

from __future__ import annotations

import errno
import os
import socket
import struct
from collections.abc import Iterator
from io import FileIO
from pathlib import Path
from types import MappingProxyType

import numpy as np
import pytest

from libretro_host.errors import HostError
from libretro_host.host import (
    AvInfo,
    CapturePlan,
    CoreInfo,
    CoreOption,
    Frame,
    LoadRequest,
    MemoryRegion,
    PixelFormat,
    RamChanges,
    RunResult,
)
from libretro_host.processes.kernel import anonymous_file
from libretro_host.processes.wire import Channel, Slot, WireError

AV = AvInfo(320, 224, 720, 576, 1.306, 59.92274340431231, 44100.0)
INFO = CoreInfo(
    library_name="toy",
    library_version="1",
    valid_extensions=("toy",),
    need_fullpath=True,
    av=AV,
    regions=(MemoryRegion(1 << 40, 16, "ram"),),
    state_bytes=99,
    whole_ram_bytes=16,
)


@pytest.fixture
def ends() -> Iterator[tuple[Channel, Channel]]:
    one, other = socket.socketpair()
    files = (anonymous_file(), anonymous_file())
    copies = [FileIO(os.dup(file.fileno()), "r+b") for file in files]
    channels = (Channel(one, *map(Slot, files)), Channel(other, *map(Slot, reversed(copies))))
    yield channels
    for channel in channels:
        channel.close()


@pytest.mark.parametrize(
    "value",
    [
        None,
        "text with \udc80 and ä",
        b"",
        b"bytes",
        Path("/some/where"),
        AV,
        CapturePlan(ram=True, ranges=((0, 4), (8, 2)), picture_every=3),
        CoreOption("key", "title", ("a", "b"), "a", "b", "help"),
        INFO,
        LoadRequest(Path("core"), Path("content"), system_dir=Path("system")),
        LoadRequest(Path("a"), Path("b"), options={"path": "looks like a reference"}),
        LoadRequest(Path("a"), Path("b"), port_devices=(1, 5, 3)),
    ],
    ids=lambda value: type(value).__name__,
)
def test_values_arrive_as_they_left(ends: tuple[Channel, Channel], value: object) -> None:
    ends[0].send(value)
    assert ends[1].receive() == value


def test_read_only_mappings_arrive_as_dicts(ends: tuple[Channel, Channel]) -> None:
    ends[0].send(LoadRequest(Path("a"), Path("b"), options=MappingProxyType({"key": "value"})))
    assert ends[1].receive().options == {"key": "value"}


@pytest.mark.parametrize(
    "array",
    [
        np.arange(12, dtype=np.uint16).reshape(3, 4),
        np.arange(40, dtype=np.int64)[::3],
        np.zeros((0, 2), np.int16),
        np.zeros((5, 0), np.uint8),
        np.arange(3_000_000, dtype=np.uint32),
    ],
    ids=["matrix", "strided", "no rows", "no columns", "larger than the slot"],
)
def test_arrays_arrive_whole_and_belong_to_the_receiver(
    ends: tuple[Channel, Channel], array: np.ndarray
) -> None:
    ends[0].send([array])
    (arrived,) = ends[1].receive()
    ends[0].send([np.full(array.shape, 7, array.dtype)])  # the slot is overwritten
    assert arrived.dtype == array.dtype
    np.testing.assert_array_equal(arrived, array)


def test_a_run_result_arrives_with_all_its_arrays(ends: tuple[Channel, Channel]) -> None:
    picture = Frame(np.arange(24, dtype=np.uint8).reshape(2, 12), 5, 2, PixelFormat.RGB565, 3)
    changes = RamChanges(np.array([1, 1]), np.array([3, 4], np.uint32), np.array([8, 9], np.uint8))
    sent = RunResult(
        2, picture, (picture,), np.ones((2, 4), np.uint8), changes, None, None, ("hi",)
    )
    ends[0].send({"result": sent})
    got = ends[1].receive()["result"]
    assert got.frame.pixel_format is PixelFormat.RGB565
    np.testing.assert_array_equal(got.pictures[0].pixels, picture.pixels)
    np.testing.assert_array_equal(got.changes.offsets, changes.offsets)
    np.testing.assert_array_equal(got.ram, sent.ram)
    assert (got.messages, got.audio, got.frame.rotation) == (("hi",), None, 3)


def test_messages_may_be_larger_than_the_socket_holds(ends: tuple[Channel, Channel]) -> None:
    stream = ends[0].stream
    assert isinstance(stream, socket.socket)
    stream.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
    text = "x" * 150_000
    ends[0].send(text)
    assert ends[1].receive() == text


def test_two_messages_in_one_read(ends: tuple[Channel, Channel]) -> None:
    ends[0].send("one")
    ends[0].send("two")
    assert (ends[1].receive(), ends[1].receive()) == ("one", "two")


def test_the_end_of_the_other_side(ends: tuple[Channel, Channel]) -> None:
    ends[0].stream.sendall(b"\x05\x00")  # half a message
    ends[0].close()
    with pytest.raises(EOFError):
        ends[1].receive()


@pytest.mark.parametrize(
    "forged",
    [
        b"{",
        b"\xff\xfe",
        b'{"array":["|u1",99999999999,5]}',
        b'{"array":["|u1",0,-5]}',
        b'{"array":["|O",0,5]}',
        b'{"array":["nonsense",0,5]}',
        b'{"array":"u1"}',
        b'{"bytes":[-1,5]}',
        b'{"bytes":[0,1,2]}',
        b'{"Frame":[1]}',
        b'{"AvInfo":[1,2]}',
        b'{"path":5}',
    ],
)
def test_forged_messages_are_refused(ends: tuple[Channel, Channel], forged: bytes) -> None:
    ends[0].stream.sendall(struct.pack("<I", len(forged)) + forged)
    with pytest.raises(WireError):
        ends[1].receive()


def test_absurd_lengths_are_refused(ends: tuple[Channel, Channel]) -> None:
    ends[0].stream.sendall(b"\xff\xff\xff\xff")
    with pytest.raises(WireError):
        ends[1].receive()


def test_what_can_not_travel_is_an_error_of_the_sender(ends: tuple[Channel, Channel]) -> None:
    with pytest.raises(TypeError, match="cannot be sent"):
        ends[0].send(object())


def test_a_full_disk_is_an_error_before_it_is_mapped(tmp_path: Path) -> None:
    class Full(FileIO):
        def write(self, _: object) -> int:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    blobs = [(64, np.ones(300_000, np.uint8))]
    with FileIO(tmp_path / "slot", "w+b") as file:
        Slot(file).write(blobs, 300_064)
        stat = os.fstat(file.fileno())
    assert stat.st_blocks * 512 >= stat.st_size
    with Full(tmp_path / "full", "w+b") as file, pytest.raises(HostError, match="No space left"):
        Slot(file).write(blobs, 300_064)


def test_shared_memory_can_not_be_cut_under_the_reader() -> None:
    with anonymous_file() as file:
        Slot(file).write([(64, np.arange(9, dtype=np.uint8))], 73)
        with pytest.raises(PermissionError):
            file.truncate(10)
        assert Slot(file).read(65, 3).tolist() == [1, 2, 3]
        file.close()
