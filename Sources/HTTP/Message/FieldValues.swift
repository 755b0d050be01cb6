package import Bytes

/// The `Accept` field of a request.
package struct AcceptField: Equatable, Sendable {
    /// The well-formed ranges, in their order.
    package let ranges: [MediaRange]

    /// Reads the field's value; malformed elements are ignored. Without any range everything is
    /// acceptable.
    package init(_ value: String?) {
        ranges = FieldList.elements(of: value ?? "").compactMap { MediaRange(Substring($0)) }
    }

    /// Returns the weight of the most specific range that fits a media type, 0…1; 0 where none does.
    ///
    /// - Parameters:
    ///   - mediaType: The type and the subtype.
    ///   - byKind: False if ranges such as `video/*` do not fit it.
    /// - Returns: The weight.
    package func quality(of mediaType: String, byKind: Bool = true) -> Double {
        guard !ranges.isEmpty else { return 1 }
        guard let mediaType = MediaRange(mediaType[...]) else { return 0 }
        var best: (specificity: Int, quality: Double) = (-1, 0)
        for range in ranges where byKind || range.subtype != "*" || range.type == "*" {
            guard let specificity = range.specificity(for: mediaType) else { continue }
            if specificity > best.specificity { best = (specificity, range.quality) }
        }
        return best.quality
    }
}

/// One range of media types with its weight, an element of `Accept` (RFC 9110, 12.5.1).
package struct MediaRange: Equatable, Sendable {
    /// Type in small letters of ASCII, `*` for any.
    package let type: ByteString
    /// Subtype in small letters of ASCII, `*` for any.
    package let subtype: ByteString
    /// `name=value` parameters in small letters of ASCII, except for the weight.
    package let parameters: [ByteString]
    /// The weight q, 0…1; 0 means not acceptable.
    package let quality: Double

    /// Reads one range; nil where it is malformed.
    init?(_ text: Substring) {
        let pieces = FieldList.elements(of: text.lowercasedASCII, separator: ASCII.semicolon)
            .map { Substring($0) }
        guard
            let names = pieces.first?.pieces(separatedBy: "/").map({ ByteString($0) }),
            names.count == 2, names.allSatisfy({ Self.isToken($0) }),
            names[0] != "*" || names[1] == "*"
        else { return nil }
        var parameters: [ByteString] = []
        var quality = 1.0
        for piece in pieces.dropFirst() {
            guard piece.begins(with: "q=") else {
                parameters.append(ByteString(piece))
                continue
            }
            guard let weight = FieldList.weight(piece.dropping(first: 2)) else { return nil }
            quality = weight
            // Parameters after the weight are extensions, of which none was ever defined.
            break
        }
        type = names[0]
        subtype = names[1]
        self.parameters = parameters
        self.quality = quality
    }

    private static func isToken(_ name: ByteString) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy(ASCII.isToken)
    }

    /// Returns the precision with which this range describes a media type: higher is more specific,
    /// nil is no match.
    ///
    /// `charset=utf-8` restricts nothing, since the text formats are UTF-8.
    fileprivate func specificity(for mediaType: MediaRange) -> Int? {
        let needed = parameters.filter { $0 != "charset=utf-8" && $0 != "charset=\"utf-8\"" }
        guard needed.allSatisfy(mediaType.parameters.contains) else { return nil }
        if type == "*" { return 0 }
        guard type == mediaType.type else { return nil }
        if subtype == "*" { return 1 }
        return subtype == mediaType.subtype ? 2 + needed.count : nil
    }
}

/// The `Accept-Encoding` field of a request (RFC 9110, 12.5.3).
package enum AcceptEncoding {
    /// Returns true if the client accepts the gzip coding: it is listed, by its name or its alias
    /// `x-gzip` or by `*`, with a weight above 0.
    ///
    /// Returns false without the field, although the standard would allow gzip then.
    package static func acceptsGzip(_ value: String?) -> Bool {
        guard let value else { return false }
        var anyOther = false
        for element in FieldList.elements(of: Array(value.utf8)) {
            let pieces = FieldList.elements(of: element, separator: ASCII.semicolon)
            guard let name = pieces.first else { continue }
            let accepts = pieces.dropFirst().allSatisfy { isAccepting($0) }
            if isName(name, "gzip") || isName(name, "x-gzip") { return accepts }
            if isName(name, "*") { anyOther = accepts }
        }
        return anyOther
    }

    private static func isName(_ bytes: ArraySlice<UInt8>, _ name: StaticString) -> Bool {
        name.withUTF8Buffer { name in
            bytes.count == name.count
                && zip(bytes, name).allSatisfy { ASCII.lowercased($0) == $1 }
        }
    }

    private static func isAccepting(_ parameter: ArraySlice<UInt8>) -> Bool {
        guard isName(parameter.prefix(2), "q=") else { return true }
        return (FieldList.weight(parameter.dropFirst(2)) ?? 0) > 0
    }
}

/// The entity tags of an `If-None-Match` field (RFC 9110, 13.1.2).
package struct EntityTagList: Equatable, Sendable {
    private let matchesAny: Bool
    /// The opaque tags with their quotes, without `W/`.
    private let tags: [ByteString]

    /// Reads the field's value; elements that are not entity tags are ignored and match nothing.
    package init(_ value: String) {
        let elements = FieldList.elements(of: value).map { ByteString(Substring($0)) }
        matchesAny = elements.count == 1 && elements.first == "*"
        tags = elements.compactMap { Self.opaqueTag($0) }
    }

    /// Returns true if an entity tag, given with its quotes, is in the list by weak comparison, in
    /// which `W/` makes no difference (RFC 9110, 8.8.3.2).
    package func matches(_ tag: String) -> Bool {
        guard let opaque = Self.opaqueTag(ByteString(tag)) else { return false }
        return matchesAny || tags.contains(opaque)
    }

    private static func opaqueTag(_ tag: ByteString) -> ByteString? {
        let isWeak = tag.text.begins(with: "W/")
        let bytes = tag.utf8.dropFirst(isWeak ? 2 : 0)
        guard bytes.count >= 2, bytes.first == ASCII.quote, bytes.last == ASCII.quote,
            !bytes.dropFirst().dropLast().contains(ASCII.quote)
        else { return nil }
        return isWeak ? ByteString(Substring(bytes)) : tag
    }
}

/// The part of a content that a `Range` field asks for (RFC 9110, 14.1.2).
package enum ContentRange: Equatable, Sendable {
    /// All of it: the field has another unit, is malformed, or asks for several parts.
    case whole
    case part(Range<Int>)
    /// None of the content is in the range.
    case outside

    /// Reads the field's value for a content of so many bytes.
    package init(_ value: String, of count: Int) {
        self = .whole
        var bytes = value.utf8[...]
        guard bytes.prefix(6).map(ASCII.lowercased).elementsEqual("bytes=".utf8) else { return }
        bytes = bytes.dropFirst(6)
        let parts = bytes.split(
            separator: UInt8(ascii: "-"), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return }
        let first = Self.number(ASCII.trimmed(parts[0]))
        let last = Self.number(ASCII.trimmed(parts[1]))
        switch (first, last) {
        case (.some(let first?), .some(let last?)):
            guard first <= last else { return }
            self = first < count ? .part(first..<min(last, count - 1) + 1) : .outside
        case (.some(let first?), .some(nil)):
            self = first < count ? .part(first..<count) : .outside
        case (.some(nil), .some(let length?)):
            self = length > 0 && count > 0 ? .part(max(count - length, 0)..<count) : .outside
        default: return
        }
    }

    /// Returns the number that digits spell, nil for no digits; nil of both where it is malformed.
    private static func number(_ digits: Substring.UTF8View) -> Int?? {
        guard !digits.isEmpty else { return .some(nil) }
        guard digits.count <= 15, digits.allSatisfy(\.isASCIIDigit) else { return nil }
        return digits.reduce(0) { 10 * $0 + Int($1 - ASCII.zero) }
    }
}

/// Splitting of field values that are lists or carry parameters (RFC 9110, 5.6).
enum FieldList {
    /// Returns the elements between separators, trimmed, without empty ones; separators in quoted
    /// strings do not count.
    static func elements(
        of value: some StringProtocol, separator: UInt8 = ASCII.comma
    ) -> [Substring.UTF8View.SubSequence] {
        elements(of: Substring(value).utf8, separator: separator)
    }

    /// Does the same with bytes.
    static func elements<Bytes: BidirectionalCollection<UInt8>>(
        of bytes: Bytes, separator: UInt8 = ASCII.comma
    ) -> [Bytes.SubSequence] where Bytes.SubSequence.SubSequence == Bytes.SubSequence {
        var elements: [Bytes.SubSequence] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let end = firstUnquoted(separator, in: rest)
            let element = ASCII.trimmed(rest[..<end])
            if !element.isEmpty { elements.append(element) }
            rest = rest[end...].dropFirst()
        }
        return elements
    }

    /// Reads the weight in a parameter's value, 0…1, with at most three decimals; nil where it is
    /// malformed (RFC 9110, 12.4.2).
    static func weight(_ value: some StringProtocol) -> Double? { weight(value.utf8) }

    /// Does the same with bytes.
    static func weight(_ value: some Collection<UInt8>) -> Double? {
        let bytes = Array(value.prefix(6))
        guard let whole = bytes.first, whole == ASCII.zero || whole == ASCII.zero + 1,
            bytes.count <= 5, bytes.count < 2 || bytes[1] == 0x2E
        else { return nil }
        var thousandths = Int(whole - ASCII.zero) * 1000
        for (digit, unit) in zip(bytes.dropFirst(2), [100, 10, 1]) {
            guard digit.isASCIIDigit else { return nil }
            thousandths += Int(digit - ASCII.zero) * unit
        }
        return thousandths <= 1000 ? Double(thousandths) / 1000 : nil
    }

    private static func firstUnquoted<Bytes: BidirectionalCollection<UInt8>>(
        _ separator: UInt8, in bytes: Bytes
    ) -> Bytes.Index {
        var isQuoted = false
        var isEscaped = false
        for index in bytes.indices {
            let byte = bytes[index]
            if isEscaped {
                isEscaped = false
            } else if isQuoted, byte == ASCII.backslash {
                isEscaped = true
            } else if byte == ASCII.quote {
                isQuoted.toggle()
            } else if byte == separator, !isQuoted {
                return index
            }
        }
        return bytes.endIndex
    }
}
