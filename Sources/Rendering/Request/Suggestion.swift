import Bytes
package import Encoders

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
        "content": "text", "theme": "preset", "palette": "preset", "pause": "hold",
        "bold": "weight", "border": "borderWidth", "dark": "scheme", "bgcolor": "background",
        "outline": "outlineColor", "splitby": "by", "unit": "by", "animationduration": "duration",
        "target": "for",
    ]

    /// The names of CSS and other services for values.
    private static let valueSynonyms: [ByteString: [String]] = [
        "typing": ["typewriter"], "typed": ["typewriter"], "type": ["typewriter"],
        "ghost": ["typewriter"], "decode": ["scramble"], "matrix": ["scramble"],
        "hacker": ["scramble"], "splitflap": ["flap"], "counter": ["count"],
        "handwriting": ["draw"], "crawl": ["scroll"], "dissolve": ["fade"],
        "character": ["glyph"], "char": ["glyph"], "letter": ["glyph"],
        "middle": ["center"], "center": ["middle"], "centre": ["center", "middle"],
        "pipe": ["bar"], "line": ["bar"], "forever": ["infinite"], "always": ["infinite"],
        "true": ["infinite"], "reverse": ["backward"], "js": ["javascript"], "ts": ["typescript"],
        "py": ["python"], "golang": ["go"], "rs": ["rust"], "bash": ["shell"], "sh": ["shell"],
        "c++": ["cpp"], "csharp": [], "c#": [], "jpg": ["png"], "jpeg": ["png"], "lot": ["lottie"],
    ]
    /// The longest name for which a suggestion is sought, in bytes.
    private static let longestName = 40

    /// Returns the letters and digits of ASCII in a name, in small letters: those of `easeInOut`, `ease-in-out` and
    /// `ease_in_out` are the same.
    private static func plain(_ name: String) -> ByteString {
        let bytes = name.utf8.filter(\.isASCIILetterOrDigit)
        return ByteString(String(decoding: bytes, as: UTF8.self).lowercasedASCII)
    }

    /// Returns the same of a name that has nothing else but hyphens, low lines, and spaces; nil for any other text.
    static func plainName(_ text: String) -> ByteString? {
        let isName =
            text.utf8.count <= longestName
            && text.utf8.allSatisfy { $0.isASCIILetterOrDigit || "-_ ".utf8.contains($0) }
        return isName ? plain(text) : nil
    }

    /// Returns a phrase that says that a name is unknown, and which name may have been meant.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - candidates: The names that may have been meant.
    ///   - others: What the phrase says if none of them is like the name; nil for nothing.
    /// - Returns: The phrase, which follows the name.
    static func unknown(
        _ name: String, among candidates: [String], otherwise others: String? = nil
    ) -> String {
        let synonym = name.utf8.count <= longestName ? synonyms[plain(name)] : nil
        let meant =
            synonym.flatMap { candidates.includes($0) ? $0 : nil }
            ?? nearest(to: name, among: candidates)
        let hint = meant.map { "did you mean \"\($0)\"?" } ?? others
        return "unknown" + (hint.map { "; " + $0 } ?? "")
    }

    /// Returns a question whether other values were meant, after a semicolon; empty if none is like the
    /// given one.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - candidates: The values that a parameter has.
    /// - Returns: The question, which follows the value.
    package static func question(for value: String, among candidates: [String]) -> String {
        let meant = meant(by: value, among: candidates)
        guard !meant.isEmpty else { return "" }
        return "; did you mean " + meant.map { "\"\($0)\"" }.joined(separator: " or ") + "?"
    }

    /// Returns the values that another one may mean: what has its letters, a synonym, what is nearest to it,
    /// what begins with it or has it as a word, or the longest that it begins with.
    private static func meant(by value: String, among candidates: [String]) -> [String] {
        guard value.utf8.count <= longestName, !value.isEmpty else { return [] }
        let written = plain(value)
        guard !written.isEmpty else { return [] }
        if let known = valueSynonyms[ByteString(value.lowercasedASCII)] {
            let own = known.filter { candidates.includes($0) }
            if !own.isEmpty || known.isEmpty { return own }
        }
        let same = candidates.filter { plain($0) == written }
        if !same.isEmpty { return same }
        // Names are in the plural as often as not.
        let singular =
            written.text.ends(with: "s") ? written.text.dropping(last: 1) : written.text[...]
        let synonyms = valueSynonyms[written] ?? valueSynonyms[ByteString(singular)] ?? []
        let known = synonyms.filter { candidates.includes($0) }
        if !known.isEmpty { return known }
        if let nearest = nearest(to: value, among: candidates) { return [nearest] }
        guard written.utf8.count >= shortestBeginning else { return [] }
        let longer = candidates.filter { plain($0).text.begins(with: written.text) }
        if !longer.isEmpty { return Array(longer.prefix(mostMeant)) }
        let inside = candidates.filter { candidate in
            candidate.pieces(separatedBy: "-").contains { $0.isSame(as: written.text) }
        }
        if !inside.isEmpty { return Array(inside.prefix(mostMeant)) }
        let shorter = candidates.filter { candidate in
            candidate.utf8.count >= shortestBeginning
                && written.text.begins(with: plain(candidate).text)
        }
        return shorter.max { $0.utf8.count < $1.utf8.count }.map { [$0] } ?? []
    }

    /// The least bytes of a name that another one begins with.
    private static let shortestBeginning = 3
    /// The most values of a question.
    private static let mostMeant = 3

    /// Returns the candidate with the fewest differences; nil if all have too many.
    package static func nearest(to name: String, among candidates: [String]) -> String? {
        guard name.utf8.count <= longestName else { return nil }
        let written = Array(name.lowercasedASCII.utf8)
        // Of short names many are near each other.
        let isShort = written.count <= 4
        var best: String?
        // The bound falls below each distance found, so that the first of equals counts.
        var most = max(1, written.count / 3)
        for candidate in candidates where abs(candidate.utf8.count - written.count) <= most {
            let other = Array(candidate.lowercasedASCII.utf8)
            if isShort, other.first != written.first { continue }
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

extension FormatCatalog {
    /// Returns a question whether another extension than that of a file's name was meant, after a semicolon;
    /// empty if none is like it.
    package func question(forFile name: String) -> String {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return "" }
        return Suggestion.question(
            for: String(name[dot...].dropping(first: 1)),
            among: entries.flatMap(\.fileExtensions))
    }
}
