/// The number of keyframes of a scene so far, up to a limit.
struct KeyframeCount {
    private(set) var used = 0
    let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    /// Counts more keyframes.
    ///
    /// - Parameter count: Their number.
    /// - Throws: `SceneError.tooManyKeyframes` if there are more than the limit.
    mutating func add(_ count: Int) throws(SceneError) {
        used += count
        guard used <= limit else { throw .tooManyKeyframes(count: used, limit: limit) }
    }
}
