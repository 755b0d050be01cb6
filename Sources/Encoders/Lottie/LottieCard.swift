import Bytes
import Motion

/// Writes the shapes of a card.
struct LottieCard {
    private let card: Card
    /// CSS pixels.
    private let width: Double
    /// CSS pixels.
    private let height: Double
    private let profile: LottieProfile

    init(_ card: Card, width: Double, height: Double, _ profile: LottieProfile) {
        self.card = card
        self.profile = profile
        self.width = width
        self.height = height
    }

    /// True if any of the card is seen.
    var isSeen: Bool { hasBackground || seenBorder != nil }

    private var hasBackground: Bool { !card.background.isTransparent }

    private var seenBorder: LineStyle? {
        card.border.flatMap { $0.color.isTransparent ? nil : $0 }
    }

    /// Writes the border and, below it, the background.
    func write(_ timeline: LottieTimeline, to sink: inout ByteSink) {
        var keyframes = LottieKeyframes(timeline)
        guard let border = seenBorder else { return writeBackground(&keyframes, &sink) }
        sink.append("{\"ty\":\"gr\",\"it\":[")
        write(edgeAt: 0, &keyframes, &sink)
        if 2 * border.width < min(width, height) {
            sink.append(UInt8(ascii: ","))
            write(edgeAt: border.width, &keyframes, &sink)
        }
        sink.append(
            lottieFill: LottiePaint(.color(border.color), &keyframes), rule: .evenOdd)
        sink.appendLottieGroupEnd()
        guard hasBackground else { return }
        sink.append(",{\"ty\":\"gr\",\"it\":[")
        writeBackground(&keyframes, &sink)
        sink.appendLottieGroupEnd()
    }

    private func writeBackground(_ keyframes: inout LottieKeyframes, _ sink: inout ByteSink) {
        write(edgeAt: 0, &keyframes, &sink)
        let slot = profile.hasSlots ? LottieSlot.background : nil
        sink.append(lottieFill: LottiePaint(background, in: slot, &keyframes))
    }

    private var background: LottieInk {
        switch card.background {
        case .color(let color): .color(color)
        case .gradient(let gradient):
            LottieGradientBox(
                gradient, in: Rect(x: 0, y: 0, width: width, height: height), profile.version
            ).ink
        }
    }

    /// The value of the background's slot; nil where there is none.
    var slot: LottieInk? { profile.hasSlots && hasBackground ? background : nil }

    /// Writes the edge of the card, or one within it.
    private func write(
        edgeAt inset: Double, _ keyframes: inout LottieKeyframes, _ sink: inout ByteSink
    ) {
        let radius = card.cornerRadius(width: width, height: height)
        guard radius > 0 || inset > 0 else {
            let box = LottieBox(width: Int(width), height: Int(height))
            return sink.append(contour: box.corners(clockwise: true))
        }
        sink.append("{\"ty\":\"rc\",\"p\":")
        sink.append(lottiePoint: Point(x: width / 2, y: height / 2))
        sink.append(",\"s\":")
        sink.append(lottiePoint: Point(x: width - 2 * inset, y: height - 2 * inset))
        sink.append(",\"r\":")
        let inner = Keyframe(Instant.zero, value: max(radius - inset, 0))
        keyframes.write([inner], decimals: 2, to: &sink)
        sink.append("}")
    }
}
