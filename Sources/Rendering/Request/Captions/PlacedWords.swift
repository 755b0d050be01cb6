import Bytes

/// The words of a program found in the text that it has of them, or a text made of them.
///
/// Words are compared by their letters and digits alone: those of OpenAI have no punctuation, and
/// "open-minded" may be one word or two. What is said again is found again behind itself.
struct PlacedWords {
    struct Word {
        var word: FileWord
        /// The index of its token; nil where the text has it alone.
        var token: Int?
        var voice: [UInt8] = []
        var endsPage = false
    }

    private(set) var text: [UInt8]
    /// In the order of the text, with the punctuation that belongs to them; empty if there are no tokens.
    private(set) var words: [Word] = []

    /// The letters that a word may be behind the one before; more are another text.
    private static let reach = 64

    init(_ text: [UInt8], _ tokens: [SpeechToken], _ hasSpaces: Bool) {
        self.text = text
        guard !tokens.isEmpty else { return }
        let letters = CaptionLetter.letters(of: text)
        if !text.isEmpty { place(tokens, letters, hasSpaces) }
        // Words that are mostly elsewhere are the better text.
        let found = words.count { $0.token != nil }
        let count = tokens.count { !CaptionLetter.letters(of: $0.text).isEmpty }
        if text.isEmpty || found * 2 < count && !hasSpaces {
            self.text = Self.text(of: tokens, hasSpaces)
            words = []
            place(tokens, CaptionLetter.letters(of: self.text), hasSpaces)
        }
        let ranges = CaptionLetter.attached(words.map(\.word.range), in: self.text)
        for index in words.indices { words[index].word.range = ranges[index] }
    }

    /// Returns true if a sentence ends with a word, before another word.
    func endsSentence(at index: Int) -> Bool {
        let range = words[index].word.range
        let isBeforeSpace = range.upperBound < text.count && text[range.upperBound].isCaptionSpace
        let ends = String(decoding: text[range].suffix(16), as: UTF8.self).unicodeScalars.reversed()
        for scalar in ends {
            switch scalar.properties.generalCategory {
            case .finalPunctuation, .closePunctuation: continue
            default: break
            }
            if scalar == "\"" || scalar == "'" { continue }
            return scalar == "。" || scalar == "！" || scalar == "？"
                || isBeforeSpace && ".!?…؟۔।॥".unicodeScalars.contains(scalar)
        }
        return false
    }

    // MARK: Places

    private mutating func place(
        _ tokens: [SpeechToken], _ letters: [CaptionLetter], _ hasSpaces: Bool
    ) {
        var cursor = 0
        for (index, token) in tokens.enumerated() {
            let own = CaptionLetter.letters(of: token.text)
            // A part of a character has U+FFFD; the text has the character.
            guard !own.isEmpty, !own.contains(where: { $0.scalar == "\u{FFFD}" }),
                let first = Self.find(own, in: letters, from: cursor, isPart: hasSpaces)
            else {
                if let last = words.indices.last {
                    if token.endsPage { words[last].endsPage = true }
                    // The rest of a character that a token before it has begun.
                    if token.text.isEmpty, let until = token.until {
                        words[last].word.until = until
                    }
                }
                continue
            }
            fill(letters[cursor..<first])
            cursor = first + own.count
            let range = letters[first].range.lowerBound..<letters[cursor - 1].range.upperBound
            if hasSpaces, token.text.first != 0x20, let last = words.last, last.token != nil,
                joins(last.word.range.upperBound, range.lowerBound)
            {
                words[words.count - 1].word.range = last.word.range.lowerBound..<range.upperBound
                words[words.count - 1].word.until = token.until ?? last.word.until
                words[words.count - 1].endsPage = token.endsPage
                continue
            }
            words.append(
                Word(
                    word: FileWord(range: range, at: token.at, until: token.until), token: index,
                    voice: token.voice, endsPage: token.endsPage))
        }
        if !words.isEmpty { fill(letters[cursor...]) }
    }

    /// Returns the index of the first letter of a word; nil if it is not within reach.
    private static func find(
        _ own: [CaptionLetter], in letters: [CaptionLetter], from cursor: Int, isPart: Bool
    ) -> Int? {
        for first in cursor..<max(cursor, min(cursor + reach, letters.count - own.count + 1)) {
            let end = first + own.count
            // Further on, a part of another word is no word.
            let isWord =
                first == cursor
                || letters[first].isFirst
                    && (isPart || end == letters.count || letters[end].isFirst)
            if isWord, zip(letters[first..<end], own).allSatisfy({ $0.scalar == $1.scalar }) {
                return first
            }
        }
        return nil
    }

    /// Adds words without times where the text has letters that no token has.
    private mutating func fill(_ letters: ArraySlice<CaptionLetter>) {
        var previous: CaptionLetter?
        for letter in letters {
            let isSame =
                previous.map { previous in
                    !text[previous.range.upperBound..<letter.range.lowerBound].contains(
                        where: \.isCaptionSpace)
                } ?? false
            if isSame {
                let start = words[words.count - 1].word.range.lowerBound
                words[words.count - 1].word.range = start..<letter.range.upperBound
            } else {
                words.append(
                    Word(
                        word: FileWord(range: letter.range, at: nil, until: nil), token: nil,
                        voice: words.last?.voice ?? []))
            }
            previous = letter
        }
    }

    /// Returns true if a part of a word continues the one before: nothing but punctuation is between them,
    /// and their scripts have spaces.
    private func joins(_ end: Int, _ start: Int) -> Bool {
        guard end <= start, !text[end..<start].contains(where: \.isCaptionSpace),
            let before = CaptionLetter.letters(of: Array(text[max(0, end - 4)..<end])).last,
            let behind = CaptionLetter.letters(of: Array(text[start..<min(text.count, start + 4)]))
                .first
        else { return false }
        return !before.isUnspaced && !behind.isUnspaced
    }

    // MARK: Text

    /// Returns the text of words: as their white space has it, or else with a space between those of scripts
    /// that have spaces.
    private static func text(of tokens: [SpeechToken], _ hasSpaces: Bool) -> [UInt8] {
        let hasOwn =
            hasSpaces
            && tokens.enumerated().contains { index, token in
                index > 0 && token.text.first?.isCaptionSpace == true
                    || index + 1 < tokens.count && token.text.last?.isCaptionSpace == true
            }
        var text: [UInt8] = []
        for token in tokens {
            if hasOwn {
                // What was between two spaces may be no word.
                let isSpaced = text.last?.isCaptionSpace ?? true
                text += token.text.drop { isSpaced && $0.isCaptionSpace }
                continue
            }
            let bytes = SpeechToken.bytes(.string(String(decoding: token.text, as: UTF8.self)))
            let before = CaptionLetter.last(of: text)
            let behind = CaptionLetter.letters(of: bytes).first
            let isUnspaced = before?.isUnspaced == true && behind?.isUnspaced == true
            let isClosing = behind == nil && !CaptionLetter.isOpening(bytes)
            if !text.isEmpty, !isUnspaced, !isClosing, !CaptionLetter.isOpening(text) {
                text.append(0x20)
            }
            text += bytes
        }
        return SpeechToken.bytes(.string(String(decoding: text, as: UTF8.self)))
    }
}
