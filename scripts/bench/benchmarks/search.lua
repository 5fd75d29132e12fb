-- Sends a typical mix of searches with the API key from the environment. With NOOP, requests a route that does nothing.
local headers = { ["authorization"] = "Bearer " .. os.getenv("API_KEY") }
local prefix = os.getenv("NOOP") and "/noop" or "/api/staffing/partner/v1/clinicians/search"
local paths = {
  "?specialty=RN&state=TX",
  "?specialty=RN&state=CA",
  "?specialty=ICU%20RN",
  "?specialty=CRNA&state=NY",
  "?specialty=PT&state=FL&limit=10",
  "?state=OH",
  "?surname=Smith",
  "?surname=O%27Brien&match=exact",
  "?surname=Gar&state=TX",
  "?specialty=MD%20cardiology&include_total=true",
}
local requests = {}
local sent = 0
function init()
  for index, path in ipairs(paths) do requests[index] = wrk.format("GET", prefix .. path, headers) end
end
function request()
  sent = sent + 1
  return requests[sent % #paths + 1]
end
