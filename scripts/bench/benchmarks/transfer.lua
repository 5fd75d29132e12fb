-- Sends transfers without end between the agents whose commitments are in the file AGENTS, one a line: each pays another one, or with PAIR,
-- the first always pays the second. The API key is in the environment.
local headers = {
  ["authorization"] = "Bearer " .. os.getenv("API_KEY"),
  ["content-type"] = "application/json",
}
local agents = {}
for line in io.lines(os.getenv("AGENTS")) do agents[#agents + 1] = line end

wrk.method = "POST"
wrk.headers = headers

local function body(from, to)
  return '{"from_commitment":"' .. agents[from] .. '","to_commitment":"' .. agents[to] .. '","amount":1}'
end

wrk.body = body(1, 2)

if not os.getenv("PAIR") then
  local requests = {}
  local sent = 0
  function init()
    -- Prepared, as those of issue.lua are: both cost wrk the same.
    for index = 0, #agents - 1 do
      requests[index] = wrk.format(nil, nil, nil, body(index + 1, (index * 487 + 1) % #agents + 1))
    end
  end
  function request()
    sent = sent + 1
    return requests[sent * 487 % #agents]
  end
end
