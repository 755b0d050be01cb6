import Motion
import Raster

/// The most bytes of tiles that are kept; others are made again whenever they are painted.
enum TileBudget {
    /// The bytes of a pixel of the picture behind everything, and of the black and the card over it.
    private static let backdropBytes = 6

    /// Returns the bytes for a canvas: two for each of its pixels, more if a picture covers it, and
    /// some for small ones.
    static func bytes(for canvas: PixelSize, of scene: Scene) -> Int {
        let backdrop = scene.backdropPicture == nil ? 0 : backdropBytes
        return 1 << 20 + (2 + backdrop) * canvas.count
    }

    /// Returns the most bytes for the picture behind everything: its tiles, and its pixels twice while
    /// it is decoded and drawn.
    static func backdropMemory(for canvas: PixelSize, of scene: Scene) -> Int {
        guard let picture = scene.backdropPicture else { return 0 }
        let bitmap = scene.definitions.bitmaps[picture.bitmap]
        return backdropBytes * canvas.count + 8 * bitmap.width * bitmap.height
    }
}

/// Paints one moment of a scene after another, each time only the parts that change.
struct FramePainter<Pixel: RasterPixel>: Sendable {
    private let scene: Scene
    private let scale: Double
    private(set) var canvas: Canvas<Pixel>
    private var motions: [MotionState]
    /// The parts of the scene's glyphs in the order of drawing.
    private var parts: [DrawnPart]
    /// For each of `parts` the area of the canvas that it covers; empty while it is hidden.
    private var rects: [PixelRect]
    /// The bytes of all tiles that are kept.
    private var tileBytes = 0
    private let mostTileBytes: Int
    /// The card behind the text; nil where encoders know its one colour.
    private var card: CardImage?
    /// False until the whole card is on the canvas.
    private var isCardDrawn: Bool
    /// The colours of the moving paints, except the card's.
    private var paints: [MovingShader]
    /// True if some parts are blended once.
    private let hasJoins: Bool

    /// A part of a glyph in the pose in which it was painted last.
    private struct DrawnPart {
        let part: PicturePart
        var pose = Pose.hidden
        var color = Color.transparent
        var clip: PixelClip?
        /// The pixels, or only their rectangle if they take too much memory.
        var tile = Tile.empty
        var isKept = true
        /// True if the tile shows the pose; false while the part is hidden.
        var isPainted = false
        /// The revision of its motion; nil where its pose is not its motion's.
        var revision: Int?
    }

    /// The fewest changed glyphs for which one rectangle around all is painted.
    private static var manyChanges: Int { 48 }
    init(_ scene: Scene, scale: Double) {
        self.scene = scene
        self.scale = scale
        canvas = Canvas(size: scene.pixelSize(scale: scale))
        mostTileBytes = TileBudget.bytes(for: canvas.size, of: scene)
        motions = scene.tracks.map(MotionState.init)
        parts = scene.pictureParts.map { DrawnPart(part: $0) }
        rects = [PixelRect](repeating: .empty, count: parts.count)
        card = CardImage(scene, size: canvas.size, scale: scale)
        isCardDrawn = card == nil
        paints = scene.movingPaints.compactMap { MovingShader($0, scale: scale) }
        hasJoins = scene.hasJoins
    }

    /// Paints a moment.
    ///
    /// - Returns: The rectangles outside which nothing has changed since the last moment.
    mutating func paint(
        _ moment: Moment, _ context: EncodingContext
    ) throws(EncodingError) -> [PixelRect] {
        try context.checkDeadline()
        for index in paints.indices { paints[index].move(to: moment, scale: scale) }
        card?.move(to: moment, scale: scale)
        if !isCardDrawn {
            try drawBackdrop(PixelRect(canvas.size), context)
            isCardDrawn = true
        }
        move(to: moment)
        var changed: [PixelRect] = []
        for index in parts.indices {
            let before = rects[index]
            if let pose = newPose(of: index, at: moment) {
                try draw(index, in: pose, context)
                rects[index] = parts[index].tile.rect
                if let clip = parts[index].clip {
                    rects[index] = rects[index].intersection(clip.rect)
                }
            } else if parts[index].part.paint.map({ paints[$0].hasMoved }) != true {
                continue
            }
            let rect = before.union(rects[index])
            if !rect.isEmpty { changed.append(rect) }
        }
        if card?.hasMoved == true {
            changed = [PixelRect(canvas.size)]
        } else if changed.count >= Self.manyChanges {
            changed = [changed.reduce(.empty) { $0.union($1) }]
        }
        // Rectangles that overlap would paint the same pixels again, and tiles that are not kept
        // would be made for each.
        let union = changed.reduce(PixelRect.empty) { $0.union($1) }
        let isCrowded =
            hasUnkeptTiles || changed.reduce(0) { $0 + $1.count } > 2 * union.count
        for rect in isCrowded ? [union] : changed { try compose(rect, context) }
        return changed
    }

    private mutating func move(to moment: Moment) {
        guard case .instant(let wanted) = moment else { return }
        let instant = min(wanted, scene.duration)
        for index in motions.indices where !motions[index].steady.contains(instant.ticks) {
            motions[index].move(to: instant, along: scene.tracks[index])
        }
    }

    /// Returns the new pose of one of `parts`; nil where it has not changed.
    private mutating func newPose(of index: Int, at moment: Moment) -> Pose? {
        let node = parts[index].part.node
        var pose: Pose
        switch moment {
        case .finished:
            pose = scene.nodes[node].isFinished ? .rest : .hidden
            parts[index].revision = nil
        case .instant(let instant):
            let motion = parts[index].part.track
            let clip = scene.clip(
                ofNode: node, in: parts[index].part.part, at: min(instant, scene.duration))
            let revision = motions[motion].revision
            if parts[index].revision == revision, parts[index].pose.clip == clip { return nil }
            parts[index].revision = revision
            pose = motions[motion].pose
            pose.clip = clip
        }
        if !scene.isUpright { pose = scene.placed(pose, ofNode: node) }
        return pose == parts[index].pose ? nil : pose
    }

    /// Gives one of `parts` a pose, and rasterises it again unless its pixels stay the same.
    private mutating func draw(
        _ index: Int, in pose: Pose, _ context: EncodingContext
    ) throws(EncodingError) {
        var drawn = parts[index]
        defer { parts[index] = drawn }
        let glyph = drawn.part.glyph(of: scene)
        let color = drawn.part.color ?? pose.fill.color(own: glyph.color)
        var unmoved = drawn.pose
        (unmoved.opacity, unmoved.clip, unmoved.fill) = (pose.opacity, pose.clip, pose.fill)
        // A tile of coverage depends on a colour's alpha only.
        let isSame =
            unmoved == pose && (drawn.pose.clip == pose.clip || scene.isUpright)
            && (color == drawn.color
                || drawn.tile.kind == .coverage && color.alpha == drawn.color.alpha)
        drawn.pose = pose
        drawn.color = color
        let isPlaced = scene.place(ofNode: drawn.part.node) != nil
        // A node that stands in a place of its own is cut in its tile.
        drawn.clip = isPlaced ? nil : pose.clip.map { PixelClip($0, scale: scale, on: canvas.size) }
        guard pose.opacity > 0, let ink = glyph.ink else {
            // Hidden glyphs take no memory.
            release(&drawn)
            return
        }
        guard !isSame || !drawn.isPainted else { return }
        release(&drawn)
        let tile = try tile(of: drawn.part, ink, of: glyph, in: pose, context)
        drawn.isPainted = true
        drawn.isKept = tileBytes + tile.bytes.count <= mostTileBytes
        drawn.tile = drawn.isKept ? tile : tile.withoutBytes
        tileBytes += drawn.tile.bytes.count
    }

    private var hasUnkeptTiles: Bool { parts.contains { !$0.isKept } }

    private mutating func release(_ drawn: inout DrawnPart) {
        tileBytes -= drawn.tile.bytes.count
        drawn.tile = .empty
        drawn.isKept = true
        drawn.isPainted = false
    }

    /// Paints all parts in a rectangle.
    private mutating func compose(
        _ rect: PixelRect, _ context: EncodingContext
    ) throws(EncodingError) {
        try context.checkDeadline()
        try drawBackdrop(rect, context)
        // The end of the parts that are drawn.
        var end = 0
        for index in rects.indices where index >= end {
            end = index + 1
            var area = rects[index].intersection(rect)
            guard !area.isEmpty else { continue }
            try context.checkDeadline(every: 16)
            let drawn = parts[index]
            if hasJoins { end = endOfJoined(from: index) }
            if let paint = drawn.part.paint, !paints[paint].isSeen { continue }
            var tile = try self.tile(of: index, context)
            let others = (index + 1..<end).filter { !rects[$0].intersection(rect).isEmpty }
            if !others.isEmpty {
                area = others.reduce(rects[index]) { $0.union(rects[$1]) }.intersection(rect)
                var joined = JoinedTile(tile, within: area)
                for other in others {
                    try context.checkDeadline(every: 16)
                    joined.add(
                        try self.tile(of: other, context), overlap: drawn.part.overlap(drawn.color))
                }
                tile = joined.tile
            }
            if let paint = drawn.part.paint { tile = paints[paint].painted(tile, within: area) }
            Self.paint(drawn, tile, within: area, on: &canvas)
        }
    }

    /// Returns the end of the parts that begin with one and are blended once with it.
    private func endOfJoined(from start: Int) -> Int {
        let first = parts[start]
        // Opaque ink looks the same if it is blended twice.
        guard let join = first.part.join,
            first.pose.opacity < 1 || first.part.isTranslucent(first.tile, first.color)
        else { return start + 1 }
        return parts[(start + 1)...].firstIndex { other in
            other.part.join != join || other.part.layer != first.part.layer
                || other.pose.opacity != first.pose.opacity || other.color != first.color
                || other.pose.clip != first.pose.clip || other.tile.kind != first.tile.kind
        } ?? parts.endIndex
    }

    /// Returns the pixels of one of `parts`.
    private func tile(of index: Int, _ context: EncodingContext) throws(EncodingError) -> Tile {
        let drawn = parts[index]
        guard !drawn.isKept else { return drawn.tile }
        let glyph = drawn.part.glyph(of: scene)
        guard let ink = glyph.ink else { return drawn.tile }
        return try tile(of: drawn.part, ink, of: glyph, in: drawn.pose, context)
    }

    /// Replaces a rectangle by the backdrop.
    private mutating func drawBackdrop(
        _ rect: PixelRect, _ context: EncodingContext
    ) throws(EncodingError) {
        guard let card else { return canvas.clear(rect) }
        for band in rect.bands {
            try context.checkDeadline()
            canvas.fill(band, with: card)
        }
    }

    private func tile(
        of part: PicturePart, _ ink: Ink, of glyph: Glyph, in pose: Pose, _ context: EncodingContext
    ) throws(EncodingError) -> Tile {
        try context.checkDeadline()
        let tile = try EncodingError.catching { () throws(LibraryFault) in
            try context.painter.tile(
                of: part.content, ink, of: glyph, in: pose, scene.definitions, scale: scale,
                canvas: canvas.size)
        }
        guard let clip = pose.clip, let place = scene.place(ofNode: part.node) else { return tile }
        return tile.cut(to: clip, place.map, scale: scale)
    }

    private static func paint(
        _ drawn: DrawnPart, _ tile: Tile, within rect: PixelRect, on canvas: inout Canvas<Pixel>
    ) {
        func paint(_ mask: Double, within rect: PixelRect) {
            guard !rect.isEmpty else { return }
            let opacity = TileOpacity(
                fade: drawn.pose.opacity, alpha: drawn.part.opacity, mask: mask,
                inkAlpha: drawn.part.inkAlpha(of: tile, drawn.color))
            Pixel.draw(tile, opacity, drawn.color, within: rect, on: &canvas)
        }
        guard let clip = drawn.clip else {
            paint(1, within: rect)
            return
        }
        for part in clip.parts {
            paint(part.coverage, within: rect.intersection(part.rect))
        }
    }
}

/// A box of the canvas in pixels; the pixels at its edges are covered in part.
private struct PixelClip: Sendable {
    struct Part {
        let rect: PixelRect
        /// The share of each of its pixels that is within the box.
        let coverage: Double
    }

    /// The pixels that the box touches.
    let rect: PixelRect
    /// The rectangles of equal coverage, at most nine.
    let parts: [Part]

    init(_ box: Rect, scale: Double, on size: PixelSize) {
        let columns = Self.spans(from: box.x * scale, to: box.maxX * scale, count: size.width)
        let rows = Self.spans(from: box.y * scale, to: box.maxY * scale, count: size.height)
        let parts = rows.flatMap { row in
            columns.map { column in
                Part(
                    rect: PixelRect(
                        minX: column.pixels.lowerBound, minY: row.pixels.lowerBound,
                        maxX: column.pixels.upperBound, maxY: row.pixels.upperBound),
                    coverage: column.coverage * row.coverage)
            }
        }
        self.parts = parts
        rect = parts.reduce(.empty) { $0.union($1.rect) }
    }

    private static func spans(
        from low: Double, to high: Double, count: Int
    ) -> [(pixels: Range<Int>, coverage: Double)] {
        let low = min(max(low, 0), Double(count))
        let high = min(max(high, 0), Double(count))
        guard low < high else { return [] }
        let (first, last) = (Int(low.rounded(.down)), Int(high.rounded(.up)))
        if last - first == 1 { return [(first..<last, high - low)] }
        return [
            (first..<first + 1, Double(first + 1) - low),
            (first + 1..<last - 1, 1),
            (last - 1..<last, high - Double(last - 1)),
        ].filter { !$0.0.isEmpty }
    }
}

extension PixelRect {
    var count: Int { width * height }

    /// Its bands of whole rows, from the top, each small enough to take some milliseconds.
    var bands: [PixelRect] {
        let rows = max((1 << 18) / max(width, 1), 1)
        return stride(from: minY, to: maxY, by: rows).map { y in
            PixelRect(minX: minX, minY: y, maxX: maxX, maxY: min(y + rows, maxY))
        }
    }
}

extension Tile {
    fileprivate var withoutBytes: Tile { Tile(kind: kind, rect: rect, stride: stride, bytes: []) }
}

extension PixelSize {
    /// The size of a picture of so many CSS pixels.
    init(width: Double, height: Double, scale: Double) {
        self.init(
            width: Int((width * scale).rounded(.up)), height: Int((height * scale).rounded(.up)))
    }

    /// The size with a column or a row more where a side is odd.
    var even: PixelSize { PixelSize(width: width + (width & 1), height: height + (height & 1)) }
}

extension Scene {
    /// Returns the size of a picture of it.
    func pixelSize(scale: Double) -> PixelSize {
        PixelSize(width: width, height: height, scale: scale)
    }

    /// Returns the most bytes that an encoder holds: the ink, glyphs' tiles, and the pixels that it
    /// keeps in the form of the file.
    func encoderMemory(scale: Double, fileBytesOfPixel: Int) -> Int {
        let size = pixelSize(scale: scale)
        return (10 + fileBytesOfPixel) * size.count
            + TileBudget.backdropMemory(for: size, of: self)
            + Self.partBytes * SceneTally(self).nodes
    }

    /// Bytes of a painter's state for each part of a glyph.
    private static let partBytes = 320

    /// The colour that all ink has throughout; nil where there are several colours, or pictures.
    var inkColor: Color? {
        inkColor { node in
            let own = node.glyph.color
            guard let fill = tracks[node.track].fill else { return own }
            let isOne = fill.keyframes.allSatisfy { $0.value.color(own: own) == own }
            return isOne ? own : nil
        }
    }

    /// The colour that all ink has in the finished text; nil where there are several colours, or
    /// pictures.
    var finishedInkColor: Color? {
        inkColor { $0.glyph.color }
    }

    private func inkColor(of color: (SceneNode) -> Color?) -> Color? {
        guard appearance.card.flatColor != nil, shimmers.isEmpty,
            !blocks.contains(where: \.paint.hasUnderlay)
        else { return nil }
        var common: Color?
        for node in nodes {
            guard let ink = node.glyph.ink else { continue }
            guard !ink.hasPicture, node.glyph.paint.gradient == nil, let own = color(node),
                common == nil || common == own
            else {
                return nil
            }
            common = own
        }
        return common ?? .transparent
    }
}

/// The pose of one of a scene's motions at an instant, and the ticks for which it holds.
private struct MotionState: Sendable {
    /// The ticks at which the pose changes.
    private let changes: [ClosedRange<Int>]
    /// The ticks at which the motion has the present pose.
    private(set) var steady = 1...1
    private(set) var pose = Pose.hidden
    /// Rises with each change of the pose.
    private(set) var revision = 0

    init(_ tracks: GlyphTracks) {
        changes = tracks.changes
        move(to: .zero, along: tracks)
    }

    /// Changes the pose to the one at another instant; O(number of keyframes).
    mutating func move(to instant: Instant, along tracks: GlyphTracks) {
        pose = tracks.pose(at: instant)
        revision &+= 1
        let ticks = instant.ticks
        // The first change that is not over.
        guard let next = changes.firstIndex(where: { $0.upperBound >= ticks }) else {
            steady = (changes.last?.upperBound ?? .min)...(.max)
            return
        }
        if changes[next].upperBound == ticks {
            let end = next + 1 < changes.count ? changes[next + 1].lowerBound - 1 : .max
            steady = ticks...end
        } else if changes[next].contains(ticks) {
            steady = ticks...ticks
        } else {
            let start = next > 0 ? changes[next - 1].upperBound : .min
            steady = start...(changes[next].lowerBound - 1)
        }
    }
}
