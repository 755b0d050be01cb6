import Motion

// The pieces that a Lottie file is made of.
extension ByteSink {
    /// An asset's name, in quotes.
    mutating func append(_ asset: LottieUse.Asset) {
        append(UInt8(ascii: "\""))
        switch asset {
        case .drawing(let number): append(number)
        case .picture(let number):
            append("p")
            append(number)
        }
        append(UInt8(ascii: "\""))
    }

    /// The type of a shape layer, and its shapes filled by the nonzero rule.
    mutating func append(shape path: [UInt8], _ color: Color) {
        append("4,\"shapes\":[")
        append(path)
        if !path.isEmpty { append(UInt8(ascii: ",")) }
        append("{\"ty\":\"fl\",\"c\":{\"a\":0,\"k\":[")
        append(share: color.red, of: 1, decimals: 3)
        append(UInt8(ascii: ","))
        append(share: color.green, of: 1, decimals: 3)
        append(UInt8(ascii: ","))
        append(share: color.blue, of: 1, decimals: 3)
        append("]},\"o\":{\"a\":0,\"k\":")
        append(share: color.alpha, of: 100, decimals: 1)
        append("},\"r\":1}]")
    }

    /// A 255th's share, rounded up: some players cut it to a byte, others round.
    private mutating func append(share byte: UInt8, of whole: Double, decimals: Int) {
        let power = decimals == 3 ? 1000.0 : 10
        append((Double(byte) / 255 * whole * power).rounded(.up) / power, decimals: decimals)
    }

    /// The transform of a layer that stands still.
    mutating func append(still place: Point, scale: Double = 1) {
        append(",\"ks\":{\"p\":")
        append(lottiePoint: place)
        if scale != 1 {
            append(",\"s\":")
            append(lottieScale: scale)
        }
        append("}")
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

    /// A rectangle as a closed path.
    mutating func append(contour box: LottieBox) {
        typealias Step = LottieContours.Step
        append(
            contour: [
                Step(x: box.left, y: box.top), Step(x: box.right, y: box.top),
                Step(x: box.right, y: box.bottom), Step(x: box.left, y: box.bottom),
            ], [Step](repeating: .zero, count: 4), [Step](repeating: .zero, count: 4))
    }

    /// Appends a closed path: its vertices, and beside each the tangents into and out of it.
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
