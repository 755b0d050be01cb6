import Bytes
import Motion
import Raster
import Typesetting

/// A word of captions with all that stands beside it: punctuation, which no page begins or ends
/// with in the wrong way, belongs to it.
struct PageWord: Equatable {
    /// What the file has between a word and the one before.
    enum Gap {
        case none, space, line, cue
    }

    /// The index of its cue.
    var cue: Int
    /// Without white space around it.
    var text: String
    var at: Instant
    var until: Instant
    var gap: Gap
    /// True if a page may begin with it.
    var mayBegin: Bool
    /// True if it is only punctuation that opens the word behind.
    var opens: Bool
    var graphemes: Int

    // MARK: Words of a cue

    /// Returns the words of a cue, whose last one ends with it.
    ///
    /// Words without times share those of the cue, each by its graphemes. Words are what white space
    /// divides, and in scripts without it what ICU's dictionaries divide.
    ///
    /// - Parameters:
    ///   - cue: The cue.
    ///   - index: Its index.
    ///   - end: Its end.
    /// - Returns: The words in their order.
    /// - Throws: A fault of ICU.
    static func words(
        of cue: CaptionCue, _ index: Int, until end: Instant
    ) throws(LibraryFault) -> [PageWord] {
        let bytes = Array(cue.text.utf8)
        let unspaced = try WordBoundaries.auto.starts(in: cue.text)
        let opening = opening(in: cue.text)
        let starts = starts(of: cue, unspaced, opening)
        var words: [PageWord] = []
        for (number, start) in starts.enumerated() {
            let next = number + 1 < starts.count ? starts[number + 1] : bytes.count
            let text = String(decoding: bytes[start..<next], as: UTF8.self).withoutOuterSpace
            guard !text.isEmpty else { continue }
            let own = number < cue.words.count ? cue.words[number] : nil
            let letter = opening[start...].firstIndex(of: false) ?? bytes.count - 1
            words.append(
                PageWord(
                    cue: index, text: text, at: own?.at ?? cue.at,
                    until: own?.until ?? end,
                    gap: words.isEmpty ? .cue : gap(before: start, in: bytes),
                    mayBegin: !unspaced.isEmpty && unspaced[start...letter].contains(true),
                    opens: opening[start..<start + text.utf8.count].allSatisfy(\.self),
                    graphemes: text.count))
        }
        if cue.words.isEmpty { share(cue.at, end, among: &words) }
        words = joined(words)
        for number in words.indices {
            let word = words[number]
            words[number].mayBegin =
                (word.gap != .none || word.mayBegin) && !word.beginsWithClosing
                && (number == 0 || !words[number - 1].endsWithOpening)
        }
        return words
    }

    /// Returns the UTF-8 offsets at which words begin, with the punctuation that opens them.
    private static func starts(
        of cue: CaptionCue, _ unspaced: [Bool], _ opening: [Bool]
    ) -> [Int] {
        var starts = cue.words.isEmpty ? starts(in: cue.text, unspaced) : []
        for (number, word) in cue.words.enumerated() {
            starts.append(number == 0 ? 0 : word.range.lowerBound)
        }
        for number in starts.indices.dropFirst() {
            let least =
                cue.words.isEmpty ? starts[number - 1] + 1 : cue.words[number - 1].range.upperBound
            while starts[number] > least, opening[starts[number] - 1] { starts[number] -= 1 }
        }
        return starts
    }

    /// Returns the UTF-8 offsets at which words without times begin.
    private static func starts(in text: String, _ unspaced: [Bool]) -> [Int] {
        var starts: [Int] = []
        var isApart = true
        var offset = 0
        for scalar in text.unicodeScalars {
            let isSpace = scalar.properties.isWhitespace
            if !isSpace, isApart || !unspaced.isEmpty && unspaced[offset] { starts.append(offset) }
            isApart = isSpace
            offset += UTF8.width(scalar)
        }
        return starts
    }

    /// Returns true for each byte of punctuation that belongs to the word behind it.
    private static func opening(in text: String) -> [Bool] {
        let quotes = StraightQuotes.opening(in: text)
        var opening: [Bool] = []
        for scalar in text.unicodeScalars {
            let opens = scalar.opens || quotes.contains(opening.count)
            opening += repeatElement(opens, count: UTF8.width(scalar))
        }
        return opening
    }

    private static func gap(before start: Int, in bytes: [UInt8]) -> Gap {
        var gap = Gap.none
        let before = String(decoding: bytes[..<start].suffix(16), as: UTF8.self)
        for scalar in before.unicodeScalars.reversed() {
            guard scalar.properties.isWhitespace else { break }
            if scalar == "\n" { return .line }
            gap = .space
        }
        return gap
    }

    /// Divides a time among words by their graphemes.
    private static func share(_ at: Instant, _ end: Instant, among words: inout [PageWord]) {
        let all = words.reduce(0) { $0 + $1.graphemes }
        let ticks = Double(max(end.ticks - at.ticks, 0))
        var sum = 0
        for index in words.indices {
            func instant() -> Instant {
                let share = ticks * Double(sum) / Double(max(all, 1))
                return Instant(ticks: at.ticks + Int(share.rounded()))
            }
            words[index].at = instant()
            sum += words[index].graphemes
            words[index].until = instant()
        }
    }

    /// Joins words that are only punctuation to the word before, or to the one behind if they open it.
    private static func joined(_ words: [PageWord]) -> [PageWord] {
        var joined: [PageWord] = []
        var pending: PageWord?
        for word in words {
            var word = word
            if let opening = pending { word = opening.with(word) }
            pending = nil
            if word.text.unicodeScalars.contains(where: \.isPartOfWord) {
                joined.append(word)
            } else if let last = joined.last, !word.beginsLine, !word.opens {
                joined[joined.count - 1] = last.with(word)
            } else {
                pending = word
            }
        }
        guard let rest = pending else { return joined }
        if let last = joined.last {
            joined[joined.count - 1] = last.with(rest)
        } else {
            joined = [rest]
        }
        return joined
    }

    /// Returns the word with one behind it as one.
    private func with(_ next: PageWord) -> PageWord {
        var word = self
        word.text += next.gap == .none ? next.text : " " + next.text
        word.until = max(until, next.until)
        word.graphemes = word.text.count
        return word
    }
}

// MARK: Properties

extension PageWord {
    /// True if its first character closes something, or ends a clause.
    private var beginsWithClosing: Bool {
        let scalars = text.unicodeScalars
        guard let first = scalars.first, first.closes else { return false }
        // Some languages open a quotation with the mark that closes it in others, and a sentence may
        // go on behind three points.
        let rest = scalars.drop { $0 == first }
        let mayOpen =
            first.properties.generalCategory == .finalPunctuation || first == "." || first == "…"
        return !(mayOpen && rest.first?.isPartOfWord == true)
    }

    private var endsWithOpening: Bool { text.unicodeScalars.last?.opens ?? false }

    /// The last character before quotes and brackets that close.
    private var lastMark: Unicode.Scalar? {
        text.unicodeScalars.reversed().first { scalar in
            switch scalar.properties.generalCategory {
            case .closePunctuation, .finalPunctuation: false
            default: scalar != "\"" && scalar != "'"
            }
        }
    }

    /// Returns true if a sentence ends with it, before another word; nil for the last word.
    func endsSentence(before next: PageWord?) -> Bool {
        guard let mark = lastMark, mark.endsSentences else { return false }
        if let letter = next?.text.unicodeScalars.first(where: \.isPartOfWord),
            letter.properties.isLowercase
        {
            return false
        }
        return mark != "." || !isAbbreviation
    }

    /// True for a letter with a point, letters with points, or a title before a name.
    private var isAbbreviation: Bool {
        let letters = Array(text.unicodeScalars).filter { $0.isPartOfWord || $0 == "." }
        let name = letters.filter(\.isPartOfWord)
        if letters.dropLast().contains(".") { return letters.suffix(2) != [".", "."] }
        if name.count == 1 { return name[0].properties.isAlphabetic && !name[0].isIdeographic }
        let word = String(String.UnicodeScalarView(name)).lowercasedASCII
        return Self.titles.contains(ByteString(word))
    }

    private static let titles: Set<ByteString> = [
        "mr", "mrs", "ms", "dr", "prof", "st", "jr", "sr", "vs", "mt", "nr", "bzw", "sra",
    ]

    /// True if a clause ends with it.
    var endsClause: Bool {
        guard let mark = lastMark else { return false }
        return mark.endsSentences || mark.endsClauses
    }

    /// True for a word so short that it looks lost on a page of its own.
    var isShort: Bool { text.unicodeScalars.filter(\.isPartOfWord).count <= 5 }

    /// True if there is no space between it and a next word that a file divides by a line or a cue.
    func joins(_ next: PageWord) -> Bool {
        text.unicodeScalars.last?.isIdeographic == true
            || next.text.unicodeScalars.first?.isIdeographic == true
    }

    /// True for a line of a dialogue, which begins with a dash or with two angles.
    var beginsLine: Bool {
        guard let first = text.unicodeScalars.first else { return false }
        let isDash = first == "-" || first == "–" || first == "—"
        return gap == .line && (isDash || text.begins(with: ">>"))
    }
}

extension String {
    /// The text without white space at its start and end.
    fileprivate var withoutOuterSpace: String {
        let scalars = unicodeScalars.drop(while: \.properties.isWhitespace)
        let count = scalars.reversed().prefix(while: \.properties.isWhitespace).count
        return String(scalars.dropLast(count))
    }
}

extension Unicode.Scalar {
    /// True for letters, digits, marks, and signs, among them emoji.
    fileprivate var isPartOfWord: Bool {
        switch properties.generalCategory {
        case .spaceSeparator, .lineSeparator, .paragraphSeparator, .control, .format,
            .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation,
            .initialPunctuation, .finalPunctuation, .otherPunctuation:
            false
        default: true
        }
    }

    /// True for punctuation that belongs to the word behind it.
    fileprivate var opens: Bool {
        switch properties.generalCategory {
        case .openPunctuation, .initialPunctuation: true
        default: self == "¿" || self == "¡"
        }
    }

    /// True for punctuation that no line begins with.
    fileprivate var closes: Bool {
        switch properties.generalCategory {
        case .closePunctuation, .finalPunctuation: return true
        case .otherPunctuation:
            switch self {
            case "¿", "¡", "\"", "'", "@", "#", "&", "*", "/", "\\", "§", "•", "†": return false
            default: return true
            }
        default: return self == "ー" || self == "々"
        }
    }

    fileprivate var endsSentences: Bool {
        switch self {
        case ".", "!", "?", "…", "。", "！", "？", "．", "｡", "؟", "۔", "।", "॥", "။", "។", "៕",
            "։", "‼", "⁇", "⁈", "⁉":
            true
        default: false
        }
    }

    fileprivate var endsClauses: Bool {
        switch self {
        case ",", ";", ":", "–", "—", "、", "，", "；", "：", "､", "،", "؛", "၊", "·": true
        default: false
        }
    }

    /// True for Han, kana, and their punctuation, which have no spaces between them.
    fileprivate var isIdeographic: Bool {
        switch value {
        case 0x2E80...0x312F, 0x31A0...0x31BF, 0x31F0...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF,
            0xFE30...0xFE4F, 0xFF01...0xFF9F, 0x20000...0x3FFFF:
            true
        default: false
        }
    }
}
