import Bytes
import Motion

/// Makes a track of the cues of a file: mends their times, orders them, and leaves out what they repeat.
struct CueMender {
    /// The ticks that cues which touch may be apart: programs round their times.
    private static let touch = 500
    /// The ticks of a cue or a word that would have none: a frame of a film.
    private static let frame = 400
    /// The most ticks of a cue that ends before it begins.
    private static let most = 30_000
    /// The greatest time that texts may have.
    private static let last = 86_400 * 10_000
    /// The number of mendings that are kept.
    private static let mostMendings = 400

    private var cues: [FileCue]
    /// For each cue, the first start behind its own; nil for the last ones.
    private var nextStarts: [Int?] = []
    private var mendedCount = 0
    private var mendings: [CaptionMending] = []

    /// - Throws: `RenderingError.invalid` with the number of a cue whose times cannot be mended.
    static func track(of cues: [FileCue]) throws(RenderingError) -> CaptionTrack {
        var mender = CueMender(cues: cues.filter { !$0.text.isEmpty })
        guard !mender.cues.isEmpty else { throw .invalid("captions", "has no text") }
        try mender.mendStarts()
        mender.leaveOutRepeats()
        mender.mendEnds()
        for index in mender.cues.indices { mender.mendWords(of: index) }
        var track = CaptionTrack(
            cues: mender.cues.map(CaptionCue.init), mendedCount: mender.mendedCount)
        track.mendings = mender.mendings
        return track
    }

    private init(cues: [FileCue]) {
        self.cues = cues
    }

    private mutating func note(_ cue: FileCue, _ phrase: String) {
        mendedCount += 1
        guard mendings.count < Self.mostMendings else { return }
        mendings.append(CaptionMending(cue: cue.number, phrase: phrase))
    }

    // MARK: Cues

    private mutating func mendStarts() throws(RenderingError) {
        var latest = Int.min
        for index in cues.indices {
            let cue = cues[index]
            guard var at = cue.at ?? cue.words.lazy.compactMap(\.at).first else {
                throw .invalid("captions", "cue \(cue.number) has no start")
            }
            guard at <= Self.last - Self.most else {
                throw .invalid("captions", "cue \(cue.number) starts after 24 hours")
            }
            if at < 0 {
                at = 0
                note(cue, "starts before 0")
            }
            if at < latest { note(cue, "starts before the one before it") }
            latest = max(latest, at)
            cues[index].at = at
            cues[index].until = cue.until.map { min($0, Self.last) }
        }
        cues = cues.stablySorted { $0.at ?? 0 }
    }

    private mutating func mendEnds() {
        nextStarts = cues.laterIndices.map { $0.flatMap { cues[$0].at } }
        for (index, cue) in cues.enumerated() {
            guard let at = cue.at, let until = cue.until, until <= at else { continue }
            note(cue, until < at ? "ends before it begins" : "ends where it begins")
            cues[index].until = max(
                min(nextStarts[index] ?? .max, at + Self.most), at + Self.frame)
        }
    }

    // MARK: Repeats

    /// Leaves out what cues repeat of those before that they touch: as captions that roll do, and those that have
    /// a text again for each word that tags pick out, which thus has its time.
    private mutating func leaveOutRepeats() {
        var kept: [FileCue] = []
        var previous: FileCue?
        var hasHighlights = false
        for cue in cues {
            defer { previous = cue }
            guard let before = previous, let last = kept.indices.last, !cue.mayRepeat,
                (cue.at ?? 0) <= max(before.until ?? .max - Self.touch, before.at ?? 0) + Self.touch
            else {
                kept.append(cue)
                hasHighlights = false
                continue
            }
            let count = repeated(cue.text, before.text)
            guard count == cue.text.count else {
                kept.append(count > 0 ? cue.behind(count) : cue)
                if count > 0 { note(cue, "repeats the one before it") }
                hasHighlights = false
                continue
            }
            if cue.highlight != nil || before.highlight != nil, kept[last].text == cue.text {
                if !hasHighlights { kept[last].words = before.highlightedWord }
                guard kept[last].add(cue.highlightedWord) else {
                    kept.append(cue)
                    hasHighlights = false
                    continue
                }
                hasHighlights = true
            } else {
                note(cue, "repeats the one before it")
            }
            let ends = [kept[last].until, cue.until].compactMap(\.self)
            kept[last].until = ends.count == 2 ? ends.max() : nil
            kept[last].endsPage = cue.endsPage
        }
        cues = kept
    }

    /// Returns the number of bytes at a text's start that the text before it ends with: whole lines, or all of it
    /// before more words.
    private func repeated(_ text: [UInt8], _ before: [UInt8]) -> Int {
        if text == before { return text.count }
        if text.count > before.count, text[before.count].isCaptionSpace, text.starts(with: before) {
            return before.count + 1
        }
        let lines = text.split(separator: 0x0A)
        let linesBefore = before.split(separator: 0x0A)
        for count in (1...4).reversed() where count <= min(lines.count, linesBefore.count) {
            if lines.prefix(count).elementsEqual(linesBefore.suffix(count)) {
                return min(lines[count - 1].endIndex + 1, text.count)
            }
        }
        return 0
    }

    // MARK: Words

    private mutating func mendWords(of index: Int) {
        let cue = cues[index]
        guard let at = cue.at else { return }
        var words = cue.words.filter {
            !$0.range.isEmpty && $0.range.count <= WordTimesGrammar.most
        }
        guard !words.isEmpty else { return }
        for index in words.indices {
            words[index].at = words[index].at.map(Self.clamped)
            words[index].until = words[index].until.map(Self.clamped)
        }
        let lastStart = max(words.lazy.compactMap(\.at).last ?? at, at)
        let end = cue.until ?? min(nextStarts[index] ?? .max, lastStart + Self.most, Self.last)
        share(&words, of: cue, from: at, to: max(end, at + Self.frame))
        let starts = words.map { min(max($0.at ?? at, at), max(end, at + 1) - 1) }
        var latest = at
        for (index, start) in starts.enumerated() {
            if start < latest {
                note(cue, phrase(words[index], cue, "begins before the one before"))
            }
            latest = max(latest, start)
            words[index].at = latest
        }
        var nextStart = max(end, latest + Self.frame)
        for index in words.indices.reversed() {
            let start = words[index].at ?? at
            let own = min(words[index].until ?? nextStart, cue.until ?? .max)
            if own <= start, words[index].until != nil {
                note(cue, phrase(words[index], cue, "has no length"))
            }
            words[index].until = own > start ? own : max(nextStart, start + 1)
            if index > 0, words[index - 1].at ?? at < start { nextStart = start }
        }
        cues[index].words = words
    }

    /// Returns ticks that can be multiplied by the length of a text.
    private static func clamped(_ ticks: Int) -> Int { min(max(ticks, -last), last) }

    private func phrase(_ word: FileWord, _ cue: FileCue, _ phrase: String) -> String {
        let text = String(decoding: cue.text[word.range], as: UTF8.self)
        return "the word \"\(text.shortened(to: 40))\" \(phrase)"
    }

    /// Gives words without a start one: with the word before them, if that has no end, they share the time
    /// up to the next start, by their graphemes.
    private func share(_ words: inout [FileWord], of cue: FileCue, from at: Int, to end: Int) {
        var first = 0
        while first < words.count {
            guard words[first].at == nil else {
                first += 1
                continue
            }
            var behind = first
            while behind < words.count, words[behind].at == nil { behind += 1 }
            var start = at
            var sharing = first..<behind
            if first > 0, let own = words[first - 1].at {
                start = words[first - 1].until ?? own
                if words[first - 1].until == nil { sharing = first - 1..<behind }
            }
            let next = behind < words.count ? words[behind].at ?? end : end
            let until = max(start, min(words[behind - 1].until ?? next, next))
            let weights = sharing.map {
                String(decoding: cue.text[words[$0].range], as: UTF8.self).count
            }
            let sum = max(1, weights.reduce(0, +))
            var before = 0
            for (index, weight) in zip(sharing, weights) {
                words[index].at = start + (until - start) * before / sum
                before += weight
                if index + 1 < sharing.upperBound {
                    words[index].until = start + (until - start) * before / sum
                }
            }
            words[behind - 1].until = words[behind - 1].until ?? until
            first = behind
        }
    }
}

extension FileCue {
    /// The word that tags pick out, for as long as the cue.
    fileprivate var highlightedWord: [FileWord] {
        highlight.map { [FileWord(range: $0, at: at, until: until)] } ?? []
    }

    /// Adds a word behind the last one, or more time to that; returns false for one before it.
    fileprivate mutating func add(_ word: [FileWord]) -> Bool {
        guard let word = word.first else { return true }
        if let last = words.last, last.range == word.range {
            words[words.count - 1].until = word.until
            return true
        }
        guard words.last.map({ $0.range.upperBound <= word.range.lowerBound }) ?? true else {
            return false
        }
        words.append(word)
        return true
    }

    /// Returns the cue without bytes at its text's start.
    fileprivate func behind(_ count: Int) -> FileCue {
        var cue = self
        cue.text = Array(text.dropFirst(count))
        cue.highlight = nil
        cue.words = words.compactMap { word in
            guard word.range.lowerBound >= count else { return nil }
            var word = word
            word.range = word.range.lowerBound - count..<word.range.upperBound - count
            return word
        }
        return cue
    }
}

extension CaptionCue {
    /// - Parameter cue: Has a start, and words with times.
    fileprivate init(_ cue: FileCue) {
        self.init(
            at: Instant(ticks: cue.at ?? 0), until: cue.until.map { Instant(ticks: $0) },
            text: String(decoding: cue.text, as: UTF8.self))
        words = cue.words.compactMap { word in
            guard let at = word.at, let until = word.until else { return nil }
            return CaptionWord(
                range: word.range, at: Instant(ticks: at), until: Instant(ticks: until))
        }
        alignment = cue.alignment
        verticalAlignment = cue.verticalAlignment
        endsPage = cue.endsPage
    }
}
