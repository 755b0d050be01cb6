import Bytes
import Motion
import Typesetting

/// Captions as an array of objects, as requests have them and as canonical requests write them.
enum CaptionArray {}

extension CaptionTrack {
    /// The array from which the same track is read.
    var node: JSONNode { .array(cues.map(\.node)) }
}

extension CaptionCue {
    fileprivate var node: JSONNode {
        var members: [(String, JSONNode)] = [
            ("at", .number(at.seconds)), ("text", .string(text)),
        ]
        if let until { members.append(("until", .number(until.seconds))) }
        if let alignment { members.append(("align", .string(alignment.rawValue))) }
        if let verticalAlignment {
            members.append(("valign", .string(verticalAlignment.rawValue)))
        }
        if endsPage { members.append(("pageBreakAfter", .boolean(true))) }
        if !words.isEmpty {
            let bytes = Array(text.utf8)
            let times = words.map { word in
                JSONNode.canonical([
                    ("at", .number(word.at.seconds)),
                    ("text", .string(String(decoding: bytes[word.range], as: UTF8.self))),
                    ("until", .number(word.until.seconds)),
                ])
            }
            members.append(("times", .array(times)))
        }
        return .canonical(members)
    }
}

/// Reads captions as an array of objects.
extension CaptionArray {
    private static let members: [ByteString] = [
        "at", "until", "text", "times", "align", "valign", "pageBreakAfter",
    ]

    /// Returns true for an array of objects with `at`.
    static func fits(_ value: RawValue) -> Bool {
        guard case .array(let elements) = value else { return false }
        return elements.isEmpty || elements[0]["at"] != nil
    }

    /// - Throws: `RenderingError.invalid` with the place of the first fault, such as `captions[0].at`.
    static func track(
        of value: RawValue, unit: CaptionUnit
    ) throws(RenderingError) -> CaptionTrack {
        guard case .array(let elements) = value, !elements.isEmpty else {
            throw .invalid(
                "captions", "must be a text or an array of objects; got \(value.description)")
        }
        let scale = unit == .milliseconds ? 0.001 : 1
        var cues: [CaptionCue] = []
        for (index, element) in elements.enumerated() {
            cues.append(try cue(element, at: "captions[\(index)]", scale))
        }
        let isOrdered = zip(cues, cues.dropFirst()).allSatisfy { $0.at <= $1.at }
        guard !isOrdered else { return CaptionTrack(cues: cues) }
        return CaptionTrack(cues: cues.stablySorted(by: \.at))
    }

    private static func cue(
        _ raw: RawValue, at place: String, _ scale: Double
    ) throws(RenderingError) -> CaptionCue {
        guard case .object(let members) = raw else {
            throw .invalid(place, "must be an object; got \(raw.description)")
        }
        for name in members.keys.sorted() where !Self.members.contains(name) {
            let known = Self.members.map(\.text)
            throw .invalid(place + "." + name.text, Suggestion.unknown(name.text, among: known))
        }
        let text = SpeechToken.bytes(.string(try string(members["text"], place + ".text")))
        guard let at = try time(members["at"], place + ".at", scale, after: nil) else {
            throw .invalid(place + ".at", "is required")
        }
        let until = try time(members["until"], place + ".until", scale, after: at)
        var cue = CaptionCue(at: at, until: until, text: String(decoding: text, as: UTF8.self))
        cue.alignment = try choice(members["align"], place + ".align")
        cue.verticalAlignment = try choice(members["valign"], place + ".valign")
        if case .boolean(true)? = members["pageBreakAfter"] { cue.endsPage = true }
        if let times = members["times"] {
            cue.words = try words(times, place + ".times", scale, in: text)
        }
        return cue
    }

    private static func string(_ raw: RawValue?, _ place: String) throws(RenderingError) -> String {
        guard case .string(let text)? = raw, !text.isEmpty else {
            throw .invalid(place, "must be a text; got \(raw?.description ?? "none")")
        }
        return text
    }

    private static func choice<Choice: RawRepresentable & CaseIterable>(
        _ raw: RawValue?, _ place: String
    ) throws(RenderingError) -> Choice? where Choice.RawValue == String {
        guard let raw else { return nil }
        guard let choice = raw.characters.flatMap({ Choice(rawValue: $0) }) else {
            let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw .invalid(place, "must be one of \(names); got \(raw.description)")
        }
        return choice
    }

    private static func time(
        _ raw: RawValue?, _ place: String, _ scale: Double, after start: Instant?
    ) throws(RenderingError) -> Instant? {
        guard let raw else { return nil }
        guard case .number(let number) = raw,
            WordTimesGrammar.seconds.contains(number * scale)
        else {
            throw .invalid(
                place,
                "must be a number from 0 to \(NumberText.of(WordTimesGrammar.seconds.upperBound)) "
                    + "seconds; got \(raw.description)")
        }
        let time = Instant(seconds: number * scale)
        if let start, time <= start {
            throw .invalid(
                place, "must be after at, \(NumberText.of(start.seconds)); got \(raw.description)")
        }
        return time
    }

    private static func words(
        _ raw: RawValue, _ place: String, _ scale: Double, in text: [UInt8]
    ) throws(RenderingError) -> [CaptionWord] {
        guard case .array(let elements) = raw else {
            throw .invalid(place, "must be an array of objects; got \(raw.description)")
        }
        var words: [CaptionWord] = []
        var end = 0
        for (index, element) in elements.enumerated() {
            let place = "\(place)[\(index)]"
            let word = SpeechToken.bytes(.string(try string(element["text"], place + ".text")))
            guard 1...WordTimesGrammar.most ~= word.count,
                let start = (end..<max(end, text.count - word.count + 1)).first(where: {
                    text[$0...].starts(with: word)
                })
            else {
                throw .invalid(
                    place + ".text",
                    "must be in the text, behind the word before; got \(word[...].quoted)")
            }
            end = start + word.count
            guard let at = try time(element["at"], place + ".at", scale, after: nil),
                let until = try time(element["until"], place + ".until", scale, after: at)
            else { throw .invalid(place, "must have at and until") }
            if let last = words.last, at < last.at {
                throw .invalid(
                    place + ".at",
                    "must not be before the word before, \(NumberText.of(last.at.seconds))")
            }
            words.append(CaptionWord(range: start..<end, at: at, until: until))
        }
        return words
    }
}
