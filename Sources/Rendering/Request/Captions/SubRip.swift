import Bytes

/// Reads SubRip (`.srt`), as files have it: with or without numbers, with blank lines anywhere, and with
/// anything before the first cue.
enum SubRip {
    static func cues(in file: CaptionLines) throws(RenderingError) -> [FileCue] {
        var cues: [FileCue] = []
        var source: [UInt8] = []
        var line = 0
        /// Files without numbers have none before the first time.
        var isNumbered = false
        var previous: ArraySlice<UInt8> = []
        func end() {
            let markup = CueMarkup(source[...], isWebVTT: false)
            cues[cues.count - 1].take(markup)
        }
        for current in file.lines {
            line += 1
            if current.isTiming {
                let timing = try CueTiming(current, number: cues.count + 1, line: line)
                let isNumber = !previous.isBlank && previous.withoutOuterSpaces.isNumber
                if cues.isEmpty { isNumbered = isNumber }
                // The number of this cue is no text of the one before.
                if isNumbered, isNumber { source.removeLast(previous.count + 1) }
                if !cues.isEmpty { end() }
                source = []
                cues.append(timing.cue(number: cues.count + 1))
            } else {
                source += current
                source.append(0x0A)
            }
            previous = current
        }
        if !cues.isEmpty { end() }
        return cues
    }
}

extension ArraySlice<UInt8> {
    fileprivate var isNumber: Bool { allSatisfy(\.isASCIIDigit) }
}

extension FileCue {
    /// Takes a text, its place, and its times: those of `\an` count more than those of settings.
    mutating func take(_ markup: CueMarkup) {
        text = markup.text
        highlight = markup.highlight
        voice = markup.voice
        if let place = markup.alignment { alignment = place }
        if let place = markup.verticalAlignment { verticalAlignment = place }
        let stamps = markup.stamps
        guard let first = stamps.first else { return }
        var pieces: [Piece] = [(0, nil, first.ticks)]
        for (index, stamp) in stamps.enumerated() {
            let next = index + 1 < stamps.count ? stamps[index + 1].ticks : nil
            pieces.append((stamp.offset, stamp.ticks, next))
        }
        setWords(of: pieces)
    }
}
