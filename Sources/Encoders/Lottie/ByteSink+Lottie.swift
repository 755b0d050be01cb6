import Motion

// The pieces that a Lottie file is made of.
extension ByteSink {
    /// Ends shapes with their fill, by the nonzero rule; `opacity` is the property, the colour's own
    /// where it is nil.
    mutating func append(lottieFill color: Color, opacity: [UInt8]? = nil) {
        append(",{\"ty\":\"fl\",\"c\":{\"a\":0,\"k\":[")
        append(share: color.red, of: 1, decimals: 3)
        append(UInt8(ascii: ","))
        append(share: color.green, of: 1, decimals: 3)
        append(UInt8(ascii: ","))
        append(share: color.blue, of: 1, decimals: 3)
        append("]},\"o\":")
        if let opacity {
            append(opacity)
        } else {
            append("{\"a\":0,\"k\":")
            append(share: color.alpha, of: 100, decimals: 1)
            append("}")
        }
        append(",\"r\":1}")
    }

    /// A 255th's share, rounded up: some players cut it to a byte, others round.
    private mutating func append(share byte: UInt8, of whole: Double, decimals: Int) {
        let power = decimals == 3 ? 1000.0 : 10
        append((Double(byte) / 255 * whole * power).rounded(.up) / power, decimals: decimals)
    }

    /// A place that does not change.
    mutating func append(lottiePoint point: Point) {
        append("{\"a\":0,\"k\":[")
        append(point.x, decimals: 2)
        append(UInt8(ascii: ","))
        append(point.y, decimals: 2)
        append("]}")
    }

    /// A scale that does not change.
    mutating func append(lottieScale scale: Double) {
        append("{\"a\":0,\"k\":[")
        append(lottiePercent: scale)
        append("]}")
    }

    /// A scale in percent across and down.
    mutating func append(lottiePercent scale: Double) {
        append(scale * 100, decimals: 4)
        append(UInt8(ascii: ","))
        append(scale * 100, decimals: 4)
    }

    /// A polygon as a closed path.
    mutating func append(contour corners: [LottieContours.Step]) {
        let none = [LottieContours.Step](repeating: .zero, count: corners.count)
        append(contour: corners, none, none)
    }

    /// A closed path: its vertices, and beside each the tangents into and out of it.
    mutating func append(
        contour vertices: [LottieContours.Step], _ tangentsIn: [LottieContours.Step],
        _ tangentsOut: [LottieContours.Step]
    ) {
        append("{\"ty\":\"sh\",\"ks\":{\"a\":0,\"k\":{\"c\":true,\"v\":")
        append(steps: vertices)
        append(",\"i\":")
        append(steps: tangentsIn)
        append(",\"o\":")
        append(steps: tangentsOut)
        append("}}}")
    }

    private mutating func append(steps: [LottieContours.Step]) {
        var separator = UInt8(ascii: "[")
        for step in steps {
            append(separator)
            append(UInt8(ascii: "["))
            append(step.x)
            append(UInt8(ascii: ","))
            append(step.y)
            append(UInt8(ascii: "]"))
            separator = UInt8(ascii: ",")
        }
        append(UInt8(ascii: "]"))
    }
}
