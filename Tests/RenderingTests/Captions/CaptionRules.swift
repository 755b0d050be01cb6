import Motion
import Rendering
import Testing

/// What holds of every track.
enum CaptionRules {
    static func check(_ file: [UInt8]) {
        guard
            let track = try? CaptionReader.track(
                of: CaptionEncoding.text(of: file), as: .auto, unit: .auto)
        else { return }
        let cues = track.cues
        #expect(!cues.isEmpty)
        #expect(zip(cues, cues.dropFirst()).allSatisfy { $0.at <= $1.at })
        for cue in cues {
            #expect(!cue.text.isEmpty && cue.at.ticks >= 0 && cue.until.map { $0 > cue.at } ?? true)
            let bytes = Array(cue.text.utf8)
            var end = 0
            for word in cue.words {
                #expect(word.range.lowerBound >= end && !word.range.isEmpty)
                end = word.range.upperBound
                #expect(end <= bytes.count)
                let text = String(validating: bytes[word.range], as: UTF8.self)
                #expect(text?.first?.isWhitespace == false && word.until > word.at)
            }
            #expect(zip(cue.words, cue.words.dropFirst()).allSatisfy { $0.at <= $1.at })
        }
    }
}
