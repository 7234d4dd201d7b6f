"""Any values as bytes, between a process and its own worker: nobody else can send such bytes.

Arrays travel next to the pickle, so that shared memory gets them without a copy in between.
"""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
from numpy.typing import NDArray


def packed(value: object) -> list[NDArray[np.uint8]]:
    """The pickle of a value, then the buffers of its arrays. Raises what pickling raises."""
    buffers: list[pickle.PickleBuffer] = []
    data = pickle.dumps(value, 5, buffer_callback=buffers.append)
    return [np.frombuffer(data, np.uint8), *(np.asarray(each.raw()) for each in buffers)]


def unpacked(parts: list[NDArray[np.uint8]]) -> Any:
    """The value that was packed; its arrays take over the parts."""
    return pickle.loads(parts[0].data, buffers=parts[1:])  # noqa: S301 - see the module
