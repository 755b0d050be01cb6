import Motion

/// Path data of outlines, formatted once; kept by a worker from one rendering to the next.
///
/// Belongs to one worker. Bounded: characters are the users' to choose.
package final class PathTextCache {
    private static let maximumCount = 8192

    private struct Entry {
        /// Kept alive, so that its address is nobody else's.
        let outline: Outline
        let precision: SVGPath.Precision
        let shift: Point
        let text: [UInt8]
    }

    private var entries: [ObjectIdentifier: Entry] = [:]

    package init() {}

    /// The path data of an outline, moved by font units, at `scale` CSS pixels in one font unit.
    func text(of outline: Outline, scale: Double, shift: Point) -> [UInt8] {
        let precision = SVGPath.Precision(scale: scale)
        let identity = ObjectIdentifier(outline)
        if let entry = entries[identity], entry.precision == precision, entry.shift == shift {
            return entry.text
        }
        if entries.count >= Self.maximumCount { entries = [:] }
        let text = SVGPath.text(of: outline, precision, shift: shift)
        entries[identity] = Entry(
            outline: outline, precision: precision, shift: shift, text: text)
        return text
    }
}
