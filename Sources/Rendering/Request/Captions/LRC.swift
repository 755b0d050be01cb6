import Bytes

/// Reads LRC (`.lrc`): lines of lyrics, each of which may be sung several times, and the times of their words as the
/// enhanced form has them.
enum LRC {
    /// The most ticks that a line without times of words stays before the next one.
    private static let most = 100_000
    /// The most ticks that the last word of a line lasts before the next one.
    private static let mostOfWord = 30_000
    /// The most times that a line is sung.
    private static let mostStarts = 100
    /// The most bytes of lines that are sung again, of the bytes of the file.
    private static let mostRepeated = 8

    /// A time in brackets.
    private struct Stamp {
        /// The time as `captionTime` reads it.
        let time: [UInt8]
        let ticks: Int
        /// The offset of the end of its bracket.
        let end: Int

        /// Reads the time that a text begins with; nil if it begins with none.
        init?(_ text: ArraySlice<UInt8>) {
            guard let opening = text.first,
                opening == UInt8(ascii: "[") || opening == UInt8(ascii: "<")
            else { return nil }
            guard let body = CueMarkup.body(of: text.prefix(22)), body.first?.isASCIIDigit == true
            else { return nil }
            var time = Array(body)
            // `[01:02:34]` ends with hundredths, as no file has hours without a fraction.
            let colons = time.indices.filter { time[$0] == UInt8(ascii: ":") }
            if colons.count == 2, time.allSatisfy({ $0.isASCIIDigit || $0 == UInt8(ascii: ":") }) {
                time[colons[1]] = UInt8(ascii: ".")
            }
            var scanner = TextScanner(time)
            guard let ticks = scanner.captionTime(), scanner.isAtEnd else { return nil }
            (self.time, self.ticks, end) = (time, ticks, body.endIndex + 1)
        }
    }

    static func isTiming(_ line: ArraySlice<UInt8>) -> Bool {
        line.first(where: { $0 != 0x20 }) == UInt8(ascii: "[")
            && Stamp(line.withoutOuterSpaces) != nil
    }

    static func cues(in file: CaptionLines) throws(RenderingError) -> [FileCue] {
        var cues: [FileCue] = []
        var shift = 0
        var repeated = 0
        for (number, line) in zip(1..., file.lines) {
            var rest = line.withoutOuterSpaces
            var starts: [Int] = []
            while let stamp = Stamp(rest), rest.first == UInt8(ascii: "[") {
                starts.append(stamp.ticks)
                rest = rest[stamp.end...].drop { $0 == 0x20 }
            }
            guard let first = starts.first else {
                shift = Self.shift(rest) ?? shift
                continue
            }
            guard starts.count <= mostStarts else {
                throw .invalid("captions", "line \(number) has more than \(mostStarts) times")
            }
            repeated += rest.count * (starts.count - 1)
            guard repeated <= mostRepeated * file.bytes.count else {
                throw .invalid(
                    "captions",
                    "line \(number) is sung too often: what is sung again is more than "
                        + "\(mostRepeated) times the file")
            }
            let sung = cue(at: first, rest)
            for start in starts {
                var cue = sung
                cue.number = cues.count + 1
                cue.move(by: start - first)
                cues.append(cue)
            }
        }
        // Lines that are sung again stand at their first time.
        cues = cues.stablySorted { $0.at ?? 0 }
        setEnds(of: &cues)
        for index in cues.indices { cues[index].move(by: shift) }
        return cues
    }

    /// Returns the ticks by which `[offset:…]` moves lines: those of a positive number are sung earlier.
    private static func shift(_ line: ArraySlice<UInt8>) -> Int? {
        let name = String(decoding: line.prefix(8), as: UTF8.self).lowercasedASCII
        guard name.isSame(as: "[offset:") else { return nil }
        var scanner = TextScanner(Array(line.dropFirst(8)))
        scanner.consume { $0 == 0x20 }
        let isNegative = scanner.consumeSign()
        let digits = scanner.consume(while: \.isASCIIDigit)
        guard !digits.isEmpty, digits.count <= 9 else { return nil }
        return Int(scanner.text(digits)).map { (isNegative ? 10 : -10) * $0 }
    }

    private static func cue(at ticks: Int, _ text: ArraySlice<UInt8>) -> FileCue {
        var source: [UInt8] = []
        var rest = text
        var isSpaced = true
        while let byte = rest.first {
            if let stamp = Stamp(rest) {
                source += [UInt8(ascii: "<")] + stamp.time + [UInt8(ascii: ">")]
                rest = rest[stamp.end...]
            } else {
                // A time may have spaces at both ends.
                if byte != 0x20 || !isSpaced { source.append(byte) }
                isSpaced = byte == 0x20
                rest.removeFirst()
            }
        }
        let markup = CueMarkup(source[...], isWebVTT: false)
        var cue = FileCue(number: 0, at: ticks, until: nil)
        cue.mayRepeat = true
        cue.take(markup)
        if let last = markup.stamps.last, last.offset == cue.text.count { cue.until = last.ticks }
        return cue
    }

    /// Ends lines where the next one begins, or one without a text, which stands for a pause.
    private static func setEnds(of cues: inout [FileCue]) {
        for (index, later) in cues.laterIndices.enumerated() {
            let at = cues[index].at ?? 0
            guard cues[index].until == nil, let later, let next = cues[later].at else { continue }
            if cues[later].text.isEmpty {
                cues[index].until = next
            } else if let last = cues[index].words.last?.at {
                cues[index].until = min(next, max(at, last) + mostOfWord)
            } else {
                cues[index].until = min(next, at + most)
            }
        }
    }
}
