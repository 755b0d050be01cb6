import Foundation

/// Finds glyphs that leave the canvas while they move, and the padding that would hold them.
enum ClippingDetector {
    /// The opacity from which on a glyph counts.
    fileprivate static let visibleOpacity = 0.1
    /// CSS pixels that may be cut off unseen.
    private static let slack = 0.01
    /// The largest padding that a request may have.
    private static let maximumPadding = 1024.0

    /// Returns the warning of a scene in which moving glyphs are cut off.
    ///
    /// Glyphs whose ink is cut off at rest do not count, nor do decoys and cursors, which stand in
    /// or beside a glyph's box.
    static func warning(of scene: Scene) -> Warning? {
        guard scene.duration > .zero,
            scene.tracks.contains(where: { !$0.others.isEmpty })
        else { return nil }
        let canvas = Rect(x: 0, y: 0, width: scene.layout.width, height: scene.layout.height)
        let reaches = scene.tracks.map(MotionReach.init)
        var paths = MotionPaths(scene)
        /// The box of all ink that counts, wherever it moves.
        var extent: Rect?
        for (index, glyph) in scene.layout.glyphs.enumerated() {
            guard glyph.role == .glyph, let ink = glyph.ink?.bounds,
                canvas.holds(ink, slack: slack)
            else { continue }
            extent = extent?.union(ink) ?? ink
            guard let reach = reaches[scene.trackOfGlyph[index]] else { continue }
            let center = glyph.rect.center
            let bound = reach.box(of: ink, about: center)
            if canvas.holds(bound, slack: slack) {
                extent = extent?.union(bound)
                continue
            }
            let (start, path) = paths.path(ofGlyph: index)
            for step in path {
                let instant = Instant(ticks: start + step.ticks)
                var box = step.place.box(of: ink, about: center)
                    .offset(by: scene.tracks[scene.trackOfGlyph[index]], at: instant)
                if let mask = scene.clip(ofGlyph: index, at: instant) {
                    guard let shown = box.intersection(mask) else { continue }
                    box = shown
                }
                extent = extent?.union(box)
            }
        }
        guard let extent, !canvas.holds(extent, slack: slack) else { return nil }
        return warning(of: extent, scene.layout)
    }

    private static func warning(of extent: Rect, _ layout: Layout) -> Warning {
        let room = layout.room
        let across = max(-extent.x, extent.maxX - layout.width)
        let down = max(-extent.y, extent.maxY - layout.height)
        // Of a fraction the canvas' side is rounded up by another amount.
        let rounding = room.padding == room.padding.rounded() ? 0.0 : 1
        let padding = (room.padding + max(across, down) - slack + rounding).rounded(.up)
        let isHeld =
            padding <= maximumPadding
            && holds(across, extent.x, extent.maxX, in: layout.width, room.isWidthGiven)
            && holds(down, extent.y, extent.maxY, in: layout.height, room.isHeightGiven)
            && !wraps(layout, padding: padding)
        /// Returns true if more padding makes a side hold what moves beside it.
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
    private static func wraps(_ layout: Layout, padding: Double) -> Bool {
        guard layout.room.isWidthGiven else { return false }
        let width = layout.width - 2 * padding
        return width < 1
            || layout.blocks.contains { $0.lines.contains { $0.rect.width > width } }
    }
}

/// The poses of visible glyphs over the cycle, but for their offsets.
private struct MotionPaths {
    /// A look of a glyph at an instant that is counted from the start of its motion.
    struct Step {
        let ticks: Int
        let place: Place
    }

    /// A motion counted from its start.
    private struct Key: Hashable {
        /// Without offsets, in which glyphs of one item often differ.
        var tracks: GlyphTracks
        /// The instants of the offsets' keyframes, in ticks.
        var offsetTicks: [Int] = []
        /// True if an offset is on a curve that may overshoot.
        var hasCurvedOffset = false
    }

    /// The keyframes past which motions are looked at in fewer places.
    private static let manyKeyframes = 20_000

    private let scene: Scene
    /// The number of places that are looked at between two keyframes of a curve.
    private let density: Int
    /// Most glyphs move as another does, but later.
    private var known: [Key: [Step]] = [:]

    init(_ scene: Scene) {
        self.scene = scene
        let keyframes = scene.tracks.reduce(0) { sum, tracks in
            tracks.others.reduce(sum) { $0 + $1.track.keyframes.count }
        }
        density = keyframes > Self.manyKeyframes ? 1 : 6
    }

    /// Returns the start of a glyph's motion, in ticks, and the places where it is visible.
    mutating func path(ofGlyph index: Int) -> (start: Int, steps: [Step]) {
        let tracks = scene.tracks[scene.trackOfGlyph[index]]
        let start = tracks.start
        var key = Key(tracks: GlyphTracks(opacity: tracks.opacity.moved(byTicks: -start)))
        for other in tracks.others {
            if other.property == .offsetX || other.property == .offsetY {
                for keyframe in other.track.keyframes {
                    key.offsetTicks.append(keyframe.instant.ticks - start)
                }
                key.hasCurvedOffset = key.hasCurvedOffset || other.track.mayOvershoot
            } else {
                key.tracks[other.property] = other.track.moved(byTicks: -start)
            }
        }
        if let steps = known[key] { return (start, steps) }
        let steps = steps(of: key)
        known[key] = steps
        return (start, steps)
    }

    private func steps(of key: Key) -> [Step] {
        let tracks = key.tracks
        var instants = Set(tracks.opacity.keyframes.map(\.instant.ticks) + key.offsetTicks)
        for other in tracks.others {
            for keyframe in other.track.keyframes { instants.insert(keyframe.instant.ticks) }
        }
        let sorted = instants.sorted()
        var steps: [Step] = []
        func add(_ ticks: Int) {
            let pose = tracks.pose(at: Instant(ticks: ticks))
            guard pose.opacity >= ClippingDetector.visibleOpacity * 0.99 else { return }
            steps.append(Step(ticks: ticks, place: Place(pose)))
        }
        for (start, next) in zip(sorted, sorted.dropFirst()) {
            // Values may jump at the next keyframe.
            guard let (first, last) = visible(tracks.opacity, from: start, to: next - 1) else {
                continue
            }
            let isCurved =
                key.hasCurvedOffset || !key.offsetTicks.isEmpty && !tracks.others.isEmpty
                || tracks.isCurved(at: Instant(ticks: start))
            let count = isCurved ? density : 1
            add(first)
            for part in 1...count where first < last {
                add(first + (last - first) * part / count)
            }
        }
        if let end = sorted.last { add(end) }
        return steps
    }

    /// Returns the part of a span in which a glyph is visible; nil if it is not.
    private func visible(_ opacity: Track, from start: Int, to end: Int) -> (Int, Int)? {
        func isVisible(_ ticks: Int) -> Bool {
            opacity.value(at: Instant(ticks: ticks)) >= ClippingDetector.visibleOpacity
        }
        switch (isVisible(start), isVisible(end)) {
        case (true, true): return (start, end)
        case (false, false): return nil
        case (let isFirst, _):
            var (low, high) = (start, end)
            while high - low > 1 {
                let middle = (low + high) / 2
                if isVisible(middle) == isFirst { low = middle } else { high = middle }
            }
            return isFirst ? (start, low) : (high, end)
        }
    }
}

/// The look of a glyph's ink relative to how it is typeset, but for its offset.
private struct Place {
    /// The matrix of scale and turn, by rows.
    private let a, b, c, d: Double
    /// The distance that blur and stroke reach beyond the ink, in the glyph's own coordinates.
    private let margin: Double

    init(_ pose: Pose) {
        let angle = pose.rotation * .pi / 180
        let (cosine, sine) = pose.rotation == 0 ? (1, 0) : (cos(angle), sin(angle))
        (a, b) = (cosine * pose.scaleX, -sine * pose.scaleY)
        (c, d) = (sine * pose.scaleX, cosine * pose.scaleY)
        margin = 2 * pose.blur + (pose.hasStroke ? pose.strokeWidth / 2 : 0)
    }

    /// Returns the box of ink that is scaled and turned about a point.
    func box(of ink: Rect, about center: Point) -> Rect {
        let (x, y) = (ink.center.x - center.x, ink.center.y - center.y)
        let (halfWidth, halfHeight) = (ink.width / 2 + margin, ink.height / 2 + margin)
        let width = abs(a) * halfWidth + abs(b) * halfHeight
        let height = abs(c) * halfWidth + abs(d) * halfHeight
        return Rect(
            x: center.x + a * x + b * y - width, y: center.y + c * x + d * y - height,
            width: 2 * width, height: 2 * height)
    }
}

/// The bounds of a motion, wherever the glyph is.
private struct MotionReach {
    private var offsetX = 0.0...0
    private var offsetY = 0.0...0
    private var scale = (x: 1.0, y: 1.0)
    private var isTurned = false
    private var margin = 0.0

    /// Returns nil for a glyph that stays in place.
    init?(_ tracks: GlyphTracks) {
        var stays = true
        for other in tracks.others {
            let range = other.track.range
            let most = max(abs(range.lowerBound), abs(range.upperBound))
            switch other.property {
            case .opacity, .draw, .fillOpacity, .strokeOpacity: continue
            case .offsetX: offsetX = range
            case .offsetY: offsetY = range
            case .scale: scale = (scale.x * most, scale.y * most)
            case .scaleX: scale.x *= most
            case .scaleY: scale.y *= most
            case .rotation: isTurned = true
            case .blur: margin += 2 * most
            case .strokeWidth: margin += most / 2
            }
            stays = false
        }
        if stays { return nil }
    }

    /// Returns a box that holds the ink in all poses.
    func box(of ink: Rect, about center: Point) -> Rect {
        var box = ink
        if isTurned || scale.x != 1 || scale.y != 1 {
            var across = max(center.x - ink.x, ink.maxX - center.x) + margin
            var down = max(center.y - ink.y, ink.maxY - center.y) + margin
            (across, down) = (across * scale.x, down * scale.y)
            if isTurned {
                across = (across * across + down * down).squareRoot()
                down = across
            }
            box = Rect(
                x: center.x - across, y: center.y - down, width: 2 * across, height: 2 * down)
        } else {
            box = Rect(
                x: ink.x - margin, y: ink.y - margin, width: ink.width + 2 * margin,
                height: ink.height + 2 * margin)
        }
        box.x += offsetX.lowerBound
        box.y += offsetY.lowerBound
        box.width += offsetX.upperBound - offsetX.lowerBound
        box.height += offsetY.upperBound - offsetY.lowerBound
        return box
    }
}

extension Track {
    /// Bounds of all values.
    fileprivate var range: ClosedRange<Double> {
        var (low, high) = (Double.infinity, -Double.infinity)
        var last: Keyframe?
        for keyframe in keyframes {
            if let last, case .cubic(let curve) = last.easing {
                // A curve stays within the hull of its control points.
                let way = keyframe.value - last.value
                let (first, second) = (last.value + way * curve.y1, last.value + way * curve.y2)
                (low, high) = (min(low, first, second), max(high, first, second))
            }
            (low, high) = (min(low, keyframe.value), max(high, keyframe.value))
            last = keyframe
        }
        return low <= high ? low...high : 0...0
    }

    /// The instant at which the value first changes, in ticks; nil if it never does.
    fileprivate var start: Int? {
        guard keyframes.count > 1 else { return nil }
        return keyframes[keyframes[0].easing == .hold ? 1 : 0].instant.ticks
    }

    /// Returns the track with its start at 0.
    fileprivate func moved(byTicks ticks: Int) -> Track {
        var track = self
        for index in keyframes.indices { track.keyframes[index].instant.ticks += ticks }
        // The first value holds before it: only the order matters.
        if let start = track.start, keyframes[0].easing == .hold {
            track.keyframes[0].instant.ticks = start - 1
        }
        return track
    }

    /// True if a value goes another way than straight from the keyframe at or before an instant on,
    /// so that it may be further out in between.
    fileprivate func isCurved(at instant: Instant) -> Bool {
        guard let index = keyframes.lastIndex(where: { $0.instant <= instant }),
            index + 1 < keyframes.count, keyframes[index].value != keyframes[index + 1].value,
            case .cubic(let curve) = keyframes[index].easing
        else { return false }
        return !(0...1).contains(curve.y1) || !(0...1).contains(curve.y2)
    }

    /// True if a value may go further than those of its keyframes.
    fileprivate var mayOvershoot: Bool {
        keyframes.contains { keyframe in
            guard case .cubic(let curve) = keyframe.easing else { return false }
            return !(0...1).contains(curve.y1) || !(0...1).contains(curve.y2)
        }
    }

    fileprivate func isMoving(at instant: Instant) -> Bool {
        guard let index = keyframes.lastIndex(where: { $0.instant <= instant }),
            index + 1 < keyframes.count
        else { return false }
        return keyframes[index].easing != .hold
            && keyframes[index].value != keyframes[index + 1].value
    }
}

extension GlyphTracks {
    /// The instant at which the motion starts, in ticks.
    fileprivate var start: Int {
        var start = opacity.start
        for other in others {
            guard let own = other.track.start else { continue }
            start = min(start ?? own, own)
        }
        return start ?? 0
    }

    /// True if the glyph may be further out between an instant and the next keyframe than at both.
    fileprivate func isCurved(at instant: Instant) -> Bool {
        var moving = 0
        for other in others {
            if other.property == .rotation, other.track.isMoving(at: instant) { return true }
            if other.track.isCurved(at: instant) { return true }
            if other.track.isMoving(at: instant) { moving += 1 }
        }
        return moving > 1
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

    /// Returns true if another rectangle lies within, but for so many pixels.
    fileprivate func holds(_ other: Rect, slack: Double) -> Bool {
        other.x >= x - slack && other.y >= y - slack && other.maxX <= maxX + slack
            && other.maxY <= maxY + slack
    }

    /// Returns the common part of two rectangles; nil without any.
    fileprivate func intersection(_ other: Rect) -> Rect? {
        let (left, top) = (max(x, other.x), max(y, other.y))
        let (right, bottom) = (min(maxX, other.maxX), min(maxY, other.maxY))
        guard left < right, top < bottom else { return nil }
        return Rect(x: left, y: top, width: right - left, height: bottom - top)
    }
}
