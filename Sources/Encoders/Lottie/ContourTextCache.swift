import Motion

/// Shapes of outlines, formatted once; kept by a worker from one rendering to the next.
///
/// Belongs to one worker. Bounded: characters are the users' to choose.
package final class ContourTextCache {
    private static let maximumCount = 4096

    private struct Entry {
        /// Kept alive, so that its address is nobody else's.
        let outline: Outline
        let unitsPerStep: Double
        let text: [UInt8]
    }

    private var entries: [ObjectIdentifier: Entry] = [:]

    package init() {}

    /// An outline's shapes as `LottieContours` writes them.
    func text(of outline: Outline, unitsPerStep: Double) -> [UInt8] {
        let identity = ObjectIdentifier(outline)
        if let entry = entries[identity], entry.unitsPerStep == unitsPerStep { return entry.text }
        if entries.count >= Self.maximumCount { entries = [:] }
        let text = LottieContours.text(of: outline, unitsPerStep: unitsPerStep)
        entries[identity] = Entry(outline: outline, unitsPerStep: unitsPerStep, text: text)
        return text
    }
}
