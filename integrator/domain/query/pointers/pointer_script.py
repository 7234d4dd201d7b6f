"""A Lua script that follows a chain of pointers, because data.json knows none."""

from __future__ import annotations

from string import Template
from typing import Final

from integrator.domain.errors import SearchError
from integrator.domain.query.pointers.pointers import PointerChain
from integrator.domain.values.datatype import DataType
from integrator.domain.values.memory import AddressSpace

_SCRIPT: Final = Template("""\
-- $name is the $type at $chain.
local BASE, OFFSETS, SHIFT = $base, { $offsets }, $shift
-- The first address and the one behind the last of each region of RAM.
local REGIONS = { $regions }

local function is_inside(at, bytes)
  for _, region in ipairs(REGIONS) do
    if at >= region[1] and at + bytes <= region[2] then
      return true
    end
  end
  return false
end

-- The unsigned number of the bytes at these distances from an address, the highest first.
local function number_at(at, order)
  local total = 0
  for _, distance in ipairs(order) do
    total = total * 256 + data[at + distance]
  end
  return total
end

-- The address of the number; nil while a pointer leads nowhere, as between two levels.
function ${name}_address()
  local at = BASE
  for _, offset in ipairs(OFFSETS) do
    if at % 4 ~= 0 or not is_inside(at, 4) then
      return nil
    end
    at = number_at(at, { $pointer_order }) - SHIFT
    if not is_inside(at, 1) then
      return nil
    end
    at = at + offset
  end
  if not is_inside(at, $width) then
    return nil
  end
  return at
end

-- The number; nil while there is none.
function ${name}_number()
  local at = ${name}_address()
  if at == nil then
    return nil
  end
  local number = number_at(at, { $order })
$signed  return number
end
""")
_SIGNED: Final = """\
  if number >= {half} then
    number = number - {whole}
  end
"""
_WIDEST_BYTES: Final = 4


def accessor_script(
    name: str, chain: PointerChain, data_type: DataType, space: AddressSpace
) -> str:
    """The text of a script with the functions ``name_address`` and ``name_number``.

    ``name`` has to be an identifier of Lua. Raises SearchError for digits, and for numbers of more
    than four bytes, because Lua's numbers are float64.
    """
    if data_type.kind not in "ui" or data_type.width > _WIDEST_BYTES:
        raise SearchError(
            f"a script can follow pointers to whole numbers of up to four bytes, not to {data_type}"
        )
    whole = 256**data_type.width
    return _SCRIPT.substitute(
        name=name,
        type=data_type,
        chain=chain,
        base=chain.base,
        offsets=_listed(chain.offsets),
        shift=chain.form.shift,
        regions=", ".join(f"{{ {each.address}, {each.end} }}" for each in space.regions),
        pointer_order=_listed(chain.form.type.order),
        width=data_type.width,
        order=_listed(data_type.order),
        signed=_SIGNED.format(half=whole // 2, whole=whole) if data_type.kind == "i" else "",
    )


def _listed(numbers: tuple[int, ...]) -> str:
    return ", ".join(map(str, numbers))
