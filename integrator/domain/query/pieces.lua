-- $words.
-- Each line of PIECES has a variable of data.json, and the factor of its digit.
local PIECES = {
$pieces
}
local ZERO, STEP, BASE = $zero, $step, $base
local before

-- Returns the number on the screen. A byte that is no digit is a blank for a leading zero.
function ${name}_number()
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

-- Returns the reward: the points gained on this frame. data["$name"] shows the whole number.
function ${name}_reward()
  local now = ${name}_number()
  local points = now - (before or now)
  before = now
  data["$name"] = now
  return math.max(points, 0)
end
