-- Posts each line of the file BODIES once. The API key is in the environment.
local headers = {
  ["authorization"] = "Bearer " .. os.getenv("API_KEY"),
  ["content-type"] = "application/json",
}
local bodies = {}
for line in io.lines(os.getenv("BODIES")) do bodies[#bodies + 1] = line end

wrk.method = "POST"
local sent = 0
function request()
  sent = sent + 1
  if sent > #bodies then error("all bodies were sent: prepare more") end
  return wrk.format(nil, nil, headers, bodies[sent])
end
