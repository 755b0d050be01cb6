import Bytes
import Glibc
import Motion
import Raster

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
    ///   - glyph: The glyph.
    ///   - placement: The content of the layer.
    ///   - assets: The drawings that it refers to.
    ///   - cache: The shapes of outlines.
    ///   - tracks: The glyph's motion.
    ///   - sink: The file to append to.
    mutating func write(
        _ glyph: Glyph, _ placement: LottiePlacement, _ assets: LottieAssets,
        _ cache: any GlyphCache, _ tracks: GlyphTracks, to sink: inout ByteSink
    ) {
        // Without `ddd` rlottie ignores the rotation.
        sink.append("{\"ddd\":0,\"ty\":")
        switch placement.content {
        case .shapes(let index):
            sink.append("4,\"shapes\":[")
            let paint = LottiePaint(
                tracks, assets.drawings[index].ink, isWhole: true, &keyframes)
            assets.write(shapesOf: index, paint, &keyframes, cache, to: &sink)
            sink.append("]")
        case .composition(let index), .wholeComposition(let index):
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
        writeTransform(placement, glyph.rect.center, tracks, &sink)
        if firstFrame == nil, let opacity = placement.content.opacity(tracks) {
            sink.append(",\"o\":")
            keyframes.write(opacity, scale: 100, decimals: 2, to: &sink)
        }
        sink.append("}}")
    }

    /// Writes the layer of a composition whose layers show within boxes of the canvas only.
    ///
    /// A mask moves with its layer: that of a composition stands still while the layers within it
    /// move.
    ///
    /// - Parameters:
    ///   - number: The number in the asset's name.
    ///   - spans: The boxes; at other times all of the canvas counts.
    ///   - width: The canvas' width in pixels.
    ///   - height: The canvas' height in pixels.
    ///   - sink: The file to append to.
    func write(
        composition number: Int, within spans: [MaskSpan], _ width: Int, _ height: Int,
        to sink: inout ByteSink
    ) {
        sink.append("{\"ddd\":0,\"ty\":0,\"w\":")
        sink.append(width)
        sink.append(",\"h\":")
        sink.append(height)
        sink.append(",\"refId\":\"m")
        sink.append(number)
        sink.append("\",\"hasMask\":true,\"masksProperties\":[{\"mode\":\"a\",\"inv\":false,")
        // lottie-web draws nothing of a file in which a mask has no expansion.
        sink.append("\"o\":{\"a\":0,\"k\":100},\"x\":{\"a\":0,\"k\":0},\"pt\":")
        let canvas = Rect(x: 0, y: 0, width: Double(width), height: Double(height))
        var boxes: [(ticks: Int, box: Rect)] = []
        func add(_ ticks: Int, _ box: Rect) {
            if boxes.last?.ticks == ticks { boxes.removeLast() }
            if boxes.last?.box != box { boxes.append((ticks, box)) }
        }
        add(0, canvas)
        for span in spans {
            add(span.start.ticks, span.rect)
            if span.end.ticks < timeline.end { add(span.end.ticks, canvas) }
        }
        if boxes.count == 1 {
            sink.append("{\"a\":0,\"k\":")
            sink.append(lottieBox: boxes[0].box)
            sink.append("}")
        } else {
            sink.append("{\"a\":1,\"k\":[")
            for (index, (ticks, box)) in boxes.enumerated() {
                sink.append(index > 0 ? ",{\"t\":" : "{\"t\":")
                sink.append(frame: ticks)
                sink.append(",\"s\":[")
                sink.append(lottieBox: box)
                sink.append(index < boxes.count - 1 ? "],\"h\":1}" : "]}")
            }
            sink.append("]}")
        }
        sink.append("}],\"ip\":0,\"op\":")
        sink.append(timeline.lastFrame)
        sink.append(",\"st\":0,\"ks\":{}}")
    }

    /// Writes anchor, scale, position, rotation and skew.
    ///
    /// A glyph that is scaled, turned or skewed has the centre of its box as the anchor.
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
        let skew = LottieSkew(tracks)
        switch skew {
        case .mixed(let linear):
            keyframes.write(linear, to: &sink) { value, sink in
                sink.append(
                    lottiePercent: value.x * placement.scale, value.y * placement.scale)
            }
        default: writeScale(placement.scale, tracks, &sink)
        }
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
        switch skew {
        case .mixed(let linear):
            sink.append(",\"r\":")
            keyframes.write(linear.angles(2), decimals: 2, to: &sink)
            sink.append(",\"sk\":")
            keyframes.write(linear.angles(3), scale: -1, decimals: 2, to: &sink)
            sink.append(",\"sa\":{\"a\":0,\"k\":0}")
        case .across(let angles):
            writeRotation(tracks, &sink)
            // Lottie leans upper ends to the right.
            sink.append(",\"sk\":")
            keyframes.write(angles, scale: -1, decimals: 2, to: &sink)
            sink.append(",\"sa\":{\"a\":0,\"k\":0}")
        case nil: writeRotation(tracks, &sink)
        }
    }

    private mutating func writeRotation(_ tracks: GlyphTracks, _ sink: inout ByteSink) {
        guard let rotation = tracks[.rotation] else { return }
        sink.append(",\"r\":")
        keyframes.write(rotation.keyframes, decimals: 2, to: &sink)
    }

    /// Writes the scale across and down.
    private mutating func writeScale(
        _ scale: Double, _ tracks: GlyphTracks, _ sink: inout ByteSink
    ) {
        if tracks[.scaleX] == nil, tracks[.scaleY] == nil {
            let both = tracks[.scale]?.keyframes ?? []
            return keyframes.write(both, percentOf: scale, to: &sink)
        }
        let factors = [Property.scale, .scaleX, .scaleY].map { property in
            tracks[property]?.keyframes ?? [
                Keyframe(.zero, value: property.identity, easing: .linear)
            ]
        }
        let joined = JoinedTracks.joined(factors, tolerance: 0.001) { values in
            SIMD4(values[0] * values[1], values[0] * values[2], 0, 0)
        }
        keyframes.write(joined, to: &sink) { value, sink in
            sink.append(lottiePercent: value.x * scale, value.y * scale)
        }
    }
}

/// The skew of a layer, which Lottie applies after the scale and before the turn.
private enum LottieSkew {
    /// A skew across, with a scale that is the same in both directions: the order does not matter.
    case across([Keyframe<Instant, Double>])
    /// Scale across, scale down, turn and skew, the angles in radians, that together do the same.
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
            tracks[property]?.keyframes ?? [
                Keyframe(.zero, value: property.identity, easing: .linear)
            ]
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

    /// Returns scale across and down, turn and skew of a pose that is not turned yet.
    private static func parts(of pose: Pose, rotation: Double) -> SIMD4<Double> {
        let linear = pose.linear
        let sign = pose.scaleX < 0 ? -1.0 : 1
        let across = sign * linear.across
        let length = linear.lengths.x
        let determinant = linear.determinant
        // Nothing is seen of a glyph that is scaled to nothing.
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
    /// Returns one of the numbers, an angle in radians, in degrees; one keyframe where it stays.
    fileprivate func angles(_ index: Int) -> [Keyframe<Instant, Double>] {
        let angles = map {
            Keyframe($0.time, value: $0.value[index] * 180 / .pi, easing: $0.easing)
        }
        let stays = angles.allSatisfy { abs($0.value - angles[0].value) < 0.005 }
        return stays ? [angles[0]] : angles
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
        _ keyframes: [Keyframe<Instant, Double>], scale: Double = 1, plus: Double = 0,
        decimals: Int,
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
        _ keyframes: [Keyframe<Instant, Double>], percentOf scale: Double, to sink: inout ByteSink
    ) {
        if keyframes.count <= 1 {
            return sink.append(lottieScale: (keyframes.first?.value ?? 1) * scale)
        }
        write(keyframes, to: &sink) { value, sink in
            sink.append(lottiePercent: value * scale, value * scale)
        }
    }

    /// Writes a property of several numbers.
    ///
    /// - Parameters:
    ///   - keyframes: The values; one stands still.
    ///   - sink: The file to append to.
    ///   - value: Writes the numbers of a value.
    mutating func write<Value>(
        _ keyframes: [Keyframe<Instant, Value>], to sink: inout ByteSink,
        value: (Value, inout ByteSink) -> Void
    ) {
        if keyframes.count == 1 {
            sink.append("{\"a\":0,\"k\":[")
            value(keyframes[0].value, &sink)
            return sink.append("]}")
        }
        sink.append("{\"a\":1,\"k\":[")
        for (index, keyframe) in keyframes.enumerated() {
            sink.append(index > 0 ? ",{\"t\":" : "{\"t\":")
            sink.append(frame: keyframe.time.ticks)
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

    /// Returns the property of a colour.
    mutating func property(of colors: [Keyframe<Instant, SIMD4<Double>>]) -> [UInt8] {
        var sink = ByteSink(capacity: 256)
        write(colors, to: &sink) { value, sink in sink.append(lottieColor: value) }
        return sink.bytes()
    }
}

/// The part of overlapping paths that is inside, by its number in Lottie.
enum LottieFillRule: Int {
    case nonZero = 1
    case evenOdd = 2
}

extension ByteSink {
    /// Appends the fill of the shapes before it.
    mutating func append(lottieFill paint: LottiePaint, rule: LottieFillRule = .nonZero) {
        switch paint.colors {
        case .property(let color):
            append(",{\"ty\":\"fl\",\"c\":")
            append(color)
        case .gradient(let gradient):
            append(",{\"ty\":\"gf\"")
            append(lottieGradient: gradient)
        }
        append(",\"o\":")
        append(paint.opacity)
        append(",\"r\":")
        append(rule.rawValue)
        append("}")
    }

    /// Appends the line along the shapes before it.
    ///
    /// - Parameters:
    ///   - paint: Its colours.
    ///   - opacity: The property of its opacity.
    ///   - width: The property of its width.
    mutating func append(lottieLine paint: LottiePaint, opacity: [UInt8], width: [UInt8]) {
        switch paint.colors {
        case .property(let color):
            append("{\"ty\":\"st\",\"c\":")
            append(color)
        case .gradient(let gradient):
            append("{\"ty\":\"gs\"")
            append(lottieGradient: gradient)
        }
        append(",\"o\":")
        append(opacity)
        append(",\"w\":")
        append(width)
        append(",\"lc\":1,\"lj\":2}")
    }

    private mutating func append(lottieGradient gradient: LottieGradient) {
        append(",\"t\":1,\"s\":")
        append(lottiePoint: gradient.start)
        append(",\"e\":")
        append(lottiePoint: gradient.end)
        append(",\"g\":")
        append(gradient.stops)
    }

    /// Appends straight red, green and blue, rounded up: some players truncate them to a byte,
    /// others round.
    mutating func append(lottieColor color: SIMD4<Double>) {
        append(lottieShare: color.x)
        append(UInt8(ascii: ","))
        append(lottieShare: color.y)
        append(UInt8(ascii: ","))
        append(lottieShare: color.z)
    }

    /// Appends a share of a whole that players make a byte of.
    mutating func append(lottieShare share: Double) {
        append((share * 1000).rounded(.up) / 1000, decimals: 3)
    }

    /// Appends the end of a group of shapes.
    ///
    /// lottie-web draws nothing of a file in which a group has no opacity.
    mutating func appendLottieGroupEnd() {
        append(",{\"ty\":\"tr\",\"o\":{\"a\":0,\"k\":100}}]}")
    }

    /// Appends the property of a point that does not change.
    mutating func append(lottiePoint point: Point) {
        append("{\"a\":0,\"k\":[")
        append(point.x, decimals: 2)
        append(UInt8(ascii: ","))
        append(point.y, decimals: 2)
        append("]}")
    }

    /// Appends a rectangle as the path of a mask.
    mutating func append(lottieBox box: Rect) {
        append("{\"c\":true,\"v\":[")
        let corners = [
            (box.x, box.y), (box.maxX, box.y), (box.maxX, box.maxY), (box.x, box.maxY),
        ]
        for (index, (x, y)) in corners.enumerated() {
            append(index > 0 ? ",[" : "[")
            append(x, decimals: 2)
            append(UInt8(ascii: ","))
            append(y, decimals: 2)
            append("]")
        }
        append("],\"i\":[[0,0],[0,0],[0,0],[0,0]],\"o\":[[0,0],[0,0],[0,0],[0,0]]}")
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
