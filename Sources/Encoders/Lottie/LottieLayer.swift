import Motion

/// Writes the layers of glyphs: what each shows, from when on, and how it moves.
struct LottieLayer {
    private let clock: LottieClock
    private var keyframes = LottieKeyframes()

    init(_ clock: LottieClock) {
        self.clock = clock
    }

    /// Writes the layer of a glyph whose box has its centre there on the canvas.
    mutating func write(
        _ use: LottieUse, _ assets: LottieAssets, _ cache: any GlyphCache, _ center: Point,
        _ tracks: GlyphTracks, to sink: inout ByteSink
    ) {
        // Without `ddd` rlottie ignores the rotation.
        sink.append("{\"ddd\":0,\"ty\":")
        switch use.content {
        case .shapes(let number):
            let alpha = assets.drawings[number].color.alpha
            sink.append("4,\"shapes\":[")
            assets.write(
                shapesOf: number, opacity: opacity(tracks.opacity, alpha: alpha), cache,
                to: &sink)
            sink.append("]")
        case .composition(let number):
            sink.append("0,\"w\":")
            sink.append(assets.boxes[number].width)
            sink.append(",\"h\":")
            sink.append(assets.boxes[number].height)
            sink.append(",\"refId\":\"")
            sink.append(number)
            sink.append("\"")
        case .picture(let number):
            sink.append("2,\"refId\":\"p")
            sink.append(number)
            sink.append("\"")
        }
        let birth = clock.birth(tracks.opacity)
        sink.append(",\"ip\":")
        sink.append(birth ?? 0)
        sink.append(",\"op\":")
        sink.append(clock.lastFrame)
        sink.append(",\"st\":0,\"ks\":{")
        writePlace(use, center, tracks, &sink)
        if birth == nil, use.content.shapes == nil {
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

    /// Where the layer is: moved, and scaled and turned about the glyph's centre where it is at all.
    private mutating func writePlace(
        _ use: LottieUse, _ center: Point, _ tracks: GlyphTracks, _ sink: inout ByteSink
    ) {
        var (anchor, place) = (use.anchor, use.place)
        if tracks.scale != nil || tracks.rotation != nil {
            anchor.x += (center.x - place.x) / use.scale
            anchor.y += (center.y - place.y) / use.scale
            place = center
        }
        sink.append("\"a\":")
        sink.append(lottiePoint: anchor)
        sink.append(",\"s\":")
        keyframes.write(tracks.scale?.keyframes ?? [], percentOf: use.scale, to: &sink)
        sink.append(",\"p\":")
        if tracks.offsetX == nil, tracks.offsetY == nil {
            sink.append(lottiePoint: place)
        } else {
            sink.append("{\"s\":true,\"x\":")
            keyframes.write(
                tracks.offsetX?.keyframes ?? [], plus: place.x, decimals: 2, to: &sink)
            sink.append(",\"y\":")
            keyframes.write(
                tracks.offsetY?.keyframes ?? [], plus: place.y, decimals: 2, to: &sink)
            sink.append("}")
        }
        if let rotation = tracks.rotation {
            sink.append(",\"r\":")
            keyframes.write(rotation.keyframes, decimals: 2, to: &sink)
        }
    }
}
