import Bytes
import Motion
import Raster

/// Writes the layers of glyphs.
struct LottieLayers {
    private let timeline: LottieTimeline
    private var keyframes = LottieKeyframes()

    init(_ timeline: LottieTimeline) {
        self.timeline = timeline
    }

    /// Writes the layer of one glyph, whose placement refers to the assets.
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
    /// Outside the spans all of the canvas shows, whose width and height are in pixels.
    mutating func write(
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
        var boxes: [Keyframe<Instant, Rect>] = []
        func add(_ instant: Instant, _ box: Rect, _ easing: Easing = .hold) {
            if boxes.last?.time == instant { boxes.removeLast() }
            guard boxes.last?.value != box || easing != .hold else { return }
            boxes.append(Keyframe(instant, value: box, easing: easing))
        }
        add(.zero, canvas)
        for span in spans {
            if let opening = span.opening {
                add(span.start, opening.from, opening.easing)
                // What follows may be another box.
                add(Instant(ticks: span.end.ticks - 1), span.rect)
            } else {
                add(span.start, span.rect)
            }
            if span.end.ticks < timeline.end { add(span.end, canvas) }
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

extension ByteSink {
    /// Appends a rectangle as the path of a mask.
    fileprivate mutating func append(lottieBox box: Rect) {
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
}
