import Bytes
import Motion

/// Reads files of captions (docs/guide/captions.md, *Files*). Its price is linear in their bytes.
package enum CaptionReader {
    /// Reads a file.
    ///
    /// - Parameters:
    ///   - file: The text of the file.
    ///   - format: `auto` for the one that its content shows.
    ///   - unit: That of the times of JSON; `auto` for the one of its format.
    /// - Returns: The cues, with mended times.
    /// - Throws: `RenderingError.invalid` of `captions`, `captionFormat`, or `captionUnit`.
    package static func track(
        of file: String, as format: CaptionFormat, unit: CaptionUnit
    ) throws(RenderingError) -> CaptionTrack {
        let lines = CaptionLines(file)
        guard let first = lines.first else { throw .invalid("captions", "is empty") }
        var cues: [FileCue]
        switch format == .auto ? try self.format(of: lines, first) : format {
        case .srt: cues = try SubRip.cues(in: lines)
        case .vtt: cues = try WebVTT.cues(in: lines)
        case .ass: cues = try SubStationAlpha.cues(in: lines)
        case .lrc: cues = try LRC.cues(in: lines)
        case .sbv: cues = SubViewer.cues(in: lines)
        case .ttml: cues = try TimedText.cues(in: lines)
        default:
            let value = try RenderingError.catching({ .invalid("captions", $0.phrase) }) {
                () throws(JSONReader.Fault) in
                try JSONReader.value(in: lines.bytes)
            }
            if format == .captions || format == .auto && CaptionArray.fits(value) {
                return try CaptionArray.track(of: value, unit: unit)
            }
            cues = try SpeechTranscript.cues(in: value, as: format, unit: unit)
        }
        guard !cues.isEmpty else {
            throw .invalid(
                "captions", "has no cues: line \(first.number) is \(first.line.quoted)")
        }
        FileCue.endPages(in: &cues)
        return try CueMender.track(of: cues)
    }

    /// Reads an array of objects of `at`, `until`, `text`, and `times`, as requests have it.
    package static func track(of value: RawValue) throws(RenderingError) -> CaptionTrack {
        try CaptionArray.track(of: value, unit: .auto)
    }

    /// Returns the format of a file; `auto` for those in JSON.
    private static func format(
        of file: CaptionLines, _ first: (number: Int, line: ArraySlice<UInt8>)
    ) throws(RenderingError) -> CaptionFormat {
        let line = first.line.withoutOuterSpaces
        if line.begins(with: "WEBVTT") && line.dropFirst(6).first ?? 0x20 == 0x20 { return .vtt }
        if isJSON(file.bytes) { return .auto }
        if line.begins(with: "[Script Info]") || line.begins(with: "[Events]") { return .ass }
        if line.begins(with: "<?xml") || line.begins(with: "<tt") || line.begins(with: "<!") {
            return .ttml
        }
        var fitting: [CaptionFormat] = []
        if file.lines.contains(where: \.isTiming) { fitting.append(.srt) }
        if file.lines.contains(where: { $0.begins(with: "Dialogue:") }) { fitting.append(.ass) }
        if file.lines.contains(where: SubViewer.isTiming) { fitting.append(.sbv) }
        // A text may begin with a time in brackets as well.
        let mayBeLyrics = fitting.isEmpty || line.first == UInt8(ascii: "[")
        if mayBeLyrics, file.lines.contains(where: LRC.isTiming) { fitting.append(.lrc) }
        guard let format = fitting.first else {
            throw .invalid(
                "captions",
                "has no times of SubRip or WebVTT (00:00:01.000 --> 00:00:02.500), SBV "
                    + "(0:00:01.000,0:00:02.500), or LRC ([00:01.00]), no Dialogue: of ASS, and is neither "
                    + "TTML nor JSON: line \(first.number) is \(first.line.quoted)")
        }
        guard fitting.count == 1 else {
            let names = fitting.map(\.rawValue).joined(separator: " or ")
            throw .invalid("captionFormat", "must be given: captions may be \(names)")
        }
        return format
    }

    /// Returns true if a file begins as JSON does; sections of ASS and times of LRC begin with a bracket, too.
    static func isJSON(_ file: some Sequence<UInt8>) -> Bool {
        var bytes = file.lazy.filter { $0 > 0x20 }.makeIterator()
        switch bytes.next() {
        case UInt8(ascii: "{"): return true
        case UInt8(ascii: "["):
            let next = bytes.next()
            return next == UInt8(ascii: "{") || next == UInt8(ascii: "]")
        default: return false
        }
    }
}
