-- Sends signed settlements, each once: those in the file SETTLEMENTS, a line each with the signature, a tab and the body. The API key is
-- in the environment. It ends with an error when all were sent.
local headers = {
  ["authorization"] = "Bearer " .. os.getenv("API_KEY"),
  ["content-type"] = "application/json",
}
local lines = io.lines(os.getenv("SETTLEMENTS"))

function request()
  local line = lines()
  if line == nil then error("too few settlements were made ahead") end
  local tab = line:find("\t", 1, true)
  headers["x-settlement-signature"] = line:sub(1, tab - 1)
  return wrk.format("POST", nil, headers, line:sub(tab + 1))
end
