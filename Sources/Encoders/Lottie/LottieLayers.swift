import Motion

/// Writes the layers of glyphs.
struct LottieLayers {
    private let timeline: LottieTimeline
    private var keyframes = LottieKeyframes()

    init(_ timeline: LottieTimeline) {
        self.timeline = timeline
    }

    /// Writes the layer of one glyph.
    ///
    /// - Parameters:
    ///   - placement: The content of the layer.
    ///   - assets: The drawings that it refers to.
    ///   - cache: The shapes of outlines.
    ///   - center: The centre of the glyph's box, in CSS pixels.
    ///   - tracks: The glyph's motion.
    ///   - sink: The file to append to.
    mutating func write(
        _ placement: LottiePlacement, _ assets: LottieAssets, _ cache: any GlyphCache,
        center: Point, _ tracks: GlyphTracks, to sink: inout ByteSink
    ) {
        // Without `ddd` rlottie ignores the rotation.
        sink.append("{\"ddd\":0,\"ty\":")
        switch placement.content {
        case .shapes(let index):
            let alpha = assets.drawings[index].color.alpha
            sink.append("4,\"shapes\":[")
            assets.write(
                shapesOf: index, opacity: opacity(tracks.opacity, alpha: alpha), cache,
                to: &sink)
            sink.append("]")
        case .composition(let index):
            sink.append("0,\"w\":")
            sink.append(assets.boxes[index].width)
            sink.append(",\"h\":")
            sink.append(assets.boxes[index].height)
            sink.append(",\"refId\":\"")
            sink.append(index)
            sink.append("\"")
        case .picture(let bitmap):
            sink.append("2,\"refId\":\"p")
            sink.append(bitmap)
            sink.append("\"")
        }
        let firstFrame = timeline.firstFrame(tracks.opacity)
        sink.append(",\"ip\":")
        sink.append(firstFrame ?? 0)
        sink.append(",\"op\":")
        sink.append(timeline.lastFrame)
        sink.append(",\"st\":0,\"ks\":{")
        writeTransform(placement, center, tracks, &sink)
        if firstFrame == nil, placement.content.shapes == nil {
            sink.append(",\"o\":")
            sink.append(opacity(tracks.opacity, alpha: 255))
        }
        sink.append("}}")
    }

    private mutating func opacity(_ track: Track, alpha: UInt8) -> [UInt8] {
        var sink = ByteSink(capacity: 256)
        keyframes.write(
            LottieOpacity.keyframes(of: track), scale: Double(alpha) / 2.55, decimals: 2,
            to: &sink)
        return sink.bytes()
    }

    /// Writes anchor, scale, position and rotation.
    ///
    /// A glyph that is scaled or turned has the centre of its box as the anchor.
    private mutating func writeTransform(
        _ placement: LottiePlacement, _ center: Point, _ tracks: GlyphTracks,
        _ sink: inout ByteSink
    ) {
        var (anchor, position) = (placement.anchor, placement.position)
        if tracks.usesCenter {
            anchor.x += (center.x - position.x) / placement.scale
            anchor.y += (center.y - position.y) / placement.scale
            position = center
        }
        sink.append("\"a\":")
        sink.append(lottiePoint: anchor)
        sink.append(",\"s\":")
        keyframes.write(tracks[.scale]?.keyframes ?? [], percentOf: placement.scale, to: &sink)
        sink.append(",\"p\":")
        if tracks[.offsetX] == nil, tracks[.offsetY] == nil {
            sink.append(lottiePoint: position)
        } else {
            sink.append("{\"s\":true,\"x\":")
            keyframes.write(
                tracks[.offsetX]?.keyframes ?? [], plus: position.x, decimals: 2, to: &sink)
            sink.append(",\"y\":")
            keyframes.write(
                tracks[.offsetY]?.keyframes ?? [], plus: position.y, decimals: 2, to: &sink)
            sink.append("}")
        }
        if let rotation = tracks[.rotation] {
            sink.append(",\"r\":")
            keyframes.write(rotation.keyframes, decimals: 2, to: &sink)
        }
    }
}

/// Writes properties: a value, or keyframes with their easings.
struct LottieKeyframes {
    /// The easing that was written last, which most often follows again.
    private var lastCurve: CubicBezier?
    private var lastCurveText: [UInt8] = []

    /// Writes a property of one number.
    ///
    /// - Parameters:
    ///   - keyframes: The values; none stands for 0.
    ///   - scale: A factor for each value.
    ///   - plus: A number to add to the product.
    ///   - decimals: The decimals of the sum.
    ///   - sink: The file to append to.
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

    /// Writes a layer's scale in percent: each value, or 1 without keyframes, times `scale`.
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

extension ByteSink {
    /// Appends the fill of the shapes before it, by the nonzero rule.
    ///
    /// - Parameters:
    ///   - color: The colour.
    ///   - opacity: The property of the opacity; nil for the colour's alpha.
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

    /// Appends a byte as a share of `whole`, rounded up: some players truncate it to a byte, others
    /// round.
    private mutating func append(share byte: UInt8, of whole: Double, decimals: Int) {
        let power = decimals == 3 ? 1000.0 : 10
        append((Double(byte) / 255 * whole * power).rounded(.up) / power, decimals: decimals)
    }

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
        append(lottiePercent: scale)
        append("]}")
    }

    /// Appends a scale in percent, across and down.
    mutating func append(lottiePercent scale: Double) {
        append(scale * 100, decimals: 4)
        append(UInt8(ascii: ","))
        append(scale * 100, decimals: 4)
    }

    /// Appends a polygon as a closed path.
    mutating func append(contour corners: [LottieContours.Step]) {
        let none = [LottieContours.Step](repeating: .zero, count: corners.count)
        append(contour: corners, none, none)
    }

    /// Appends a closed path: its vertices, and for each the tangents into it and out of it.
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
