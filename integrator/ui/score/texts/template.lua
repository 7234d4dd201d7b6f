-- The scenario calls this on every frame:
-- "reward": {"script": "lua:reward"}
-- data.NAME is a variable, scenario.frame
-- the number of the episode's frame.

function reward()
  return 0
end
