import Bytes
package import Motion

/// SubRip: each text with its times, and with its place where that is not the bottom.
package struct SRTFormat: OutputFormat {
    package static let name = "srt"
    package static let title = "SubRip"
    package static let mediaType = "application/x-subrip"
    package static let fileExtension = "srt"
    package static let isText = true
    package static let isTimedText = true
    package static let isNegotiable = false

    package init(_ parameters: inout ParameterReader) {}

    package func price(of scene: Scene, _ context: EncodingContext) throws(EncodingError) -> Price {
        CaptionCue.price(of: scene)
    }

    package func encode(
        _ scene: Scene, _ context: EncodingContext
    ) throws(EncodingError) -> [UInt8] {
        var sink = ByteSink()
        for (index, cue) in CaptionCue.cues(of: scene).enumerated() {
            try context.check(textBytes: sink.count, every: 8)
            sink.append(index + 1)
            sink.append("\n")
            sink.append(timesOf: cue, ",")
            sink.append("\n")
            if let corner = cue.corner { sink.append(text: "{\\an\(corner)}") }
            for (number, line) in cue.lines.enumerated() {
                if number > 0 { sink.append("\n") }
                for part in line { sink.append(text: part.text) }
            }
            sink.append("\n\n")
        }
        return sink.bytes()
    }
}

extension CaptionCue {
    /// The number of its place as on the keys of a phone from below: 8 at the top, 4 at the left; nil
    /// for 2, the usual one.
    fileprivate var corner: Int? {
        let row =
            switch vertical {
            case .end: 0
            case .middle: 3
            case .start: 6
            }
        let column =
            switch horizontal {
            case .start: 1
            case .middle: 2
            case .end: 3
            }
        return row + column == 2 ? nil : row + column
    }
}
