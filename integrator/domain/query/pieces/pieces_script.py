"""Variables and a Lua script that put a number together from its pieces."""

from __future__ import annotations

from collections.abc import Container
from string import Template
from typing import Final

from integrator.domain.integration.naming import free_name
from integrator.domain.query.pieces.pieces import Pieces
from integrator.domain.values.variables import VariableSpec

_SCRIPT: Final = Template("""\
-- $words.
-- Each line of PIECES has a variable of data.json, and what its digit is worth.
local PIECES = {
$pieces
}
local ZERO, STEP, BASE = $zero, $step, $base
local before

-- The number on the screen. A byte that is no digit counts as 0: games draw nothing for it.
function $number()
  local total = 0
  for _, piece in ipairs(PIECES) do
    local above = (data[piece[1]] - ZERO) % 256
    local digit = above / STEP
    if above % STEP == 0 and digit < BASE then
      total = total + digit * piece[2]
    end
  end
  return total
end

-- The reward: the points that this frame has brought. data["$name"] shows the whole number.
function $reward()
  local now = $number()
  local points = now - (before or now)
  before = now
  data["$name"] = now
  return math.max(points, 0)
end
""")


def variables_of(name: str, pieces: Pieces, taken: Container[str]) -> list[VariableSpec]:
    """A variable for each piece, the lowest first, called ``name_0`` and so on."""
    coding, specs = pieces.coding, []
    for number, piece in enumerate(pieces.pieces):
        called = free_name(f"{name}_{number}", taken)
        specs.append(VariableSpec(called, piece.address, coding.type, coding.variable_mask))
    return specs


def number_function(name: str) -> str:
    """The Lua function that gives the number."""
    return f"{name}_number"


def reward_function(name: str) -> str:
    """The Lua function that gives a frame's reward."""
    return f"{name}_reward"


def script_of(name: str, pieces: Pieces, specs: list[VariableSpec]) -> str:
    """The text of a Lua script that reads ``specs``, the variables of the pieces in their order.

    ``name`` has to be an identifier of Lua: the script also shows the number under it.
    """
    coding = pieces.coding
    lines = (
        f'  {{ "{spec.name}", {piece.weight} }},'
        for spec, piece in zip(specs, pieces.pieces, strict=True)
    )
    return _SCRIPT.substitute(
        words=f"The number {name}, made of {pieces}",
        pieces="\n".join(lines),
        zero=coding.zero,
        step=coding.step,
        base=coding.base,
        name=name,
        number=number_function(name),
        reward=reward_function(name),
    )
