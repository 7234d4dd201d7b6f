-- Builds the sandbox inside a fresh Lua state. sandbox.py states the rules and passes the arguments.
-- The functions below use locals only, because a script can replace globals but not locals.
return function(py_read, py_write, py_byte, py_print, cpu_time, py_random, py_seed, max_count,
    max_cpu, max_name)
  local type, tostring, tonumber, select, error = type, tostring, tonumber, select, error
  local unpack, pairs, setmetatable = unpack, pairs, setmetatable
  local real_pcall, real_xpcall, loadstring = pcall, xpcall, loadstring
  local rawget, setfenv = rawget, setfenv
  local sethook, traceback, clock = debug.sethook, debug.traceback, os.clock
  local getinfo, metatable = debug.getinfo, debug.getmetatable
  local getupvalue, setupvalue = debug.getupvalue, debug.setupvalue
  local byte, sub, format = string.byte, string.sub, string.format
  local floor, concat, sort = math.floor, table.concat, table.sort
  local insert, remove = table.insert, table.remove
  local create, resume, running = coroutine.create, coroutine.resume, coroutine.running
  local rep, find, match = string.rep, string.find, string.match
  local gmatch, gsub = string.gmatch, string.gsub
  local globals = _G
  -- A script's __tostring for strings would run when a message is shown, where no hook runs.
  getmetatable("").__metatable = false

  -- Budget ----------------------------------------------------------------------------------
  local STEP, MAX_COST, MAX_REP, MAX_PATTERN = 100, 2e7, 4 * 1024 * 1024, 256
  local used, exhausted, started, cpu_started = 0, nil, 0, 0

  local function give_up(why)
    exhausted = exhausted or why
    error(exhausted, 0)
  end
  local function charge(instructions)
    used = used + instructions
    if exhausted or not (used <= max_count) then  -- so that NaN ends it too
      give_up(format("used up its %d instructions: is there an endless loop?", max_count))
    end
  end
  local function on_count()
    charge(STEP)
    -- clock counts all threads of the process, so it is only a cheap first check.
    if clock() - started > max_cpu and cpu_time() - cpu_started > max_cpu then
      give_up(format("took more than %g s", max_cpu))
    end
  end
  -- Scripts can neither make nor catch userdata: it is an exception of Python, such as Ctrl+C.
  local function checked(ok, ...)
    if not ok and type((...)) == "userdata" then error((...), 0) end
    if exhausted then error(exhausted, 0) end
    return ok, ...
  end

  function globals.pcall(...) return checked(real_pcall(...)) end
  -- xpcall would run the handler inside the hook that raised the error, where no hook runs.
  local function handled(handler, ok, ...)
    if ok then return true, ... end
    return false, handler(...)
  end
  function globals.xpcall(f, handler) return handled(handler, checked(real_pcall(f))) end

  local function new_thread(f)
    charge(10 * STEP)
    local thread = create(f)
    sethook(thread, on_count, "", STEP)
    return thread
  end
  local function resumed(ok, ...)
    if not ok then error((...), 0) end
    return ...
  end
  function coroutine.create(f) return new_thread(f) end
  function coroutine.resume(...) return checked(resume(...)) end
  function coroutine.wrap(f)
    local thread = new_thread(f)
    return function(...) return resumed(checked(resume(thread, ...))) end
  end

  -- Limits for C functions, which no hook can stop ------------------------------------------------
  function string.rep(s, n)
    local length, times = #tostring(s), tonumber(n)
    if length == 0 or not times or not (times >= 1) then return rep(s, times and 0 or n) end
    if length * times > MAX_REP then
      error(format("string.rep: %g bytes are too many", length * times), 2)
    end
    charge(length * times / 10)
    return rep(s, n)
  end

  local QUANTIFIERS = { [42] = true, [43] = true, [45] = true, [63] = true }
  -- Count a pattern's quantifiers, and measure its longest set of characters.
  local function measure(pattern)
    local count, i, set_begins, longest = 0, 1, nil, 0
    while i <= #pattern do
      local c = byte(pattern, i)
      if c == 37 then
        local after = byte(pattern, i + 1)
        -- %b and back references scan the subject once more.
        if not set_begins and after and (after == 98 or (after >= 48 and after <= 57)) then
          count = count + 1
        end
        i = i + 1
      elseif set_begins then
        if c == 93 then
          if i - set_begins > longest then longest = i - set_begins end
          set_begins = nil
        end
      elseif c == 91 then
        set_begins = i
        if byte(pattern, i + 1) == 94 then i = i + 1 end
        if byte(pattern, i + 1) == 93 then i = i + 1 end
      elseif QUANTIFIERS[c] then
        count = count + 1
      end
      i = i + 1
    end
    return count, longest
  end
  local function pay(cost, what)
    if cost > MAX_COST then error(what .. " could take too long on so long a string", 4) end
    charge(cost / 100)
  end
  local function guard(subject, pattern, plain)
    if type(subject) == "number" then subject = tostring(subject) end
    if type(subject) ~= "string" or type(pattern) ~= "string" then return end
    local cost = #subject * (#pattern + 1)
    if not plain then
      if #pattern > MAX_PATTERN then error("pattern is too long", 3) end
      -- The number of ways in which the quantifiers can share the subject, from every start,
      -- times the characters of the longest set.
      local count, longest = measure(pattern)
      local ways = 1 + longest
      for k = 1, count + 1 do ways = ways * (#subject + k) / k end
      if ways > cost then cost = ways end
    end
    pay(cost, "pattern")
  end
  function string.find(s, p, init, plain) guard(s, p, plain) return find(s, p, init, plain) end
  function string.match(s, p, init) guard(s, p) return match(s, p, init) end
  function string.gmatch(s, p) guard(s, p) return gmatch(s, p) end
  function string.gsub(s, p, replacement, ...)
    guard(s, p)
    -- The replacement is read once for each match, even if it adds nothing to the result.
    if type(s) == "string" and type(replacement) == "string" then
      pay((#s + 1) * #replacement, "replacement")
    end
    return gsub(s, p, replacement, ...)
  end
  string.gfind = nil
  -- Compare in Lua, so that the hook runs although a comparator is a C function or strings are long.
  local function less(a, b) return a < b end
  function table.sort(t, compare)
    if type(t) == "table" then charge(#t * 20) end
    if compare == nil then return sort(t, less) end
    if type(compare) ~= "function" then return sort(t, compare) end
    return sort(t, function(a, b) return (compare(a, b)) end)
  end
  -- Charges for the values that move. C converts the position to an int, which can overflow.
  local function check_position(t, position)
    local number = tonumber(position)
    if type(t) ~= "table" or not number then return end
    if not (number >= -2147483648 and number <= 2147483647) then
      error("position out of bounds", 3)
    end
    if number < #t then charge(#t - number) end
  end
  function table.insert(t, ...)
    if select("#", ...) > 1 then check_position(t, (...)) end
    return insert(t, ...)
  end
  function table.remove(t, ...)
    check_position(t, (...))
    return remove(t, ...)
  end

  -- Lua 5.1 counts the values in a C int; if that overflows, Lua writes beyond its stack.
  function globals.unpack(t, first, last)
    if type(t) == "table" then
      local from, to = tonumber(first) or 1, tonumber(last) or #t
      if not (to - from < 7990 and from >= -2147483648 and to <= 2147483647) then
        error("too many results to unpack", 2)
      end
      charge((to - from) / 10 > 0 and (to - from) / 10 or 0)
    end
    return unpack(t, first, last)
  end

  -- Random numbers as in LuaJIT -----------------------------------------------------------------
  function math.random(...)
    local n, low, high = select("#", ...), ...
    local r = py_random()
    if n == 0 then return r end
    if n == 1 then low, high = 1, low end
    low, high = tonumber(low), tonumber(high)
    if not low or not high then error("bad argument to 'random' (number expected)", 2) end
    if low > high then error("bad argument to 'random' (interval is empty)", 2) end
    return floor(r * (high - low + 1)) + low
  end
  function math.randomseed(seed)
    local number = tonumber(seed)
    if not number then error("bad argument to 'randomseed' (number expected)", 2) end
    py_seed(number)
  end

  -- Removed functions --------------------------------------------------------------------------
  for _, name in pairs({ "python", "io", "os", "package", "debug", "ffi", "jit", "bit", "require",
      "module", "load", "loadstring", "loadfile", "dofile", "getfenv", "setfenv", "newproxy",
      "gcinfo", "collectgarbage" }) do
    globals[name] = nil
  end
  string.dump = nil
  function globals.print(...)
    charge(500)
    local parts = {}
    for i = 1, select("#", ...) do parts[i] = tostring((select(i, ...))) end
    py_print(sub(concat(parts, "\t"), 1, 1000))
  end

  -- data and scenario ------------------------------------------------------------------------
  local function answer(ok, value)
    if not ok then error(value, 3) end
    return value
  end
  -- Prices in instructions of calls into Python; writes may go to another process.
  local READ, WRITE = 20, 200
  local function check_name(key)
    if type(key) == "string" and #key > max_name then
      error(format("a variable's name can have %d bytes", max_name), 3)
    end
  end
  globals.data = setmetatable({}, {
    __metatable = false,
    __index = function(_, key)
      charge(READ)
      check_name(key)
      local address = tonumber(key)
      if address then return answer(py_byte(address)) end
      if type(key) ~= "string" then error("invalid variable name", 2) end
      return answer(py_read(key))
    end,
    __newindex = function(_, key, value)
      charge(WRITE)
      check_name(key)
      if type(key) == "number" then key = tostring(key) end
      if type(key) ~= "string" then error("invalid variable name", 2) end
      local kind = type(value)
      if kind ~= "number" and kind ~= "boolean" and kind ~= "nil" then
        error(format("a variable can hold a number or a boolean, not a %s", kind), 2)
      end
      answer(py_write(key, value))
    end,
  })
  local frame = 0
  globals.scenario = setmetatable({}, {
    __metatable = false,
    __index = function(_, key)
      if key == "frame" then return frame end
      if key == "timestep" then return floor(frame / 4) end
      error(format("scenario has frame and timestep, no '%s'", sub(tostring(key), 1, 100)), 2)
    end,
    __newindex = function() end,
  })

  -- Entries --------------------------------------------------------------------------------
  -- Scripts never get the state's own globals. After a failure, lupa looks up `debug` there,
  -- unprotected and without a hook, so a metatable on them could end the process or never return.
  local env = {}
  for name, value in pairs(globals) do env[name] = value end
  env._G = env

  local function on_error(message)
    if type(message) == "userdata" then return { message = message } end
    if type(message) ~= "string" and type(message) ~= "number" then
      message = format("error object is a %s", type(message))
    end
    return { message = tostring(message), traceback = traceback("", 2) }
  end
  local function ended(ok, value)
    sethook()
    if exhausted then
      return false, exhausted, type(value) == "table" and tostring(value.traceback) or ""
    end
    if ok then return true, value, "" end
    -- Without a table, Lua ran out of memory and called no handler.
    if type(value) ~= "table" then return false, tostring(value), "" end
    return false, value.message, value.traceback
  end
  local function run(f)
    used, exhausted, started, cpu_started = 0, nil, clock(), cpu_time()
    sethook(on_count, "", STEP)
    return ended(real_xpcall(f, on_error))
  end

  local function load(text, name)
    local chunk, message = loadstring(text, name)
    if not chunk then return false, message, "" end
    setfenv(chunk, env)
    return run(function() chunk() end)
  end
  -- Remember functions that used up their budget, or they would do so again on every frame.
  local spent = {}
  local function call(name)
    local f = rawget(env, name)
    if type(f) ~= "function" then
      return false, nil, ""
    end
    if spent[f] then return false, unpack(spent[f]) end
    local ok, value, places = run(function()
      local result = f()
      local kind = type(result)
      -- Any other result counts as no value, as in stable-retro.
      if kind == "number" or kind == "boolean" then return result end
    end)
    if exhausted then spent[f] = { value, places } end
    return ok, value, places
  end
  local function begin(number) frame = number end

  -- Snapshots --------------------------------------------------------------------------------
  -- A snapshot is Lua text that restores every table, global and upvalue in a state with the same
  -- scripts newly loaded. Functions are found again by the line that defines them.
  local bases, known, by_name, base_values = { env }, {}, {}, {}
  for _, name in pairs({ "coroutine", "math", "string", "table" }) do bases[#bases + 1] = env[name] end
  local function remember(name, value)
    if type(value) == "function" then known[value], by_name[name] = name, value end
  end
  for index, base in pairs(bases) do
    base_values[base] = {}
    for name, value in pairs(base) do
      base_values[base][name] = value
      remember(index .. "." .. name, value)
    end
  end
  for _, name in pairs({ "data", "scenario" }) do known[env[name]], by_name[name] = name, env[name] end

  local function site(f)
    local info = getinfo(f, "S")
    return info.source .. ":" .. info.linedefined
  end
  local function before(a, b)
    if type(a) ~= type(b) then return type(a) < type(b) end
    if type(a) == "boolean" then return a and not b end
    return a < b
  end
  local function sorted_keys(t)
    local keys = {}
    for key in pairs(t) do
      if type(key) == "table" or type(key) == "function" then
        error(format("a table has a %s as a key", type(key)), 0)
      end
      keys[#keys + 1] = key
    end
    sort(keys, before)
    return keys
  end
  -- Return all tables and functions that scripts reach, in an order that depends only on names.
  local function reachable()
    local found, ids, sites = {}, {}, {}
    local function meet(value)
      local kind = type(value)
      if kind == "thread" or kind == "userdata" then error(format("it keeps a %s", kind), 0) end
      if kind ~= "table" and kind ~= "function" or known[value] or ids[value] then return end
      found[#found + 1] = value
      ids[value] = #found
      if kind == "function" then
        local where = site(value)
        if sites[where] then error(format("it keeps two functions of %s", where), 0) end
        sites[where] = value
      end
    end
    for _, base in pairs(bases) do meet(base) end
    local i = 1
    while found[i] do
      local object, u = found[i], 1
      if type(object) == "table" then
        for _, key in pairs(sorted_keys(object)) do meet(rawget(object, key)) end
        meet(metatable(object))
      else
        local name, value = getupvalue(object, u)
        while name do
          meet(value)
          u = u + 1
          name, value = getupvalue(object, u)
        end
      end
      i = i + 1
    end
    return found, ids, sites
  end
  local function written()
    local found, ids = reachable()
    local lines = { "local T, F, K, upvalue, meta = ..." }
    local function word(value)
      local kind = type(value)
      if kind == "string" then return format("%q", value) end
      if kind == "number" then
        if value ~= value then return "0/0" end
        if value - value ~= 0 then return value > 0 and "1/0" or "-1/0" end
        return format("%.17g", value)
      end
      if known[value] then return format("K[%q]", known[value]) end
      if kind == "table" then return format("T[%d]", ids[value]) end
      if kind == "function" then return format("F[%q]", site(value)) end
      return tostring(value)
    end
    for i, object in pairs(found) do
      local standing = base_values[object] or {}
      if type(object) == "table" then
        for _, key in pairs(sorted_keys(object)) do
          local value = rawget(object, key)
          if standing[key] ~= value or value ~= value then
            lines[#lines + 1] = format("T[%d][%s] = %s", i, word(key), word(value))
          end
        end
        if metatable(object) then
          lines[#lines + 1] = format("meta(T[%d], %s)", i, word(metatable(object)))
        end
      else
        local u = 1
        local name, value = getupvalue(object, u)
        while name do
          lines[#lines + 1] = format("upvalue(F[%q], %d, %s)", site(object), u, word(value))
          u = u + 1
          name, value = getupvalue(object, u)
        end
      end
    end
    return concat(lines, "\n")
  end
  local function save() return run(written) end
  local function restore(text)
    return run(function()
      local _, _, sites = reachable()
      for _, base in pairs(bases) do
        for _, key in pairs(sorted_keys(base)) do base[key] = base_values[base][key] end
      end
      local tables = setmetatable({}, { __index = function(t, i)
        t[i] = bases[i] or {}
        return t[i]
      end })
      local functions_by_site = setmetatable({}, { __index = function(_, where)
        error(format("its function of %s is made while the game runs", where), 0)
      end })
      for where, f in pairs(sites) do functions_by_site[where] = f end
      setfenv(loadstring(text, "=snapshot"), {})(tables, functions_by_site, by_name, setupvalue,
        setmetatable)
    end)
  end
  return load, call, begin, save, restore
end
