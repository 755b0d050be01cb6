import Glibc

/// Finds glyphs that leave the canvas while they move, and the padding that would hold them.
enum ClippingDetector {
    /// The opacity from which a glyph counts.
    fileprivate static let visibleOpacity = 0.1
    /// CSS pixels that may be cut off unseen.
    private static let slack = 0.01
    /// The largest padding that a request may have.
    private static let maximumPadding = 1024.0

    /// Returns the megapixels that take as long to compose as a scene of so many keyframes to
    /// examine, for the warning and once more on a larger canvas.
    static func work(ofKeyframes count: Int) -> Double {
        4e-3 * Double(min(count, MotionPaths.manyKeyframes))
    }

    /// Finds glyphs that are cut off while they move, with their outlines and shadows.
    ///
    /// Glyphs whose ink is cut off at rest do not count, nor do decoys and cursors, which stand in
    /// or beside a glyph's box.
    ///
    /// - Parameters:
    ///   - scene: The scene.
    ///   - instances: The glyphs at other instances of their fonts, which count as glyphs.
    ///   - passing: The sides at which nodes may leave the canvas.
    ///   - room: The part of the request that decided the size of the canvas.
    ///   - deadline: The end of the work.
    /// - Returns: A warning; nil if nothing is cut off.
    /// - Throws: `SceneError.deadline`.
    static func warning(
        of scene: Scene, _ instances: InstanceNodes = InstanceNodes(), passing: [Int: Edges] = [:],
        in room: CanvasRoom,
        until deadline: WorkDeadline = WorkDeadline()
    ) throws(SceneError) -> Warning? {
        /// The box of all ink that counts, wherever it moves.
        var extent: Rect?
        let canvas = Rect(x: 0, y: 0, width: scene.width, height: scene.height)
        try examine(scene, instances, until: deadline) { node, boxes in
            for var box in boxes {
                let sides = passing[node] ?? []
                if sides.contains(.left) { (box.x, box.width) = (0, scene.width) }
                if sides.contains(.top) { (box.y, box.height) = (0, scene.height) }
                extent = extent?.union(box) ?? box
            }
        }
        guard let extent, !canvas.holds(extent, slack: slack) else { return nil }
        return warning(of: extent, scene, room)
    }

    /// Returns the distances by which moving glyphs reach beyond each edge of the canvas, in CSS
    /// pixels, up to their size.
    ///
    /// A glyph that is beyond an edge by more than its size leaves the canvas by intent, and does
    /// not count there; nor do nodes at the sides that `passing` has for them.
    static func overflow(
        of scene: Scene, _ instances: InstanceNodes = InstanceNodes(), passing: [Int: Edges] = [:],
        until deadline: WorkDeadline = WorkDeadline()
    ) throws(SceneError) -> Margins {
        var overflow = Margins.zero
        try examine(scene, instances, until: deadline) { node, boxes in
            let em = scene.blocks[scene.nodes[node].glyph.block].layout.size
            func add(to side: inout Double, _ reach: (Rect) -> (far: Double, near: Double)) {
                let reaches = boxes.map(reach)
                guard reaches.allSatisfy({ $0.near <= em }) else { return }
                side = reaches.reduce(side) { max($0, min($1.far, em)) }
            }
            let sides = passing[node] ?? []
            if !sides.contains(.top) {
                add(to: &overflow.top) { (-$0.y, -$0.maxY) }
                add(to: &overflow.bottom) { ($0.maxY - scene.height, $0.y - scene.height) }
            }
            guard !sides.contains(.left) else { return }
            add(to: &overflow.left) { (-$0.x, -$0.maxX) }
            add(to: &overflow.right) { ($0.maxX - scene.width, $0.x - scene.width) }
        }
        return overflow
    }

    /// Calls `body` with each glyph that is whole at rest, and the boxes of its ink where it moves,
    /// or one box that holds them and lies on the canvas.
    private static func examine(
        _ scene: Scene, _ instances: InstanceNodes, until deadline: WorkDeadline,
        _ body: (_ node: Int, _ boxes: [Rect]) -> Void
    ) throws(SceneError) {
        guard scene.duration > .zero,
            !instances.nodes.isEmpty || scene.tracks.contains(where: { !$0.others.isEmpty })
        else { return }
        let canvas = Rect(x: 0, y: 0, width: scene.width, height: scene.height)
        let reaches = scene.tracks.map(MotionReach.init)
        var paths = MotionPaths(scene)
        let margins = scene.blocks.map(\.paint.margins)
        // By index: a copy of a glyph would count references.
        for index in scene.nodes.indices {
            guard let glyph = instances.glyph(ofNode: index, in: scene),
                let bare = scene.nodes[index].glyph.ink?.bounds
            else { continue }
            let own = margins[scene.nodes[index].glyph.block]
            let place = scene.place(ofNode: index)
            /// The box of the ink in its own directions; margins have the directions of the canvas.
            let ink = place == nil ? bare.grown(by: own) : bare
            func placed(_ box: Rect) -> Rect {
                place.map { $0.map.bounds(of: box).grown(by: own) } ?? box
            }
            let atRest = glyph == index ? ink : scene.nodes[glyph].glyph.ink?.bounds.grown(by: own)
            guard canvas.holds(placed(atRest ?? ink), slack: slack) else { continue }
            guard let reach = reaches[scene.nodes[index].track] else {
                body(index, [placed(ink)])
                continue
            }
            let center = scene.nodes[index].glyph.rect.center
            if let bound = reach.box(of: ink, about: center).map(placed),
                canvas.holds(bound, slack: slack)
            {
                body(index, [bound.union(placed(ink))])
                continue
            }
            var boxes = [placed(ink)]
            for step in try paths.path(ofTrack: scene.nodes[index].track, until: deadline) {
                try deadline.checkScene(every: 64)
                var box = step.place.box(of: ink, about: center)
                    .offset(by: scene.tracks[scene.nodes[index].track], at: step.instant)
                if let mask = scene.clip(ofNode: index, in: .fill, at: step.instant) {
                    guard let shown = box.overlap(with: mask) else { continue }
                    box = shown
                }
                boxes.append(placed(box))
            }
            body(index, boxes)
        }
    }

    private static func warning(of extent: Rect, _ scene: Scene, _ room: CanvasRoom) -> Warning {
        let across = max(-extent.x, extent.maxX - scene.width)
        let down = max(-extent.y, extent.maxY - scene.height)
        // With a fraction of a pixel the side of the canvas is rounded up by another amount.
        let rounding = room.padding == room.padding.rounded() ? 0.0 : 1
        let padding = (room.padding + max(across, down) - slack + rounding).rounded(.up)
        let isHeld =
            padding <= maximumPadding
            && holds(across, extent.x, extent.maxX, in: scene.width, room.isWidthGiven)
            && holds(down, extent.y, extent.maxY, in: scene.height, room.isHeightGiven)
            && !(room.isWidthGiven && wraps(scene, padding: padding))
        /// Returns true if more padding makes the canvas hold text that moves beyond a side.
        func holds(
            _ overflow: Double, _ low: Double, _ high: Double, in length: Double,
            _ isGiven: Bool
        ) -> Bool {
            let more = padding - room.padding
            // Where the length is given, the text may be moved by as much as the padding grows.
            return isGiven
                ? low >= more - slack && high <= length - more + slack
                : length + 2 * more <= room.maximumSide
        }
        if isHeld {
            return Warning(
                code: .clipped,
                message: "moving text leaves the canvas; a padding of \(Int(padding)) px would "
                    + "hold it",
                block: nil, padding: Int(padding))
        }
        let most = Int(min((max(across, down) - slack).rounded(.up), 1e6))
        return Warning(
            code: .clipped, message: "moving text leaves the canvas by \(most) px", block: nil)
    }

    /// Returns true if a padding leaves too little of a given width for the lines as they are.
    private static func wraps(_ scene: Scene, padding: Double) -> Bool {
        let width = scene.width - 2 * padding
        return width < 1
            || scene.blocks.contains { $0.layout.lines.contains { $0.rect.width > width } }
    }
}

/// The places of visible glyphs over the cycle.
private struct MotionPaths {
    struct Step {
        let instant: Instant
        let place: PoseReach
    }

    /// The keyframes past which motions are examined in fewer places.
    static let manyKeyframes = 20_000

    private let tracks: [GlyphTracks]
    /// The number of places that are examined between two keyframes of a curve.
    private lazy var density: Int = {
        let keyframes = tracks.reduce(0) { sum, tracks in
            tracks.others.reduce(sum) { $0 + $1.track.keyframes.count }
        }
        return keyframes > Self.manyKeyframes ? 1 : 6
    }()
    /// The last result: most glyphs of an item differ from the glyph before only in their offsets.
    private var last: (track: Int, steps: [Step])?

    init(_ scene: Scene) {
        tracks = scene.tracks
    }

    /// Returns the places, except for their offsets, where glyphs with a track of the scene are
    /// visible.
    mutating func path(
        ofTrack index: Int, until deadline: WorkDeadline
    ) throws(SceneError) -> [Step] {
        if let last, last.track == index || tracks[index].looksLike(tracks[last.track]) {
            return last.steps
        }
        let steps = try steps(of: tracks[index], until: deadline)
        last = (index, steps)
        return steps
    }

    private mutating func steps(
        of tracks: GlyphTracks, until deadline: WorkDeadline
    ) throws(SceneError) -> [Step] {
        var instants = tracks.opacity.keyframes.map(\.time.ticks)
        for other in tracks.others { instants += other.track.keyframes.map(\.time.ticks) }
        instants.sort()
        var motion = MotionCursor(tracks)
        var steps: [Step] = []
        for (index, start) in instants.enumerated() {
            let next = index + 1 < instants.count ? instants[index + 1] : start + 1
            guard start < next else { continue }
            try deadline.checkScene(every: 64)
            motion.move(to: start)
            // Values may jump at the next keyframe.
            guard let (first, last) = motion.visible(from: start, to: next - 1) else { continue }
            let count = first == last ? 0 : motion.isCurved ? density : 1
            for part in 0...count {
                let ticks = first + (last - first) * part / max(count, 1)
                steps.append(
                    Step(instant: Instant(ticks: ticks), place: PoseReach(motion.pose(at: ticks))))
            }
        }
        return steps
    }
}

/// A motion between two neighbouring instants with keyframes.
///
/// Much faster than `GlyphTracks.pose(at:)` where properties have their curves in common.
private struct MotionCursor {
    /// A property's value between two of its keyframes.
    private struct Segment {
        let property: Property
        let keyframes: [Keyframe<Instant, Double>]
        /// The index of the keyframe that follows.
        var next = 0
        var from = 0.0
        var to = 0.0
        var start = 0
        var length = 1
        /// Hold where the value stays.
        var easing = Easing.hold

        init(_ property: Property, _ track: Track<Double>) {
            self.property = property
            keyframes = track.keyframes
            from = keyframes.first?.value ?? property.identity
        }

        mutating func move(to ticks: Int) {
            let before = next
            while next < keyframes.count, keyframes[next].time.ticks <= ticks { next += 1 }
            guard next > before else { return }
            let keyframe = keyframes[next - 1]
            (from, easing) = (keyframe.value, .hold)
            guard next < keyframes.count, keyframes[next].value != from else { return }
            easing = keyframe.easing
            (to, start) = (keyframes[next].value, keyframe.time.ticks)
            length = keyframes[next].time.ticks - start
        }
    }

    /// The progress at an instant, which most properties have in common.
    private struct Share {
        let easing: Easing
        let start: Int
        let length: Int
        let ticks: Int
        let value: Double
    }

    private var opacity: Segment
    private var others: [Segment]
    private var lastShare: Share?

    init(_ tracks: GlyphTracks) {
        opacity = Segment(.opacity, tracks.opacity)
        others = tracks.others.map { Segment($0.property, $0.track) }
    }

    mutating func move(to ticks: Int) {
        opacity.move(to: ticks)
        for index in others.indices { others[index].move(to: ticks) }
    }

    /// True if the glyph may be further out between both instants than at either.
    var isCurved: Bool {
        var moving = 0
        for other in others where other.easing != .hold {
            if other.property == .rotation { return true }
            if case .cubic(let curve) = other.easing,
                min(curve.y1, curve.y2) < 0 || max(curve.y1, curve.y2) > 1
            {
                return true
            }
            moving += 1
        }
        return moving > 1
    }

    mutating func pose(at ticks: Int) -> Pose {
        var pose = Pose.rest
        for index in others.indices {
            let value = value(others[index], at: ticks)
            others[index].property.enter(&pose, value)
        }
        return pose
    }

    /// Returns the part of a span in which the glyph is visible; nil if it is not.
    mutating func visible(from start: Int, to end: Int) -> (Int, Int)? {
        switch (isVisible(at: start), isVisible(at: end)) {
        case (true, true): return (start, end)
        case (false, false): return nil
        case (let isFirst, _):
            var (low, high) = (start, end)
            while high - low > 1 {
                let middle = (low + high) / 2
                if isVisible(at: middle) == isFirst { low = middle } else { high = middle }
            }
            return isFirst ? (start, low) : (high, end)
        }
    }

    private mutating func isVisible(at ticks: Int) -> Bool {
        value(opacity, at: ticks) >= ClippingDetector.visibleOpacity
    }

    private mutating func value(_ segment: Segment, at ticks: Int) -> Double {
        if segment.easing == .hold { return segment.from }
        let share: Double
        if let last = lastShare, last.ticks == ticks, last.start == segment.start,
            last.length == segment.length, last.easing == segment.easing
        {
            share = last.value
        } else {
            let progress = Double(ticks - segment.start) / Double(segment.length)
            share = segment.easing.value(at: progress)
            lastShare = Share(
                easing: segment.easing, start: segment.start, length: segment.length,
                ticks: ticks, value: share)
        }
        return segment.from + (segment.to - segment.from) * share
    }
}

/// A pose of a glyph, except for its offset.
private struct PoseReach {
    private let linear: Affine
    /// The distance that blur and stroke reach beyond the ink, in the glyph's own coordinates.
    private let margin: Double

    init(_ pose: Pose) {
        linear = pose.linear
        margin = 2 * pose.blur + (pose.hasStroke ? pose.strokeWidth / 2 : 0)
    }

    /// Returns the box in this pose, about a point, of ink whose box at rest is given.
    func box(of ink: Rect, about center: Point) -> Rect {
        linear.taking(center.vector, to: center.vector).bounds(
            of: ink.grown(by: Margins(all: margin)))
    }
}

extension Rect {
    /// Returns the sides of this rectangle beyond which another one reaches.
    func sides(cutting other: Rect, slack: Double = 0.01) -> Edges {
        var sides: Edges = []
        if other.x < x - slack { sides.insert(.left) }
        if other.y < y - slack { sides.insert(.top) }
        if other.maxX > maxX + slack { sides.insert(.right) }
        if other.maxY > maxY + slack { sides.insert(.bottom) }
        return sides
    }

    /// Returns true if another rectangle lies within this one, or outside by the slack at most.
    fileprivate func holds(_ other: Rect, slack: Double) -> Bool {
        other.x >= x - slack && other.y >= y - slack && other.maxX <= maxX + slack
            && other.maxY <= maxY + slack
    }
}

extension GlyphTracks {
    /// Returns true if both differ only in the values of their offsets, or not at all.
    fileprivate func looksLike(_ other: GlyphTracks) -> Bool {
        guard opacity == other.opacity, others.count == other.others.count else { return false }
        for index in others.indices {
            let property = others[index].property
            guard property == other.others[index].property else { return false }
            if property == .offsetX || property == .offsetY {
                guard others[index].track.hasTiming(of: other.others[index].track) else {
                    return false
                }
            } else if others[index].track != other.others[index].track {
                return false
            }
        }
        return true
    }
}

extension Rect {
    /// Returns the rectangle moved by the offsets that a motion has at an instant.
    fileprivate func offset(by tracks: GlyphTracks, at instant: Instant) -> Rect {
        var rect = self
        for other in tracks.others {
            switch other.property {
            case .offsetX: rect.x += other.track.value(at: instant)
            case .offsetY: rect.y += other.track.value(at: instant)
            default: break
            }
        }
        return rect
    }
}
