import Bytes
import Motion
import Raster

/// Writes the layers of glyphs.
struct LottieLayers {
    private let timeline: LottieTimeline
    private var keyframes: LottieKeyframes

    init(_ timeline: LottieTimeline) {
        self.timeline = timeline
        keyframes = LottieKeyframes(timeline)
    }

    /// Writes the layer of one glyph, whose placement refers to the assets. The parent of a glyph
    /// in a place is the place's layer.
    mutating func write(
        _ glyph: Glyph, at place: (index: Int, place: Place)? = nil, _ placement: LottiePlacement,
        _ assets: LottieAssets, _ tracks: GlyphTracks, to sink: inout ByteSink
    ) {
        // Without `ddd` rlottie ignores the rotation.
        sink.append("{\"ddd\":0,")
        if let place {
            sink.append("\"parent\":")
            sink.append(place.index)
            sink.append(",")
        }
        sink.append("\"ty\":")
        switch placement.content {
        case .shapes(let index):
            sink.append("4,\"shapes\":[")
            let paint = LottiePaint(
                tracks, assets.drawings[index].ink, in: assets.drawings[index].slot, isWhole: true,
                &keyframes)
            assets.write(shapesOf: index, paint, &keyframes, to: &sink)
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
        if let place { write(place.place, number: place.index, to: &sink) }
    }

    /// Writes a layer that draws nothing, and turns and moves the layers whose parent it is.
    private func write(_ place: Place, number: Int, to sink: inout ByteSink) {
        sink.append(",{\"ddd\":0,\"ty\":3,\"ind\":")
        sink.append(number)
        sink.append(",\"ip\":0,\"op\":")
        sink.append(timeline.lastFrame)
        sink.append(",\"st\":0,\"ks\":{\"a\":")
        sink.append(lottiePoint: .zero)
        sink.append(",\"p\":")
        sink.append(lottiePoint: Point(x: place.map.origin.x, y: place.map.origin.y))
        sink.append(",\"s\":{\"a\":0,\"k\":[100,100]},\"r\":{\"a\":0,\"k\":")
        sink.append(place.turn, decimals: 3)
        sink.append("}}}")
    }

    /// Writes the layer of a composition whose layers show within boxes of the canvas only.
    ///
    /// A mask moves with its layer: a composition's mask stands still while the layers within it
    /// move. Outside the spans the whole canvas shows, whose width and height are in pixels.
    mutating func write(
        composition number: Int, within spans: [MaskSpan], at place: Place? = nil, _ width: Int,
        _ height: Int, to sink: inout ByteSink
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
        var boxes: [Keyframe<Instant, [Point]>] = []
        func add(_ instant: Instant, _ box: Rect, at place: Place?, _ easing: Easing = .hold) {
            let corners = box.corners(at: place)
            if boxes.last?.time == instant { boxes.removeLast() }
            guard boxes.last?.value != corners || easing != .hold else { return }
            boxes.append(Keyframe(instant, value: corners, easing: easing))
        }
        add(.zero, canvas, at: nil)
        for span in spans {
            if let opening = span.opening {
                add(span.start, opening.from, at: place, opening.easing)
                // The next span may have another box.
                add(Instant(ticks: span.end.ticks - 1), span.rect, at: place)
            } else {
                add(span.start, span.rect, at: place)
            }
            if timeline.frame(of: span.end.ticks) < timeline.end { add(span.end, canvas, at: nil) }
        }
        if boxes.count == 1 {
            sink.append("{\"a\":0,\"k\":")
            sink.append(lottieBox: boxes[0].value)
            sink.append("}")
        } else {
            keyframes.write(boxes, to: &sink) { box, sink in sink.append(lottieBox: box) }
        }
        sink.append("}],\"ip\":0,\"op\":")
        sink.append(timeline.lastFrame)
        sink.append(",\"st\":0,\"ks\":{}}")
    }

    /// Writes the layer of a composition of layers that are translucent together.
    mutating func write(
        blended number: Int, _ opacity: [Keyframe<Instant, Double>], _ width: Int, _ height: Int,
        to sink: inout ByteSink
    ) {
        sink.append("{\"ddd\":0,\"ty\":0,\"w\":")
        sink.append(width)
        sink.append(",\"h\":")
        sink.append(height)
        sink.append(",\"refId\":\"")
        sink.append(blend: number)
        sink.append("\",\"ip\":0,\"op\":")
        sink.append(timeline.lastFrame)
        sink.append(",\"st\":0,\"ks\":{\"o\":")
        keyframes.write(opacity, scale: 100, decimals: 2, to: &sink)
        sink.append("}}")
    }

    /// Writes anchor, scale, position, rotation, and skew.
    ///
    /// The anchor of a glyph that is scaled, turned, or skewed is the centre of its box.
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
            tracks[property]?.keyframes ?? [Keyframe(.zero, value: property.identity)]
        }
        let joined = JoinedTracks.joined(factors, tolerance: 0.001) { values in
            SIMD4(values[0] * values[1], values[0] * values[2], 0, 0)
        }
        keyframes.write(joined, to: &sink) { value, sink in
            sink.append(lottiePercent: value.x * scale, value.y * scale)
        }
    }
}

extension Rect {
    /// Returns the corners of the rectangle in a place, clockwise.
    fileprivate func corners(at place: Place?) -> [Point] {
        [(x, y), (maxX, y), (maxX, maxY), (x, maxY)].map { x, y in
            let corner = place?.map(SIMD2(x, y)) ?? SIMD2(x, y)
            return Point(x: corner.x, y: corner.y)
        }
    }
}

extension ByteSink {
    /// Appends the id of a composition whose layers are translucent together.
    mutating func append(blend number: Int) {
        append("j")
        append(number)
    }

    /// Appends a rectangle, by its corners, as the path of a mask.
    fileprivate mutating func append(lottieBox corners: [Point]) {
        append("{\"c\":true,\"v\":[")
        for (index, corner) in corners.enumerated() {
            append(index > 0 ? ",[" : "[")
            append(corner.x, decimals: 2)
            append(UInt8(ascii: ","))
            append(corner.y, decimals: 2)
            append("]")
        }
        append("],\"i\":[[0,0],[0,0],[0,0],[0,0]],\"o\":[[0,0],[0,0],[0,0],[0,0]]}")
    }
}
