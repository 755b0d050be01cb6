import Motion

/// The times of the frames of an animation (docs/effects.md, *Frames*).
struct FrameTimes {
    /// The unit of the durations in a file, which are whole numbers; the raw value is in ticks.
    enum Unit: Int {
        case hundredths = 100
        case milliseconds = 10
    }

    struct Frame: Equatable {
        /// The time from the file's beginning, in units.
        var start: Int
        /// The instant of the scene that it shows.
        var instant: Instant
    }

    private(set) var frames: [Frame]
    /// The number of frames without the short one that may be added at the end.
    private(set) var steps = 1
    /// The fewest units from the start of one frame to the next, but for the last one.
    let step: Int
    /// The duration of all frames in units; 0 when nothing is animated.
    private(set) var total: Int
    /// The shortest duration of a frame, in units.
    private let shortest: Int
    /// Ticks of a unit, and of the scene's cycle.
    private let ticks: Int
    private let duration: Int

    /// The shortest duration of a frame that browsers honour, in ticks.
    private static let shortestTicks = 200

    /// Chooses the frames of a scene.
    ///
    /// - Parameters:
    ///   - scene: The scene.
    ///   - unit: The unit of durations.
    ///   - fps: Frames a second while something moves.
    ///   - origin: The instant of the cycle with which the file begins.
    init(of scene: Scene, in unit: Unit, fps: Double, from origin: Instant = .zero) {
        let units = Instant.perSecond / Double(unit.rawValue)
        self.init(of: scene, in: unit, step: Int((units / fps).rounded()), from: origin)
    }

    /// Chooses the frames of a scene, of which one starts so many units after the one before.
    init(of scene: Scene, in unit: Unit, step: Int, from origin: Instant) {
        ticks = unit.rawValue
        duration = scene.duration.ticks
        total = (duration + ticks / 2) / ticks
        shortest = Self.shortestTicks / ticks
        self.step = max(shortest, step)
        frames = [Frame(start: 0, instant: origin)]
        let changes = Self.changes(of: scene, from: origin.ticks)
        guard !changes.isEmpty else { return }
        var next = 0
        while true {
            let shown = frames[frames.count - 1].start
            while next < changes.count, changes[next].upperBound <= ticks * shown { next += 1 }
            guard next < changes.count else { break }
            let change = max(changes[next].lowerBound, ticks * shown + 1)
            let start = max((change + ticks - 1) / ticks, shown + self.step)
            guard start <= total - shortest else { break }
            frames.append(Frame(start: start, instant: instant(start, after: origin)))
        }
        steps = frames.count
        if scene.loop != .infinite { end(with: origin == .zero ? scene.duration : origin) }
    }

    /// Returns the instant so many units after another one.
    private func instant(_ units: Int, after origin: Instant) -> Instant {
        let passed = origin.ticks + ticks * units
        return Instant(ticks: passed < duration ? passed : passed - duration)
    }

    /// Puts a frame before the others, of the shortest duration that browsers honour.
    mutating func begin(with instant: Instant) {
        for index in frames.indices { frames[index].start += shortest }
        frames.insert(Frame(start: 0, instant: instant), at: 0)
        steps += 1
        total += shortest
    }

    /// Divides the longest frames in two until there are `count`, or until browsers would not
    /// honour the durations of the halves.
    mutating func divide(until count: Int) {
        guard total > 0 else { return }
        while frames.count < count {
            let ends = frames.dropFirst().map(\.start) + [total]
            var longest = 0
            for index in frames.indices
            where ends[index] - frames[index].start > ends[longest] - frames[longest].start {
                longest = index
            }
            let length = ends[longest] - frames[longest].start
            guard length >= 2 * shortest else { return }
            let first = frames[longest]
            let half = Frame(
                start: first.start + length / 2, instant: instant(length / 2, after: first.instant))
            frames.insert(half, at: longest + 1)
            steps += 1
        }
    }

    /// Makes the last frame of an animation that stops show its end.
    private mutating func end(with instant: Instant) {
        let start = max(total - shortest, 0)
        while let last = frames.last, last.start + shortest > start { frames.removeLast() }
        frames.append(Frame(start: frames.isEmpty ? 0 : start, instant: instant))
    }

    /// Returns the ticks from the file's beginning at which the picture may change.
    private static func changes(of scene: Scene, from origin: Int) -> [ClosedRange<Int>] {
        var changes: [ClosedRange<Int>] = []
        for tracks in scene.tracks { changes += tracks.changes }
        for mask in scene.masks {
            for span in mask where span.opening != nil {
                changes.append(span.start.ticks...span.end.ticks)
            }
        }
        changes += scene.paintChanges
        guard origin > 0 else { return changes.merged }
        let wrap = scene.duration.ticks - origin
        var turned = [wrap...wrap]
        for change in changes.merged {
            if change.upperBound > origin {
                turned.append(max(change.lowerBound - origin, 1)...(change.upperBound - origin))
            }
            if change.lowerBound < origin {
                turned.append(change.lowerBound + wrap...min(change.upperBound, origin) + wrap)
            }
        }
        return turned.merged
    }
}
