-- Posts tasks/get for the tasks in the file TASKS, one id a line, another one each time. With NOOP, posts as many different receipt requests.
-- The API key is in the environment.
local headers = {
  ["authorization"] = "Bearer " .. os.getenv("API_KEY"),
  ["content-type"] = "application/json",
}
local noop = os.getenv("NOOP")

local function body(id)
  if noop then
    return '{"agent_id":"' .. id .. '","receipt_type":"custody","input_digest":"' .. string.rep("9f", 32) ..
      '","authority_scope":"payments:read","expiry":"2036-01-31T12:00:00Z","domain":"CODE_GENERATION"}'
  end
  return '{"jsonrpc":"2.0","id":"' .. id .. '","method":"tasks/get","params":{"id":"' .. id .. '"}}'
end

wrk.method = "POST"
local requests = {}
local sent = 0

function init()
  -- Prepared, so that both kinds cost wrk the same.
  for id in io.lines(os.getenv("TASKS")) do requests[#requests + 1] = wrk.format(nil, nil, headers, body(id)) end
end

function request()
  sent = sent + 1
  return requests[sent * 48271 % #requests + 1]
end
