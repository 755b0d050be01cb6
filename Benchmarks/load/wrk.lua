-- With arguments every request asks for a text of its own, of 40 letters: the seed, the effect, and
-- "gzip" for compressed answers. The last line has the results.

function init(args)
    if not args[1] then return end
    math.randomseed(tonumber(args[1]))
    local letters = {}
    local headers = args[3] == "gzip" and { ["Accept-Encoding"] = "gzip" } or {}
    request = function()
        for index = 1, 40 do letters[index] = string.char(math.random(97, 122)) end
        local target = "/render.svg?effect=" .. args[2] .. "&text=" .. table.concat(letters)
        return wrk.format("GET", target, headers)
    end
end

function done(summary, latency, requests)
    local errors = summary.errors
    print(string.format("results %d %d %d %d %d", summary.requests, summary.duration,
        latency:percentile(50), latency:percentile(99),
        errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
