"""Makes recorded movies doubtful: out of step with their hashes, or of another ROM."""

import re
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from integrator.domain.movies.bk2 import HASH_DTYPE, HASHES, HEADER


@contextmanager
def members_of(movie: Path) -> Iterator[dict[str, bytes]]:
    """The members of a movie by name, which are written again."""
    with zipfile.ZipFile(movie) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    yield members
    with zipfile.ZipFile(movie, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)


def put_out_of_step(movie: Path, row: int) -> int:
    """Change the first hash from ``row`` on; return its row."""
    with members_of(movie) as members:
        table = np.frombuffer(members[HASHES], HASH_DTYPE).copy()
        at = int(np.searchsorted(table["row"], row))
        table["digest"][at] ^= 1
        members[HASHES] = table.tobytes()
    return int(table["row"][at])


def give_another_rom(movie: Path) -> None:
    """Name another ROM, and remove the hashes of memory."""
    with members_of(movie) as members:
        del members[HASHES]
        members[HEADER] = re.sub(rb"SHA1 \S+", b"SHA1 " + b"0" * 40, members[HEADER])
