-- Sends valid receipt requests without end: always the same one or, with MIXED, those of 200 agents in every domain. With NUMBERED,
-- each request has a header of that name with a unique value that begins with PREFIX. The API key is in the environment.
local headers = {
  ["authorization"] = "Bearer " .. os.getenv("API_KEY"),
  ["content-type"] = "application/json",
}
local domains = { "CODE_GENERATION", "CUSTOMER_SUPPORT", "FINANCIAL_CLEARING", "SYSTEM_INTEGRATION" }

local function body(agent, domain)
  return '{"agent_id":"agent-' .. agent .. '","receipt_type":"custody","input_digest":"' .. string.rep("9f", 32) ..
    '","authority_scope":"payments:read","expiry":"2036-01-31T12:00:00Z","domain":"' .. domain .. '"}'
end

wrk.method = "POST"
wrk.headers = headers
wrk.body = body(7, domains[1])

local numbered = os.getenv("NUMBERED")
if numbered then
  local sent = 0
  local prefix = os.getenv("PREFIX")
  function request()
    sent = sent + 1
    headers[numbered] = prefix .. sent
    return wrk.format(nil, nil, headers)
  end
end

if os.getenv("MIXED") then
  local requests = {}
  local sent = 0
  function init()
    for index = 0, 799 do
      requests[index] = wrk.format(nil, nil, nil, body(index % 200, domains[math.floor(index / 200) + 1]))
    end
  end
  function request()
    sent = sent + 1
    -- 487 and 800 are coprime, so that every agent is combined with every domain.
    return requests[sent * 487 % 800]
  end
end
