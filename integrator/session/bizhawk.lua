-- BizHawk's common calls for scripts of the console, made of the sandbox's `data` alone.
-- A name that begins with a space is a question to the window; see integrator/session/console.py.
local function ask(...)
  local parts = { ... }
  for i = 1, select("#", ...) do parts[i] = tostring(parts[i]) end
  return data[" " .. table.concat(parts, "\t")]
end

local KINDS = {
  u8 = "|u1", s8 = "|i1",
  u16_le = "<u2", s16_le = "<i2", u16_be = ">u2", s16_be = ">i2",
  u24_le = "<u3", s24_le = "<i3", u24_be = ">u3", s24_be = ">i3",
  u32_le = "<u4", s32_le = "<i4", u32_be = ">u4", s32_be = ">i4",
}
local current = ""  -- the chosen domain; without a name, the console's work RAM

-- Calls that read and write a domain, or the one of `default` when none is given.
local function calls_in(default)
  local calls = {}
  for name, kind in pairs(KINDS) do
    calls["read_" .. name] = function(address, domain)
      return ask("read", kind, address, domain or default())
    end
    calls["write_" .. name] = function(address, value, domain)
      return ask("write", kind, address, value, domain or default())
    end
  end
  calls.readbyte, calls.writebyte = calls.read_u8, calls.write_u8
  function calls.read_bytes_as_array(address, length, domain)
    local bytes = {}
    for i = 1, length do bytes[i] = calls.read_u8(address + i - 1, domain) end
    return bytes
  end
  return calls
end
memory = calls_in(function() return current end)
function memory.usememorydomain(domain) current = domain end
function memory.getcurrentmemorydomain() return current end
mainmemory = calls_in(function() return "" end)

joypad = {
  get = function(player)
    local held = {}
    for name, down in string.gmatch(ask("held", player or 1), "([^=,]+)=(%d)") do
      held[player and name or "P1 " .. name] = down == "1"
    end
    return held
  end,
  set = function(buttons, player)
    for name, down in pairs(buttons) do
      local of, plain = string.match(name, "^P(%d) (.+)$")
      if down then ask("press", of or player or 1, plain or name) end
    end
  end,
}

emu = {
  framecount = function() return ask("frame") end,
  frameadvance = function() coroutine.yield() end,
  yield = function() coroutine.yield() end,
  getsystemid = function() return ask("system") end,
}

-- Colors are names, or numbers of alpha, red, green and blue.
local function color(given)
  if type(given) ~= "number" then return given or "white" end
  return string.format("#%02X%06X", math.floor(given / 0x1000000), given % 0x1000000)
end
gui = {
  text = function(x, y, text, fore) ask("text", x, y, text, color(fore)) end,
  box = function(x, y, x2, y2, line) ask("box", x, y, x2 - x, y2 - y, color(line)) end,
  drawRectangle = function(x, y, w, h, line) ask("box", x, y, w, h, color(line)) end,
  drawLine = function(x, y, x2, y2, line) ask("line", x, y, x2 - x, y2 - y, color(line)) end,
  pixel = function(x, y, fore) ask("pixel", x, y, color(fore)) end,
  clearGraphics = function() end,
  cleartext = function() end,
}
gui.drawText, gui.drawString, gui.pixelText = gui.text, gui.text, gui.text
gui.drawBox, gui.line, gui.drawPixel = gui.box, gui.drawLine, gui.pixel
console = { log = print, clear = function() end, write = print, writeline = print }
event = {}

local script, hooks
function event.onframeend(f) hooks[#hooks + 1] = f end
event.onframestart = event.onframeend

-- Go on with the script for one frame; one that has ended begins again, unless it left hooks.
function __step(body)
  hooks = hooks or {}
  if script == nil or (coroutine.status(script) == "dead" and #hooks == 0) then
    script = coroutine.create(body)
  end
  for i = 1, #hooks do hooks[i]() end
  if coroutine.status(script) ~= "dead" then
    local ok, message = coroutine.resume(script)
    if not ok then error(message, 0) end
  end
end
