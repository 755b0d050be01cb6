/// The distribution of durations.
package struct Histogram: Sendable {
    /// The upper bounds of the buckets in seconds; the bounds of the first kind suit work on a
    /// thread.
    package static let fineBounds = [
        0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5,
        5, 10, 30,
    ]
    /// Fewer bounds, for times that are kept for many kinds of answers.
    package static let coarseBounds = [
        0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30,
    ]

    /// The upper bounds of the buckets in seconds, except for the last bucket, which has none.
    package let bounds: [Double]
    /// The durations in each bucket.
    package private(set) var counts: [Int]
    /// The seconds of all durations together.
    package private(set) var sum = 0.0

    package init(bounds: [Double] = Self.fineBounds) {
        self.bounds = bounds
        counts = [Int](repeating: 0, count: bounds.count + 1)
    }

    package mutating func add(nanoseconds: Int64) {
        let seconds = Double(nanoseconds) / 1e9
        counts[bounds.firstIndex { seconds <= $0 } ?? bounds.count] += 1
        sum += seconds
    }
}
