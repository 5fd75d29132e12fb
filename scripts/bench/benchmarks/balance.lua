-- Reads the balance of another agent each time, those of the file AGENTS with their commitments, one a line. With NOOP, requests a route
-- that does nothing, with the same commitments.
local paths = {}
local prefix, suffix = "/api/v1/passport/agents/", "/credits"
if os.getenv("NOOP") then prefix, suffix = "/noop?agent=", "" end
for line in io.lines(os.getenv("AGENTS")) do paths[#paths + 1] = prefix .. line .. suffix end
local sent = tonumber(os.getenv("FROM"))

function request()
  sent = sent + 1
  return wrk.format("GET", paths[sent * 48271 % #paths + 1])
end
