import Bytes

/// Finds the name that was probably meant by a misspelt one.
package enum Suggestion {
    /// The names of CSS and other services for parameters of a request.
    private static let synonyms: [ByteString: String] = [
        "fontsize": "size", "fontfamily": "font", "fontweight": "weight", "fontstyle": "italic",
        "backgroundcolor": "background", "bg": "background", "fill": "color", "textcolor": "color",
        "fontcolor": "color", "stroke": "outlineColor", "strokewidth": "outlineWidth",
        "textshadow": "shadow", "borderradius": "cornerRadius", "radius": "cornerRadius",
        "textalign": "align", "repeat": "loop", "repeatcount": "loop",
        "iterations": "loop", "animation": "effect", "type": "effect", "lines": "text",
        "content": "text", "theme": "preset", "pause": "hold",
    ]

    /// Returns a phrase that says that a name is unknown, and which name may have been meant.
    static func unknown(_ name: String, among candidates: [String]) -> String {
        let plain = name.utf8.filter(\.isASCIILetterOrDigit)
        let key = ByteString(String(decoding: plain.prefix(40), as: UTF8.self).lowercasedASCII)
        let meant =
            synonyms[key].flatMap { candidates.includes($0) ? $0 : nil }
            ?? nearest(to: name, among: candidates)
        return meant.map { "unknown; did you mean \"\($0)\"?" } ?? "unknown"
    }

    /// Returns the candidate with the fewest differences; nil if all have too many.
    package static func nearest(to name: String, among candidates: [String]) -> String? {
        guard name.utf8.count <= 40 else { return nil }
        let written = Array(name.lowercasedASCII.utf8)
        var best: String?
        // The bound falls below each distance found, so that the first of equals counts.
        var most = max(1, written.count / 3)
        for candidate in candidates where abs(candidate.utf8.count - written.count) <= most {
            let other = Array(candidate.lowercasedASCII.utf8)
            guard let distance = distance(written, other, most: most) else { continue }
            best = candidate
            most = distance - 1
        }
        return best
    }

    /// Returns the number of insertions, deletions, substitutions and transpositions (optimal string
    /// alignment); nil if there are more than `most`.
    private static func distance(_ one: [UInt8], _ other: [UInt8], most: Int) -> Int? {
        var beforeLast: [Int] = []
        var last = Array(0...other.count)
        for i in 0..<one.count {
            var row = [i + 1]
            row.reserveCapacity(other.count + 1)
            for j in 0..<other.count {
                var cost = min(row[j] + 1, last[j + 1] + 1, last[j] + (one[i] == other[j] ? 0 : 1))
                if i > 0, j > 0, one[i] == other[j - 1], one[i - 1] == other[j] {
                    cost = min(cost, beforeLast[j - 1] + 1)
                }
                row.append(cost)
            }
            // A transposition goes back two rows.
            if min(row.min() ?? 0, last.min() ?? 0) > most { return nil }
            (beforeLast, last) = (last, row)
        }
        return last[other.count] <= most ? last[other.count] : nil
    }
}
