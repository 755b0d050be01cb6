import Bytes

/// Reads SubViewer as YouTube writes it (`.sbv`): a line of two times, and lines of text.
enum SubViewer {
    static func cues(in file: CaptionLines) -> [FileCue] {
        var cues: [FileCue] = []
        var source: [UInt8] = []
        func end() {
            guard !cues.isEmpty else { return }
            cues[cues.count - 1].take(CueMarkup(source[...], isWebVTT: false))
            source = []
        }
        for line in file.lines {
            if let times = times(line) {
                end()
                cues.append(FileCue(number: cues.count + 1, at: times.at, until: times.until))
            } else if !cues.isEmpty {
                // YouTube writes the ends of lines so.
                let text = String(decoding: line, as: UTF8.self).pieces(separatedBy: "[br]")
                source += Array(text.joined(separator: "\n").utf8) + [0x0A]
            }
        }
        end()
        return cues
    }

    static func isTiming(_ line: ArraySlice<UInt8>) -> Bool { times(line) != nil }

    private static func times(_ line: ArraySlice<UInt8>) -> (at: Int, until: Int)? {
        let line = line.withoutOuterSpaces
        guard line.first?.isASCIIDigit == true, line.count < 60 else { return nil }
        var scanner = TextScanner(Array(line))
        guard let at = scanner.captionTime(), scanner.skip(","), let until = scanner.captionTime(),
            scanner.isAtEnd
        else { return nil }
        return (at, until)
    }
}
