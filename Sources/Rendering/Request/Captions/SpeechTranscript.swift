import Bytes

/// Reads what was said and when from the JSON of programs that recognise speech.
struct SpeechTranscript {
    private let shape: SpeechShape
    /// The ticks of an instant in a unit of its times.
    private let ticks: Double
    private var cues: [FileCue] = []

    /// - Throws: `RenderingError.invalid` for a value of none of the kinds, or of several.
    static func cues(
        in value: RawValue, as format: CaptionFormat, unit: CaptionUnit
    ) throws(RenderingError) -> [FileCue] {
        let shape = try shape(of: value, as: format)
        var transcript = SpeechTranscript(shape, unit: unit)
        if unit == .auto { try transcript.checkUnit(of: value) }
        transcript.read(value)
        return transcript.cues
    }

    private init(_ shape: SpeechShape, unit: CaptionUnit) {
        self.shape = shape
        let isMilliseconds = unit == .auto ? shape.isMilliseconds : unit == .milliseconds
        ticks = isMilliseconds ? 10 : 10_000
    }

    private static func shape(
        of value: RawValue, as format: CaptionFormat
    ) throws(RenderingError) -> SpeechShape {
        let fitting = SpeechShape.all.filter { $0.fits(value) }
        if format != .auto {
            let named = SpeechShape.all.filter { $0.format == format }
            if let shape = named.first(where: { $0.fits(value) }) ?? named.last { return shape }
        }
        guard let shape = fitting.first else {
            throw .invalid(
                "captions",
                "is JSON without the members of whisper, whisper.cpp, WhisperX, OpenAI, Deepgram, "
                    + "AssemblyAI, ElevenLabs, Amazon, Google, Gladia, YouTube, Remotion, HyperFrames, "
                    + "or Editframe, and no array of objects with at and text")
        }
        if let other = fitting.first(where: { $0.format != shape.format }) {
            throw .invalid(
                "captionFormat",
                "must be given: captions may be \(shape.format.rawValue) or \(other.format.rawValue)"
            )
        }
        return shape
    }

    /// Refuses times that may as well be of the other unit: whole numbers that are long as seconds, and
    /// others that are short as milliseconds. Where the name says the unit, there is no doubt.
    private func checkUnit(of value: RawValue) throws(RenderingError) {
        guard shape.start == [["start"]] else { return }
        var isWhole = true
        var sum = 0.0
        var count = 0.0
        for text in shape.texts(of: value) {
            let words = shape.words(of: text)
            for item in words.isEmpty ? [text] : words {
                guard let start = item.member(["start"])?.number,
                    let end = item.member(["end"])?.number
                else { continue }
                isWhole = isWhole && start.rounded() == start && end.rounded() == end
                sum += end - start
                count += 1
            }
        }
        guard count > 0 else { return }
        let mean = sum / count
        let isDoubtful = shape.isMilliseconds ? !isWhole || mean < 20 : isWhole && mean > 30
        guard isDoubtful else { return }
        throw .invalid(
            "captionUnit",
            "must be given: times of captions are \(isWhole ? "whole numbers" : "fractions"), "
                + "\(NumberText.of((mean * 100).rounded() / 100)) long on average, which may be s or ms"
        )
    }

    // MARK: Texts

    private mutating func read(_ value: RawValue) {
        let texts = shape.texts(of: value)
        if shape.isStream { return readStreams(texts) }
        if let span = shape.span { return readEvents(texts, span.start, span.length) }
        // whisper.cpp with `-ml 1` has a text for each word; those of HyperFrames are words as well.
        if shape.hasSpaces || shape.isArray == true, texts.count > 1,
            texts.allSatisfy({ shape.words(of: $0).isEmpty })
        {
            let words = tokens(texts)
            if words.count == texts.count, words.allSatisfy({ !$0.hasInnerSpace }) {
                return readStream(.null, tokens: words)
            }
        }
        for text in texts { readCue(text) }
    }

    private mutating func readCue(_ value: RawValue) {
        var cue = FileCue(
            number: cues.count + 1, at: instant(value, shape.start),
            until: instant(value, shape.end))
        cue.voice = voice(of: value)
        let placed = PlacedWords(text(of: value), tokens(shape.words(of: value)), shape.hasSpaces)
        cue.text = placed.text
        cue.words = placed.words.map(\.word)
        cues.append(cue)
    }

    /// Reads events of YouTube, whose words have their starts alone. Where captions roll, an event stays on screen
    /// while the next one is said.
    private mutating func readEvents(
        _ values: [RawValue], _ start: ByteString, _ length: ByteString
    ) {
        var rolls: [Bool] = []
        for value in values {
            let at = instant(value, [[start]])
            var cue = FileCue(number: cues.count + 1, at: at, until: nil)
            if let at, let length = instant(value, [[length]]) { cue.until = at + length }
            var tokens = tokens(shape.words(of: value))
            let isTimed = tokens.contains { $0.at != nil }
            for index in tokens.indices {
                let offset = tokens[index].at ?? (index == 0 ? 0 : nil)
                tokens[index].at = offset.flatMap { offset in at.map { $0 + offset } }
            }
            let text = String(decoding: tokens.flatMap(\.text), as: UTF8.self)
            let placed = PlacedWords(SpeechToken.bytes(.string(text)), tokens, shape.hasSpaces)
            cue.text = placed.text
            if isTimed { cue.words = placed.words.map(\.word) }
            cues.append(cue)
            rolls.append(isTimed || value["wWinId"] != nil)
        }
        var next: Int?
        for index in cues.indices.reversed() where !cues[index].text.isEmpty {
            if rolls[index], let next, next > cues[index].at ?? .max {
                cues[index].until = min(cues[index].until ?? next, next)
            }
            next = cues[index].at
        }
    }

    private mutating func readStreams(_ values: [RawValue]) {
        var first: SpeechToken?
        for value in values {
            let tokens = tokens(shape.words(of: value))
            let isAgain =
                shape.repeatsAll && first?.at != nil && tokens.first?.at == first?.at
                && tokens.first?.text == first?.text
            if isAgain { cues = [] }
            readStream(isAgain ? .null : value, tokens: tokens)
            first = first ?? tokens.first
        }
    }

    /// Reads all that is said as a cue for each sentence.
    private mutating func readStream(_ value: RawValue, tokens: [SpeechToken]) {
        let placed = PlacedWords(text(of: value), tokens, shape.hasSpaces)
        var first = 0
        for (index, word) in placed.words.enumerated() {
            let next = index + 1 < placed.words.count ? placed.words[index + 1] : nil
            let changes = next.map { word.token != nil && $0.voice != word.voice } ?? true
            guard changes || word.endsPage || placed.endsSentence(at: index) else { continue }
            let range = placed.words[first].word.range.lowerBound..<word.word.range.upperBound
            var cue = FileCue(number: cues.count + 1, at: nil, until: nil)
            cue.text = Array(placed.text[range])
            cue.words = placed.words[first...index].map {
                var word = $0.word
                word.range =
                    word.range.lowerBound - range.lowerBound..<word.range.upperBound
                    - range.lowerBound
                return word
            }
            cue.at = cue.words.lazy.compactMap(\.at).first
            cue.until = cue.words.lazy.compactMap { $0.until ?? $0.at }.last
            cue.endsPage = next != nil && (changes || word.endsPage)
            cue.mayRepeat = true
            cues.append(cue)
            first = index + 1
        }
    }

    private func text(of value: RawValue) -> [UInt8] {
        guard let path = shape.text, let text = value.member(path)?.characters else { return [] }
        // Half a character at the end of a text of whisper.cpp: its other half begins the next.
        let whole = String(
            String.UnicodeScalarView(text.unicodeScalars.filter { $0 != "\u{FFFD}" }))
        return SpeechToken.bytes(.string(whole))
    }

    // MARK: Times

    /// Returns the ticks of the first time that is there; nil for none.
    private func instant(_ value: RawValue, _ paths: [SpeechShape.Path]) -> Int? {
        for path in paths {
            if let ticks = value.member(path).flatMap(time) { return ticks }
        }
        return nil
    }

    /// Returns the ticks of a number. Google writes a number with its unit, `1.300s`, or an object of `seconds`
    /// and `nanos`.
    private func time(_ value: RawValue) -> Int? {
        var time: Double?
        if let number = value.number {
            time = number * ticks
        } else if let text = value.characters, text.ends(with: "s") {
            time = JSONNumber.value(of: String(text.dropping(last: 1))).map { $0 * 10_000 }
        } else if value["seconds"] != nil || value["nanos"] != nil {
            let nanos = value["nanos"]?.number ?? 0
            time = (value["seconds"]?.number ?? 0) * 10_000 + nanos / 100_000
        }
        guard let time, time.isFinite else { return nil }
        // Far beyond what cues may have.
        return Int(min(max(time, -1e15), 1e15).rounded())
    }

    // MARK: Words

    private func tokens(_ values: [RawValue]) -> [SpeechToken] {
        values.compactMap(token)
    }

    /// Returns a word; nil for none, for sounds such as `(laughter)` of ElevenLabs, and for marks of whisper.cpp such
    /// as `[_BEG_]` and `<|en|>`.
    private func token(_ value: RawValue) -> SpeechToken? {
        let name = shape.word.first { value.member($0)?.characters != nil }
        guard let text = name.flatMap({ value.member($0)?.characters }),
            value["type"]?.characters?.isSame(as: "audio_event") != true
        else { return nil }
        var bytes = Array(text.utf8)
        if bytes.starts(with: "[_".utf8) && bytes.last == UInt8(ascii: "]") { return nil }
        if bytes.starts(with: "<|".utf8) && bytes.suffix(2).elementsEqual("|>".utf8) { return nil }
        if let mark = shape.readingMark { bytes = Array(bytes.prefix { $0 != mark }) }
        var token = SpeechToken(text: bytes)
        token.at = instant(value, shape.start)
        token.until = instant(value, shape.end)
        if shape.leavesOutZero, token.at == nil, token.until != nil { token.at = 0 }
        token.voice = voice(of: value)
        if case .boolean(true)? = value["pageBreakAfter"] { token.endsPage = true }
        return token
    }

    /// Returns the name, or the number, of who speaks; empty for none.
    private func voice(of value: RawValue) -> [UInt8] {
        for name in Self.voices {
            if let voice = value.member(name) { return SpeechToken.bytes(voice) }
        }
        return []
    }

    private static let voices: [SpeechShape.Path] = [
        ["speaker"], ["speaker_id"], ["speaker_label"], ["speakerLabel"], ["speakerTag"],
    ]
}

/// A word, or a part of one, as a program writes it.
struct SpeechToken {
    var text: [UInt8]
    var at: Int?
    var until: Int?
    var voice: [UInt8] = []
    var endsPage = false

    init(text: [UInt8]) {
        self.text = text
    }

    var hasInnerSpace: Bool {
        text[...].withoutOuterSpaces.contains(0x20)
    }

    /// Returns a text without control characters, and without white space at the ends of its lines; a number,
    /// as of a speaker, too.
    static func bytes(_ value: RawValue) -> [UInt8] {
        if case .number(let number) = value { return Array(NumberText.of(number).utf8) }
        var bytes: [UInt8] = []
        for byte in (value.characters ?? "").utf8 {
            let isAtStart = bytes.last ?? 0x0A == 0x0A
            switch byte {
            case 0x0A:
                while bytes.last == 0x20 { bytes.removeLast() }
                if bytes.last ?? 0x0A != 0x0A { bytes.append(byte) }
            case 0x20, 0x09: if !isAtStart { bytes.append(0x20) }
            case 0..<0x20, 0x7F: break
            default: bytes.append(byte)
            }
        }
        while let last = bytes.last, last.isCaptionSpace { bytes.removeLast() }
        return bytes
    }
}
