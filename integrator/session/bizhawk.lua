-- BizHawk's common calls for scripts of the console, made of the sandbox's `data` alone.
-- A name that begins with a space is a question to the window; see integrator/session/console.py.
local function ask(...)
  local parts = { ... }
  for i = 1, select("#", ...) do parts[i] = tostring(parts[i]) end
  return data[" " .. table.concat(parts, "\t")]
end

local function reader(kind)
  return function(address, domain) return ask("read", kind, address, domain or "") end
end
local function writer(kind)
  return function(address, value, domain) return ask("write", kind, address, value, domain or "") end
end

memory = {}
for name, kind in pairs({
  u8 = "|u1", s8 = "|i1",
  u16_le = "<u2", s16_le = "<i2", u16_be = ">u2", s16_be = ">i2",
  u24_le = "<u3", s24_le = "<i3", u24_be = ">u3", s24_be = ">i3",
  u32_le = "<u4", s32_le = "<i4", u32_be = ">u4", s32_be = ">i4",
}) do
  memory["read_" .. name], memory["write_" .. name] = reader(kind), writer(kind)
end
memory.readbyte, memory.writebyte = memory.read_u8, memory.write_u8
mainmemory = memory

joypad = {
  get = function(player)
    local held = {}
    for name, down in string.gmatch(ask("held", player or 1), "([^=,]+)=(%d)") do
      held[name] = down == "1"
    end
    return held
  end,
  set = function(buttons, player)
    local names = {}
    for name, down in pairs(buttons) do if down then names[#names + 1] = name end end
    ask("press", player or 1, table.concat(names, ","))
  end,
}

emu = {
  framecount = function() return ask("frame") end,
  frameadvance = function() coroutine.yield() end,
  getsystemid = function() return ask("system") end,
}

gui = {
  text = function(x, y, text, color) ask("text", x, y, text, color or "white") end,
  box = function(x, y, x2, y2, line) ask("box", x, y, x2 - x, y2 - y, line or "white") end,
  drawRectangle = function(x, y, w, h, line) ask("box", x, y, w, h, line or "white") end,
  pixel = function(x, y, color) ask("pixel", x, y, color or "white") end,
  clearGraphics = function() end,
  cleartext = function() end,
}
gui.drawText, gui.pixelText, gui.drawBox, gui.drawPixel = gui.text, gui.text, gui.box, gui.pixel
console = { log = print, clear = function() end, write = print }
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
