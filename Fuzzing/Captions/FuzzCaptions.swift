import Rendering

/// Files of captions: whatever is read has times in their order, and words in their texts.
enum FuzzCaptions: FuzzTarget {
    static func take(_ input: [UInt8]) {
        guard let file = try? CaptionEncoding.text(of: input) else { return }
        for format in CaptionFormat.allCases {
            guard let track = try? CaptionReader.track(of: file, as: format, unit: .auto) else {
                continue
            }
            check(!track.cues.isEmpty, "a track has no cues")
            check(
                zip(track.cues, track.cues.dropFirst()).allSatisfy { $0.at <= $1.at },
                "cues are out of order")
            for cue in track.cues { checkCue(cue) }
        }
    }

    private static func checkCue(_ cue: CaptionCue) {
        check(cue.until.map { $0 > cue.at } ?? true, "a cue ends before it begins")
        check(
            zip(cue.words, cue.words.dropFirst()).allSatisfy {
                $0.at <= $1.at && $0.range.upperBound <= $1.range.lowerBound
            }, "words are out of order")
        let text = Array(cue.text.utf8)
        for word in cue.words {
            check(
                word.range.upperBound <= text.count && word.until > word.at,
                "a word is out of its cue")
            check(
                String(validating: text[word.range], as: UTF8.self) != nil,
                "a word cuts a character")
        }
    }
}
