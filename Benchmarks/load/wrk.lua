-- With an argument, a seed, every request is for a text of its own: each `~` in the target becomes a letter by
-- chance. The last line has the results.

function init(args)
    if not args[1] then return end
    math.randomseed(tonumber(args[1]))
    request = function()
        local target = wrk.path:gsub("~", function() return string.char(math.random(97, 122)) end)
        return wrk.format("GET", target)
    end
end

function done(summary, latency, requests)
    local errors = summary.errors
    print(string.format("results %d %d %d %d %d", summary.requests, summary.duration,
        latency:percentile(50), latency:percentile(99),
        errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
