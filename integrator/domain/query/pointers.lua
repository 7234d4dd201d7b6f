-- $name is the $type at $chain.
local BASE, OFFSETS, SHIFT = $base, { $offsets }, $shift
-- For each region of RAM: its first address, and the address after its last byte.
local REGIONS = { $regions }

local function is_inside(at, bytes)
  for _, region in ipairs(REGIONS) do
    if at >= region[1] and at + bytes <= region[2] then
      return true
    end
  end
  return false
end

-- Returns the unsigned number of the bytes at these offsets from an address, highest byte first.
local function number_at(at, order)
  local total = 0
  for _, distance in ipairs(order) do
    total = total * 256 + data[at + distance]
  end
  return total
end

-- Returns the number's address, or nil while a pointer leads nowhere, such as between two levels.
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

-- Returns the number, or nil while it has no address.
function ${name}_number()
  local at = ${name}_address()
  if at == nil then
    return nil
  end
  local number = number_at(at, { $order })
$signed  return number
end
