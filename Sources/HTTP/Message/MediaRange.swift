/// One range of media types with its weight, an element of `Accept` (RFC 9110, 12.5.1).
package struct MediaRange: Equatable, Sendable {
    /// Lower-case type, `*` for any.
    package let type: String
    /// Lower-case subtype, `*` for any.
    package let subtype: String
    /// Lower-case `name=value` parameters but the weight.
    package let parameters: [String]
    /// The weight q, 0…1; 0 means not acceptable.
    package let quality: Double

    /// Reads one range; nil where it is malformed.
    init?(_ text: Substring) {
        let pieces = FieldList.elements(of: text.lowercased(), separator: ASCII.semicolon)
            .map { String(Substring($0)) }
        guard let names = pieces.first?.split(separator: "/", omittingEmptySubsequences: false),
            names.count == 2, names.allSatisfy({ Self.isToken($0) }),
            names[0] != "*" || names[1] == "*"
        else { return nil }
        var parameters: [String] = []
        var quality = 1.0
        for piece in pieces.dropFirst() {
            guard piece.hasPrefix("q=") else {
                parameters.append(piece)
                continue
            }
            guard let weight = FieldList.weight(piece.dropFirst(2)) else { return nil }
            quality = weight
            // What follows the weight is an extension that nothing ever defined.
            break
        }
        type = String(names[0])
        subtype = String(names[1])
        self.parameters = parameters
        self.quality = quality
    }

    private static func isToken(_ name: Substring) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy(ASCII.isToken)
    }

    /// How closely this range describes a media type: higher is more specific, nil no match.
    ///
    /// `charset=utf-8` is no restriction, since the text formats are UTF-8.
    fileprivate func specificity(for mediaType: MediaRange) -> Int? {
        let needed = parameters.filter { $0 != "charset=utf-8" && $0 != "charset=\"utf-8\"" }
        guard needed.allSatisfy(mediaType.parameters.contains) else { return nil }
        if type == "*" { return 0 }
        guard type == mediaType.type else { return nil }
        if subtype == "*" { return 1 }
        return subtype == mediaType.subtype ? 2 + needed.count : nil
    }
}

/// The `Accept` field of a request.
package struct AcceptField: Equatable, Sendable {
    /// The well-formed ranges in the order in which they stand.
    package let ranges: [MediaRange]

    /// Reads the field's value; malformed elements are passed over. Without any range everything is
    /// acceptable.
    package init(_ value: String?) {
        ranges = FieldList.elements(of: value ?? "").compactMap { MediaRange(Substring($0)) }
    }

    /// The weight of the most specific range that fits a media type, 0…1; 0 where none does.
    package func quality(of mediaType: String) -> Double {
        guard !ranges.isEmpty else { return 1 }
        guard let mediaType = MediaRange(mediaType[...]) else { return 0 }
        var best: (specificity: Int, quality: Double) = (-1, 0)
        for range in ranges {
            guard let specificity = range.specificity(for: mediaType) else { continue }
            if specificity > best.specificity { best = (specificity, range.quality) }
        }
        return best.quality
    }
}
