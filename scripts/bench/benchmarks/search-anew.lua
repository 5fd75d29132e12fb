-- Sends random searches by one to three filters that do not repeat within the length of a cache, pages of the default size. SEED seeds
-- the generator; the API key is in the environment. With NOOP, requests a route that does nothing.
local headers = { ["authorization"] = "Bearer " .. os.getenv("API_KEY") }
local prefix = os.getenv("NOOP") and "/noop" or "/api/staffing/partner/v1/clinicians/search"
local states = { "TX", "CA", "NY", "FL", "OH", "WA", "GA", "IL", "PA", "AZ", "MI", "NC" }
local specialties = { "RN", "ICU%20RN", "CRNA", "PT", "NP", "PA", "OT", "SLP", "MD%20cardiology" }
math.randomseed(tonumber(os.getenv("SEED") or "1"))

local function letter() return string.char(97 + math.random(0, 25)) end

function request()
  local query = "?surname=" .. letter() .. letter()
  if math.random() < 0.6 then query = query .. "&state=" .. states[math.random(#states)] end
  if math.random() < 0.6 then query = query .. "&specialty=" .. specialties[math.random(#specialties)] end
  if math.random() < 0.3 then query = query .. "&first_name=" .. letter() end
  if math.random() < 0.2 then query = query .. "&include_total=true" end
  return wrk.format("GET", prefix .. query, headers)
end
