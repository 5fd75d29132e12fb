-- Sends one request without end, in turn with each of several keys (KEYS, separated by commas) or addresses of one /64 (NETWORK).
-- METHOD, TARGET and the file BODY are in the environment.
local method = os.getenv("METHOD")
local target = os.getenv("TARGET")
local network = os.getenv("NETWORK")
local body = nil
if os.getenv("BODY") then
  local file = io.open(os.getenv("BODY"), "rb")
  body = file:read("*a")
  file:close()
end
local keys = {}
for key in (os.getenv("KEYS") or ""):gmatch("[^,]+") do keys[#keys + 1] = key end

local requests = {}
local sent = 0

function init()
  local count = math.max(#keys, network and 100 or 1)
  for index = 1, count do
    local headers = { ["content-type"] = "application/json" }
    if #keys > 0 then headers["authorization"] = "Bearer " .. keys[index] end
    if network then headers["x-forwarded-for"] = network .. string.format("%x", index) end
    requests[index] = wrk.format(method, target, headers, body)
  end
end

function request()
  sent = sent + 1
  return requests[sent % #requests + 1]
end
