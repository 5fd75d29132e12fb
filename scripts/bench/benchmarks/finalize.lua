-- Finalizes each receipt in the file IDS (one id per line) once. The API key is in the environment.
local headers = {
  ["authorization"] = "Bearer " .. os.getenv("API_KEY"),
  ["content-type"] = "application/json",
}
local body = '{"status":"success","output_hash":"' .. string.rep("9f", 32) .. '"}'
local ids = {}
local sent = 0

function init()
  for line in io.lines(os.getenv("IDS")) do
    ids[#ids + 1] = line
  end
end

function request()
  sent = sent + 1
  -- After the last id, a 404 shows that there were too few.
  return wrk.format("POST", "/api/v1/receipts/" .. (ids[sent] or "none") .. "/finalize", headers, body)
end
