import Bytes
package import Motion

/// WebVTT: each text with its times, its place where that is not the bottom, and when each of its
/// words is said.
package struct VTTFormat: OutputFormat {
    package static let name = "vtt"
    package static let title = "WebVTT"
    package static let mediaType = "text/vtt"
    package static let fileExtension = "vtt"
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
        sink.append("WEBVTT\n")
        for cue in CaptionCue.cues(of: scene) {
            try context.check(textBytes: sink.count, every: 8)
            sink.append("\n")
            sink.append(timesOf: cue, ".")
            sink.append(text: cue.settings)
            sink.append("\n")
            for line in cue.lines {
                write(line, of: cue, to: &sink)
                sink.append("\n")
            }
        }
        return sink.bytes()
    }

    private func write(_ line: [CaptionCue.Part], of cue: CaptionCue, to sink: inout ByteSink) {
        for part in line {
            // A time within a cue lies between its start and its end.
            if let start = part.start, start.milliseconds > cue.span.lowerBound.milliseconds,
                start.milliseconds < cue.span.upperBound.milliseconds
            {
                sink.append("<")
                sink.append(clock: start, ".")
                sink.append(">")
            }
            for byte in part.text.utf8 {
                switch byte {
                case UInt8(ascii: "&"): sink.append("&amp;")
                case UInt8(ascii: "<"): sink.append("&lt;")
                case UInt8(ascii: ">"): sink.append("&gt;")
                default: sink.append(byte)
                }
            }
        }
    }
}

extension CaptionCue {
    /// The settings of its place, after a space each; none for the middle of the bottom.
    fileprivate var settings: String {
        func percent(_ share: Double) -> String {
            "\(Int((min(max(share, 0), 1) * 100).rounded()))%"
        }
        var settings = ""
        switch vertical {
        case .start: settings += " line:\(percent(box.y))"
        case .middle: settings += " line:\(percent(box.center.y)),center"
        case .end: break
        }
        switch horizontal {
        case .start: settings += " position:\(percent(box.x)) align:left"
        case .middle: break
        case .end: settings += " position:\(percent(box.maxX)) align:right"
        }
        return settings
    }
}
