import Bytes
import Motion

/// The clips of groups whose glyphs are drawn within a box while a phase runs.
///
/// A clip stands still on the group around glyphs that move. It is an animation too, so it clips
/// only in its time, and never where animations are unknown or unwanted.
struct SVGMasks {
    /// The shape that clips a group.
    private enum Clip: Hashable {
        case box(Box)
        case opening(Opening)
    }

    /// A box that changes, as insets from the sides of the ink that it clips, in shares of the
    /// ink's size: from the top, the right, the bottom, and the left.
    private struct Opening: Hashable {
        let first: SIMD4<Double>
        let last: SIMD4<Double>
        let easing: Easing

        init(_ opening: MaskOpening, to last: Rect, of box: Rect) {
            func insets(_ rect: Rect) -> SIMD4<Double> {
                SIMD4(
                    (rect.y - box.y) / max(box.height, 1e-3),
                    (box.maxX - rect.maxX) / max(box.width, 1e-3),
                    (box.maxY - rect.maxY) / max(box.height, 1e-3),
                    (rect.x - box.x) / max(box.width, 1e-3))
            }
            first = insets(opening.from)
            self.last = insets(last)
            easing = opening.easing
        }
    }

    /// A box in the coordinates of the groups that it clips; similar lines have the same.
    private struct Box: Hashable {
        let x: Side
        let y: Side
        /// The decimals of its numbers.
        let decimals: Int

        /// A side of a box, in units of the group.
        struct Side: Hashable {
            let start: Double
            let length: Double
        }
    }

    /// The animation of a group: a clip for each span.
    private struct Mask: Hashable {
        let spans: [Range<Instant>]
        /// For each span an index into `clips`.
        let clips: [Int]
    }

    private var clips = Numbering<Clip>()
    private var masks = Numbering<Mask>()
    /// For each group an index into `masks`; nil where it has none.
    private var maskOfGroup: [Int?] = []
    private let iterations: CSSIterations

    var isEmpty: Bool { masks.values.isEmpty }

    init(_ scene: borrowing Scene, _ groups: [SVGGroup]) {
        iterations = CSSIterations(scene)
        guard !scene.masks.isEmpty else { return }
        maskOfGroup = groups.map { group in
            group.mask.map { index(ofMask: scene.masks[$0], group, scene) }
        }
    }

    private mutating func index(
        ofMask spans: [MaskSpan], _ group: SVGGroup, _ scene: Scene
    ) -> Int {
        let scale = group.coordinates.scale
        let decimals = SVGNumber.decimals(unit: scale, error: SVGCoordinates.tolerance)
        let steps = Double(SVGNumber.power(decimals)) / scale
        func side(_ low: Double, _ high: Double) -> Box.Side {
            let start = ((low + Self.inset) * steps).rounded(.up)
            let end = ((high - Self.inset) * steps).rounded(.down)
            return Box.Side(
                start: start / steps / scale, length: max(end - start, 0) / steps / scale)
        }
        let own = spans.map { span in
            if let opening = span.opening {
                let drawn =
                    Self.sweeps(over: group, scene)
                    ? Self.ground(scene) : Self.ink(of: group, scene) ?? span.rect
                return clips.number(of: .opening(Opening(opening, to: span.rect, of: drawn)))
            }
            let (edges, box) = (
                span.edges, span.rect.offset(byX: -group.origin.x, y: -group.origin.y)
            )
            // A side that cuts nothing may lie anywhere beyond the canvas: lines share one.
            let clip = Box(
                x: side(
                    edges.contains(.left) ? box.x : min(box.x, -scene.width),
                    edges.contains(.right) ? box.maxX : max(box.maxX, scene.width)),
                y: side(
                    edges.contains(.top) ? box.y : min(box.y, -scene.height),
                    edges.contains(.bottom) ? box.maxY : max(box.maxY, scene.height)),
                decimals: decimals)
            return clips.number(of: .box(clip))
        }
        return masks.number(of: Mask(spans: spans.map { $0.start..<$0.end }, clips: own))
    }

    /// The distance, in CSS pixels, by which clips are written too small: Chromium paints all of a
    /// pixel that a clip touches.
    private static let inset = 0.002

    /// Writes the `clipPath` elements.
    func writeDefinitions(_ names: SVGNames, to sink: inout ByteSink) {
        for (index, clip) in clips.values.enumerated() {
            guard case .box(let clip) = clip else { continue }
            func write(_ name: StaticString, _ units: Double) {
                sink.append(name)
                sink.append(units, decimals: clip.decimals, leadingZero: false)
                sink.append("\"")
            }
            sink.append("<clipPath")
            sink.append(idOfClip: index, names)
            sink.append("><rect")
            write(" x=\"", clip.x.start)
            write(" y=\"", clip.y.start)
            write(" width=\"", clip.x.length)
            write(" height=\"", clip.y.length)
            sink.append("/></clipPath>")
        }
    }

    /// Writes the keyframes: of each clip where the scene is played once, else of each mask.
    func writeRules(_ names: SVGNames, to sink: inout ByteSink) {
        guard let cycle = iterations.cycle else {
            for (index, clip) in clips.values.enumerated() {
                sink.append(keyframesOfMask: index, names)
                switch clip {
                case .box:
                    sink.append("from,to{")
                    sink.append(clip: index, names)
                case .opening(let opening):
                    sink.append("from{")
                    write(startOf: opening, &sink)
                    sink.append("}to{")
                    write(opening.last, &sink)
                }
                sink.append("}}")
            }
            return
        }
        for (index, mask) in masks.values.enumerated() {
            sink.append(keyframesOfMask: index, names)
            write(mask, cycle: cycle, names, &sink)
            sink.append("}")
        }
    }

    private func write(
        _ mask: Mask, cycle: Int, _ names: SVGNames, _ sink: inout ByteSink
    ) {
        func write(_ ticks: Int, _ values: (inout ByteSink) -> Void) {
            sink.append(CSSKeyframeSelector(ticks, of: cycle, decimals: 4))
            sink.append("{")
            values(&sink)
            sink.append("}")
        }
        for (index, span) in mask.spans.enumerated() {
            let clip = mask.clips[index]
            switch clips.values[clip] {
            case .box: write(span.lowerBound.ticks) { $0.append(clip: clip, names) }
            case .opening(let opening):
                write(span.lowerBound.ticks) { self.write(startOf: opening, &$0) }
                // The next span may have another clip.
                write(span.upperBound.ticks - 1) { self.write(opening.last, &$0) }
            }
            let isFollowed =
                index + 1 < mask.spans.count && mask.spans[index + 1].lowerBound == span.upperBound
            if !isFollowed, span.upperBound.ticks < cycle {
                write(span.upperBound.ticks) { $0.append(clip: nil, names) }
            }
        }
    }

    private func write(startOf opening: Opening, _ sink: inout ByteSink) {
        sink.append("animation-timing-function:")
        sink.append(css: opening.easing)
        sink.append(";")
        write(opening.first, &sink)
    }

    private func write(_ insets: SIMD4<Double>, _ sink: inout ByteSink) {
        sink.append("clip-path:inset(")
        for side in 0..<4 {
            if side > 0 { sink.append(" ") }
            sink.append(insets[side] * 100, decimals: 3, leadingZero: false)
            if insets[side] != 0 { sink.append("%") }
        }
        sink.append(")")
    }

    /// Writes rules that refer to each clip and apply to nothing: optimisers remove elements to
    /// which no rule or attribute refers, and do not look into keyframes.
    func writeReferences(_ names: SVGNames, to sink: inout ByteSink) {
        for (index, clip) in clips.values.enumerated() {
            guard case .box = clip else { continue }
            sink.append(".")
            sink.append(nameOfMask: index, names)
            sink.append("{")
            sink.append(clip: index, names)
            sink.append("}")
        }
    }

    /// Returns true if a sweep passes over the nodes of a group, which may move meanwhile.
    private static func sweeps(over group: SVGGroup, _ scene: borrowing Scene) -> Bool {
        scene.nodes[group.nodes[0]].overlayNumber > 0
    }

    /// Returns the box of the ink of a group's nodes; nil without any.
    private static func ink(of group: SVGGroup, _ scene: borrowing Scene) -> Rect? {
        let boxes = group.nodes.compactMap { scene.nodes[$0].glyph.ink?.bounds }
        guard let first = boxes.first else { return nil }
        return boxes.dropFirst().reduce(first) { $0.union($1) }
    }

    /// The box of the canvas and of what is around it.
    private static func ground(_ scene: borrowing Scene) -> Rect {
        scene.canvas.grown(by: Margins(all: max(scene.width, scene.height) / 2))
    }

    /// Writes an element without paint into a group over whose nodes a sweep passes. Its box is that by
    /// which the clip counts, and stands still.
    func writeGround(
        ofGroup index: Int, _ group: SVGGroup, _ scene: borrowing Scene, to sink: inout ByteSink
    ) {
        guard index < maskOfGroup.count, let mask = maskOfGroup[index],
            masks.values[mask].clips.contains(where: { clip in
                if case .opening = clips.values[clip] { true } else { false }
            }), Self.sweeps(over: group, scene)
        else { return }
        let scale = group.coordinates.scale
        let box = Self.ground(scene).offset(byX: -group.origin.x, y: -group.origin.y)
        // A rule of the document may animate whatever stands in a group, and a fill would show.
        sink.append("<path fill=\"none\" style=\"animation:none\" d=\"M")
        sink.append(box.x / scale, decimals: 2, leadingZero: false)
        sink.append(" ")
        sink.append(box.y / scale, decimals: 2, leadingZero: false)
        sink.append("h")
        sink.append(box.width / scale, decimals: 2, leadingZero: false)
        sink.append("v")
        sink.append(box.height / scale, decimals: 2, leadingZero: false)
        sink.append("h")
        sink.append(-box.width / scale, decimals: 2, leadingZero: false)
        sink.append("z\"/>")
    }

    /// Writes the attribute of a group's element.
    func writeAttribute(ofGroup group: Int, _ names: SVGNames, to sink: inout ByteSink) {
        guard group < maskOfGroup.count, let index = maskOfGroup[group] else { return }
        sink.append(" style=\"animation:")
        if let cycle = iterations.cycle {
            sink.append(nameOfMask: index, names)
            sink.append(" ")
            sink.append(seconds: cycle, of: 0)
            sink.append(" step-end")
            iterations.write(to: &sink)
        } else {
            for (number, span) in masks.values[index].spans.enumerated() {
                if number > 0 { sink.append(",") }
                sink.append(nameOfMask: masks.values[index].clips[number], names)
                sink.append(" ")
                sink.append(seconds: span.upperBound.ticks - span.lowerBound.ticks, of: 0)
                guard span.lowerBound > .zero else { continue }
                sink.append(" ")
                sink.append(seconds: span.lowerBound.ticks, of: 0)
            }
        }
        sink.append("\"")
    }
}

extension ByteSink {
    fileprivate mutating func append(idOfClip index: Int, _ names: SVGNames) {
        append(" id=\"")
        append(nameOfMask: index, names)
        append("\"")
    }

    fileprivate mutating func append(clip index: Int?, _ names: SVGNames) {
        append("clip-path:")
        guard let index else { return append("none") }
        append("url(#")
        append(nameOfMask: index, names)
        append(")")
    }

    fileprivate mutating func append(keyframesOfMask index: Int, _ names: SVGNames) {
        append("@keyframes ")
        append(nameOfMask: index, names)
        append("{")
    }

    fileprivate mutating func append(nameOfMask index: Int, _ names: SVGNames) {
        append(names.prefix)
        append("k")
        append(index)
    }
}
