-- Requests the credentials of the agents in the file AGENTS, one commitment a line. With ONCE, of each agent once, from the line after
-- FROM. With NOOP, requests a route that does nothing, with the same commitments.
local paths = {}
local prefix = os.getenv("NOOP") and "/noop?agent=" or "/api/v1/credentials/"
for line in io.lines(os.getenv("AGENTS")) do paths[#paths + 1] = prefix .. line end
local once = os.getenv("ONCE")
local sent = tonumber(os.getenv("FROM"))

function request()
  sent = sent + 1
  if not once then return wrk.format("GET", paths[sent * 48271 % #paths + 1]) end
  if sent > #paths then error("all agents were sent: prepare more") end
  return wrk.format("GET", paths[sent])
end
