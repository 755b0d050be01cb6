import Bytes
import Motion

/// A moment of an animation at which a keyframe counts (CSS Animations 1, 3).
enum CSSKeyframeSelector {
    case from, to
    case percentage(Double, decimals: Int)

    /// Makes the selector of a time from the start of an animation, both in ticks.
    init(_ ticks: Int, of duration: Int, decimals: Int) {
        switch ticks {
        case 0: self = .from
        case duration: self = .to
        default: self = .percentage(Double(ticks) / Double(duration) * 100, decimals: decimals)
        }
    }

    /// Returns the decimals of percentages that keep stops distinct and exact to half a
    /// millisecond.
    static func decimals(of stops: [CSSTrack.Stop], duration: Int) -> Int {
        var decimals = duration > 100_000 ? 3 : duration > 10_000 ? 2 : 1
        let start = stops.first?.instant.ticks ?? 0
        while decimals < 6 {
            let scale = 100 * Double(SVGNumber.power(decimals)) / Double(max(duration, 1))
            let percentages = stops.map { (Double($0.instant.ticks - start) * scale).rounded() }
            if zip(percentages, percentages.dropFirst()).allSatisfy({ $0 < $1 }) { break }
            decimals += 1
        }
        return decimals
    }
}

/// The time of an animation in percent, for keyframes between those of a scene.
struct CSSKeyframeAxis {
    /// The instant at which it begins.
    let start: Instant
    /// Ticks.
    let duration: Int
    /// The decimals of percentages.
    let decimals: Int

    /// Makes the axis of an animation; `decimals` belong to the scene's keyframes, which are more
    /// exact.
    init(from start: Instant, duration: Int, decimals: Int) {
        self.start = start
        self.duration = duration
        self.decimals = max(decimals - 1, 0)
    }

    /// Returns the rounded percentage of an instant.
    func percentage(_ instant: Instant) -> Double {
        let scale = Double(SVGNumber.power(decimals))
        let share = Double(instant.ticks - start.ticks) / Double(max(duration, 1))
        return (share * 100 * scale).rounded() / scale
    }
}

extension ByteSink {
    mutating func append(_ selector: CSSKeyframeSelector) {
        switch selector {
        case .from: append("from")
        case .to: append("to")
        case .percentage(let percentage, let decimals):
            append(percentage, decimals: decimals, leadingZero: false)
            append(UInt8(ascii: "%"))
        }
    }
}
