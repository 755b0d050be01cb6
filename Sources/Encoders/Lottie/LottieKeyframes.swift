import Bytes
import Motion

/// Writes properties: a value, or keyframes with their easings.
struct LottieKeyframes {
    let timeline: LottieTimeline
    /// The last written easing, which most often follows again.
    private var lastCurve: CubicBezier?
    private var lastCurveText: [UInt8] = []

    init(_ timeline: LottieTimeline) {
        self.timeline = timeline
    }

    /// Writes a property of one number: each value, or 0 without keyframes, times `scale`, plus a
    /// number.
    mutating func write(
        _ keyframes: [Keyframe<Instant, Double>], scale: Double = 1, plus: Double = 0,
        decimals: Int, to sink: inout ByteSink
    ) {
        if keyframes.count <= 1 {
            sink.append("{\"a\":0,\"k\":")
            sink.append((keyframes.first?.value ?? 0) * scale + plus, decimals: decimals)
            return sink.append("}")
        }
        write(keyframes, to: &sink) { value, sink in
            sink.append(value * scale + plus, decimals: decimals)
        }
    }

    /// Writes a layer's scale in percent: each value, or 1 without keyframes, times `scale`.
    mutating func write(
        _ keyframes: [Keyframe<Instant, Double>], percentOf scale: Double, to sink: inout ByteSink
    ) {
        if keyframes.count <= 1 {
            return sink.append(lottieScale: (keyframes.first?.value ?? 1) * scale)
        }
        write(keyframes, to: &sink) { value, sink in
            sink.append(lottiePercent: value * scale, value * scale)
        }
    }

    /// Writes a property of several numbers, with at least one keyframe; `value` writes the numbers
    /// of each. A property with one keyframe may have a slot.
    mutating func write<Value>(
        _ keyframes: [Keyframe<Instant, Value>], in slot: LottieSlot? = nil,
        to sink: inout ByteSink, value: (Value, inout ByteSink) -> Void
    ) {
        if keyframes.count == 1 {
            sink.append("{")
            sink.append(lottieSlot: slot)
            sink.append("\"a\":0,\"k\":[")
            value(keyframes[0].value, &sink)
            return sink.append("]}")
        }
        sink.append("{\"a\":1,\"k\":[")
        for (index, keyframe) in keyframes.enumerated() {
            sink.append(index > 0 ? ",{\"t\":" : "{\"t\":")
            sink.append(timeline.frame(of: keyframe.time.ticks), decimals: 2)
            sink.append(",\"s\":[")
            value(keyframe.value, &sink)
            sink.append("]")
            // The last keyframe has no easing.
            if index < keyframes.count - 1 {
                let stands = keyframes[index + 1].value == keyframe.value
                write(stands ? .hold : keyframe.easing, &sink)
            }
            sink.append("}")
        }
        sink.append("]}")
    }

    private mutating func write(_ easing: Easing, _ sink: inout ByteSink) {
        switch easing {
        case .hold: sink.append(",\"h\":1")
        case .linear:
            sink.append(",\"o\":{\"x\":0,\"y\":0},\"i\":{\"x\":1,\"y\":1}")
        case .cubic(let curve):
            if lastCurve != curve {
                lastCurve = curve
                lastCurveText = Self.text(of: curve)
            }
            sink.append(lastCurveText)
        }
    }

    private static func text(of curve: CubicBezier) -> [UInt8] {
        var sink = ByteSink(capacity: 96)
        sink.append(",\"o\":{\"x\":")
        sink.append(curve.x1, decimals: 4)
        sink.append(",\"y\":")
        sink.append(curve.y1, decimals: 4)
        sink.append("},\"i\":{\"x\":")
        sink.append(curve.x2, decimals: 4)
        sink.append(",\"y\":")
        sink.append(curve.y2, decimals: 4)
        sink.append("}")
        return sink.bytes()
    }
}

extension LottieKeyframes {
    /// Returns a property of one number; see `write`.
    mutating func property(
        of keyframes: [Keyframe<Instant, Double>], scale: Double = 1, decimals: Int
    ) -> [UInt8] {
        var sink = ByteSink(capacity: 256)
        write(keyframes, scale: scale, decimals: decimals, to: &sink)
        return sink.bytes()
    }

    /// Returns the property of a colour; a slot has one keyframe.
    mutating func property(
        of colors: [Keyframe<Instant, SIMD4<Double>>], in slot: LottieSlot?
    ) -> [UInt8] {
        var sink = ByteSink(capacity: 256)
        write(colors, in: slot, to: &sink) { value, sink in sink.append(lottieColor: value) }
        return sink.bytes()
    }
}

extension ByteSink {
    /// Appends the property of a point that does not change.
    mutating func append(lottiePoint point: Point) {
        append("{\"a\":0,\"k\":[")
        append(point.x, decimals: 2)
        append(UInt8(ascii: ","))
        append(point.y, decimals: 2)
        append("]}")
    }

    /// Appends the property of a scale that does not change.
    mutating func append(lottieScale scale: Double) {
        append("{\"a\":0,\"k\":[")
        append(lottiePercent: scale, scale)
        append("]}")
    }

    /// Appends a scale in percent.
    mutating func append(lottiePercent across: Double, _ down: Double) {
        append(across * 100, decimals: 4)
        append(UInt8(ascii: ","))
        append(down * 100, decimals: 4)
    }
}
