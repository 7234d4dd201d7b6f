-- $words.
-- Each line of PIECES has a variable of data.json, and what its digit is worth.
local PIECES = {
$pieces
}
local ZERO, STEP, BASE = $zero, $step, $base
local before

-- The number on the screen. A byte that is no digit counts as 0: games draw nothing for it.
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

-- The reward: the points that this frame has brought. data["$name"] shows the whole number.
function ${name}_reward()
  local now = ${name}_number()
  local points = now - (before or now)
  before = now
  data["$name"] = now
  return math.max(points, 0)
end
