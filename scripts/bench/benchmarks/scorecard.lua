-- Reads the scorecard of CLUSTER, each time over another period, so that no response comes from the cache.
local cluster = os.getenv("CLUSTER")
local today = os.time()
local sent = 0
function request()
  -- 180 * 180 periods of 185 to 365 days.
  local from = sent % 180
  local to = math.floor(sent / 180) % 180
  sent = sent + 1
  local start = os.date("!%Y-%m-%dT00:00:00Z", today - (364 - from) * 86400)
  local finish = os.date("!%Y-%m-%dT00:00:00Z", today - to * 86400)
  return wrk.format("GET", "/api/v1/datacenter/clusters/" .. cluster .. "/scorecard?from=" .. start .. "&to=" .. finish)
end
