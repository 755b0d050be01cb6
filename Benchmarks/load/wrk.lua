-- With an argument every request asks for a text of its own, of 40 letters; the argument is where
-- chance begins. The last line tells the figures.

function init(args)
    if not args[1] then return end
    math.randomseed(tonumber(args[1]))
    local letters = {}
    request = function()
        for place = 1, 40 do letters[place] = string.char(math.random(97, 122)) end
        return wrk.format("GET", "/render.svg?text=" .. table.concat(letters))
    end
end

function done(summary, latency, requests)
    local errors = summary.errors
    print(string.format("figures %d %d %d %d %d", summary.requests, summary.duration,
        latency:percentile(50), latency:percentile(99),
        errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
