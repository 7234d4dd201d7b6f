"""Puts recorded movies out of step with their hashes of RAM."""

import zipfile
from pathlib import Path

import numpy as np

from integrator.domain.movies.bk2 import HASH_DTYPE, HASHES


def put_out_of_step(movie: Path, row: int) -> int:
    """Change the first hash from ``row`` on; return its row."""
    with zipfile.ZipFile(movie) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    table = np.frombuffer(members[HASHES], HASH_DTYPE).copy()
    at = int(np.searchsorted(table["row"], row))
    table["digest"][at] ^= 1
    members[HASHES] = table.tobytes()
    with zipfile.ZipFile(movie, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return int(table["row"][at])
