import CPango
package import Raster

/// The words of a text, and where its lines may end in scripts that put no spaces between words.
struct TextBoundaries {
    /// The part that a position between two characters has in breaking lines.
    enum LineEnd: UInt8 {
        /// UAX 14 decides.
        case standard
        /// UAX 14 lets a line end there, within a word of Chinese or Japanese.
        case withinWord
        /// A line may end there, whatever UAX 14 says.
        case betweenWords
        /// A line ends there if the word is too long for one.
        case betweenClusters
        /// No line ends there.
        case withinCluster
    }

    /// True at each UTF-8 offset at which a word begins without white space before it; empty if none
    /// does.
    private(set) var wordStarts: [Bool] = []
    /// One before each character; empty if all are `standard`.
    private(set) var lineEnds: [LineEnd] = []
    /// True if words are not known because ICU is missing.
    private(set) var lacksDictionary = false
    /// True if lines may end at other places than at line breaks.
    let isWrapped: Bool

    /// Finds the boundaries of a text; the ends of lines matter if it `isWrapped`.
    ///
    /// - Throws: The errors of `UnicodeWords.starts`; a missing ICU is an error only for
    ///   `WordBoundaries.unicode`.
    init(
        of text: String, _ words: WordBoundaries, isWrapped: Bool
    ) throws(LibraryFault) {
        self.isWrapped = isWrapped
        guard UnspacedScript.occurs(in: text) else {
            if words == .unicode { wordStarts = try UnicodeWords.starts(in: text) }
            return
        }
        let characters = UnspacedText(text)
        let needsWords = words == .auto || isWrapped
        var starts: [Bool] = []
        if words == .unicode || characters.hasWords && needsWords {
            lacksDictionary = words != .unicode && UnicodeWords.version == nil
            if !lacksDictionary { starts = try UnicodeWords.starts(in: text) }
        }
        if isWrapped { lineEnds = characters.lineEnds(starts) }
        switch words {
        case .spaces: break
        case .unicode: wordStarts = starts
        case .auto: wordStarts = characters.startsBesideUnspaced(starts)
        }
    }
}

extension WordBoundaries {
    /// Returns true at each UTF-8 offset of a text at which a word begins without white space before it;
    /// empty if none does, or if ICU is missing and not asked for.
    ///
    /// - Throws: The errors of `UnicodeWords.starts`.
    package func starts(in text: String) throws(LibraryFault) -> [Bool] {
        try TextBoundaries(of: text, self, isWrapped: false).wordStarts
    }

    /// Returns true if ICU tells words of a text, or where its lines may end.
    package func needDictionary(for text: String) -> Bool {
        self == .unicode || UnspacedScript.occurs(in: text) && UnspacedText(text).hasWords
    }
}

/// How a script without spaces between words is divided.
private enum UnspacedScript {
    /// Han and kana: ICU's dictionary has the words, lines break by UAX 14.
    case ideographs
    /// Thai, Lao, Khmer, Burmese: ICU's dictionaries have the words, between which lines break.
    case dictionary
    /// Other scripts of South-East Asia, for which there is no dictionary: lines break between
    /// clusters.
    case clusters

    /// The first character of any.
    private static let first: UInt32 = 0x0E00

    /// Returns true if a text has a letter of such a script.
    static func occurs(in text: String) -> Bool {
        // Few texts have a character of three bytes.
        var text = text
        guard text.withUTF8({ $0.reduce(0, max) }) >= 0xE0 else { return false }
        return text.unicodeScalars.contains { Self($0) != nil }
    }

    /// The script of a letter or a mark: digits and punctuation have rules of their own in UAX 14.
    init?(_ scalar: Unicode.Scalar) {
        guard scalar.value >= Self.first else { return nil }
        switch g_unichar_get_script(scalar.value) {
        case G_UNICODE_SCRIPT_HAN, G_UNICODE_SCRIPT_HIRAGANA, G_UNICODE_SCRIPT_KATAKANA:
            self = .ideographs
        case G_UNICODE_SCRIPT_THAI, G_UNICODE_SCRIPT_LAO, G_UNICODE_SCRIPT_KHMER:
            self = .dictionary
        case G_UNICODE_SCRIPT_MYANMAR:
            self = scalar.isBurmese ? .dictionary : .clusters
        // Complex context (SA) or aksaras (AK, AS) in UAX 14.
        case G_UNICODE_SCRIPT_AHOM, G_UNICODE_SCRIPT_BALINESE, G_UNICODE_SCRIPT_BATAK,
            G_UNICODE_SCRIPT_BRAHMI, G_UNICODE_SCRIPT_CHAM, G_UNICODE_SCRIPT_DIVES_AKURU,
            G_UNICODE_SCRIPT_GRANTHA, G_UNICODE_SCRIPT_JAVANESE, G_UNICODE_SCRIPT_KAWI,
            G_UNICODE_SCRIPT_MAKASAR, G_UNICODE_SCRIPT_NEW_TAI_LUE, G_UNICODE_SCRIPT_TAI_LE,
            G_UNICODE_SCRIPT_TAI_THAM, G_UNICODE_SCRIPT_TAI_VIET:
            self = .clusters
        default: return nil
        }
        guard scalar.isLetter || scalar.isMark else { return nil }
    }
}

/// The characters of a text with their scripts, where these put no spaces between words.
private struct UnspacedText {
    private let scalars: [Unicode.Scalar]
    /// One for each character; nil for characters of other scripts.
    private var scripts: [UnspacedScript?]

    init(_ text: String) {
        scalars = Array(text.unicodeScalars)
        scripts = scalars.map(UnspacedScript.init)
        for paragraph in scalars.split(separator: "\n").map(\.indices) {
            // Burmese has none of the letters of Shan, Mon and others, which share its own.
            let isBurmese = !paragraph.contains {
                scripts[$0] == .clusters && scalars[$0].isMyanmar
            }
            guard !isBurmese else { continue }
            for index in paragraph where scalars[index].isMyanmar && scripts[index] != nil {
                scripts[index] = .clusters
            }
        }
    }

    /// True if a dictionary has words of it.
    var hasWords: Bool { scripts.contains { $0 == .ideographs || $0 == .dictionary } }

    /// Returns the line end at each position; `starts` is true where words begin, by UTF-8 offsets,
    /// or empty if that is not known.
    func lineEnds(_ starts: [Bool]) -> [TextBoundaries.LineEnd] {
        var ends = [TextBoundaries.LineEnd](repeating: .standard, count: scalars.count)
        var offset = 0
        for index in scalars.indices {
            let isStart = !starts.isEmpty && starts[offset]
            offset += UTF8.width(scalars[index])
            guard index > 0 else { continue }
            switch (scripts[index - 1], scripts[index]) {
            case (.ideographs, _), (_, .ideographs):
                let isWithinWord =
                    !starts.isEmpty && !isStart
                    && !scalars[index - 1].properties.isWhitespace
                ends[index] = isWithinWord ? .withinWord : .standard
            case (nil, _), (_, nil): break
            case (.some, let script):
                let mayBegin = isStart || script == .clusters || starts.isEmpty
                ends[index] =
                    !isCluster(at: index)
                    ? .withinCluster : mayBegin ? .betweenWords : .betweenClusters
            }
        }
        return ends
    }

    /// Returns true if a line may begin with a character that has another of such a script before it.
    private func isCluster(at index: Int) -> Bool {
        let (before, first) = (scalars[index - 1], scalars[index])
        guard !first.isMark, !first.staysBehind, !before.staysBefore else { return false }
        // A letter without its vowel closes the syllable before it.
        return !scalars[(index + 1)...].prefix(while: \.isMark).contains(where: \.isKiller)
    }

    /// Returns the starts of words, by UTF-8 offsets, that have a letter of a dictionary's script as the
    /// nearest letter before them or behind.
    func startsBesideUnspaced(_ starts: [Bool]) -> [Bool] {
        guard !starts.isEmpty else { return [] }
        var own = [Bool](repeating: false, count: starts.count)
        var hasWords = false
        var offset = 0
        for index in scalars.indices {
            own[offset] = starts[offset] && hasWords
            if scalars[index].isLetter { hasWords = isOfDictionary(index) }
            offset += UTF8.width(scalars[index])
        }
        hasWords = false
        for index in scalars.indices.reversed() {
            offset -= UTF8.width(scalars[index])
            if scalars[index].isLetter { hasWords = isOfDictionary(index) }
            if starts[offset], hasWords { own[offset] = true }
        }
        return own
    }

    private func isOfDictionary(_ index: Int) -> Bool {
        scripts[index] == .ideographs || scripts[index] == .dictionary
    }
}

extension Unicode.Scalar {
    fileprivate var isMyanmar: Bool {
        g_unichar_get_script(value) == G_UNICODE_SCRIPT_MYANMAR
    }

    /// True for the characters of the Myanmar script that Burmese has, with the characters for
    /// Sanskrit.
    fileprivate var isBurmese: Bool {
        switch value {
        case 0x1022, 0x1028, 0x1033...0x1035: false
        default: value < 0x105A
        }
    }

    /// True for letters that no line begins with: vowels and tones behind their consonant, finals,
    /// signs of repetition and abbreviation.
    fileprivate var staysBehind: Bool {
        switch value {
        case 0x0E2F, 0x0E30, 0x0E32, 0x0E33, 0x0E45: true  // Thai
        case 0x0EAF, 0x0EB0, 0x0EB2, 0x0EB3, 0x0EBD: true  // Lao
        case 0x1963...0x1974: true  // Tai Le
        case 0x19B0...0x19C9: !staysBefore  // New Tai Lue
        case 0xAA40...0xAA4B: true  // Cham
        case 0xAAB1, 0xAABA, 0xAABD: true  // Tai Viet
        default: properties.generalCategory == .modifierLetter
        }
    }

    /// True for characters that no line ends with: vowels written before their consonant, and signs
    /// that join the next consonant to the one before.
    fileprivate var staysBefore: Bool {
        switch value {
        case 0x0E40...0x0E44, 0x0EC0...0x0EC4: true  // Thai, Lao
        case 0x19B5...0x19B7, 0x19BA: true  // New Tai Lue
        case 0xAAB5, 0xAAB6, 0xAAB9, 0xAABB, 0xAABC: true  // Tai Viet
        // Viramas and stackers.
        case 0x1039, 0x17D2, 0x1A60, 0x1B44, 0xA9C0: true
        case 0x11046, 0x1134D, 0x1193E, 0x11F42: true
        default: false
        }
    }

    /// True for marks that take the vowel from their consonant, or the sound.
    fileprivate var isKiller: Bool {
        switch value {
        case 0x0E4C, 0x0ECC: true  // Thai, Lao
        case 0x103A, 0x17CD, 0x17D1: true  // Myanmar, Khmer
        case 0x1A7A, 0x1BF2, 0x1BF3, 0x1172B: true  // Tai Tham, Batak, Ahom
        default: false
        }
    }
}
