-- Hires between the agents whose commitments are in the file AGENTS, one a line, each under a task id of its own, which begins with PREFIX.
-- The API key is in the environment.
local headers = {
  ["authorization"] = "Bearer " .. os.getenv("API_KEY"),
  ["content-type"] = "application/json",
}
local prefix = os.getenv("PREFIX")
local agents = {}
local sent = 0
for line in io.lines(os.getenv("AGENTS")) do agents[#agents + 1] = line end

function request()
  sent = sent + 1
  local task = prefix .. sent
  local hirer = agents[sent * 487 % #agents + 1]
  local worker = agents[(sent * 487 + 1) % #agents + 1]
  return wrk.format("POST", "/api/v1/passport/engagements", headers, '{"task_id":"' .. task .. '","hirer_commitment":"' .. hirer ..
    '","worker_commitment":"' .. worker .. '","amount":1}')
end
