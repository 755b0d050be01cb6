import Bytes
import Motion

/// The clips of groups whose glyphs are drawn within a box while a phase runs.
///
/// They stand still on the group around glyphs that move. Each is an animation too, so that nothing
/// is clipped but in its time, and never where animations are not known or not wanted.
struct SVGMasks {
    /// A box as the groups that it clips are written, which is the same for lines that are alike.
    private struct Clip: Hashable {
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

    private var clips = SVGNumbering<Clip>()
    private var masks = SVGNumbering<Mask>()
    /// For each group an index into `masks`; nil where it has none.
    private var maskOfGroup: [Int?] = []
    private let iterations: CSSIterations

    var isEmpty: Bool { masks.values.isEmpty }

    init(_ scene: Scene, _ groups: [SVGGroup]) {
        iterations = CSSIterations(scene)
        guard !scene.masks.isEmpty else { return }
        maskOfGroup = groups.map { group in
            group.mask.map {
                index(ofMask: scene.masks[$0], group, on: (scene.width, scene.height))
            }
        }
    }

    private mutating func index(
        ofMask spans: [MaskSpan], _ group: SVGGroup, on canvas: (width: Double, height: Double)
    ) -> Int {
        let scale = group.coordinates.scale
        let decimals = SVGNumber.decimals(unit: scale, error: SVGGroup.positionTolerance)
        let steps = Double(SVGNumber.power(decimals)) / scale
        func side(_ low: Double, _ high: Double) -> Clip.Side {
            let start = ((low + Self.inset) * steps).rounded(.up)
            let end = ((high - Self.inset) * steps).rounded(.down)
            return Clip.Side(
                start: start / steps / scale, length: max(end - start, 0) / steps / scale)
        }
        let own = spans.map { span in
            let (edges, box) = (
                span.edges, span.rect.offset(byX: -group.origin.x, y: -group.origin.y)
            )
            // Where nothing is cut, any place beyond the canvas will do: lines share one.
            let clip = Clip(
                x: side(
                    edges.contains(.left) ? box.x : min(box.x, -canvas.width),
                    edges.contains(.right) ? box.maxX : max(box.maxX, canvas.width)),
                y: side(
                    edges.contains(.top) ? box.y : min(box.y, -canvas.height),
                    edges.contains(.bottom) ? box.maxY : max(box.maxY, canvas.height)),
                decimals: decimals)
            return clips.number(of: clip)
        }
        return masks.number(of: Mask(spans: spans.map { $0.start..<$0.end }, clips: own))
    }

    /// The distance, in CSS pixels, by which clips are written too small: Chromium paints all of a
    /// pixel that a clip touches.
    private static let inset = 0.002

    /// Writes the `clipPath` elements.
    func writeDefinitions(_ names: SVGNames, to sink: inout ByteSink) {
        for (index, clip) in clips.values.enumerated() {
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

    /// Writes the keyframes: for what is played once those of each clip, else those of each mask.
    func writeRules(_ names: SVGNames, to sink: inout ByteSink) {
        guard let cycle = iterations.cycle else {
            for index in clips.values.indices {
                sink.append(keyframesOfMask: index, names)
                sink.append("from,to{")
                sink.append(clip: index, names)
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
        func write(_ instant: Instant, clip: Int?) {
            sink.append(CSSKeyframeSelector(instant.ticks, of: cycle, decimals: 4))
            sink.append("{")
            sink.append(clip: clip, names)
            sink.append("}")
        }
        for (index, span) in mask.spans.enumerated() {
            write(span.lowerBound, clip: mask.clips[index])
            let isFollowed =
                index + 1 < mask.spans.count && mask.spans[index + 1].lowerBound == span.upperBound
            if !isFollowed, span.upperBound.ticks < cycle { write(span.upperBound, clip: nil) }
        }
    }

    /// Writes rules that refer to each clip and apply to nothing: optimisers take away what no rule or
    /// attribute refers to, and do not look into keyframes.
    func writeReferences(_ names: SVGNames, to sink: inout ByteSink) {
        for index in clips.values.indices {
            sink.append(".")
            sink.append(nameOfMask: index, names)
            sink.append("{")
            sink.append(clip: index, names)
            sink.append("}")
        }
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
