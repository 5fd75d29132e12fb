-- Sends payments without end, each with a nonce of its own that begins with PREFIX, of the agents whose commitments are in the file AGENTS,
-- one a line. The API key is in the environment.
local headers = {
  ["authorization"] = "Bearer " .. os.getenv("API_KEY"),
  ["content-type"] = "application/json",
}
local agents = {}
for line in io.lines(os.getenv("AGENTS")) do agents[#agents + 1] = line end
local prefix = os.getenv("PREFIX")
local sent = 0

function request()
  sent = sent + 1
  local body = '{"subject_commitment":"' .. agents[sent * 487 % #agents + 1] ..
    '","product":"reputation_lookup_verified","max_credits":1,"merchant":"shop.example","nonce":"' .. prefix .. sent ..
    '","expires_at":"2036-01-31T12:00:00Z"}'
  return wrk.format("POST", nil, headers, body)
end
