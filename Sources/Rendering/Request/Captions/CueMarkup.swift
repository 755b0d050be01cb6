import Bytes
import Typesetting

/// The text of a cue of SubRip or WebVTT without its tags, and what they say of times and places.
///
/// Nothing that a tag says is drawn. A `<` or `{` that begins none stays in the text.
struct CueMarkup {
    private(set) var text: [UInt8] = []
    /// The starts of parts of the text, in ticks.
    private(set) var stamps: [(offset: Int, ticks: Int)] = []
    private(set) var alignment: CanvasRequest.Alignment?
    private(set) var verticalAlignment: CanvasRequest.VerticalAlignment?
    private(set) var voice: [UInt8] = []
    private var highlights: [Range<Int>] = []
    /// The tags of `highlights` that are open, and where the outer one began.
    private var depth = 0
    private var start = 0
    private var isReading = false
    private let isWebVTT: Bool

    /// Takes lines, with their ends.
    init(_ source: ArraySlice<UInt8>, isWebVTT: Bool) {
        self.isWebVTT = isWebVTT
        var rest = source
        while let byte = rest.first {
            if byte == UInt8(ascii: "<") || byte == UInt8(ascii: "{"),
                let body = Self.body(of: rest), take(body, of: byte)
            {
                rest = rest[(body.endIndex + 1)...]
            } else if isWebVTT, byte == UInt8(ascii: "&"),
                let (scalar, end) = CharacterReference.scalar(rest)
            {
                for byte in String(scalar).utf8 { append(byte) }
                rest = rest[end...]
            } else if byte >= 0xE2, let count = direction(rest) {
                rest = rest.dropFirst(count)
            } else {
                append(byte)
                rest.removeFirst()
            }
        }
        dropSpaces { $0.isCaptionSpace }
    }

    /// The part of the text that tags pick out, if it is one and not all, and there are no stamps.
    var highlight: Range<Int>? {
        guard let range = highlights.first, highlights.count == 1, stamps.isEmpty,
            range.upperBound <= text.count, range.count < text.count,
            let first = text[range].firstIndex(where: { !$0.isCaptionSpace }),
            let last = text[range].lastIndex(where: { !$0.isCaptionSpace })
        else { return nil }
        return first..<last + 1
    }

    private mutating func append(_ byte: UInt8) {
        guard !isReading else { return }
        switch byte {
        case 0x0A:
            dropSpaces { $0 == 0x20 }
            if text.last ?? 0x0A != 0x0A { text.append(byte) }
        case 0x20 where text.last ?? 0x0A == 0x0A: break
        default: text.append(byte)
        }
    }

    private mutating func dropSpaces(_ isSpace: (UInt8) -> Bool) {
        while let last = text.last, isSpace(last) { text.removeLast() }
        for index in stamps.indices.reversed() {
            guard stamps[index].offset > text.count else { break }
            stamps[index].offset = text.count
        }
        start = min(start, text.count)
    }

    // MARK: Tags

    /// Returns what is between the signs of a tag; nil if it does not end before another one or its line does.
    static func body(of source: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let opening = source[source.startIndex]
        let body = source.dropFirst().prefix { byte in
            byte != opening && byte != opening + 2 && byte != 0x0A
        }
        return body.endIndex < source.endIndex && source[body.endIndex] == opening + 2 ? body : nil
    }

    /// Takes a tag; returns false if it is none.
    private mutating func take(_ body: ArraySlice<UInt8>, of opening: UInt8) -> Bool {
        guard let first = body.first else { return false }
        if opening == UInt8(ascii: "{") {
            guard first == UInt8(ascii: "\\") else { return false }
            for place in OverridePlace.places(in: body) {
                (alignment, verticalAlignment) = (place.alignment, place.verticalAlignment)
            }
            return true
        }
        if first.isASCIIDigit {
            var scanner = TextScanner(Array(body))
            guard let ticks = scanner.captionTime(), scanner.isAtEnd else { return false }
            stamps.append((text.count, ticks))
            return true
        }
        let isEnd = first == UInt8(ascii: "/")
        let letters = body.dropFirst(isEnd ? 1 : 0).prefix(while: \.isASCIILetter)
        guard !letters.isEmpty || isEnd else { return false }
        let name = ByteString(String(decoding: letters.prefix(9), as: UTF8.self).lowercasedASCII)
        let isKnown = isWebVTT || isEnd || Self.names.contains(name)
        guard isKnown || body.contains(UInt8(ascii: "=")) else { return false }
        take(name, isEnd, body)
        return true
    }

    /// The tags of SubRip files, which no standard lists: those of HTML and of WebVTT that are seen in some. Others
    /// without an attribute are text, as in `<laughs>`.
    private static let names: Set<ByteString> = [
        "a", "b", "big", "br", "c", "center", "div", "em", "font", "i", "lang", "mark", "p", "rt",
        "ruby", "s", "small", "span", "strike", "strong", "sub", "sup", "tt", "u", "v",
    ]

    private mutating func take(_ name: ByteString, _ isEnd: Bool, _ body: ArraySlice<UInt8>) {
        switch name {
        case "br" where !isWebVTT: append(0x0A)
        case "rt": isReading = !isEnd
        case "ruby" where isEnd: isReading = false
        case "v" where !isEnd:
            voice = Array(body.drop { $0 != 0x20 }.withoutOuterSpaces)
        case "b", "u", "font", "c":
            depth = max(0, depth + (isEnd ? -1 : 1))
            if !isEnd, depth == 1 { start = text.count }
            if isEnd, depth == 0, start < text.count, highlights.count < 2 {
                highlights.append(start..<text.count)
            }
        default: break
        }
    }

    /// Takes a mark of a direction that lasts until another one, which pages would cut from each other:
    /// at the start of a line it becomes a mark of one place; elsewhere it is dropped, as is U+FEFF.
    ///
    /// - Returns: The number of its bytes; nil if it is none.
    private mutating func direction(_ source: ArraySlice<UInt8>) -> Int? {
        if source.begins(with: "\u{FEFF}") { return 3 }
        guard source.starts(with: [0xE2, 0x80]),
            let last = source.dropFirst(2).first, (0xAA...0xAE).contains(last)
        else { return nil }
        if text.last ?? 0x0A == 0x0A {
            text += Self.mark(inPlaceOf: 0x1F80 + UInt32(last))
        }
        return 3
    }

    /// Returns the mark of one place for a mark of a direction that lasts, U+202A to U+202E; none for the one that
    /// ends it.
    static func mark(inPlaceOf code: UInt32) -> [UInt8] {
        switch code {
        case 0x202A, 0x202D: [0xE2, 0x80, 0x8E]
        case 0x202B, 0x202E: [0xE2, 0x80, 0x8F]
        default: []
        }
    }
}

/// A place on the screen as `\an` and `\a` of Advanced SubStation Alpha name it.
struct OverridePlace {
    let alignment: CanvasRequest.Alignment
    let verticalAlignment: CanvasRequest.VerticalAlignment

    /// - Parameter key: The key of a numeric pad at the place, 1 to 9.
    private init(key: Int) {
        alignment = [.left, .center, .right][(key - 1) % 3]
        verticalAlignment = [.bottom, .middle, .top][(key - 1) / 3]
    }

    /// Returns the places that a block of overrides names.
    static func places(in body: ArraySlice<UInt8>) -> [OverridePlace] {
        body.split(separator: UInt8(ascii: "\\")).compactMap { tag in
            guard tag.first == UInt8(ascii: "a") else { return nil }
            let isModern = tag.dropFirst().first == UInt8(ascii: "n")
            let digits = tag.dropFirst(isModern ? 2 : 1).withoutOuterSpaces
            guard digits.count <= 2, let number = Int(String(decoding: digits, as: UTF8.self))
            else {
                return nil
            }
            if isModern { return 1...9 ~= number ? OverridePlace(key: number) : nil }
            // SubStation Alpha: 1 to 3 below, 5 to 7 on top, 9 to 11 in the middle.
            guard 1...11 ~= number, number % 4 != 0 else { return nil }
            return OverridePlace(key: number % 4 + [0, 6, 3][number / 4])
        }
    }
}
