import Motion

/// The content of a glyph's layer and its position.
struct LottiePlacement {
    enum Content: Equatable {
        /// The shapes of a drawing, in the layer itself; index into `LottieAssets.drawings`.
        case shapes(Int)
        /// An asset made of a drawing; index into `LottieAssets.drawings`.
        case composition(Int)
        /// An asset made of a drawing that has the glyph's opacity itself; index into
        /// `LottieAssets.drawings`.
        case wholeComposition(Int)
        /// A single picture; index into `Layout.bitmaps`.
        case picture(Int)

        /// Index of the drawing whose shapes are in the layer itself.
        var shapes: Int? {
            if case .shapes(let index) = self { index } else { nil }
        }

        /// Returns the opacity of the layer; nil where its shapes have all of it.
        func opacity(_ tracks: GlyphTracks) -> [Keyframe<Instant, Double>]? {
            let opacity = ShareTrack.keyframes(of: tracks.opacity.keyframes)
            switch self {
            case .shapes: return nil
            case .composition, .picture: return opacity
            case .wholeComposition:
                // rlottie takes a 255th of all layers below an invisible matte.
                let presence = Self.presence(opacity)
                return presence.count > 1 ? presence : nil
            }
        }

        /// Returns jumps to 1 where an opacity rises above 0, and back to 0.
        private static func presence(_ opacity: [Keyframe<Instant, Double>]) -> [Keyframe<
            Instant, Double
        >] {
            var result: [Keyframe<Instant, Double>] = []
            for (index, keyframe) in opacity.enumerated() {
                let next = index + 1 < opacity.count ? opacity[index + 1] : keyframe
                let rises = keyframe.value == 0 && keyframe.easing != .hold && next.value > 0
                let value = keyframe.value > 0 || rises ? 1.0 : 0
                guard value != result.last?.value else { continue }
                if rises, result.isEmpty {
                    result.append(Keyframe(.zero, value: 0, easing: .hold))
                }
                let instant = Instant(ticks: keyframe.time.ticks + (rises ? 1 : 0))
                result.append(Keyframe(instant, value: value, easing: .hold))
            }
            return result
        }
    }

    let content: Content
    /// The point of the content that lies on `position`, in the content's units.
    let anchor: Point
    /// A point of the canvas in CSS pixels.
    let position: Point
    /// CSS pixels in one of the content's units.
    let scale: Double
}
