import Bytes
import Motion

/// A colour that changes, and its opacity.
struct ASSFill {
    let color: Color
    let tracks: GlyphTracks

    /// The instants of a span between which it changes evenly.
    func instants(in span: Range<Instant>) -> [Instant] {
        var instants = tracks.opacity.keyframes.straightInstants(in: span)
        if let own = tracks[.fillOpacity] { instants += own.keyframes.straightInstants(in: span) }
        if let fill = tracks.fill { instants += fill.keyframes.straightInstants(in: span) }
        return instants
    }

    func color(at instant: Instant) -> Color {
        let own = tracks.fill?.value(at: instant).color(own: color) ?? color
        let share =
            tracks.opacity.value(at: instant) * (tracks[.fillOpacity]?.value(at: instant) ?? 1)
        let alpha = Double(own.alpha) * min(max(share, 0), 1)
        return own.withAlpha(UInt8(alpha.rounded()))
    }
}

/// The override tags in front of a text.
struct ASSTags {
    private(set) var text: [UInt8] = []

    var isEmpty: Bool { text.isEmpty }

    /// Adds a tag without its backslash.
    mutating func add(_ tag: String) {
        text.append(UInt8(ascii: "\\"))
        text += Array(tag.utf8)
    }

    /// Adds tags that change to their values in a part of an event; at its start they have them at once.
    mutating func add(_ tag: String, from: Instant, to: Instant, in event: Range<Instant>) {
        let (start, end) = (Self.offset(of: from, in: event), Self.offset(of: to, in: event))
        // An end of 0 would be the end of the event.
        guard end > 0 else { return add(tag) }
        add("t(\(start),\(end),\\\(tag))")
    }

    /// Returns the milliseconds from the start of an event, which is a hundredth of a second.
    static func offset(of instant: Instant, in event: Range<Instant>) -> Int {
        let start = 100 * event.lowerBound.centiseconds
        return max(0, (instant.ticks - start + 5) / 10)
    }

    // MARK: Colours

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { NumberText.padded(String($0, radix: 16, uppercase: true), to: 2) }.joined()
    }

    /// Returns a colour as styles have it.
    static func abgr(_ color: Color) -> String {
        "&H" + hexadecimal([255 - color.alpha, color.blue, color.green, color.red])
    }

    static func bgr(_ color: Color) -> String {
        "&H" + hexadecimal([color.blue, color.green, color.red]) + "&"
    }

    static func alpha(_ color: Color) -> String { "&H" + hexadecimal([255 - color.alpha]) + "&" }

    /// Adds the colours of parts of letters with all of their changes in an event: 1 is the fill, 2 the fill
    /// before a sweep, 3 the line.
    mutating func add(_ fills: [(part: Int, fill: ASSFill)], _ event: Range<Instant>) {
        var (last, time) = (fills.map { $0.fill.color(at: event.lowerBound) }, event.lowerBound)
        let parts = fills.map(\.part)
        add(Self.tags(of: parts, last, after: nil))
        // What changes at the end of the event has changed by its last tick.
        let end = Instant(ticks: event.upperBound.ticks - 1)
        for instant in Set(fills.flatMap { $0.fill.instants(in: event) } + [end]).sorted() {
            guard instant > time else { continue }
            let colors = fills.map { $0.fill.color(at: instant) }
            let tags = Self.tags(of: parts, colors, after: last)
            if !tags.isEmpty {
                add(tags.joined(separator: "\\"), from: time, to: instant, in: event)
            }
            (last, time) = (colors, instant)
        }
    }

    /// Returns the tags of what differs from other colours.
    private static func tags(of parts: [Int], _ colors: [Color], after last: [Color]?) -> [String] {
        var tags: [String] = []
        for (index, part) in parts.enumerated() where colors[index].opaque != last?[index].opaque {
            tags.append("\(part)c\(bgr(colors[index]))")
        }
        guard colors.map(\.alpha) != last?.map(\.alpha), let first = colors.first else {
            return tags
        }
        if colors.allSatisfy({ $0.alpha == first.alpha }) { return tags + ["alpha\(alpha(first))"] }
        return tags + zip(parts, colors).map { "\($0)a\(alpha($1))" }
    }

    // MARK: Places

    /// Adds the place of a text that moves, whose point is here at rest.
    mutating func add(_ piece: ASSMotion, from point: SIMD2<Double>) {
        guard let first = piece.poses.first, let last = piece.poses.last else { return }
        let (start, end) = (point + first.offset, point + last.offset)
        let difference = end - start
        guard max(abs(difference.x), abs(difference.y)) >= 0.05 else {
            return add("pos(\(Self.number(start.x)),\(Self.number(start.y)))")
        }
        let numbers = [start.x, start.y, end.x, end.y].map(Self.number).joined(separator: ",")
        add("move(\(numbers))")
    }

    /// Adds the sizes and the turns of a text that moves.
    mutating func add(sizeOf piece: ASSMotion) {
        guard let first = piece.poses.first else { return }
        let rest = ASSMotion.Pose(
            instant: first.instant, offset: .zero, scale: SIMD2(1, 1), rotation: 0)
        add(Self.tags(of: first, after: rest))
        for (from, to) in zip(piece.poses, piece.poses.dropFirst()) {
            let tags = Self.tags(of: to, after: from)
            guard !tags.isEmpty else { continue }
            add(tags.joined(separator: "\\"), from: from.instant, to: to.instant, in: piece.span)
        }
    }

    private mutating func add(_ tags: [String]) {
        for tag in tags { add(tag) }
    }

    private static func tags(of pose: ASSMotion.Pose, after last: ASSMotion.Pose) -> [String] {
        var tags: [String] = []
        if pose.scale.x != last.scale.x { tags.append("fscx\(number(100 * pose.scale.x))") }
        if pose.scale.y != last.scale.y { tags.append("fscy\(number(100 * pose.scale.y))") }
        if pose.rotation != last.rotation { tags.append("frz\(number(-pose.rotation))") }
        return tags
    }

    static func number(_ value: Double) -> String { NumberText.of((value * 100).rounded() / 100) }

    // MARK: Masks

    /// Adds the boxes outside which a text is hidden; none for a text that is seen whole.
    mutating func add(clip spans: [MaskSpan], _ canvas: Rect, _ event: Range<Instant>) {
        let seen = spans.filter { $0.start < event.upperBound && event.lowerBound < $0.end }
        guard let first = seen.first else { return }
        add(Self.clip(first.start <= event.lowerBound ? first.rect(at: event.lowerBound) : canvas))
        for (index, span) in seen.enumerated() {
            let start = max(span.start, event.lowerBound)
            let end = min(span.end, event.upperBound)
            if span.start > event.lowerBound {
                add(Self.clip(span.rect(at: start)), from: start, to: start, in: event)
            }
            if span.opening != nil {
                let last = Instant(ticks: end.ticks - 1)
                add(Self.clip(span.rect(at: last)), from: start, to: end, in: event)
            }
            guard end < event.upperBound, index + 1 == seen.count || seen[index + 1].start > end
            else { continue }
            add(Self.clip(canvas), from: end, to: end, in: event)
        }
    }

    private static func clip(_ rect: Rect) -> String {
        let (left, top) = (Int(rect.x.rounded()), Int(rect.y.rounded()))
        let (right, bottom) = (
            max(left, Int(rect.maxX.rounded())), max(top, Int(rect.maxY.rounded()))
        )
        return "clip(\(left),\(top),\(right),\(bottom))"
    }

    // MARK: Drawings

    /// Returns a drawing behind its tags.
    func bytes(with path: ASSPath) -> [UInt8] {
        Array("{".utf8) + text + Array("\\p4}".utf8) + path.text + Array("{\\p0}".utf8)
    }
}

/// A drawing, in eighths of CSS pixels.
struct ASSPath {
    private(set) var text: [UInt8] = []

    private mutating func add(_ command: String, _ points: [Point]) {
        if !text.isEmpty { text.append(0x20) }
        text += Array(command.utf8)
        for point in points {
            text += Array(" \(Int((8 * point.x).rounded())) \(Int((8 * point.y).rounded()))".utf8)
        }
    }

    /// Adds an outline, as large as its scale says, at a point.
    mutating func add(_ outline: Outline, at origin: Point, scale: Double) {
        func placed(_ point: Point) -> Point {
            Point(x: origin.x + point.x * scale, y: origin.y + point.y * scale)
        }
        var last = Point.zero
        for segment in outline.segments {
            switch segment {
            case .move(let point):
                add("m", [placed(point)])
                last = point
            case .line(let point):
                add("l", [placed(point)])
                last = point
            case .quadratic(let control, let end):
                func between(_ point: Point) -> Point {
                    Point(
                        x: point.x + (control.x - point.x) * 2 / 3,
                        y: point.y + (control.y - point.y) * 2 / 3)
                }
                add("b", [placed(between(last)), placed(between(end)), placed(end)])
                last = end
            case .cubic(let first, let second, let end):
                add("b", [placed(first), placed(second), placed(end)])
                last = end
            case .close: break
            }
        }
    }

    /// Adds a rectangle with round corners.
    mutating func addRectangle(_ rect: Rect, radius: Double) {
        guard radius > 0 else {
            add("m", [Point(x: rect.x, y: rect.y)])
            add(
                "l",
                [
                    Point(x: rect.maxX, y: rect.y), Point(x: rect.maxX, y: rect.maxY),
                    Point(x: rect.x, y: rect.maxY),
                ])
            return
        }
        // The handles of a quarter of a circle.
        let handle = radius * 0.44772
        let corners: [(Point, SIMD2<Double>, SIMD2<Double>)] = [
            (Point(x: rect.maxX, y: rect.y), SIMD2(1, 0), SIMD2(0, 1)),
            (Point(x: rect.maxX, y: rect.maxY), SIMD2(0, 1), SIMD2(-1, 0)),
            (Point(x: rect.x, y: rect.maxY), SIMD2(-1, 0), SIMD2(0, -1)),
            (Point(x: rect.x, y: rect.y), SIMD2(0, -1), SIMD2(1, 0)),
        ]
        add("m", [Point(x: rect.x + radius, y: rect.y)])
        for (corner, along, after) in corners {
            func at(_ before: Double, _ behind: Double) -> Point {
                Point(
                    x: corner.x - along.x * before + after.x * behind,
                    y: corner.y - along.y * before + after.y * behind)
            }
            add("l", [at(radius, 0)])
            add("b", [at(handle, 0), at(0, handle), at(0, radius)])
        }
    }
}
