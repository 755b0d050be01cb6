package import Motion

/// Frames a second, as a fraction.
package struct FrameRate: Equatable, Sendable {
    let numerator: Int
    let denominator: Int

    /// Makes the fraction of a number with up to three decimals.
    ///
    /// - Parameter number: Frames a second, 1…60. 23.976 or 23.98, 29.97, and 59.94 stand for
    ///   television's rates: 24000/1001, 30000/1001, and 60000/1001.
    package init(_ number: Double) {
        let whole = (number * 1.001).rounded()
        let television = whole / 1.001
        let isRounded = abs((television * 100).rounded() / 100 - number) < 1e-9
        if number != number.rounded(), isRounded || abs(television - number) < 0.0005 {
            (numerator, denominator) = (Int(whole) * 1000, 1001)
            return
        }
        let thousandths = max(Int((number * 1000).rounded()), 1)
        var (divisor, rest) = (thousandths, 1000)
        while rest > 0 { (divisor, rest) = (rest, divisor % rest) }
        (numerator, denominator) = (thousandths / divisor, 1000 / divisor)
    }

    /// The fraction as ffmpeg reads it.
    var text: String { "\(numerator)/\(denominator)" }

    var perSecond: Double { Double(numerator) / Double(denominator) }

    /// Returns the time from the start of the first frame to that of another.
    func time(ofFrame number: Int) -> Instant {
        Instant(seconds: Double(number) * Double(denominator) / Double(numerator))
    }

    /// Returns the number of the first frame that shows an instant or a later one.
    package func firstFrame(from instant: Instant) -> Int {
        let number = Int((instant.seconds * perSecond).rounded(.down))
        return time(ofFrame: number) < instant ? number + 1 : number
    }
}

/// Frames of equal duration, of one cycle or several.
struct ConstantRate: Sendable {
    let rate: FrameRate
    /// The number of frames, at least one.
    private(set) var count: Int
    /// The number of the first one among those of the whole.
    private var start = 0
    /// The number of the last frame of the whole.
    private let last: Int
    /// The number of cycles.
    let cycles: Double
    /// Ticks of a cycle.
    private let cycle: Int
    /// The instant of the last frame where the animation stops; nil where it begins anew.
    private let end: Instant?
    /// The instant of the first frame, if it shows the finished text by itself.
    private var first: Instant?
    /// The instant of the cycle with which all begins.
    private var origin = Instant.zero

    /// - Parameters:
    ///   - scene: The scene.
    ///   - framesPerSecond: Frames a second.
    ///   - repeats: True if all of a finite number of cycles are shown, false for one only.
    ///   - limit: The most frames.
    /// - Throws: `EncodingError.tooManyFrames`.
    init(
        of scene: Scene, _ framesPerSecond: Double, repeats: Bool, limit: Int
    ) throws(EncodingError) {
        rate = FrameRate(framesPerSecond)
        cycle = scene.duration.ticks
        end = scene.loop == .infinite ? nil : scene.duration
        var cycles = 1.0
        if repeats, case .count(let count) = scene.loop { cycles = Double(count) }
        self.cycles = cycles
        let seconds = scene.duration.seconds * cycles
        let exact = seconds * rate.perSecond
        let count = max((exact - 1e-6).rounded(.up), 1)
        guard count <= Double(limit) else {
            throw .tooManyFrames(count: Int(min(count, 1e9)), limit: limit)
        }
        self.count = Int(count)
        last = self.count - 1
    }

    /// Chooses the first frame. The finished text stands in its place; a video that loops begins
    /// with the hold of the text instead, unless it is asked for one frame.
    mutating func begin(with poster: Poster, of scene: Scene) {
        guard poster != .auto, poster.isEnd(of: scene), cycle > 0 else { return }
        if end == nil, poster == .end {
            origin = scene.finishedInstant
        } else {
            first = scene.finishedInstant
        }
    }

    /// Leaves out all frames but those of a part, which show what they show among all.
    ///
    /// - Throws: `EncodingError.notInFormat` where there is no such part.
    mutating func show(_ part: VideoPart, of scene: Scene) throws(EncodingError) {
        guard part != .all else { return }
        show(try VideoParts(of: scene, self).frames(of: part))
    }

    /// Leaves out all frames but some, which show what they show among all.
    mutating func show(_ frames: Range<Int>) {
        let frames = frames.clamped(to: start..<start + count)
        (start, count) = (frames.lowerBound, frames.count)
    }

    /// Returns the numbers of the first frame in which the text of a cycle stands, and of the first
    /// one after it.
    func frames(of stand: Stand) -> (first: Int, end: Int) {
        let first = rate.firstFrame(from: stand.start)
        // The last frame shows the end of the cycle.
        return stand.leaves
            ? (first, min(rate.firstFrame(from: stand.end), last)) : (min(first, last), last + 1)
    }

    /// Returns the instant that a frame shows.
    func instant(ofFrame shown: Int) -> Instant {
        let number = start + shown
        if number == 0, let first { return first }
        if number == last, let end { return end }
        let ticks = rate.time(ofFrame: number).ticks + origin.ticks
        return Instant(ticks: cycle > 0 ? ticks % cycle : 0)
    }
}
