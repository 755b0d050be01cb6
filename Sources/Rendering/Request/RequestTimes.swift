import Bytes
import Motion
import Typesetting

/// The checks of times that a request gives to its texts and their words.
extension RequestReader {
    /// Returns true if the request gives a parameter at its top itself.
    func isGiven(_ name: ByteString) -> Bool {
        top.given[name] != nil && top.presetOfName[name] == nil
    }

    /// Notes parameters that need the sequence `timed`, or do not go with it.
    mutating func checkTimes(_ scene: SceneParameters, _ blocks: [ReadBlock]) {
        guard scene.sequence == .timed else {
            for name in Self.timed where isGiven(name) {
                fault(name.text, "needs sequence \"timed\"")
            }
            for name in Self.spoken where isGiven(name) { fault(name.text, "needs times") }
            return
        }
        for name in Self.untimed where isGiven(name) {
            fault(name.text, "must not be given together with sequence \"timed\"")
        }
        if scene.canvas.flow == .row {
            fault("flow", "must not be \"row\" together with sequence \"timed\"")
        }
        guard blocks.allSatisfy(\.parameters.times.isEmpty) else { return }
        for name in Self.spoken where isGiven(name) { fault(name.text, "needs times") }
    }

    /// Notes values of a text that need the sequence `timed`, or words with times.
    mutating func checkOwnTimes(
        _ own: [ByteString: RawValue], _ parameters: BlockParameters, at path: String
    ) {
        if top.values["sequence"] == .string("timed") {
            let start = parameters.at ?? parameters.times.first?.at ?? 0
            if let until = parameters.until, until <= start {
                fault(
                    (own["until"] == nil ? "" : path) + "until",
                    "must be after at, \(NumberText.of(start)); got \(NumberText.of(until))")
            }
        } else {
            for name in Self.timed + ["valign"] where own[name] != nil {
                fault(path + name.text, "needs sequence \"timed\" where it is of one text")
            }
        }
        let spoken = parameters.spoken
        if spoken.weight != nil {
            // Glyphs of another weight stand in for those that others would lie over.
            if spoken.kind == .sweep {
                fault(
                    (own["spokenWeight"] == nil ? "" : path) + "spokenWeight",
                    "must not be given together with spoken \"sweep\"")
            } else if parameters.paint.hasGradient,
                spoken.color != nil || spoken.pastColor != nil
            {
                fault(
                    (own["spokenWeight"] == nil ? "" : path) + "spokenWeight",
                    "must not be given together with spokenColor or pastColor over a gradient")
            }
        }
        guard parameters.times.isEmpty else { return }
        for name in Self.spoken where own[name] != nil { fault(path + name.text, "needs times") }
    }

    /// The parameters that only a timed sequence has.
    private static let timed: [ByteString] = ["at", "until", "times", "offset"]
    /// The parameters that decide times which a timed sequence has of its own.
    static let untimed: [ByteString] = ["gap", "cycle", "speed", "delay"]
    /// The parameters of words that are said.
    static let spoken = ParameterReader.definitions { _ = $0.spokenStyle() }
        .map { ByteString($0.name) }

    /// Returns the offset in a text of each word that has a time, and notes the first one that it
    /// does not have.
    mutating func readWords(
        _ words: [WordTime], in text: StyledText, at path: String
    ) -> [Int] {
        guard !words.isEmpty else { return [] }
        let normalized = words.map { word in
            let text = (try? TextNormalizer.normalized(word.text.text)) ?? word.text.text
            return Array(text.trimmingSpaces.utf8)
        }
        let offsets = TextWord.offsets(of: normalized, in: text.text)
        if offsets.count < words.count {
            let missing = words[offsets.count].text.text
            fault(
                path + "times[\(offsets.count)].text",
                "must be in the text, behind the word before it; got "
                    + RawValue.text(missing).description)
        }
        return offsets
    }
}
