import Bytes
import Motion
import Typesetting

/// Captions as an array of objects, as requests have them and as canonical requests write them.
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
