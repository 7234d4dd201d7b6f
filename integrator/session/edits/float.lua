-- $name holds the four bytes of a floating-point number; this is the number.
function $function()
  local bytes = data.$name
  local sign = bytes >= 2147483648 and -1 or 1
  local exponent = math.floor(bytes / 8388608) % 256
  local fraction = bytes % 8388608 / 8388608
  if exponent == 255 then return 0 end
  if exponent == 0 then return sign * fraction * 2 ^ -126 end
  return sign * (1 + fraction) * 2 ^ (exponent - 127)
end
