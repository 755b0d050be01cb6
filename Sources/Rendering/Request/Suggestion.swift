/// "Did you mean": the nearest of the names that would have been right.
package enum Suggestion {
    /// Nil when nothing is near enough to be meant.
    package static func nearest(to name: String, among candidates: [String]) -> String? {
        guard name.utf8.count <= 40 else { return nil }
        let written = Array(name.lowercased().unicodeScalars)
        var best: (name: String, distance: Int)?
        for candidate in candidates {
            let distance = distance(written, Array(candidate.lowercased().unicodeScalars))
            if distance < best?.distance ?? .max { best = (candidate, distance) }
        }
        guard let best, best.distance <= max(1, written.count / 3) else { return nil }
        return best.name
    }

    /// Insertions, deletions, changes and swaps of neighbours (optimal string alignment).
    private static func distance(_ one: [Unicode.Scalar], _ other: [Unicode.Scalar]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...other.count)
        for i in 0..<one.count {
            var row = [i + 1]
            for j in 0..<other.count {
                var cost = min(row[j] + 1, last[j + 1] + 1, last[j] + (one[i] == other[j] ? 0 : 1))
                if i > 0, j > 0, one[i] == other[j - 1], one[i - 1] == other[j] {
                    cost = min(cost, beforeLast[j - 1] + 1)
                }
                row.append(cost)
            }
            (beforeLast, last) = (last, row)
        }
        return last[other.count]
    }
}
