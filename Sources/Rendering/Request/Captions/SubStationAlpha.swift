import Bytes
import Typesetting

/// Reads Advanced SubStation Alpha (`.ass`) and its older form (`.ssa`): the texts, times, and places of
/// `Dialogue`, and the times of `\k`. Styles, drawings, and comments are passed over.
enum SubStationAlpha {
    /// The columns of an event.
    private struct Columns {
        var start = 1
        var end = 2
        var name: Int? = 4
        var count = 10
    }

    static func cues(in file: CaptionLines) throws(RenderingError) -> [FileCue] {
        var columns = Columns()
        var isEvents = true
        var cues: [FileCue] = []
        for (number, line) in zip(1..., file.lines) {
            if line.first == UInt8(ascii: "[") {
                isEvents = line.begins(with: "[Events]")
            } else if isEvents, line.begins(with: "Format:") {
                columns = try Self.columns(line, number)
            } else if line.begins(with: "Dialogue:") {
                cues.append(try cue(line.dropFirst(9), columns, cues.count + 1, number))
            }
        }
        // Events stand in any order there, so that none is wrong.
        return cues.stablySorted { $0.at ?? 0 }
    }

    private static func columns(
        _ line: ArraySlice<UInt8>, _ number: Int
    ) throws(RenderingError) -> Columns {
        let names = line.dropFirst(7).split(separator: UInt8(ascii: ",")).map {
            ByteString(String(decoding: $0.withoutOuterSpaces, as: UTF8.self).lowercasedASCII)
        }
        guard let start = names.firstIndex(of: "start"), let end = names.firstIndex(of: "end"),
            names.last == "text"
        else {
            throw .invalid(
                "captions", "line \(number) must have Start, End, and Text last; got \(line.quoted)"
            )
        }
        return Columns(
            start: start, end: end, name: names.firstIndex(of: "name"), count: names.count)
    }

    private static func cue(
        _ line: ArraySlice<UInt8>, _ columns: Columns, _ number: Int, _ lineNumber: Int
    ) throws(RenderingError) -> FileCue {
        let fields = line.split(
            separator: UInt8(ascii: ","), maxSplits: columns.count - 1,
            omittingEmptySubsequences: false)
        func time(_ column: Int) -> Int? {
            guard fields.count == columns.count else { return nil }
            var scanner = TextScanner(Array(fields[column]))
            return scanner.captionTime()
        }
        guard let at = time(columns.start), let until = time(columns.end) else {
            throw .invalid(
                "captions",
                "cue \(number), line \(lineNumber), must have \(columns.count) columns with times "
                    + "such as 0:00:01.50; got \(line.quoted)")
        }
        var cue = FileCue(number: number, at: at, until: until)
        if let name = columns.name { cue.voice = Array(fields[name].withoutOuterSpaces) }
        var text = EventText(at: at)
        text.take(fields[columns.count - 1])
        cue.text = text.bytes
        (cue.alignment, cue.verticalAlignment) = (
            text.place?.alignment, text.place?.verticalAlignment
        )
        if text.pieces.count > 1 { cue.setWords(of: text.pieces) }
        return cue
    }
}

/// The text of an event without its overrides.
private struct EventText {
    private(set) var bytes: [UInt8] = []
    private(set) var pieces: [FileCue.Piece]
    private(set) var place: OverridePlace?
    private let start: Int
    /// The start of the next syllable.
    private var time: Int
    private var isDrawing = false

    init(at: Int) {
        (start, time) = (at, at)
        pieces = [(0, nil, nil)]
    }

    mutating func take(_ source: ArraySlice<UInt8>) {
        var rest = source
        while let byte = rest.first {
            let next = rest.dropFirst().first
            if byte == UInt8(ascii: "{"), let end = Self.end(of: rest) {
                for tag in rest[rest.startIndex + 1..<end].split(separator: UInt8(ascii: "\\")) {
                    take(tag: tag)
                }
                if let found = OverridePlace.places(in: rest[rest.startIndex + 1..<end]).first {
                    // The first one counts.
                    place = place ?? found
                }
                rest = rest[(end + 1)...]
            } else if byte == UInt8(ascii: "\\"), let next,
                [UInt8(ascii: "N"), UInt8(ascii: "n"), UInt8(ascii: "h")].contains(next)
            {
                append(next == UInt8(ascii: "N") ? 0x0A : 0x20)
                rest = rest.dropFirst(2)
            } else {
                append(byte)
                rest.removeFirst()
            }
        }
        drop { $0.isCaptionSpace }
    }

    /// Returns the offset of the end of overrides; nil if they do not end before others begin.
    private static func end(of source: ArraySlice<UInt8>) -> Int? {
        let body = source.dropFirst().prefix { $0 != UInt8(ascii: "}") && $0 != UInt8(ascii: "{") }
        return body.endIndex < source.endIndex && source[body.endIndex] == UInt8(ascii: "}")
            ? body.endIndex : nil
    }

    private mutating func append(_ byte: UInt8) {
        guard !isDrawing else { return }
        let isAtStart = bytes.last ?? 0x0A == 0x0A
        if byte == 0x0A { drop { $0 == 0x20 } }
        if !(isAtStart && byte.isCaptionSpace) { bytes.append(byte) }
    }

    private mutating func drop(_ isSpace: (UInt8) -> Bool) {
        while let last = bytes.last, isSpace(last) { bytes.removeLast() }
        for index in pieces.indices.reversed() {
            guard pieces[index].start > bytes.count else { break }
            pieces[index].start = bytes.count
        }
    }

    private mutating func take(tag: ArraySlice<UInt8>) {
        let name = tag.prefix(while: \.isASCIILetter)
        let digits = tag.dropFirst(name.count).prefix(while: \.isASCIIDigit)
        // 7 digits of centiseconds are a day.
        let number = digits.count <= 7 ? Int(String(decoding: digits, as: UTF8.self)) : nil
        switch ByteString(String(decoding: name.prefix(3), as: UTF8.self)) {
        case "k", "K", "kf", "ko":
            guard let number else { return }
            let end = time + number * 100
            if pieces.count == 1 { pieces[0].until = time }
            pieces.append((bytes.count, time, end))
            time = end
        case "kt":
            if let number { time = start + number * 100 }
        case "p": isDrawing = number ?? 0 > 0
        default: break
        }
    }
}
