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
