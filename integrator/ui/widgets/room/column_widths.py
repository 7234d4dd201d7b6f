"""The arithmetic by which the columns of a table share the room that it has."""

from __future__ import annotations

from collections.abc import Mapping

_LEAST_SHARE = 0.7
"""Share of their width that columns keep in a narrow table; below that it scrolls."""


def least_sum(widths: Mapping[int, int], least: Mapping[int, int]) -> int:
    """The room that columns need at their narrowest."""
    return sum(max(least[column], round(w * _LEAST_SHARE)) for column, w in widths.items())


def shared_width(room: int, widths: Mapping[int, int], least: Mapping[int, int]) -> float:
    """The share of their widths that columns get which are wider than they must be."""
    wide, share = dict(widths), 1.0
    while wide:
        share = min(1.0, max(_LEAST_SHARE, room / sum(wide.values())))
        narrow = [column for column, w in wide.items() if w * share < least.get(column, 0)]
        if not narrow:
            break
        for column in narrow:
            room -= least[column]
            del wide[column]
    return share
