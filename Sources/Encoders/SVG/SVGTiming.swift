/// The differences in time between the animations of an element and of its set.
struct SVGTiming {
    /// The ticks to add to delays before `boundary`, an instant in ticks; `last` is for later ones.
    private let first: Int
    private let boundary: Int
    private let last: Int
    /// The ticks that its only animation lasts; nil where they are the set's.
    let duration: Int?

    /// The timing of the set.
    static let same = SVGTiming(shift: 0, duration: nil)

    init(shift: Int, duration: Int?) {
        (first, boundary, last) = (shift, 0, shift)
        self.duration = duration
    }

    init(_ shifts: SVGTrackShifts) {
        first = shifts.first ?? 0
        boundary = shifts.boundary
        last = shifts.last ?? first
        duration = nil
    }

    /// Returns the ticks by which an animation of the set is delayed.
    func delay(of animation: SVGAnimation) -> Int {
        animation.delay + (animation.delay < boundary ? first : last)
    }

    /// Returns the ticks that an animation of the set lasts.
    func duration(of animation: SVGAnimation) -> Int {
        duration ?? animation.duration
    }
}
