import Bytes
import Motion

/// The captions of a request.
struct Captions: Equatable, Sendable {
    var track: CaptionTrack
    var parameters: CaptionParameters

    /// The warning of a file of which something was mended; nil if nothing was.
    var warning: Warning? {
        let count = track.mendedCount
        guard count > 0 else { return nil }
        return Warning(
            code: .captionsMended,
            message: "\(count) \(count == 1 ? "time" : "times") of the captions "
                + (count == 1 ? "was" : "were") + " mended",
            block: nil)
    }

    /// Checks what pages cost before any is made: their number is limited by their graphemes.
    ///
    /// - Throws: `RenderingError.overLimit`.
    func check(_ limits: RenderLimits, offset: Double) throws(RenderingError) {
        let graphemes = track.graphemeCount
        guard graphemes <= limits.graphemes else {
            throw .overLimit(
                "captions", "has \(graphemes) graphemes; the limit is \(limits.graphemes)")
        }
        let ends = track.cues.map(\.at) + [track.cues.last?.until ?? .zero]
        let end = (ends.max() ?? .zero).seconds + offset
        guard end <= limits.scene.cycleSeconds else {
            throw .overLimit(
                "captions",
                "its last text ends after \(NumberText.of(end.rounded())) s; "
                    + "the limit is \(NumberText.of(limits.scene.cycleSeconds)) s")
        }
    }
}

extension RawRequest {
    /// The first of the parameters that only captions have, which pages do not go with; nil for none.
    package var captionParameter: String? {
        CaptionParameters.names.first { values[$0] != nil }?.text
    }
}

extension CaptionTrack {
    fileprivate var graphemeCount: Int { cues.reduce(0) { $0 + $1.text.count } }
}

/// The captions of a request, which become its texts.
extension RequestReader {
    /// Reads the captions, and notes what does not go with them; nil for none, or for a fault.
    mutating func readCaptions(_ scene: SceneParameters) -> Captions? {
        guard let raw = top.given["captions"] else { return nil }
        for name in Self.withoutCaptions where isGiven(name) {
            fault(name.text, "must not be given together with captions")
        }
        if !texts.isEmpty { fault("text", "must not be given together with captions") }
        do {
            let track = try track(of: raw, scene.captions)
            return Captions(track: track, parameters: scene.captions)
        } catch {
            guard case .invalid = error else {
                excess = error
                return nil
            }
            for found in error.faults { fault(found.parameter, found.message) }
            return nil
        }
    }

    private func track(
        of raw: RawValue, _ parameters: CaptionParameters
    ) throws(RenderingError) -> CaptionTrack {
        let bytes: Int
        switch raw {
        case .text(let text), .string(let text): bytes = text.utf8.count
        default: bytes = JSONNode(raw).text.utf8.count
        }
        guard bytes <= limits.captionBytes else {
            throw .overLimit(
                "captions", "has \(bytes) bytes; the limit is \(limits.captionBytes)")
        }
        guard let text = raw.characters else { return try CaptionReader.track(of: raw) }
        return try CaptionReader.track(
            of: text, as: parameters.format, unit: parameters.unit)
    }

    /// Reads each cue as a text, whose faults are those of the pages. Captions that cannot be read, or
    /// are too long, are read as a sample, for the faults of all else.
    mutating func readCues(of captions: Captions?) -> [ReadBlock] {
        guard let cues = captions?.track.cues, cues.count <= limits.graphemes else {
            let sample = [CaptionCue(at: .zero, until: Instant(seconds: 1), text: "Captions")]
            return sample.compactMap { readBlock(own(of: $0), text: .string($0.text), at: "") }
        }
        return cues.enumerated().compactMap { index, cue in
            readBlock(own(of: cue), text: .string(cue.text), at: "captions[\(index)].")
        }
    }

    /// Returns a cue's own values, with one word, because others need words with times.
    private func own(of cue: CaptionCue) -> [ByteString: RawValue] {
        let at = RawValue.number(cue.at.seconds)
        let first = cue.text.unicodeScalars.first { !$0.properties.isWhitespace }
        guard let first else { return ["at": at] }
        return [
            "at": at, "times": .array([.object(["text": .string(String(first)), "at": at])]),
        ]
    }

    /// The parameters that say how texts are written, or have the times of one.
    private static let withoutCaptions: [ByteString] = [
        "blocks", "at", "until", "times", "markup", "codeLanguage", "path",
    ]
}
