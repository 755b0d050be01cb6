package import Motion
package import Typesetting

/// The cues of a file of captions, in the order of their starts, with mended times.
package struct CaptionTrack: Equatable, Sendable {
    package var cues: [CaptionCue]
    /// The number of cues and words of which something was mended.
    package var mendedCount: Int
    /// What was mended, in the order of the file's cues; the first few hundred.
    package var mendings: [CaptionMending] = []

    package init(cues: [CaptionCue], mendedCount: Int = 0) {
        self.cues = cues
        self.mendedCount = mendedCount
    }
}

/// What was mended of a cue.
package struct CaptionMending: Equatable, Sendable {
    /// The number of the cue in the file, from 1.
    package let cue: Int
    /// A phrase that follows "cue N".
    package let phrase: String
}

/// A text of a file of captions, with the time in which it is said.
package struct CaptionCue: Equatable, Sendable {
    /// Its start.
    package var at: Instant
    /// Its end; nil where the file has none.
    package var until: Instant?
    /// Without tags; lines end with `\n`.
    package var text: String
    /// The words that have times, in order; empty where the file gives none.
    package var words: [CaptionWord] = []
    /// Nil where the file does not say.
    package var alignment: CanvasRequest.Alignment?
    package var verticalAlignment: CanvasRequest.VerticalAlignment?
    /// True if a page has to end with it.
    package var endsPage = false

    package init(at: Instant, until: Instant?, text: String) {
        self.at = at
        self.until = until
        self.text = text
    }
}

/// A word of a cue with a time of its own.
package struct CaptionWord: Equatable, Sendable {
    /// UTF-8 offsets in the cue's text, without white space around it.
    package var range: Range<Int>
    package var at: Instant
    package var until: Instant

    package init(range: Range<Int>, at: Instant, until: Instant) {
        self.range = range
        self.at = at
        self.until = until
    }
}

extension Sequence {
    /// Returns the elements in the order of their keys; those with equal keys stay in their order.
    func stablySorted<Key: Comparable>(by key: (Element) -> Key) -> [Element] {
        map { (key: key($0), element: $0) }.enumerated().sorted {
            ($0.element.key, $0.offset) < ($1.element.key, $1.offset)
        }.map(\.element.element)
    }
}
