import Bytes
import Motion
import Rendering
import Typesetting

/// A countdown: a text for each of the seconds up to an instant, and a text for the time after it.
///
/// The texts depend on the clock. The renderer gets a request that does not: the request for the
/// seconds from now on.
struct Countdown {
    /// The parameters besides the parameters of `/render`.
    static let parameters: [(name: String, schema: JSONNode, summary: String)] = [
        (
            "to", ["type": "string", "format": "date-time-local"],
            "When it ends by the clocks of `zone`, such as `2026-12-31T23:59:59`."
        ),
        (
            "zone", ["type": "string", "format": "time-zone", "default": "UTC"],
            "A time zone of the IANA database, such as `Europe/Berlin`."
        ),
        (
            "after", .reference("Text"),
            "The text when it has ended; the zeros of `text` unless given."
        ),
        (
            "effect", ["type": "string", "enum": ["none", "roll"], "default": "none"],
            "Whether digits roll from one second to the next."
        ),
    ]
    /// The parameters of effects that it takes if digits roll.
    static let rollParameters: Set<ByteString> = ["easing", "flip"]
    /// The text unless a request has another one.
    static let usualText = "{d}d {hh}:{mm}:{ss}"

    /// The most seconds, each of which is a frame.
    private static let mostSeconds = 60
    /// The seconds in which digits roll.
    private static let rollDuration = 0.4
    /// The parameters that it decides, with their values: each text stands for a second.
    private static let decided: [(name: ByteString, value: RawValue)] = [
        ("cardEffect", .string("none")), ("cursor", .string("none")), ("delay", .number(0)),
        ("emphasis", .string("none")), ("exit", .string("between")), ("gap", .number(0)),
        ("loop", .number(1)), ("markDelay", .number(0)), ("markDuration", .number(0)),
        ("paintMotion", .string("none")), ("sequence", .string("replace")), ("speed", .number(1)),
    ]
    /// The target that it can be for: the others would make another length of it.
    private static let target = "email"
    /// The further parameters that it decides if digits roll, in a part of each second.
    private static let decidedOfRoll: [(name: ByteString, value: RawValue)] = [
        ("continues", .boolean(true)), ("duration", .number(rollDuration)),
        ("interval", .number(0)), ("trend", .string("down")), ("turns", .number(0)),
    ]
    /// The parameters with other defaults here, which take precedence over presets.
    private static let usual: [(name: ByteString, value: RawValue)] = [
        ("fontFeatures", .string("tnum")), ("poster", .string("start")),
    ]
    /// The further ones if digits roll.
    private static let usualOfRoll: [(name: ByteString, value: RawValue)] = [
        ("easing", .string("cubic-bezier(0.22, 1, 0.36, 1)"))
    ]
    /// The parameters that it does not take: the ones that it decides, and the ones that would make
    /// something else of it.
    static let refused =
        decided.map(\.name)
        + ["animate", "blocks", "cycle", "cycleStep", "hold", "maxCycle", "maxFrames", "minCycle"]

    /// Parts of a text: words, or the name of a unit.
    private enum Part {
        case words(Substring)
        case unit(Int, isPadded: Bool)
    }

    /// Seconds of days, hours, minutes, and seconds, and the letters that stand for them.
    private static let units: [(letter: String, seconds: Int64)] = [
        ("d", 86_400), ("h", 3600), ("m", 60), ("s", 1),
    ]

    /// Seconds since 1970, UTC.
    private let end: Int64
    private let parts: [Part]
    private let after: String?
    /// The request without the countdown's own parameters.
    private let raw: RawRequest

    /// Reads the countdown's own parameters.
    ///
    /// - Parameters:
    ///   - raw: The request.
    ///   - permission: The client's permission for the other parameters.
    /// - Throws: Its faults.
    init(_ raw: RawRequest, _ permission: Permission) throws(Problem) {
        var raw = raw
        var faults = FaultList()
        let rolls = Self.rolls(raw, &faults)
        Self.checkOthers(of: raw, rolls: rolls, &faults)
        end = Self.end(takenFrom: &raw, &faults)
        after = Self.taken("after", from: &raw)
        if raw.texts.count > 1 { faults.add("text", "must be one text") }
        let text = if case .text(let own)? = raw.texts.first { own } else { Self.usualText }
        parts = Self.parts(of: text)
        try Problem.catching(faults.check)
        try permission.check(raw)
        raw.texts = []
        self.raw = Self.completed(raw, rolls: rolls)
    }

    /// True if digits roll.
    private static func rolls(_ raw: RawRequest, _ faults: inout FaultList) -> Bool {
        guard case .text(let effect)? = raw.values["effect"] else { return false }
        if effect.isSame(as: "roll") { return true }
        if !effect.isSame(as: "none") {
            faults.add(
                "effect",
                "must be none or roll in a countdown; got " + RawValue.string(effect).description)
        }
        return false
    }

    /// Checks that a request has no parameter that it does not take.
    private static func checkOthers(of raw: RawRequest, rolls: Bool, _ faults: inout FaultList) {
        for name in refused + (rolls ? decidedOfRoll.map(\.name) : [])
        where raw.values[name] != nil {
            faults.add(name.text, "must not be given for a countdown")
        }
        if let target = raw.values["for"], target.characters?.isSame(as: Self.target) != true {
            faults.add(
                "for", "must be \"\(Self.target)\" for a countdown; got " + target.description)
        }
    }

    /// Takes a parameter from a query, which holds nothing but text.
    private static func taken(_ name: ByteString, from raw: inout RawRequest) -> String? {
        if case .text(let text)? = raw.values.removeValue(forKey: name) { text } else { nil }
    }

    /// Takes the instant at which it ends, in seconds since 1970, UTC.
    private static func end(takenFrom raw: inout RawRequest, _ faults: inout FaultList) -> Int64 {
        let (to, zone) = (taken("to", from: &raw), taken("zone", from: &raw) ?? "UTC")
        guard let local = to.flatMap(LocalTime.init) else {
            faults.add(
                "to",
                "must be a date and a time, such as \"2026-12-31T23:59:59\""
                    + (to.map { "; got " + RawValue.string($0).description } ?? ""))
            return 0
        }
        guard let rules = ZoneRules(zone) else {
            faults.add(
                "zone",
                "must be a time zone of the IANA database, such as \"Europe/Berlin\"; got "
                    + RawValue.string(zone).description)
            return 0
        }
        return rules.instant(ofLocalTime: local.seconds)
    }

    /// Returns a request with the parameters that it decides, and with its defaults.
    private static func completed(_ raw: RawRequest, rolls: Bool) -> RawRequest {
        var raw = raw
        for (name, value) in decided + (rolls ? decidedOfRoll : []) { raw.values[name] = value }
        // The first frame of a mail is the present second, and not the end.
        raw.decided = ["poster"]
        raw.values["effect"] = .string(rolls ? "roll" : "none")
        raw.values["hold"] = .number(rolls ? 1 - rollDuration : 1)
        for (name, value) in usual + (rolls ? usualOfRoll : []) where raw.values[name] == nil {
            raw.values[name] = value
        }
        return raw
    }

    /// Returns the parts of a text, in which `{hh}` stands for hours in two digits.
    private static func parts(of text: String) -> [Part] {
        var parts: [Part] = []
        var rest = text[...]
        while let start = rest.utf8.firstIndex(of: UInt8(ascii: "{")),
            let end = rest.utf8[start...].firstIndex(of: UInt8(ascii: "}"))
        {
            let name = rest[rest.utf8.index(after: start)..<end]
            let unit = units.firstIndex {
                name.isSame(as: $0.letter) || name.isSame(as: $0.letter + $0.letter)
            }
            if let unit {
                parts.append(.words(rest[..<start]))
                parts.append(.unit(unit, isPadded: name.utf8.count == 2))
            } else {
                parts.append(.words(rest[...end]))
            }
            rest = rest[rest.utf8.index(after: end)...]
        }
        return parts + [.words(rest)]
    }

    /// Returns the text for so many seconds; the largest of its units has all that is left for it.
    private func text(for seconds: Int64) -> String {
        var values = [Int64](repeating: 0, count: Self.units.count)
        var left = seconds
        for (index, unit) in Self.units.enumerated() where has(unit: index) {
            values[index] = left / unit.seconds
            left %= unit.seconds
        }
        return parts.map { part in
            switch part {
            case .words(let words): return String(words)
            case .unit(let index, let isPadded):
                return NumberText.padded("\(values[index])", to: isPadded ? 2 : 1)
            }
        }.joined()
    }

    private func has(unit: Int) -> Bool {
        parts.contains { if case .unit(unit, _) = $0 { true } else { false } }
    }

    /// The number of digits in the text for so many seconds.
    private func digitCount(for seconds: Int64) -> Int {
        let words = parts.reduce(0) { count, part in
            if case .words(let words) = part { count + words.utf8.count } else { count }
        }
        return text(for: seconds).utf8.count - words
    }

    /// Returns the request for the texts from now on.
    ///
    /// The first second is read by itself, so that a text that is too long for all seconds is
    /// refused before the others are read. The others are read together.
    ///
    /// - Parameters:
    ///   - now: Seconds since 1970, UTC.
    ///   - schema: The parameters of requests.
    ///   - limits: The limits of all texts together.
    /// - Returns: The request, which is of no use a second later.
    /// - Throws: The faults of the request.
    func request(
        at now: Int64, schema: RequestSchema, limits: RenderLimits
    ) throws(Problem) -> RenderRequest {
        func read(_ texts: [String], of parameter: String) throws(Problem) -> RenderRequest {
            var raw = raw
            raw.texts = texts.map { .text($0) }
            do throws(RenderingError) {
                return try RequestReader.read(
                    raw, schema: schema, limits: limits, mostTexts: Self.mostSeconds)
            } catch {
                var problem = Problem(error)
                problem.faults = problem.faults.map { fault in
                    fault.parameter.isSame(as: "text")
                        ? ParameterFault(parameter: parameter, message: fault.message) : fault
                }
                throw problem
            }
        }
        let left = max(end - now, 0)
        var seconds = (0..<min(left, Int64(Self.mostSeconds))).map { left - $0 }
        if seconds.count < Self.mostSeconds, after == nil { seconds.append(0) }
        var requests: [RenderRequest] = []
        if let first = seconds.first {
            requests.append(try read([text(for: first)], of: "text"))
            try checkSize(of: requests[0], for: seconds, limits)
            let others = seconds.dropFirst().map(text(for:))
            if !others.isEmpty { requests.append(try read(others, of: "text")) }
        }
        if let after {
            // Read in any case, so that a fault does not wait for the end.
            let last = try read([after], of: "after")
            if seconds.count < Self.mostSeconds { requests.append(last) }
        }
        var request = requests[0]
        request.title = request.title ?? request.plainTexts.first
        request.isLasting = false
        for next in requests.dropFirst() {
            request.texts += next.texts
            request.choreography.blocks += next.choreography.blocks
            request.canonical += "\n" + next.canonical
        }
        try Problem.catching { () throws(RenderingError) in
            try request.checkSize(limits, named: "text")
        }
        return request
    }

    /// Checks the size of the texts of all seconds together, by the text of the first second.
    ///
    /// The texts differ only in their digits, so that each has at least the graphemes of the first
    /// without its digits.
    ///
    /// - Throws: The fault of the text if even this least size is too large.
    private func checkSize(
        of first: RenderRequest, for seconds: [Int64], _ limits: RenderLimits
    ) throws(Problem) {
        let words =
            first.texts.reduce(0) { $0 + $1.text.graphemeCount } - digitCount(for: seconds[0])
        let least = max(words, 0) * seconds.count
        guard least > limits.graphemes else { return }
        try Problem.catching { () throws(RenderingError) in
            throw .overLimit(
                "text",
                "has \(least) graphemes or more in its \(seconds.count) seconds; the limit is "
                    + "\(limits.graphemes)")
        }
    }
}
