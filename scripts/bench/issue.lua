-- Sends one valid receipt request for ever; the key stands in the environment.
wrk.method = "POST"
wrk.headers["authorization"] = "Bearer " .. os.getenv("API_KEY")
wrk.headers["content-type"] = "application/json"
wrk.body = '{"agent_id":"agent-7","receipt_type":"custody","input_digest":"' .. string.rep("9f", 32) ..
  '","authority_scope":"payments:read","expiry":"2036-01-31T12:00:00Z","domain":"CODE_GENERATION"}'
