"""A zip that grows is, byte for byte, the one that Python would write to a pipe."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from integrator.domain.movies.writer import GrowingZip


def test_each_byte_is_that_of_the_standard_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.zip"
    path.touch()
    whole = {"first": b"1", "second": bytes(300)}
    growing = GrowingZip(path, whole, "log")
    grown = b""
    for row in (b"one ", b"two ", b"three "):
        growing.write(row, b"end")
        grown += row
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w") as archive:
            for name, data in {**whole, "log": grown + b"end"}.items():
                # Behind the member that grows are its sizes, as in a stream that cannot seek.
                monkeypatch.setattr(archive, "_seekable", name != "log")
                member = zipfile.ZipInfo(name)
                member.create_system, member.external_attr = 3, 0o100644 << 16
                archive.writestr(member, data)
        assert path.read_bytes() == stream.getvalue()
    growing.close()
