import Bytes
import Motion
import Typesetting

/// A stand-in for the readers of files, which reads SubRip and WebVTT without tags.
enum CaptionReader {
    static func track(
        of file: [UInt8], as format: CaptionFormat, unit: CaptionUnit
    ) throws(RenderingError) -> CaptionTrack {
        var cues: [CaptionCue] = []
        var lines: [String] = []
        var times: (Instant, Instant)?
        func end() {
            guard let (at, until) = times, !lines.isEmpty else { return }
            let text = lines.joined(separator: "\n")
            cues.append(CaptionCue(at: at, until: until, text: text))
        }
        let text = String(decoding: file, as: UTF8.self)
        if text.utf8.first == UInt8(ascii: "[") {
            return try track(of: try RawValue.value(json: file, named: "captions"))
        }
        for line in text.pieces(separatedBy: "\n") {
            let sides = line.trimmingSpaces.pieces(separatedBy: " ")
            if sides.count >= 3, sides[1].isSame(as: "-->") {
                end()
                lines = []
                times = (instant(sides[0]), instant(sides[2]))
            } else if line.trimmingSpaces.isEmpty {
                end()
                (times, lines) = (nil, [])
            } else {
                lines.append(String(line))
            }
        }
        end()
        guard !cues.isEmpty else { throw .invalid("captions", "has no cues") }
        return CaptionTrack(cues: cues)
    }

    private static func instant(_ text: Substring) -> Instant {
        var seconds = 0.0
        for part in text.pieces(separatedBy: ":") {
            seconds = seconds * 60 + (Double(String(part.map { $0 == "," ? "." : $0 })) ?? 0)
        }
        return Instant(seconds: min(seconds, 86_400))
    }

    static func track(of value: RawValue) throws(RenderingError) -> CaptionTrack {
        guard case .array(let elements) = value, !elements.isEmpty else {
            throw .invalid(
                "captions", "must be a text or an array of objects; got \(value.description)")
        }
        var cues: [CaptionCue] = []
        for (index, element) in elements.enumerated() {
            cues.append(try cue(element, at: "captions[\(index)]"))
        }
        return CaptionTrack(cues: cues)
    }

    private static func cue(_ raw: RawValue, at path: String) throws(RenderingError) -> CaptionCue {
        guard case .object(let members) = raw, case .string(let text)? = members["text"],
            case .number(let at)? = members["at"]
        else { throw .invalid(path, "must be an object with text and at") }
        var cue = CaptionCue(at: Instant(seconds: at), until: nil, text: text)
        if case .number(let until)? = members["until"] { cue.until = Instant(seconds: until) }
        if let align = members["align"]?.characters { cue.alignment = .init(rawValue: align) }
        if let valign = members["valign"]?.characters {
            cue.verticalAlignment = .init(rawValue: valign)
        }
        if case .boolean(true)? = members["pageBreakAfter"] { cue.endsPage = true }
        guard case .array(let times)? = members["times"] else { return cue }
        var words: [(bytes: [UInt8], at: Double, until: Double)] = []
        for time in times {
            guard case .object(let word) = time, case .string(let text)? = word["text"],
                case .number(let at)? = word["at"], case .number(let until)? = word["until"]
            else { throw .invalid(path + ".times", "must be objects with text, at, and until") }
            words.append((Array(text.utf8), at, until))
        }
        var end = 0
        for word in words {
            let bytes = Array(text.utf8)
            guard
                let start = (end..<bytes.count).first(where: {
                    bytes[$0...].starts(with: word.bytes)
                })
            else { throw .invalid(path + ".times", "must be in the text") }
            end = start + word.bytes.count
            cue.words.append(
                CaptionWord(
                    range: start..<end, at: Instant(seconds: word.at),
                    until: Instant(seconds: word.until)))
        }
        return cue
    }
}
