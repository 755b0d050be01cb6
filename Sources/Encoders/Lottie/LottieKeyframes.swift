import Motion

/// Writes properties: a value, or keyframes with their easings.
struct LottieKeyframes {
    /// The easing that was written last, for most follow one of their kind.
    private var lastCurve: CubicBezier?
    private var lastCurveText: [UInt8] = []

    /// A property of one number, `scale` times the track's and `plus`; without keyframes it is `plus`.
    mutating func write(
        _ keyframes: [Keyframe], scale: Double = 1, plus: Double = 0, decimals: Int,
        to sink: inout ByteSink
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

    /// A layer's scale in percent, `scale` times the track's; without keyframes it is `scale`.
    mutating func write(
        _ keyframes: [Keyframe], percentOf scale: Double, to sink: inout ByteSink
    ) {
        if keyframes.count <= 1 {
            return sink.append(lottieScale: (keyframes.first?.value ?? 1) * scale)
        }
        write(keyframes, to: &sink) { value, sink in
            sink.append(lottiePercent: value * scale)
        }
    }

    private mutating func write(
        _ keyframes: [Keyframe], to sink: inout ByteSink,
        value: (Double, inout ByteSink) -> Void
    ) {
        sink.append("{\"a\":1,\"k\":[")
        for (index, keyframe) in keyframes.enumerated() {
            sink.append(index > 0 ? ",{\"t\":" : "{\"t\":")
            sink.append(frame: keyframe.instant.ticks)
            sink.append(",\"s\":[")
            value(keyframe.value, &sink)
            sink.append("]")
            // The last keyframe leads nowhere.
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
