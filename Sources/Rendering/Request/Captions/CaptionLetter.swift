import Bytes

/// A letter, a mark, a digit, or a picture of a text, by which its words are found.
struct CaptionLetter {
    /// In lower case.
    let scalar: Unicode.Scalar
    /// Offsets in the text's UTF-8.
    let range: Range<Int>
    /// True if none is directly before it, or words have no spaces between them.
    let isFirst: Bool

    /// True if its script has no spaces between words.
    var isUnspaced: Bool { Self.isUnspaced(scalar) }

    static func letters(of text: [UInt8]) -> [CaptionLetter] {
        var letters: [CaptionLetter] = []
        var offset = 0
        var isBehind = false
        for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
            let end = offset + scalar.utf8.count
            let counts = isLetter(scalar)
            if counts {
                let first = scalar.properties.lowercaseMapping.unicodeScalars.first
                letters.append(
                    CaptionLetter(
                        scalar: first ?? scalar, range: offset..<end,
                        isFirst: !isBehind || isUnspaced(scalar)))
            }
            (isBehind, offset) = (counts, end)
        }
        return letters
    }

    /// Returns the last letter of a text, if it is near its end.
    static func last(of text: [UInt8]) -> CaptionLetter? {
        letters(of: Array(text.suffix(16))).last
    }

    static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return UInt8(scalar.value).isASCIILetterOrDigit }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .letterNumber,
            .otherNumber, .otherSymbol:
            return true
        default: return false
        }
    }

    /// Thai, Lao, Myanmar, Khmer, kana, and Han.
    static func isUnspaced(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x2E80...0x31FF, 0x3400...0x9FFF,
            0xF900...0xFAFF, 0xFF66...0xFF9F, 0x20000...0x3FFFF:
            return true
        default: return false
        }
    }

    /// Returns true if a text ends with a bracket or a quotation mark that opens.
    static func isOpening(_ text: some BidirectionalCollection<UInt8>) -> Bool {
        let end = String(decoding: text.suffix(4), as: UTF8.self).unicodeScalars.last
        return end.map(isOpening) ?? false
    }

    private static func isOpening(_ scalar: Unicode.Scalar) -> Bool {
        if scalar == "¿" || scalar == "¡" { return true }
        switch scalar.properties.generalCategory {
        case .openPunctuation, .initialPunctuation, .currencySymbol: return true
        default: return false
        }
    }

    // MARK: Punctuation

    /// Returns the ranges of words, which are in order and apart, with the punctuation around them: it belongs to
    /// the word before; signs that open, and all before the first word, to the word behind.
    static func attached(_ ranges: [Range<Int>], in text: [UInt8]) -> [Range<Int>] {
        var ranges = ranges
        let quotes = StraightQuotes.opening(in: String(decoding: text, as: UTF8.self))
        var end = 0
        for index in 0...ranges.count where !ranges.isEmpty {
            let start = index < ranges.count ? ranges[index].lowerBound : text.count
            // The gap's end that belongs to the word behind.
            var cut = index == 0 ? end : start
            if index > 0, index < ranges.count {
                var offset = end
                var opening: Int?
                for scalar in String(decoding: text[end..<max(end, start)], as: UTF8.self)
                    .unicodeScalars
                {
                    if isOpening(scalar) || quotes.contains(offset) {
                        opening = opening ?? offset
                    } else {
                        opening = nil
                    }
                    offset += scalar.utf8.count
                }
                // A sign of two meanings, such as #, opens behind a space.
                if opening == nil,
                    text[max(end, start - 1)..<start].allSatisfy({ !$0.isCaptionSpace }),
                    let space = text[end..<max(end, start)].lastIndex(where: \.isCaptionSpace)
                {
                    opening = space + 1
                }
                cut = opening ?? start
            }
            if index > 0 {
                let last = text[end..<max(end, cut)].lastIndex { !$0.isCaptionSpace }
                if let last { ranges[index - 1] = ranges[index - 1].lowerBound..<last + 1 }
            }
            if index < ranges.count {
                let first = text[cut..<max(cut, start)].firstIndex { !$0.isCaptionSpace } ?? start
                end = max(ranges[index].upperBound, end)
                ranges[index] = first..<ranges[index].upperBound
            }
        }
        return ranges
    }
}
