import Bytes
import Typesetting

/// Reads WebVTT (w3.org/TR/webvtt1): texts and times of cues. Styles, regions, and notes are passed over.
enum WebVTT {
    static func cues(in file: CaptionLines) throws(RenderingError) -> [FileCue] {
        var cues: [FileCue] = []
        var source: [UInt8] = []
        var isInCue = false
        var isInBlock = false
        var shift = 0
        var areOfYouTube = file.lines.prefix(4).contains { $0.begins(with: "Kind: captions") }
        func end() {
            guard isInCue else { return }
            cues[cues.count - 1].take(CueMarkup(source[...], isWebVTT: true))
            (source, isInCue) = ([], false)
        }
        for (line, current) in zip(1..., file.lines) {
            if current.isEmpty {
                end()
                isInBlock = false
            } else if !isInBlock, current.isTiming {
                end()
                cues.append(
                    try CueTiming(current, number: cues.count + 1, line: line)
                        .cue(number: cues.count + 1))
                isInCue = true
                areOfYouTube = areOfYouTube && isOfYouTube(current)
            } else if isInCue {
                source += current
                source.append(0x0A)
            } else if cues.isEmpty, current.begins(with: "X-TIMESTAMP-MAP") {
                shift = try Self.shift(current, line: line)
            } else {
                isInBlock = isInBlock || isBlock(current)
            }
        }
        end()
        for index in cues.indices { cues[index].move(by: shift) }
        // Nobody has put these at the left.
        if areOfYouTube {
            for index in cues.indices { cues[index].alignment = nil }
        }
        return cues
    }

    /// Returns true for the times of a cue with the settings that YouTube gives to all that it recognises.
    private static func isOfYouTube(_ timing: ArraySlice<UInt8>) -> Bool {
        String(decoding: timing.withoutOuterSpaces, as: UTF8.self)
            .ends(with: " align:start position:0%")
    }

    /// Returns true for the first line of a note, a style, or a region.
    private static func isBlock(_ line: ArraySlice<UInt8>) -> Bool {
        let word = line.prefix { $0 != 0x20 && $0 != UInt8(ascii: ":") }
        return ["NOTE", "STYLE", "REGION"].contains(
            ByteString(String(decoding: word, as: UTF8.self)))
    }

    /// Returns the ticks from times of the file to those of its stream, as `X-TIMESTAMP-MAP` has them
    /// (RFC 8216, 3.5).
    private static func shift(_ line: ArraySlice<UInt8>, line number: Int) throws(RenderingError)
        -> Int
    {
        var local: Int?
        var stream: Int?
        for part in line.drop(while: { $0 != UInt8(ascii: "=") }).dropFirst()
            .split(separator: UInt8(ascii: ","))
        {
            let value = Array(part.drop { $0 != UInt8(ascii: ":") }.dropFirst())
            if part.withoutOuterSpaces.begins(with: "LOCAL") {
                var scanner = TextScanner(value)
                local = scanner.captionTime()
            } else if part.withoutOuterSpaces.begins(with: "MPEGTS") {
                // A clock of 90 kHz and 33 bits.
                let ticks = value[...].withoutOuterSpaces
                if ticks.count <= 10, let clock = Int(String(decoding: ticks, as: UTF8.self)) {
                    stream = (clock + 4) / 9
                }
            }
        }
        guard let local, let stream else {
            throw .invalid(
                "captions", "line \(number) must have LOCAL and MPEGTS; got \(line.quoted)")
        }
        return stream - local
    }
}

/// The line of a cue of SubRip or WebVTT that has its times and its place.
struct CueTiming {
    private let at: Int
    private let until: Int?
    private var alignment: CanvasRequest.Alignment?
    private var verticalAlignment: CanvasRequest.VerticalAlignment?

    /// Reads two times with an arrow between them; the second may be missing. Behind them are settings, or the
    /// coordinates of SubRip, which are passed over.
    ///
    /// - Throws: `RenderingError.invalid` with the number of the cue.
    init(_ line: ArraySlice<UInt8>, number: Int, line lineNumber: Int) throws(RenderingError) {
        var scanner = TextScanner(Array(line))
        let start = scanner.captionTime()
        scanner.consume { $0 == 0x20 || $0 == UInt8(ascii: "-") }
        let hasArrow = scanner.skip(">")
        scanner.consume { $0 == 0x20 }
        let hasEnd = !scanner.isAtEnd
        let end = hasEnd ? scanner.captionTime() : nil
        guard let start, hasArrow, !hasEnd || end != nil else {
            throw .invalid(
                "captions",
                "cue \(number), line \(lineNumber), must have times such as 00:00:01.000 --> "
                    + "00:00:02.500; got \(line.quoted)")
        }
        (at, until) = (start, end)
        var position: Double?
        for setting in scanner.bytes[scanner.offset...].split(separator: 0x20) {
            let name = setting.prefix { $0 != UInt8(ascii: ":") }
            let value = setting.dropFirst(name.count + 1).prefix { $0 != UInt8(ascii: ",") }
            let text = String(decoding: value.prefix(20), as: UTF8.self)
            switch ByteString(String(decoding: name.prefix(20), as: UTF8.self)) {
            case "line": verticalAlignment = Self.verticalAlignment(text)
            case "align":
                alignment = text.isSame(as: "middle") ? .center : .init(rawValue: text)
            case "position": position = JSONNumber.percent(of: text) ?? position
            default: break
            }
        }
        // Only one of the two is needed to name a side.
        if alignment == nil, let position, position != 50 {
            alignment = position < 100 / 3.0 ? .left : position > 200 / 3.0 ? .right : .center
        }
    }

    /// Returns the third of the screen in which a line is: a share, or a number of lines, which are about 15.
    private static func verticalAlignment(_ text: String) -> CanvasRequest.VerticalAlignment? {
        if text.ends(with: "%") { return JSONNumber.percent(of: text).map { .init(percent: $0) } }
        guard let line = JSONNumber.value(of: text) else { return nil }
        return line < 0 || line >= 10 ? .bottom : line < 5 ? .top : .middle
    }

    func cue(number: Int) -> FileCue {
        var cue = FileCue(number: number, at: at, until: until)
        cue.alignment = alignment
        cue.verticalAlignment = verticalAlignment
        return cue
    }
}
