import Bytes
import Glibc
import Motion

/// The moving paints of a document, each beneath a mask of the glyphs that it paints: one element
/// moves, and no glyph is painted anew.
struct SVGPaints {
    /// The period of a gradient that travels, in its own coordinates.
    private static let period = 1000.0

    /// The paints of texts, then the card's.
    private let paints: [MovingPaint]
    /// The number of the card's paint; nil where the card stands still.
    let background: Int?
    /// The distinct motions of their gradients.
    private var motions: [PaintMotion] = []
    private let size: (width: Double, height: Double)
    /// True if the rule of most glyphs must not apply to elements that move otherwise.
    private let hidesFromRules: Bool

    var isEmpty: Bool { paints.isEmpty }

    /// True if some paints are shown under one colour scheme only.
    var haveSchemes: Bool { paints.contains { $0.darkFill != nil } }

    init(_ scene: borrowing Scene, hidesFromRules: Bool) {
        let isStill = scene.paintMotion == nil && scene.shimmers.isEmpty
        let own = isStill ? [] : scene.layers.compactMap(\.paint)
        background = scene.movingBackground == nil ? nil : own.count
        paints = own + [scene.movingBackground].compactMap { $0 }
        size = (scene.width, scene.height)
        self.hidesFromRules = hidesFromRules
        for paint in paints {
            for case let gradient? in [paint.fill.gradient, paint.darkFill?.gradient] {
                guard let motion = Self.motion(of: gradient, paint) else { continue }
                if !motions.contains(motion) { motions.append(motion) }
            }
        }
    }

    /// Returns how a gradient of a paint moves; nil where it stands still.
    private static func motion(of gradient: Gradient, _ paint: MovingPaint) -> PaintMotion? {
        paint.motion.kind.motion(of: gradient).map { kind in
            var motion = paint.motion
            motion.kind = kind
            return motion
        }
    }

    // MARK: Rules

    /// Writes the keyframes of motions, and their rules.
    func writeRules(_ names: SVGNames, _ iterations: CSSIterations, to sink: inout ByteSink) {
        for (number, motion) in motions.enumerated() {
            let keyframes = motion.turns.keyframes
            guard let first = keyframes.first, let last = keyframes.last else { continue }
            sink.append("@keyframes ")
            sink.append(.paint(number), names)
            sink.append("{")
            // The gradient starts as typeset, which needs no keyframe.
            for keyframe in keyframes where keyframe.time > .zero {
                sink.append(
                    CSSKeyframeSelector(
                        keyframe.time.ticks, of: iterations.duration, decimals: 5))
                if keyframe == last, keyframe.time.ticks < iterations.duration {
                    sink.append(",to")
                }
                sink.append("{transform:")
                write(motion.kind, turns: keyframe.value, to: &sink)
                if keyframe != last, keyframe.easing != first.easing {
                    sink.append(";animation-timing-function:")
                    sink.append(css: keyframe.easing)
                }
                sink.append("}")
            }
            sink.append("}.")
            sink.append(names.root)
            sink.append(" ")
            sink.append(selector: .paint(number), names)
            sink.append("{animation:")
            sink.append(.paint(number), names)
            sink.append(" ")
            sink.append(seconds: iterations.duration, of: 0)
            sink.append(" ")
            sink.append(css: first.easing)
            iterations.write(to: &sink)
            sink.append("}")
        }
    }

    private func write(_ motion: PaintMotion.Kind, turns: Double, to sink: inout ByteSink) {
        switch motion {
        case .pan, .sweep:
            sink.append("translate(")
            sink.append(turns * Self.period, decimals: 2, leadingZero: false)
            sink.append("px)")
        case .spin:
            sink.append("rotate(")
            sink.append(turns * 360, decimals: 3, leadingZero: false)
            sink.append("deg)")
        case .breathe:
            sink.append("scale(")
            sink.append(1 + turns * PaintMotion.Kind.growth, decimals: 5, leadingZero: false)
            sink.append(")")
        }
    }

    // MARK: Elements

    /// Writes the beginning of a paint's mask, before the groups of its glyphs.
    func beginMask(_ number: Int, _ names: SVGNames, to sink: inout ByteSink) {
        sink.append("<mask id=\"")
        sink.append(.paint(number), names)
        if paints[number].isLight {
            // Light falls on glyphs of any colour, which effects may change, within its own box.
            sink.append("\" mask-type=\"alpha\">")
        } else {
            sink.append(
                "\" maskUnits=\"userSpaceOnUse\" x=\"0\" y=\"0\" width=\"100%\" height=\"100%\">")
        }
    }

    /// Writes the end of a paint's mask, and the paint.
    func endMask(
        _ number: Int, _ names: SVGNames, _ gradients: SVGGradients, to sink: inout ByteSink
    ) {
        sink.append("</mask><g mask=\"url(#")
        sink.append(.paint(number), names)
        sink.append(")\">")
        write(number, names, gradients, to: &sink)
        sink.append("</g>")
    }

    /// Writes a paint over all of the canvas.
    func write(
        _ number: Int, _ names: SVGNames, _ gradients: SVGGradients, to sink: inout ByteSink
    ) {
        let paint = paints[number]
        if let dark = paint.darkFill {
            write(paint.fill, of: paint, .light, names, gradients, to: &sink)
            write(dark, of: paint, .dark, names, gradients, to: &sink)
        } else {
            write(paint.fill, of: paint, .any, names, gradients, to: &sink)
        }
    }

    /// Writes the paint of one colour scheme, in coordinates about the centre of its box.
    private func write(
        _ fill: Paint, of paint: MovingPaint, _ scheme: SceneLayer.Scheme, _ names: SVGNames,
        _ gradients: SVGGradients, to sink: inout ByteSink
    ) {
        let center = paint.box.center
        let motion = fill.gradient.flatMap { Self.motion(of: $0, paint) }
        let travels = motion?.kind == .pan || motion?.kind == .sweep
        sink.append("<g transform=\"translate(")
        sink.append(center.x, decimals: 3, leadingZero: false)
        sink.append(" ")
        sink.append(center.y, decimals: 3, leadingZero: false)
        sink.append(")")
        let line = travels ? fill.gradient.flatMap { self.line(of: $0, paint) } : nil
        if let line {
            sink.append("rotate(")
            sink.append(line.degrees, decimals: 4, leadingZero: false)
            sink.append(")scale(")
            sink.append(line.length / Self.period, decimals: 9, leadingZero: false)
            sink.append(")")
        }
        sink.append("\"")
        switch scheme {
        case .any: break
        case .light: sink.append(class: .light, names)
        case .dark:
            // Viewers without style sheets or media queries show the light scheme.
            sink.append(" display=\"none\"")
            sink.append(class: .dark, names)
        }
        if hidesFromRules { sink.append(" style=\"animation:none\"") }
        sink.append(">")
        var surface = Surface(
            reach: reach(from: center), motion: motion.flatMap { motions.firstIndex(of: $0) },
            names: names)
        switch fill {
        case .color(let color):
            surface.motion = nil
            write(.color(color), on: surface, to: &sink)
        case .gradient(let gradient):
            if case .conic = gradient.kind {
                writeSectors(of: gradient, paint, on: surface, to: &sink)
            } else if let line, let motion {
                surface.reach = surface.reach * Self.period / line.length
                write(gradient, line, motion, on: surface, gradients, to: &sink)
            } else {
                if travels { surface.motion = nil }
                let fill = gradients.fill(
                    gradient, in: paint.box, origin: center, scale: 1, isWhole: true)
                write(fill, on: surface, to: &sink)
            }
        }
        sink.append("</g>")
    }

    /// The surface that a paint covers, and how it moves.
    private struct Surface {
        /// The distance from its origin to the furthest corner of the canvas.
        var reach: Double
        /// The number of its motion; nil where it stands still.
        var motion: Int?
        let names: SVGNames
    }

    /// Writes the part of a gradient that is seen while the gradient travels to the right.
    private func write(
        _ gradient: Gradient, _ line: Line, _ motion: PaintMotion, on surface: Surface,
        _ gradients: SVGGradients, to sink: inout ByteSink
    ) {
        let width = Self.period * line.share
        if motion.kind == .sweep {
            // The band ends where the line begins.
            let columns = width / 2 - Self.period ... -width / 2
            return write(
                gradients.fillAcross(gradient.ofItsBand), columns, decimals: 3, on: surface,
                to: &sink)
        }
        var level = gradient
        level.kind = .linear(.angle(90))
        let fill = gradients.fill(
            level, in: Rect(x: -width / 2, y: -0.5, width: width, height: 1), origin: .zero,
            scale: 1, isWhole: true)
        let way = Self.period * Double(motion.count)
        write(fill, -surface.reach - way...surface.reach, on: surface, to: &sink)
    }

    /// Writes a rectangle, as high above the origin as below, and no narrower than its columns; by
    /// default as wide as it is high.
    private func write(
        _ fill: SVGFill, _ columns: ClosedRange<Double>? = nil, decimals: Int = 0,
        on surface: Surface, to sink: inout ByteSink
    ) {
        let reach = surface.reach
        let columns = columns ?? -reach...reach
        let steps = Double(SVGNumber.power(decimals))
        let left = (columns.lowerBound * steps).rounded(.down) / steps
        let right = (columns.upperBound * steps).rounded(.up) / steps
        sink.append("<rect x=\"")
        sink.append(left, decimals: decimals)
        sink.append("\" y=\"")
        sink.append(-reach.rounded(.up), decimals: 0)
        sink.append("\" width=\"")
        sink.append(right - left, decimals: decimals)
        sink.append("\" height=\"")
        sink.append((2 * reach).rounded(.up) + 1, decimals: 0)
        sink.append("\"")
        sink.append(fill, surface.names)
        if let motion = surface.motion { sink.append(class: .paint(motion), surface.names) }
        sink.append("/>")
    }

    private func writeSectors(
        of gradient: Gradient, _ paint: MovingPaint, on surface: Surface, to sink: inout ByteSink
    ) {
        let reach = surface.reach
        let center = paint.box.center
        let region = Rect(x: center.x, y: center.y, width: 0, height: 0)
            .grown(by: Margins(all: reach))
        sink.append("<g")
        if let motion = surface.motion { sink.append(class: .paint(motion), surface.names) }
        sink.append("><g transform=\"translate(")
        sink.append(-reach, decimals: 3, leadingZero: false)
        sink.append(" ")
        sink.append(-reach, decimals: 3, leadingZero: false)
        // An element that is not opaque becomes a layer. Without one, WebKit masks each sector on
        // its own.
        sink.append(")\" opacity=\".9999\">")
        SVGSectors(gradient, in: paint.box, seenIn: region).write(to: &sink)
        sink.append("</g></g>")
    }

    /// Returns the distance from a point to the furthest corner of the canvas.
    private func reach(from point: Point) -> Double {
        let x = max(abs(point.x), abs(size.width - point.x))
        let y = max(abs(point.y), abs(size.height - point.y))
        return (x * x + y * y).squareRoot()
    }

    /// The way of a gradient that travels.
    private struct Line {
        /// CSS pixels in a turn.
        let length: Double
        /// Its direction, clockwise from rightwards.
        let degrees: Double
        /// The length from 0 % to 100 % as a share of the way.
        let share: Double
    }

    /// Returns the way of a gradient; nil where the way is too short to be seen, or the gradient
    /// has one colour.
    private func line(of gradient: Gradient, _ paint: MovingPaint) -> Line? {
        guard case .line(let line)? = gradient.wholeGeometry(in: paint.box),
            case .line(let whole)? = gradient.geometry(in: paint.box)
        else { return nil }
        func length(_ vector: SIMD2<Double>) -> Double { (vector * vector).sum().squareRoot() }
        let way = line.end.vector - line.start.vector
        guard length(way) > 0.01 else { return nil }
        return Line(
            length: length(way), degrees: atan2(way.y, way.x) * 180 / .pi,
            share: length(whole.end.vector - whole.start.vector) / length(way))
    }

    // MARK: Estimates

    /// Bytes of one paint.
    private static let paintBytes = 1800.0

    /// The bytes of masks, paints, and keyframes, without sectors.
    var estimatedBytes: Double {
        Self.paintBytes * Double(paints.count)
            + Double(100 * motions.reduce(0) { $0 + $1.turns.keyframes.count })
    }

    /// Returns the most bytes of the moving paints of a scene.
    static func mostBytes(in scene: Scene) -> Double {
        guard scene.paintMotion != nil || !scene.shimmers.isEmpty else { return 0 }
        let keyframes = scene.shimmers.reduce(scene.paintMotion?.turns.keyframes.count ?? 0) {
            $0 + $1.passage.keyframes.count
        }
        return paintBytes * Double(1 + scene.layers.count { $0.paint != nil })
            + Double(300 * keyframes)
    }
}

extension Gradient {
    /// The same colours from the left to the right, between the first stop and the last.
    fileprivate var ofItsBand: Gradient {
        let first = stops[0].percent
        let length = max(stops[stops.count - 1].percent - first, 1e-9)
        return Gradient(
            .linear(.angle(90)),
            stops: stops.map { ($0.color, ($0.percent - first) / length * 100) })
    }
}
