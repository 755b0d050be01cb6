import Glibc
import Motion

/// The skew of a layer, which Lottie applies after the scale and before the turn.
enum LottieSkew {
    /// A skew across, with an equal scale in both directions: the order does not matter.
    case across([Keyframe<Instant, Double>])
    /// An equivalent scale across, scale down, turn, and skew, with angles in radians.
    case mixed([Keyframe<Instant, SIMD4<Double>>])

    /// Nil for a glyph that is not skewed.
    init?(_ tracks: GlyphTracks) {
        guard tracks[.skewX] != nil || tracks[.skewY] != nil else { return nil }
        if let across = tracks[.skewX], tracks[.skewY] == nil, tracks[.scaleX] == nil,
            tracks[.scaleY] == nil
        {
            self = .across(across.keyframes)
            return
        }
        let properties = [Property.scale, .scaleX, .scaleY, .skewX, .skewY, .rotation]
        let parts = properties.map { property in
            tracks[property]?.keyframes ?? [Keyframe(.zero, value: property.identity)]
        }
        self = .mixed(
            JoinedTracks.joined(parts, tolerance: 0.001, keepsEasings: false) { values in
                var pose = Pose.rest
                for (property, value) in zip(properties, values) where property != .rotation {
                    property.enter(&pose, value)
                }
                return Self.parts(of: pose, rotation: values[5])
            })
    }

    /// Returns scale across and down, turn, and skew of a pose that is not turned yet.
    private static func parts(of pose: Pose, rotation: Double) -> SIMD4<Double> {
        let linear = pose.linear
        let sign = pose.scaleX < 0 ? -1.0 : 1
        let across = sign * linear.across
        let length = linear.lengths.x
        let determinant = linear.determinant
        // A glyph that is scaled to nothing is not seen.
        guard length > 0, determinant != 0 else {
            return SIMD4(pose.scaleX, pose.scaleY, rotation * .pi / 180, 0)
        }
        let lean = (linear.across * linear.down).sum() / determinant
        return SIMD4(
            sign * length, sign * determinant / length,
            rotation * .pi / 180 + atan2(across.y, across.x), atan(lean))
    }
}

extension [Keyframe<Instant, SIMD4<Double>>] {
    /// Returns one of the angles in degrees, from radians; one keyframe where it never changes.
    func angles(_ index: Int) -> [Keyframe<Instant, Double>] {
        let angles = map {
            Keyframe($0.time, value: $0.value[index] * 180 / .pi, easing: $0.easing)
        }
        let stays = angles.allSatisfy { abs($0.value - angles[0].value) < 0.005 }
        return stays ? [angles[0]] : angles
    }
}
