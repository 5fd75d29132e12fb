-- Requests the avatars of HASHES unknown hashes in turn; with FIXED, requests that path instead, with the same script cost.
local hashes = tonumber(os.getenv("HASHES"))
local fixed = os.getenv("FIXED")
local sent = 0
function request()
  sent = (sent + 1) % hashes
  -- Spreads the values over the whole hash, like digests.
  local path = "/api/v1/avatar/" .. string.rep(string.format("%08x", (sent * 2654435761) % 4294967296), 8)
  return wrk.format("GET", fixed or path)
end
