import Bytes

/// The names of a kind of JSON in which programs write what was said and when.
struct SpeechShape {
    let format: CaptionFormat
    /// The names that lead to what it has, and no other has; through arrays by their first elements.
    let needs: [ByteString]
    var lacks: [[ByteString]] = []
    /// The names that lead to the texts. Each is a cue, or all that is said (`isStream`).
    let cues: [ByteString]
    var isStream = false
    var text: ByteString? = "text"
    /// The array of words of a text; nil where the texts are the words.
    var words: ByteString? = "words"
    /// The names of a word's text, the best first.
    var word: [ByteString] = ["word", "text"]
    var start: [ByteString] = ["start"]
    var end: [ByteString] = ["end"]
    var isMilliseconds = false
    /// True where white space in a word's text begins a word, and another one continues the word before.
    var hasSpaces = false

    static let all: [SpeechShape] = [
        SpeechShape(
            format: .remotion, needs: ["startMs"], cues: [], isStream: true, text: nil, words: nil,
            word: ["text"], start: ["startMs"], end: ["endMs"], isMilliseconds: true,
            hasSpaces: true),
        SpeechShape(
            format: .whisperCpp, needs: ["transcription", "offsets"], cues: ["transcription"],
            words: "tokens", word: ["text"], start: ["offsets", "from"], end: ["offsets", "to"],
            isMilliseconds: true, hasSpaces: true),
        SpeechShape(
            format: .whisperx, needs: ["word_segments"], cues: ["segments"]),
        SpeechShape(
            format: .whisper, needs: ["segments", "words"], lacks: [["word_segments"]],
            cues: ["segments"], hasSpaces: true),
        SpeechShape(
            format: .whisper, needs: ["segments", "text"],
            lacks: [["word_segments"], ["words"], ["segments", "words"]], cues: ["segments"],
            hasSpaces: true),
        SpeechShape(
            format: .openai, needs: ["words", "word"], cues: [], isStream: true, word: ["word"]),
        SpeechShape(
            format: .deepgram, needs: ["results", "utterances"], cues: ["results", "utterances"],
            text: nil, word: ["punctuated_word", "word"]),
        SpeechShape(
            format: .deepgram, needs: ["results", "channels"], lacks: [["results", "utterances"]],
            cues: ["results", "channels", "alternatives"], isStream: true, text: nil,
            word: ["punctuated_word", "word"]),
        SpeechShape(
            format: .assemblyai, needs: ["utterances", "words", "text"], cues: ["utterances"],
            word: ["text"], isMilliseconds: true),
        SpeechShape(
            format: .assemblyai, needs: ["words", "text"],
            lacks: [["utterances", "words"], ["segments"]], cues: [], isStream: true,
            word: ["text"],
            isMilliseconds: true),
    ]

    /// Returns true if a value has the members of the kind.
    func fits(_ value: RawValue) -> Bool {
        Self.has(value, needs) && !lacks.contains { Self.has(value, $0) }
    }

    private static func has(_ value: RawValue, _ names: [ByteString]) -> Bool {
        var value = value
        for name in names {
            if case .array(let elements) = value, let first = elements.first { value = first }
            guard case .object(let members) = value, let member = members[name] else {
                return false
            }
            if case .null = member { return false }
            value = member
        }
        return true
    }

    /// Returns the texts of a value.
    func texts(of value: RawValue) -> [RawValue] {
        var values = [value]
        for name in cues {
            values = values.flatMap(\.elements).compactMap { $0[name] }
        }
        // Of alternatives, the first is the best.
        if isStream { return cues.isEmpty ? values : values.compactMap(\.elements.first) }
        return values.flatMap(\.elements)
    }

    func words(of value: RawValue) -> [RawValue] {
        guard let words else { return value.elements }
        return value[words]?.elements ?? []
    }
}

extension RawValue {
    /// The elements of an array; else the value itself.
    fileprivate var elements: [RawValue] {
        if case .array(let elements) = self { return elements }
        return [self]
    }

    subscript(name: ByteString) -> RawValue? {
        guard case .object(let members) = self else { return nil }
        return members[name]
    }

    /// Returns the number that names lead to; nil for none.
    func number(_ names: [ByteString]) -> Double? {
        var value = self
        for name in names {
            guard let member = value[name] else { return nil }
            value = member
        }
        if case .number(let number) = value { return number }
        return nil
    }
}
