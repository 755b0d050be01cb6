import Bytes
package import Motion

/// A Lottie animation (specification 1.0) of one cycle, which players repeat as they are told.
///
/// Glyphs are outlines, which need no fonts, in layers of their own.
package struct LottieFormat: OutputFormat {
    package static let name = "lottie"
    package static let title = "Lottie"
    package static let mediaType = "video/lottie+json"
    package static let fileExtension = "lot"
    /// Bundlers read files with this ending as JSON.
    package static let otherExtensions = ["lottie.json"]
    package static let isText = true

    let version: LottieVersion

    package init(_ parameters: inout ParameterReader) {
        version = parameters.choice(
            "lottieVersion", default: .first,
            "The version of Lottie's specification; only 1.1 has conic gradients.")
    }

    init(_ version: LottieVersion) {
        self.version = version
    }

    package func unsupported(in scene: Scene) -> [Warning] {
        let isBlurred = scene.tracks.contains(where: \.isBlurred)
        var (hasBlurredShadow, hasPictureShadow) = (false, false)
        for layer in scene.lightLayers {
            guard case .shadow(let shadow) = layer.part else { continue }
            if shadow.blurRadius > 0 {
                hasBlurredShadow = true
            } else if layer.nodes.contains(where: {
                scene.nodes[$0].glyph.ink?.hasPicture ?? false
            }) {
                hasPictureShadow = true
            }
        }
        let messages = [
            isBlurred ? "Lottie has no blur; the text is drawn sharp" : nil,
            hasBlurredShadow ? "Lottie has no blurred shadows; they are left out" : nil,
            hasPictureShadow ? "Lottie has no shadows of pictures; they are left out" : nil,
            hasOtherGradient(scene)
                ? "Lottie has no \(version.hasConicGradients ? "elliptical or" : "conic, elliptical, or") "
                    + "repeating gradients; simpler ones are drawn"
                : nil,
            scene.paintMotion == nil ? nil : "gradients do not move in Lottie; they stand still",
            scene.shimmers.isEmpty ? nil : "Lottie has no light that passes; it is left out",
        ]
        return messages.compactMap { $0 }.map {
            Warning(code: .unsupported, message: $0, block: nil)
        }
    }

    private func hasOtherGradient(_ scene: Scene) -> Bool {
        func isOther(_ paint: Paint, _ box: Rect) -> Bool {
            paint.gradient.map { !LottieGradientBox.isSupported($0, in: box, version) } ?? false
        }
        let canvas = Rect(x: 0, y: 0, width: scene.width, height: scene.height)
        return isOther(scene.appearance.card.background, canvas)
            || scene.lightLayers.contains { layer in
                layer.nodes.contains { index in
                    let paint = scene.nodes[index].glyph.paint
                    return paint.gradient != nil
                        && isOther(paint, scene.gradientRect(ofNode: index))
                }
            }
    }

    package func price(of scene: Scene, _ context: EncodingContext) throws(EncodingError) -> Price {
        var price = try textPrice(of: scene, context)
        for bitmap in scene.definitions.bitmaps where bitmap.source.isWebP {
            // It becomes a PNG, at worst without any gain.
            let pixels = Double(bitmap.width * bitmap.height)
            price.bytes += 6 * pixels + 4096
            price.work += Self.conversionWork * pixels / 1_000_000
        }
        return price
    }

    /// The megapixels that take as long as decoding a megapixel and compressing it again.
    private static let conversionWork = 130.0

    /// Returns the price with each picture as it is.
    private func textPrice(
        of scene: Scene, _ context: EncodingContext
    ) throws(EncodingError) -> Price {
        // A scale joined from two has up to 32 lines for each keyframe.
        let most = SceneTally(scene).lottieBytes(glyph: 1200, keyframe: 2600)
        if most <= context.limits.textBytes { return Price(ofText: most) }
        let layers = scene.withoutLight.lightLayers.filter { layer in
            if case .shadow(let shadow) = layer.part { shadow.blurRadius == 0 } else { true }
        }
        let tally = SceneTally(scene, in: layers)
        // The document of so large a scene would take long to prepare.
        if tally.lottieBytes(glyph: 110, keyframe: 10) > 2.5 * context.limits.textBytes {
            return Price(ofText: tally.lottieBytes(glyph: 160, keyframe: 40))
        }
        let document = try LottieDocument(scene, for: .animation(version), context)
        return Price(ofText: try document.estimatedBytes(context))
    }

    package func encode(
        _ scene: Scene, _ context: EncodingContext
    ) throws(EncodingError) -> [UInt8] {
        try LottieDocument(scene, for: .animation(version), context).bytes(context)
    }
}

/// One rendering as a Lottie file.
struct LottieDocument {
    /// A part of a glyph that is shown, and the content of its layer.
    private struct Item {
        /// Index into `Scene.nodes`.
        let node: Int
        /// Index into `Scene.tracks`.
        let track: Int
        let placement: LottiePlacement
        /// Index of its mask; nil for none.
        let mask: Int?
        /// Its blend with its neighbours; nil where it is blended on its own.
        let blend: LottieBlend?
        /// Its number, from 1, by which other layers refer to its place.
        let layer: Int
    }

    private let scene: Scene
    private let colors: LottieColors
    private let profile: LottieProfile
    private let timeline: LottieTimeline
    private let assets: LottieAssets
    /// The items in drawing order.
    private let items: [Item]

    /// - Parameters:
    ///   - scene: The scene.
    ///   - colors: The colours that it has.
    ///   - profile: The abilities of its players.
    ///   - context: The encoding thread's context.
    /// - Throws: `EncodingError.deadline`.
    init(
        _ scene: Scene, in colors: LottieColors = .light, for profile: LottieProfile,
        _ context: EncodingContext
    ) throws(EncodingError) {
        let scene = scene.withoutLight
        self.scene = scene
        self.colors = colors
        self.profile = profile
        timeline = LottieTimeline(scene, profile)
        var assets = LottieAssets(scene, in: colors, for: profile, context.cache)
        var items: [Item] = []
        for layer in colors.layers(of: scene) {
            var own: [Item] = []
            let blends =
                profile.blendsGlyphs
                ? LottieBlend.blends(of: layer, from: items.count, scene, colors) : [:]
            for node in layer.nodes {
                try context.checkDeadline(every: 8)
                let blend = scene.join(ofNode: node).flatMap { blends[$0] }
                guard let placement = assets.placement(ofNode: node, in: layer.part, blend) else {
                    continue
                }
                own.append(
                    Item(
                        node: node, track: scene.track(ofNode: node, in: layer.part),
                        placement: placement, mask: scene.mask(ofNode: node, in: layer.part),
                        blend: blend, layer: items.count + own.count + 1))
            }
            items += try Self.sorted(own, assets, scene, context)
        }
        self.assets = assets
        self.items = items
    }

    /// Returns the items in an order that packs better: equal masks side by side, and within these
    /// equal shapes.
    ///
    /// The drawing order of neighbours in one colour cannot be seen.
    private static func sorted(
        _ items: [Item], _ assets: LottieAssets, _ scene: Scene, _ context: EncodingContext
    ) throws(EncodingError) -> [Item] {
        func color(_ item: Item) -> Color? {
            guard item.blend == nil, scene.tracks[item.track].fill == nil,
                let drawing = item.placement.content.shapes,
                case .color(let color) = assets.drawings[drawing].ink
            else { return nil }
            return color
        }
        var result: [Item] = []
        var rest = items[...]
        while let first = rest.first {
            try context.checkDeadline(every: 8)
            let run = rest.prefix { color($0) == color(first) }
            rest = rest.dropFirst(run.count)
            guard color(first) != nil else {
                result += run
                continue
            }
            result += run.sorted {
                ($0.mask ?? -1, $0.placement.content.shapes ?? 0, $0.node) < (
                    $1.mask ?? -1, $1.placement.content.shapes ?? 0, $1.node
                )
            }
        }
        return result
    }

    func bytes(_ context: EncodingContext) throws(EncodingError) -> [UInt8] {
        var sink = ByteSink(capacity: 4096 + 1024 * items.count)
        writeHead(&sink)
        sink.append("\"assets\":[")
        var isFirst = try !assets.write(timeline, context, to: &sink)
        var layers = LottieLayers(timeline)
        // The topmost layer comes first.
        let runs = Array(self.runs.reversed())
        for (index, run) in runs.enumerated() where items[run.lowerBound].mask != nil {
            if !isFirst { sink.append(UInt8(ascii: ",")) }
            isFirst = false
            sink.append("{\"id\":\"m")
            sink.append(index)
            sink.append("\",\"layers\":[")
            try write(items[run], &layers, context, to: &sink)
            sink.append("]}")
        }
        for blended in self.blended(items.indices)
        where items[blended.lowerBound].blend != nil {
            if !isFirst { sink.append(UInt8(ascii: ",")) }
            isFirst = false
            sink.append("{\"id\":\"")
            sink.append(blend: items[blended.lowerBound].layer)
            sink.append("\",\"layers\":[")
            for (place, index) in blended.reversed().enumerated() {
                try context.check(textBytes: sink.count, every: 8)
                if place > 0 { sink.append(UInt8(ascii: ",")) }
                write(items[index], &layers, to: &sink)
            }
            sink.append("]}")
        }
        if side != nil {
            if !isFirst { sink.append(UInt8(ascii: ",")) }
            sink.append("{\"id\":\"s\",\"layers\":[")
            try writeLayers(runs, &layers, context, to: &sink)
            sink.append("]}")
        }
        sink.append("],\"layers\":[")
        if let side {
            writeScaled(side: side, to: &sink)
        } else {
            try writeLayers(runs, &layers, context, to: &sink)
        }
        sink.append("]}")
        return sink.bytes()
    }

    /// Writes all layers, the topmost first, and the card.
    private func writeLayers(
        _ runs: [Range<Int>], _ layers: inout LottieLayers, _ context: EncodingContext,
        to sink: inout ByteSink
    ) throws(EncodingError) {
        for (index, run) in runs.enumerated() {
            if index > 0 { sink.append(UInt8(ascii: ",")) }
            if let mask = items[run.lowerBound].mask {
                let spans = scene.masks[mask]
                layers.write(
                    composition: index, within: spans,
                    at: scene.place(ofNode: items[run.lowerBound].node), width, height, to: &sink)
            } else {
                try write(items[run], &layers, context, to: &sink)
            }
        }
        writeCard(&sink)
    }

    /// Writes the layer of the composition of all other layers: centred in a square, and as large
    /// as fits.
    private func writeScaled(side: Int, to sink: inout ByteSink) {
        sink.append("{\"ddd\":0,\"ty\":0,\"refId\":\"s\",\"w\":")
        sink.append(width)
        sink.append(",\"h\":")
        sink.append(height)
        sink.append(",\"ip\":0,\"op\":")
        sink.append(timeline.lastFrame)
        sink.append(",\"st\":0,\"ks\":{\"a\":")
        sink.append(lottiePoint: Point(x: Double(width) / 2, y: Double(height) / 2))
        sink.append(",\"p\":")
        sink.append(lottiePoint: Point(x: Double(side) / 2, y: Double(side) / 2))
        sink.append(",\"s\":")
        sink.append(lottieScale: Double(side) / Double(max(width, height)))
        sink.append("}}")
    }

    /// The features that it needs and players of its profile do not have.
    var missingFeatures: [LottieFeature] {
        let masks: [LottieFeature] = items.contains { $0.mask != nil } ? [.masks] : []
        return (masks + assets.features).filter { !profile.features.contains($0) }
    }

    /// Estimates the length of the file from some of its layers and assets.
    func estimatedBytes(_ context: EncodingContext) throws(EncodingError) -> Double {
        var layers = LottieLayers(timeline)
        let weights = items.map { Double(scene.tracks[$0.track].keyframeCount + 4) }
        let sum = try SampledSum.estimate(weights) { index throws(EncodingError) in
            try context.checkDeadline()
            let item = items[index]
            var sink = ByteSink()
            write(item, &layers, to: &sink)
            return Double(sink.count + 1)
        }
        return 1024 + sum + (try assets.estimatedBytes(timeline, context))
    }

    /// Returns the place of an item's node, with the number of the layer for it; nil for a node
    /// upright in its box.
    private func place(of item: Item) -> (index: Int, place: Place)? {
        scene.place(ofNode: item.node).map { (item.layer, $0) }
    }

    /// The ranges of neighbouring items with the same mask. An item in a place of its own shares
    /// its mask with no other.
    private var runs: [Range<Int>] {
        var runs: [Range<Int>] = []
        for index in items.indices {
            if let last = runs.last, items[last.lowerBound].mask == items[index].mask,
                items[index].mask == nil
                    || place(of: items[last.lowerBound]) == nil && place(of: items[index]) == nil
            {
                runs[runs.count - 1] = last.lowerBound..<index + 1
            } else {
                runs.append(index..<index + 1)
            }
        }
        return runs
    }

    /// Writes the layers of items, the topmost first.
    private func write(
        _ items: ArraySlice<Item>, _ layers: inout LottieLayers, _ context: EncodingContext,
        to sink: inout ByteSink
    ) throws(EncodingError) {
        for (index, blended) in blended(items.indices).reversed().enumerated() {
            try context.check(textBytes: sink.count, every: 8)
            if index > 0 { sink.append(UInt8(ascii: ",")) }
            let item = items[blended.lowerBound]
            if let blend = item.blend {
                layers.write(
                    blended: item.layer, blend.opacity, width, height, to: &sink)
            } else {
                write(item, &layers, to: &sink)
            }
        }
    }

    /// Writes the layer of an item.
    private func write(_ item: Item, _ layers: inout LottieLayers, to sink: inout ByteSink) {
        let tracks = scene.tracks[item.track]
        layers.write(
            scene.nodes[item.node].glyph, at: place(of: item), item.placement, assets,
            item.blend?.inner(tracks) ?? tracks, to: &sink)
    }

    /// Returns ranges of some items: neighbours that one composition blends, or a single item.
    private func blended(_ range: Range<Int>) -> [Range<Int>] {
        var result: [Range<Int>] = []
        for index in range {
            if index > range.lowerBound, let blend = items[index].blend,
                blend.isSame(as: items[index - 1].blend),
                items[index].mask == items[index - 1].mask
            {
                result[result.count - 1] = result[result.count - 1].lowerBound..<index + 1
            } else {
                result.append(index..<index + 1)
            }
        }
        return result
    }

    private func writeHead(_ sink: inout ByteSink) {
        // rlottie and others need the version of the first exporter besides the specification's.
        sink.append("{\"v\":\"5.7.0\",\"ver\":")
        sink.append(profile.version.number)
        sink.append(",")
        sink.append(profile.mark)
        sink.append("\"nm\":")
        sink.append(jsonString: scene.appearance.title)
        sink.append(",\"fr\":")
        sink.append(timeline.framesPerSecond)
        sink.append(",\"ip\":0,\"op\":")
        sink.append(timeline.end, decimals: 2)
        sink.append(",\"w\":")
        sink.append(profile.side ?? width)
        sink.append(",\"h\":")
        sink.append(profile.side ?? height)
        sink.append(",\"markers\":[")
        writeMarkers(&sink)
        sink.append("],")
        var slots = assets.slots
        slots[.background] = card.slot
        sink.append(lottieSlots: slots, ofBlocks: scene.blocks.count)
    }

    private var card: LottieCard {
        LottieCard(
            colors.card(of: scene), width: Double(width), height: Double(height), profile)
    }

    private var width: Int { Int(scene.width.rounded(.up)) }
    private var height: Int { Int(scene.height.rounded(.up)) }

    /// The sides of the file, if it shows the canvas in another size.
    private var side: Int? {
        profile.side.flatMap { width == $0 && height == $0 ? nil : $0 }
    }

    /// Writes the blocks' entrances and exits.
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
        sink.append(timeline.frame(of: phase.lowerBound.ticks), decimals: 2)
        sink.append(",\"cm\":\"block ")
        sink.append(block)
        sink.append(" ")
        sink.append(name)
        sink.append("\",\"dr\":")
        let length = phase.upperBound.ticks - phase.lowerBound.ticks
        sink.append(timeline.frame(of: length), decimals: 2)
        sink.append("}")
    }

    /// Writes the card as a layer of shapes, because ThorVG fades a solid layer twice.
    private func writeCard(_ sink: inout ByteSink) {
        let card = card
        guard card.isSeen else { return }
        sink.append(items.isEmpty ? "{" : ",{")
        sink.append("\"ddd\":0,\"ty\":4,\"shapes\":[")
        card.write(timeline, to: &sink)
        sink.append("],\"ks\":{},\"ip\":0,\"op\":")
        sink.append(timeline.lastFrame)
        sink.append(",\"st\":0}")
    }
}

extension SceneTally {
    /// Returns the bytes of a file, from the bytes of a glyph's layer and of a keyframe.
    fileprivate func lottieBytes(glyph: Int, keyframe: Int) -> Double {
        Double(4096 + glyph * nodes + keyframe * keyframes + 40 * commands) + pictureBytes
    }
}
