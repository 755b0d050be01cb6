import Bytes

/// The names of a kind of JSON in which programs write what was said and when.
struct SpeechShape {
    /// Names that lead from a value to one in it; through arrays by their first elements.
    typealias Path = [ByteString]

    let format: CaptionFormat
    /// What it has, and no other has.
    let needs: Path
    var lacks: [Path] = []
    /// True if it is an array, false if it is an object; nil for either.
    var isArray: Bool?
    /// The names that lead to the texts. Each is a cue, or all that is said (`isStream`).
    let cues: Path
    var isStream = false
    var text: Path? = ["text"]
    /// The array of words of a text; nil where the texts are the words.
    var words: ByteString? = "words"
    /// A word's text, the best first.
    var word: [Path] = [["word"], ["text"]]
    var start: [Path] = [["start"]]
    var end: [Path] = [["end"]]
    /// The names of a text's start, from which the starts of its words count, and of its length; nil where a text
    /// has the names of a word.
    var span: (start: ByteString, length: ByteString)?
    /// True if a word without a start, but with an end, starts at 0.
    var leavesOutZero = false
    /// True if the last text may have all words again, with who says them, but not their text.
    var repeatsAll = false
    /// The byte behind which a word has its reading, as Japanese ones have; nil for none.
    var readingMark: UInt8?
    var isMilliseconds = false
    /// True where white space in a word's text begins a word, and another one continues the word before.
    var hasSpaces = false

    static let all: [SpeechShape] = [
        SpeechShape(
            format: .remotion, needs: ["startMs"], cues: [], isStream: true, text: nil, words: nil,
            word: [["text"]], start: [["startMs"]], end: [["endMs"]], isMilliseconds: true,
            hasSpaces: true),
        SpeechShape(
            format: .whisperCpp, needs: ["transcription", "offsets"], cues: ["transcription"],
            words: "tokens", word: [["text"]], start: [["offsets", "from"]],
            end: [["offsets", "to"]], isMilliseconds: true, hasSpaces: true),
        SpeechShape(
            format: .whisperx, needs: ["word_segments"], lacks: [["word_segments", "text"]],
            cues: ["segments"]),
        SpeechShape(
            format: .editframe, needs: ["word_segments", "text"], cues: [], isStream: true,
            text: nil, words: "word_segments", word: [["text"]], hasSpaces: true),
        SpeechShape(
            format: .whisper, needs: ["segments", "words"], lacks: [["word_segments"]],
            cues: ["segments"], hasSpaces: true),
        SpeechShape(
            format: .whisper, needs: ["segments", "text"],
            lacks: [["word_segments"], ["words"], ["segments", "words"]], cues: ["segments"],
            hasSpaces: true),
        SpeechShape(
            format: .whisper, needs: ["words", "word"], isArray: true, cues: [], hasSpaces: true),
        SpeechShape(
            format: .openai, needs: ["words", "word"], isArray: false, cues: [], isStream: true,
            word: [["word"]]),
        SpeechShape(
            format: .deepgram, needs: ["results", "utterances"], cues: ["results", "utterances"],
            text: nil, word: [["punctuated_word"], ["word"]]),
        SpeechShape(
            format: .deepgram, needs: ["results", "channels"], lacks: [["results", "utterances"]],
            cues: ["results", "channels", "alternatives"], isStream: true, text: nil,
            word: [["punctuated_word"], ["word"]]),
        SpeechShape(
            format: .assemblyai, needs: ["utterances", "words", "text"], cues: ["utterances"],
            word: [["text"]], isMilliseconds: true),
        SpeechShape(
            format: .assemblyai, needs: ["words", "text"],
            lacks: [["utterances", "words"], ["segments"], ["words", "type"]], cues: [],
            isStream: true, word: [["text"]], isMilliseconds: true),
        // The words have the punctuation and the white space of the text, and sounds that are none of them.
        SpeechShape(
            format: .elevenlabs, needs: ["words", "type"], cues: [], isStream: true, text: nil,
            word: [["text"]], hasSpaces: true),
        SpeechShape(
            format: .json3, needs: ["events", "tStartMs"], cues: ["events"], text: nil,
            words: "segs", word: [["utf8"]], start: [["tOffsetMs"]], end: [],
            span: ("tStartMs", "dDurationMs"), isMilliseconds: true, hasSpaces: true),
        SpeechShape(
            format: .amazon, needs: ["results", "items"], cues: ["results"], isStream: true,
            text: ["transcripts", "transcript"], words: "items",
            word: [["alternatives", "content"]], start: [["start_time"]], end: [["end_time"]]),
        google(in: []), google(in: ["response"]),
        gladia(in: []), gladia(in: ["transcription"]), gladia(in: ["result", "transcription"]),
        SpeechShape(
            format: .hyperframes, needs: ["start"], lacks: [["words"]], isArray: true, cues: []),
    ]

    /// Returns the kind of Google's answers, which are in the results of its operations too.
    private static func google(in path: Path) -> SpeechShape {
        SpeechShape(
            format: .google, needs: path + ["results", "alternatives"],
            cues: path + ["results", "alternatives"], isStream: true, text: ["transcript"],
            word: [["word"]], start: [["startTime"], ["startOffset"]],
            end: [["endTime"], ["endOffset"]], leavesOutZero: true, repeatsAll: true,
            readingMark: UInt8(ascii: "|"))
    }

    private static func gladia(in path: Path) -> SpeechShape {
        SpeechShape(
            format: .gladia, needs: path + ["utterances", "words", "word"],
            cues: path + ["utterances"], word: [["word"]])
    }

    /// Returns true if a value has the members of the kind.
    func fits(_ value: RawValue) -> Bool {
        switch value {
        case .array where isArray == false, .object where isArray == true: return false
        default: break
        }
        return value.member(needs) != nil && !lacks.contains { value.member($0) != nil }
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

    /// Returns the value that names lead to; nil for none and for null.
    func member(_ path: SpeechShape.Path) -> RawValue? {
        var value = self
        for name in path {
            if case .array(let elements) = value, let first = elements.first { value = first }
            guard let member = value[name] else { return nil }
            if case .null = member { return nil }
            value = member
        }
        return value
    }

    /// The number that it is, or that its text spells; nil for none.
    var number: Double? {
        if case .number(let number) = self { return number }
        return characters.flatMap(JSONNumber.value)
    }
}
