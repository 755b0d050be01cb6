import Bytes
import Motion

/// The frames that a video shows.
package enum VideoPart: String, CaseIterable, Sendable {
    case all
    /// From the start to where the finished text stands.
    case entrance = "in"
    /// A period of what moves while the text stands; one frame if nothing does.
    case hold
    /// From where the text leaves to the end.
    case exit = "out"
}

extension ParameterReader {
    /// The parameter `part`.
    package mutating func videoPart() -> VideoPart {
        choice(
            "part", default: .all,
            "Videos: all frames, those in which the text comes (in) or leaves (out), or one period of "
                + "what moves between them (hold), for editors that decide how long it stands.")
    }
}

/// The frames of a cycle in parts: `entrance`, `hold` as often as it fits, and `exit` are all of
/// them.
struct VideoParts {
    private let all: Range<Int>
    private let entrance: Range<Int>
    private let hold: Range<Int>
    private let exit: Range<Int>

    /// Divides the frames of a cycle.
    ///
    /// A period need not be a whole number of frames. Its end is then the nearest frame, so that a
    /// hold goes over into the next, and into the exit, within half a frame.
    ///
    /// - Throws: `EncodingError.notInFormat` where there are no such parts.
    init(of scene: Scene, _ frames: ConstantRate) throws(EncodingError) {
        let stand = try Self.stand(of: scene)
        let (first, last) = frames.frames(of: stand)
        guard first < last else {
            throw Self.fault("needs a longer hold: the text stands for less than a frame")
        }
        var (holdEnd, leaving) = (first + 1, last)
        if let period = stand.period {
            let length = period.seconds * frames.rate.perSecond
            holdEnd = first + max(Int(length.rounded()), 1)
            leaving = first + Int((Double(period.count) * length).rounded())
        }
        all = 0..<frames.count
        entrance = 0..<first
        hold = first..<min(holdEnd, last)
        exit = stand.leaves ? min(leaving, last)..<all.upperBound : 0..<0
    }

    /// Returns the frames of a part.
    ///
    /// - Throws: `EncodingError.notInFormat` where the part has none.
    func frames(of part: VideoPart) throws(EncodingError) -> Range<Int> {
        switch part {
        case .all: return all
        case .entrance:
            guard !entrance.isEmpty else { throw Self.fault("has no frames: no text comes") }
            return entrance
        case .hold: return hold
        case .exit:
            guard !exit.isEmpty else {
                throw Self.fault("has no frames: no text leaves; exit=auto lets it")
            }
            return exit
        }
    }

    private static func stand(of scene: Scene) throws(EncodingError) -> Stand {
        do throws(Stand.Absence) {
            return try Stand(of: scene)
        } catch {
            switch error {
            case .endlessLoop: throw fault("needs a loop that ends")
            case .turns: throw fault("needs texts that stand together, not one after another")
            case .longPeriod(let periods):
                let listed = periods.map { NumberText.of(($0 * 1000).rounded() / 1000) }
                throw fault(
                    "needs a longer hold: what moves while the text stands repeats each "
                        + listed.joined(separator: " s and each ") + " s")
            }
        }
    }

    private static func fault(_ message: String) -> EncodingError {
        .notInFormat(parameter: "part", message: message)
    }
}
