import Bytes
import Motion
import Raster

/// The distinct drawings of a scene, and the assets that layers refer to.
struct LottieAssets {
    /// Grid steps, at least a pixel, between a drawing's ink and its asset's edge, where the
    /// drawing is cut off.
    private static let margin = 64

    private let scene: Scene
    private let colors: LottieColors
    private let profile: LottieProfile
    private var shapes: LottieShapes
    /// The distinct drawings, in the order of their first use.
    private(set) var drawings: [LottieDrawing] = []
    /// The values of the slots that drawings have.
    private(set) var slots: [LottieSlot: LottieInk] = [:]
    /// The box of an asset of each drawing.
    private(set) var boxes: [LottieBox] = []
    /// True for each drawing that is an asset.
    private var isAsset: [Bool] = []
    /// The CSS pixels in a grid step of the first use of each drawing.
    private var steps: [Double] = []
    /// True for each of the scene's pictures that a glyph draws.
    private var isShown: [Bool]
    private var indices: [LottieDrawing: Int] = [:]
    /// The last used gradient, which most often follows again.
    private var lastGradient: LottieGradientBox?

    init(
        _ scene: Scene, in colors: LottieColors, for profile: LottieProfile, _ cache: any GlyphCache
    ) {
        self.scene = scene
        self.profile = profile
        self.colors = colors
        isShown = [Bool](repeating: false, count: scene.definitions.bitmaps.count)
        shapes = LottieShapes(scene, cache)
    }

    /// Returns the content of a layer of a glyph, which may become an asset; nil where the glyph's
    /// part is never seen. Its colour is opaque within a composition that is blended once.
    mutating func placement(
        ofNode number: Int, in part: SceneLayer.Part, _ blend: LottieBlend? = nil
    ) -> LottiePlacement? {
        guard let own = Part(ofNode: number, in: part, blend, scene) else { return nil }
        switch part {
        case .fill: return placement(ofFill: own)
        case .outline(let outline):
            let color = colors.color(of: outline)
            guard !color.isTransparent else { return nil }
            return placement(ofShapes: own, in: color, isOutline: true, at: .zero) {
                .outline(width: outline.width / $0, cap: outline.cap)
            }
        case .shadow(let cast):
            guard cast.blurRadius == 0 else { return nil }
            let shadow = scene.shadow(cast, ofNode: number)
            let outline = scene.blocks[own.glyph.block].paint.outline?.width ?? 0
            return placement(
                ofShapes: own, in: shadow.color, isOutline: false,
                at: Point(x: shadow.offsetX, y: shadow.offsetY)
            ) { .silhouette(outline: outline / $0) }
        }
    }

    /// A part of a glyph that is seen at some instant.
    private struct Part {
        /// The index of its node.
        let node: Int
        let glyph: Glyph
        let ink: Ink
        /// The index of its motion.
        let track: Int
        /// Its motion within the composition that is blended once, if it is in one.
        let tracks: GlyphTracks
        let isBlended: Bool

        /// Nil for a part that draws nothing, or is never seen.
        init?(ofNode node: Int, in part: SceneLayer.Part, _ blend: LottieBlend?, _ scene: Scene) {
            let track = scene.track(ofNode: node, in: part)
            guard let ink = scene.nodes[node].glyph.ink,
                scene.tracks[track].opacity.keyframes.contains(where: { $0.value > 0 })
            else { return nil }
            self.node = node
            self.ink = ink
            self.track = track
            glyph = scene.nodes[node].glyph
            tracks = blend?.inner(scene.tracks[track]) ?? scene.tracks[track]
            isBlended = blend != nil
        }
    }

    /// Returns the content of the layer of a glyph's fill.
    ///
    /// A glyph that fades has its shapes in its own layer, and the opacity of their fill changes
    /// there: rlottie dims everything below a layer that is itself translucent. The same holds for
    /// a glyph whose fill changes in another way.
    private mutating func placement(ofFill part: Part) -> LottiePlacement {
        for case .picture(let picture) in part.ink.details { isShown[picture.bitmap] = true }
        if part.ink.shape == nil, part.ink.isOnePart,
            case .picture(let picture)? = part.ink.details.first
        {
            let fit = LottieImageFit(scene.definitions.bitmaps[picture.bitmap], over: picture.rect)
            return LottiePlacement(
                content: .picture(picture.bitmap), anchor: .zero, position: fit.topLeft,
                scale: fit.scale)
        }
        let (pen, step) = shapes.grid(of: part.ink, part.glyph)
        let ink = paint(ofNode: part.node, about: pen, step: step, isBlended: part.isBlended)
        var drawing = LottieDrawing(
            ink: ink, slot: slot(ofFill: part, in: ink),
            parts: shapes.parts(of: part.ink, about: pen, step: step))
        if part.tracks.hasStroke { shapes.keepContours(of: drawing) }
        let isPainted = part.tracks.isPainted
        if isPainted, !drawing.isShape {
            drawing.change = LottieDrawing.Change(track: part.track, glyph: part.node)
        }
        let index = index(of: drawing, step, strokeWidth: part.tracks.largestStrokeWidth)
        if drawing.isShape, isPainted || part.tracks.fades {
            return LottiePlacement(
                content: .shapes(index), anchor: .zero, position: pen, scale: step)
        }
        isAsset[index] = true
        return LottiePlacement(
            content: .composition(index), anchor: penPosition(inDrawing: index), position: pen,
            scale: step)
    }

    /// Returns the content of a layer beneath the fill, with the glyph's shapes in one colour; nil
    /// where it has no shapes. `form` is called with the CSS pixels in a grid step.
    private mutating func placement(
        ofShapes part: Part, in color: Color, isOutline: Bool, at offset: Point,
        form: (Double) -> LottieDrawing.Form
    ) -> LottiePlacement? {
        let (pen, step) = shapes.grid(of: part.ink, part.glyph)
        let ink = LottieInk.color(part.isBlended ? color.opaque : color)
        var drawing = LottieDrawing(
            ink: ink, slot: isOutline ? slot(ofOutline: color, around: part, in: ink) : nil,
            form: form(step),
            parts: shapes.parts(of: part.ink, about: pen, step: step, withPictures: false))
        guard !drawing.parts.isEmpty else { return nil }
        let position = Point(x: pen.x + offset.x, y: pen.y + offset.y)
        let fades = part.tracks.fades
        let isDrawn = part.tracks[.draw] != nil
        if fades, drawing.form.hasOverlap {
            drawing.change = LottieDrawing.Change(track: part.track, glyph: nil)
        }
        if isDrawn { shapes.keepContours(of: drawing) }
        let index = index(of: drawing, step, strokeWidth: 0)
        if fades || isDrawn, drawing.change == nil {
            return LottiePlacement(
                content: .shapes(index), anchor: .zero, position: position, scale: step)
        }
        isAsset[index] = true
        return LottiePlacement(
            content: fades ? .wholeComposition(index) : .composition(index),
            anchor: penPosition(inDrawing: index), position: position, scale: step)
    }

    /// Returns the ink of a glyph's fill.
    private mutating func paint(
        ofNode number: Int, about pen: Point, step: Double, isBlended: Bool
    ) -> LottieInk {
        switch colors.paint(ofNode: number, in: scene) {
        case .color(let color): return .color(isBlended ? color.opaque : color)
        case .gradient(let gradient):
            let box = scene.gradientRect(ofNode: number)
            if let last = lastGradient, last.box == box, last.gradient == gradient {
                return last.ink(about: pen, step: step)
            }
            let new = LottieGradientBox(gradient, in: box, profile.version)
            lastGradient = new
            return new.ink(about: pen, step: step)
        }
    }

    /// Returns the slot of an ink; nil for an ink with another value than the slot's, which players with slots
    /// would draw in its place.
    private mutating func slot(_ slot: LottieSlot, of ink: LottieInk) -> LottieSlot? {
        guard profile.hasSlots else { return nil }
        guard let known = slots[slot] else {
            slots[slot] = ink
            return slot
        }
        return known.hasSameValue(as: ink) ? slot : nil
    }

    /// Returns the slot of a glyph's fill: that of its block, unless it has a paint of its own, or changes it.
    private mutating func slot(ofFill part: Part, in ink: LottieInk) -> LottieSlot? {
        let block = part.glyph.block
        guard part.glyph.hasBlockPaint, part.tracks.fill == nil,
            colors.paint(ofNode: part.node, in: scene)
                == colors.fill(of: scene.blocks[block].paint)
        else { return nil }
        return slot(.color(block: block), of: ink)
    }

    /// Returns the slot of a line along a glyph's contours: that of its block, unless it is a mark's.
    private mutating func slot(
        ofOutline color: Color, around part: Part, in ink: LottieInk
    ) -> LottieSlot? {
        let block = part.glyph.block
        guard let outline = scene.blocks[block].paint.outline, colors.color(of: outline) == color
        else { return nil }
        return slot(.outline(block: block), of: ink)
    }

    /// Returns the position of a drawing's pen in its asset.
    private func penPosition(inDrawing index: Int) -> Point {
        Point(x: Double(-boxes[index].left), y: Double(-boxes[index].top))
    }

    /// Returns the index of a drawing, which is added if it is new. The line along its contours is
    /// at most `strokeWidth` CSS pixels wide.
    private mutating func index(
        of drawing: LottieDrawing, _ step: Double, strokeWidth: Double
    ) -> Int {
        if let index = indices[drawing] { return index }
        indices[drawing] = drawings.count
        drawings.append(drawing)
        steps.append(step)
        isAsset.append(false)
        // An asset with a line that changes belongs to one glyph.
        let stroke = drawing.change == nil ? 0 : strokeWidth / step
        let width = max(stroke, drawing.form.width)
        boxes.append(
            shapes.box(of: drawing, isTight: false)
                .grown(by: Self.margin + Int((width / 2).rounded(.up))))
        return drawings.count - 1
    }

    /// The features that players need for its drawings.
    var features: [LottieFeature] {
        var features: [LottieFeature] = []
        if isShown.contains(true) { features.append(.pictures) }
        if zip(drawings, isAsset).contains(where: { $0.isMatte && $1 }) {
            features.append(.mattes)
        }
        let hasGradientLine = drawings.contains { drawing in
            if case .gradient = drawing.ink { drawing.form.width > 0 } else { false }
        }
        if hasGradientLine { features.append(.gradientLines) }
        return features
    }

    // MARK: Writing

    /// Writes the assets, separated by commas.
    ///
    /// - Returns: True if there are any.
    func write(
        _ timeline: LottieTimeline, _ context: EncodingContext, to sink: inout ByteSink
    ) throws(EncodingError) -> Bool {
        var isFirst = true
        var keyframes = LottieKeyframes(timeline)
        for index in drawings.indices where isAsset[index] {
            try context.check(textBytes: sink.count, every: 8)
            if !isFirst { sink.append(UInt8(ascii: ",")) }
            isFirst = false
            write(asset: index, &keyframes, to: &sink)
        }
        for (index, bitmap) in scene.definitions.bitmaps.enumerated() where isShown[index] {
            try context.check(textBytes: sink.count)
            if !isFirst { sink.append(UInt8(ascii: ",")) }
            isFirst = false
            sink.append("{\"id\":\"p")
            sink.append(index)
            sink.append("\",\"w\":")
            sink.append(bitmap.width)
            sink.append(",\"h\":")
            sink.append(bitmap.height)
            sink.append(",\"u\":\"\",\"p\":\"")
            // Not all players know WebP.
            let png = try EncodingError.catching { () throws(LibraryFault) in
                try context.painter.png(of: bitmap)
            }
            sink.append(addressOfImage: png)
            sink.append("\",\"e\":1}")
        }
        return !isFirst
    }

    /// Writes the asset of a drawing.
    @inline(never)
    private func write(
        asset index: Int, _ keyframes: inout LottieKeyframes, to sink: inout ByteSink
    ) {
        let paint = paint(ofDrawing: index, &keyframes)
        sink.append("{\"id\":\"")
        sink.append(index)
        sink.append("\",\"layers\":[")
        if drawings[index].isMatte {
            writeMatte(index, paint, &keyframes, to: &sink)
        } else {
            write(index, paint, &keyframes, to: &sink)
        }
        sink.append("]}")
    }

    /// Estimates the bytes of all assets from some of them.
    func estimatedBytes(
        _ timeline: LottieTimeline, _ context: EncodingContext
    ) throws(EncodingError) -> Double {
        var keyframes = LottieKeyframes(timeline)
        let assets = drawings.indices.filter { isAsset[$0] }
        let weights = [Double](repeating: 1, count: assets.count)
        let sum = try SampledSum.estimate(weights) { index throws(EncodingError) in
            try context.checkDeadline()
            var sink = ByteSink()
            write(asset: assets[index], &keyframes, to: &sink)
            return Double(sink.count + 1)
        }
        return sum + SceneTally(of: scene.definitions).pictureBytes
    }

    private func paint(
        ofDrawing index: Int, _ keyframes: inout LottieKeyframes
    ) -> LottiePaint {
        let drawing = drawings[index]
        guard let change = drawing.change else {
            return LottiePaint(drawing.ink, in: drawing.slot, &keyframes)
        }
        return LottiePaint(
            scene.tracks[change.track], drawing.ink, in: drawing.slot, isWhole: drawing.isMatte,
            &keyframes)
    }

    /// Writes the layers of a drawing.
    private func write(
        _ index: Int, _ paint: LottiePaint, _ keyframes: inout LottieKeyframes,
        to sink: inout ByteSink
    ) {
        let drawing = drawings[index]
        // Shapes are one layer; pictures need layers of their own.
        let layers = drawing.isShape ? [drawing.parts] : drawing.parts.reversed().map { [$0] }
        for (layer, parts) in layers.enumerated() {
            if layer > 0 { sink.append(UInt8(ascii: ",")) }
            sink.append("{\"ddd\":0,\"ty\":")
            var position = penPosition(inDrawing: index)
            var scale = 1.0
            if case .picture(let picture, let box)? = parts.first {
                let fit = LottieImageFit(
                    scene.definitions.bitmaps[picture], over: box.rect(from: position),
                    unit: steps[index])
                (position, scale) = (fit.topLeft, fit.scale)
                sink.append("2,\"refId\":\"p")
                sink.append(picture)
                sink.append("\"")
            } else {
                sink.append("4,\"shapes\":[")
                write(parts, of: index, paint, &keyframes, to: &sink)
                sink.append("]")
            }
            writeEnd(ofLayerAt: position, scale: scale, keyframes.timeline, to: &sink)
        }
    }

    /// Writes a silhouette as a layer, and another layer below, which shows only within the
    /// silhouette.
    private func writeMatte(
        _ index: Int, _ paint: LottiePaint, _ keyframes: inout LottieKeyframes,
        to sink: inout ByteSink
    ) {
        let drawing = drawings[index]
        let position = penPosition(inDrawing: index)
        let black = Color(red: 0, green: 0, blue: 0)
        sink.append("{\"ddd\":0,\"ty\":4,\"td\":1,\"shapes\":[")
        let opaque = LottiePaint(.color(black), &keyframes)
        write(drawing.parts, of: index, opaque, &keyframes, to: &sink)
        sink.append("]")
        writeEnd(ofLayerAt: position, keyframes.timeline, to: &sink)
        sink.append(",{\"ddd\":0,\"ty\":4,\"tt\":1,\"shapes\":[")
        sink.append(contour: matteBox(of: index).corners(clockwise: true))
        sink.append(lottieFill: paint)
        sink.append("]")
        writeEnd(ofLayerAt: position, keyframes.timeline, to: &sink)
    }

    /// Returns the smallest box of a silhouette: within it rlottie takes a 255th of the layers
    /// below.
    private func matteBox(of index: Int) -> LottieBox {
        let drawing = drawings[index]
        return shapes.box(of: drawing, isTight: true)
            .grown(by: Int((drawing.form.width / 2 + 1 / steps[index]).rounded(.up)))
    }

    /// Writes the end of a layer that does not move.
    private func writeEnd(
        ofLayerAt position: Point, scale: Double = 1, _ timeline: LottieTimeline,
        to sink: inout ByteSink
    ) {
        sink.append(",\"ks\":{\"p\":")
        sink.append(lottiePoint: position)
        if scale != 1 {
            sink.append(",\"s\":")
            sink.append(lottieScale: scale)
        }
        sink.append("},\"ip\":0,\"op\":")
        sink.append(timeline.lastFrame)
        sink.append(",\"st\":0}")
    }

    /// Writes the shapes of a drawing with their paint.
    func write(
        shapesOf index: Int, _ paint: LottiePaint, _ keyframes: inout LottieKeyframes,
        to sink: inout ByteSink
    ) {
        write(drawings[index].parts, of: index, paint, &keyframes, to: &sink)
    }

    private func write(
        _ parts: [LottieDrawing.Part], of index: Int, _ paint: LottiePaint,
        _ keyframes: inout LottieKeyframes, to sink: inout ByteSink
    ) {
        shapes.write(
            parts, in: drawings[index].form, step: steps[index], paint, &keyframes, to: &sink)
    }
}
