import Motion
import Rendering
import Typesetting

/// What was read of a file, a line for each cue: `1000-2500 Hello|world`, with its words as
/// `Hello@1000-1500`; times are milliseconds.
enum CaptionSummary {
    static func of(
        _ file: String, as format: CaptionFormat = .auto, unit: CaptionUnit = .auto
    ) throws(RenderingError) -> [String] {
        try of(Array(file.utf8), as: format, unit: unit)
    }

    static func of(
        _ file: [UInt8], as format: CaptionFormat = .auto, unit: CaptionUnit = .auto
    ) throws(RenderingError) -> [String] {
        try CaptionReader.track(of: CaptionEncoding.text(of: file), as: format, unit: unit).cues
            .map(line)
    }

    private static func line(_ cue: CaptionCue) -> String {
        let bytes = Array(cue.text.utf8)
        let text = String(
            decoding: bytes.map { $0 == 0x0A ? UInt8(ascii: "|") : $0 }, as: UTF8.self)
        let words = cue.words.map { word in
            let text = String(decoding: bytes[word.range], as: UTF8.self)
            return " \(text)@\(time(word.at))-\(time(word.until))"
        }
        let places = [cue.verticalAlignment?.rawValue, cue.alignment?.rawValue]
        let place = places.compactMap(\.self).map { " " + $0 }.joined()
        return "\(time(cue.at))-\(cue.until.map(time) ?? "") \(text)" + words.joined() + place
            + (cue.endsPage ? " /" : "")
    }

    private static func time(_ instant: Instant) -> String {
        let (whole, tenth) = instant.ticks.quotientAndRemainder(dividingBy: 10)
        return tenth == 0 ? "\(whole)" : "\(whole).\(tenth)"
    }

    /// Returns the parameter and the message of the one fault of a file.
    static func fault(
        _ file: String, as format: CaptionFormat = .auto, unit: CaptionUnit = .auto
    ) -> String? {
        do throws(RenderingError) {
            _ = try of(file, as: format, unit: unit)
            return nil
        } catch {
            guard case .invalid(let faults) = error, faults.count == 1 else { return "\(error)" }
            return "\(faults[0].parameter) \(faults[0].message)"
        }
    }
}
