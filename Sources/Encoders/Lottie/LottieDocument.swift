import Motion

/// One rendering as a Lottie file.
struct LottieDocument {
    /// A glyph that shows, and what its layer shows of it.
    private struct Item {
        let glyph: Int
        let use: LottieUse
    }

    private let scene: Scene
    private let clock: LottieClock
    private let assets: LottieAssets
    /// In the order in which they are drawn.
    private let items: [Item]

    init(_ scene: Scene) {
        self.scene = scene
        clock = LottieClock(scene)
        var assets = LottieAssets(scene.layout)
        var items: [Item] = []
        for (index, glyph) in scene.layout.glyphs.enumerated() {
            guard let ink = glyph.ink else { continue }
            let tracks = scene.tracks(ofGlyph: index)
            guard tracks.shows else { continue }
            let use = assets.use(of: ink, glyph, fades: tracks.fades)
            items.append(Item(glyph: index, use: use))
        }
        self.assets = assets
        self.items = Self.sorted(items, assets)
    }

    /// Equal shapes side by side, which packs better; among neighbours of one colour it does not show
    /// which of them is on top.
    private static func sorted(_ items: [Item], _ assets: LottieAssets) -> [Item] {
        func color(_ item: Item) -> Color? {
            item.use.content.shapes.map { assets.drawings[$0].color }
        }
        var result: [Item] = []
        var rest = items[...]
        while let first = rest.first {
            let run = rest.prefix { color($0) == color(first) }
            rest = rest.dropFirst(run.count)
            result += run.sorted {
                ($0.use.content.shapes ?? 0, $0.glyph) < ($1.use.content.shapes ?? 0, $1.glyph)
            }
        }
        return result
    }

    func bytes(_ workshop: Workshop) throws(EncodingError) -> [UInt8] {
        var sink = ByteSink(capacity: 4096 + 1024 * items.count)
        writeHead(&sink)
        try EncodingError.catching { () throws(LibraryFault) in
            try assets.write(clock, workshop, to: &sink)
        }
        sink.append(",\"layers\":[")
        var layer = LottieLayer(clock)
        // A file names what is on top first.
        for (index, item) in items.reversed().enumerated() {
            try workshop.checkDeadline(every: 8)
            if index > 0 { sink.append(UInt8(ascii: ",")) }
            layer.write(
                item.use, assets, workshop.cache, scene.layout.glyphs[item.glyph].rect.center,
                scene.tracks(ofGlyph: item.glyph), to: &sink)
        }
        if !scene.appearance.background.isTransparent {
            if !items.isEmpty { sink.append(UInt8(ascii: ",")) }
            writeBackground(&sink)
        }
        sink.append("]}")
        return sink.bytes()
    }

    private func writeHead(_ sink: inout ByteSink) {
        // rlottie and others want the first exporter's version besides the specification's.
        sink.append("{\"v\":\"5.7.0\",\"ver\":10000,\"nm\":")
        sink.append(jsonString: scene.appearance.title)
        sink.append(",\"fr\":")
        sink.append(LottieClock.framesPerSecond)
        sink.append(",\"ip\":0,\"op\":")
        sink.append(frame: clock.end)
        sink.append(",\"w\":")
        sink.append(width)
        sink.append(",\"h\":")
        sink.append(height)
        sink.append(",\"markers\":[")
        writeMarkers(&sink)
        sink.append("],")
    }

    private var width: Int { Int(scene.layout.width.rounded(.up)) }
    private var height: Int { Int(scene.layout.height.rounded(.up)) }

    /// The blocks' phases by name.
    private func writeMarkers(_ sink: inout ByteSink) {
        guard scene.duration > .zero else { return }
        for (index, block) in scene.blocks.enumerated() {
            if index > 0 { sink.append(UInt8(ascii: ",")) }
            write(block.entrance, of: index, "enter", &sink)
            if let exit = block.exit {
                sink.append(UInt8(ascii: ","))
                write(exit, of: index, "exit", &sink)
            }
        }
    }

    private func write(
        _ phase: ClosedRange<Instant>, of block: Int, _ name: StaticString, _ sink: inout ByteSink
    ) {
        sink.append("{\"tm\":")
        sink.append(frame: phase.lowerBound.ticks)
        sink.append(",\"cm\":\"block ")
        sink.append(block)
        sink.append(" ")
        sink.append(name)
        sink.append("\",\"dr\":")
        sink.append(frame: phase.upperBound.ticks - phase.lowerBound.ticks)
        sink.append("}")
    }

    /// A shape, for ThorVG fades a solid layer twice.
    private func writeBackground(_ sink: inout ByteSink) {
        sink.append("{\"ddd\":0,\"ty\":4,\"shapes\":[")
        sink.append(contour: LottieBox(width: width, height: height).corners(clockwise: true))
        sink.append(lottieFill: scene.appearance.background)
        sink.append("]")
        sink.append(",\"ks\":{},\"ip\":0,\"op\":")
        sink.append(clock.lastFrame)
        sink.append(",\"st\":0}")
    }
}

extension GlyphTracks {
    /// Whether there is any instant at which the glyph is not hidden.
    fileprivate var shows: Bool {
        opacity.keyframes.contains { $0.value > 0 }
    }

    /// Whether the glyph is ever neither there nor hidden.
    fileprivate var fades: Bool {
        for (keyframe, next) in zip(opacity.keyframes, opacity.keyframes.dropFirst())
        where keyframe.easing != .hold && keyframe.value != next.value {
            return true
        }
        return opacity.keyframes.contains { $0.value > 0 && $0.value < 1 }
    }
}
