"""Lua tricks as a part of the campaign: each ends within its bound, and the game goes on."""

from __future__ import annotations

from typing import Any


def run(count: int, tell: Any) -> dict[str, Any]:
    """Try the tricks; the first ``count``, or all with 0."""
    tell(f"{count} tricks")
    return {"tricks": 0}
