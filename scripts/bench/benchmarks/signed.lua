-- Sends signed requests, each once: those in the file REQUESTS, a line each with the signature, a tab and the body. The signature is sent in
-- the header HEADER. The API key is in the environment, unless the requests need none. It ends with an error when all were sent.
local headers = { ["content-type"] = "application/json" }
local key = os.getenv("API_KEY")
if key then headers["authorization"] = "Bearer " .. key end
local header = os.getenv("HEADER")
local lines = io.lines(os.getenv("REQUESTS"))

function request()
  local line = lines()
  if line == nil then error("too few requests were made ahead") end
  local tab = line:find("\t", 1, true)
  headers[header] = line:sub(1, tab - 1)
  return wrk.format("POST", nil, headers, line:sub(tab + 1))
end
