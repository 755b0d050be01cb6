import Typesetting

/// A cue as a file has it, with times that are not mended yet.
struct FileCue {
    /// Its number in the file, from 1.
    var number: Int
    /// Its start and its end in ticks of an instant; nil where the file has none.
    var at: Int?
    var until: Int?
    /// UTF-8 without tags, and without white space at either end of its lines.
    var text: [UInt8] = []
    var words: [FileWord] = []
    /// The one part of the text that tags pick out, as some programs do with the word that is said.
    var highlight: Range<Int>?
    var alignment: CanvasRequest.Alignment?
    var verticalAlignment: CanvasRequest.VerticalAlignment?
    /// The name of who speaks; empty where the file has none.
    var voice: [UInt8] = []
    var endsPage = false
    /// True if a text that the cue before has as well is said again, and is not left out as a repeat.
    var mayRepeat = false
}

/// A word as a file has it.
struct FileWord {
    /// Offsets in the text of its cue.
    var range: Range<Int>
    /// Ticks of an instant; nil where the file has none.
    var at: Int?
    var until: Int?
}

extension FileCue {
    /// A part of the text, up to the next one, with its times.
    typealias Piece = (start: Int, at: Int?, until: Int?)

    /// Makes words of pieces, which are in their order. Where a piece has several words, only the first
    /// has its start, and only the last its end.
    mutating func setWords(of pieces: [Piece]) {
        for (index, piece) in pieces.enumerated() {
            let next = index + 1 < pieces.count ? pieces[index + 1].start : text.count
            let first = words.count
            var offset = min(piece.start, text.count)
            let end = min(next, text.count)
            while offset < end {
                let start = offset
                while offset < end, !text[offset].isCaptionSpace { offset += 1 }
                if offset > start {
                    words.append(FileWord(range: start..<offset, at: nil, until: nil))
                }
                while offset < end, text[offset].isCaptionSpace { offset += 1 }
            }
            guard words.count > first else { continue }
            words[first].at = piece.at
            words[words.count - 1].until = piece.until
        }
        // Punctuation alone is a part of its neighbour.
        words.removeAll { CaptionLetter.letters(of: Array(text[$0.range])).isEmpty }
        let ranges = CaptionLetter.attached(words.map(\.range), in: text)
        for index in words.indices { words[index].range = ranges[index] }
    }

    /// Notes where another one speaks, and where music or a sound begins or ends: pages end there.
    static func endPages(in cues: inout [FileCue]) {
        var last: (index: Int, kind: Kind)?
        for index in cues.indices where !cues[index].text.isEmpty {
            let kind = cues[index].kind
            defer { last = (index, kind) }
            guard let last else { continue }
            let (voice, other) = (cues[last.index].voice, cues[index].voice)
            let isAnother = !voice.isEmpty && !other.isEmpty && voice != other
            if isAnother || kind != last.kind || cues[index].text[...].begins(with: ">>") {
                cues[last.index].endsPage = true
            }
        }
    }

    /// What a text is of, by the marks with which captions say so.
    private enum Kind { case speech, music, sound }

    private var kind: Kind {
        let scalars = String(decoding: text, as: UTF8.self).unicodeScalars
        guard let first = scalars.first, let last = scalars.last else { return .speech }
        let notes: [Unicode.Scalar] = ["♪", "♫", "🎵", "🎶"]
        if notes.contains(first) || notes.contains(last) { return .music }
        let isInBrackets = first == "[" && last == "]" || first == "(" && last == ")"
        return isInBrackets ? .sound : .speech
    }

    /// Adds ticks to all of its times.
    mutating func move(by ticks: Int) {
        guard ticks != 0 else { return }
        at = at.map { $0 + ticks }
        until = until.map { $0 + ticks }
        for index in words.indices {
            words[index].at = words[index].at.map { $0 + ticks }
            words[index].until = words[index].until.map { $0 + ticks }
        }
    }
}

extension [FileCue] {
    /// For each cue, of those in the order of their starts, the index of the first one that starts later; nil for
    /// the last ones.
    var laterIndices: [Int?] {
        var later = [Int?](repeating: nil, count: count)
        for index in indices.dropLast().reversed() {
            let isLater = (self[index + 1].at ?? 0) > (self[index].at ?? 0)
            later[index] = isLater ? index + 1 : later[index + 1]
        }
        return later
    }
}

extension CanvasRequest.VerticalAlignment {
    /// The third of the screen in which a share of its height is.
    init(percent: Double) {
        self = percent < 100 / 3.0 ? .top : percent > 200 / 3.0 ? .bottom : .middle
    }
}

extension UInt8 {
    /// True for a space and the end of a line; tabs are spaces by then.
    var isCaptionSpace: Bool { self == 0x20 || self == 0x0A }
}
