-- Avatars of so many hashes that no agent has, one after the other; with FIXED that path instead, made in the same way.
local hashes = tonumber(os.getenv("HASHES"))
local fixed = os.getenv("FIXED")
local sent = 0
function request()
  sent = (sent + 1) % hashes
  -- Spread over the whole hash, as digests are.
  local path = "/api/v1/avatar/" .. string.rep(string.format("%08x", (sent * 2654435761) % 4294967296), 8)
  return wrk.format("GET", fixed or path)
end
