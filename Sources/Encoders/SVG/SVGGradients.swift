import Bytes
import Motion

/// The fill of an element.
enum SVGFill: Equatable {
    case color(Color)
    /// A number among the document's gradients.
    case gradient(Int)
}

/// The gradients of a document: the stops of each once, and an element for each of its positions in
/// the user spaces of the shapes that it fills.
///
/// Each `<use>` has a user space with its own origin, so glyphs beside each other share only
/// gradients that run straight down.
final class SVGGradients {
    /// A gradient's line in a user space, without its position.
    private struct Vector: Hashable {
        /// Index into `roots`.
        let root: Int
        /// The extent of the line, in units of 10^-decimals.
        let dx: Int
        let dy: Int
        let decimals: Int
        /// True if its elements have stops of their own.
        let isWhole: Bool
    }

    /// The elements that have one vector.
    private struct Positions {
        let vector: Vector
        /// The number of each element by the x of its line's start where the y is 0, or the other
        /// way round.
        var numbers: [Int: Int] = [:]
    }

    /// The elements of a gradient: the first has its stops, the others refer to it.
    private struct Root {
        let gradient: Gradient
        /// The first element; nil where none has been written.
        var first: (number: Int, positions: Int, start: Int)?
    }

    /// The line of a gradient on the canvas.
    private struct Line {
        let box: Rect
        let scale: Double
        let isWhole: Bool
        /// Index into `positions`; nil for a line without extent.
        let positions: Int?
        let root: Int
        let decimals: Int
        /// True if positions are counted across, false if down.
        let isAcross: Bool
        /// The distance along that direction that stands for one pixel along the other.
        let slope: Double
        /// The line's start on the canvas, along that direction.
        let start: Double
    }

    private let names: SVGNames
    /// The elements.
    private var sink = ByteSink(capacity: 1024)
    private var count = 0
    private var roots: [Root] = []
    private var positions: [Positions] = []
    private var positionsOfVector: [Vector: Int] = [:]
    /// The numbers of the elements around centres.
    private var centred: [Centred: Int] = [:]
    /// The numbers of the first elements around centres, which have the stops.
    private var centredRoots: [CentredRoot: Int] = [:]
    /// The numbers of the elements that run across each shape.
    private var across: [Gradient: Int] = [:]
    /// The line of the last fill; most fills have the same as the one before.
    private var last: Line?

    init(_ names: SVGNames) {
        self.names = names
    }

    /// Returns the fill that shows a gradient in a user space.
    ///
    /// - Parameters:
    ///   - gradient: The gradient.
    ///   - box: The box on the canvas that it fills.
    ///   - origin: The origin of the user space on the canvas.
    ///   - scale: CSS pixels in one unit of the user space.
    ///   - isWhole: True if it must not refer to another gradient. Drawn without a `<use>`, every
    ///     second shape would have no stops in CairoSVG.
    /// - Returns: The gradient, or its last colour in a box without extent along it.
    func fill(
        _ gradient: Gradient, in box: Rect, origin: Point, scale: Double, isWhole: Bool
    ) -> SVGFill {
        guard case .linear = gradient.kind else {
            let space = UserSpace(origin: origin, scale: scale, isWhole: isWhole)
            return centredFill(gradient, in: box, space)
        }
        let line = line(of: gradient, in: box, scale: scale, isWhole: isWhole)
        guard let index = line.positions else {
            return .color(gradient.lastColor)
        }
        let distance =
            line.isAcross
            ? origin.x + origin.y * line.slope : origin.y + origin.x * line.slope
        let start = Self.steps((line.start - distance) / scale, line.decimals)
        if let known = positions[index].numbers[start] { return .gradient(known) }
        if isWhole, let known = numberOfRoot(at: start, positions[index].vector) {
            return .gradient(known)
        }
        positions[index].numbers[start] = count
        write(start, index, line.isAcross)
        count += 1
        return .gradient(count - 1)
    }

    /// Returns the fill that shows a gradient across each element with it, from its left to its
    /// right.
    func fillAcross(_ gradient: Gradient) -> SVGFill {
        if let known = across[gradient] { return .gradient(known) }
        across[gradient] = count
        sink.append("<linearGradient id=\"")
        sink.append(gradient: count, names)
        sink.append("\">")
        writeStops(of: gradient)
        sink.append("</linearGradient>")
        count += 1
        return .gradient(count - 1)
    }

    private func line(
        of gradient: Gradient, in box: Rect, scale: Double, isWhole: Bool
    ) -> Line {
        if let last, last.box == box, last.scale == scale, last.isWhole == isWhole,
            roots[last.root].gradient == gradient
        {
            return last
        }
        var line = GradientLine(start: box.center, end: box.center)
        if case .line(let own)? = gradient.wholeGeometry(in: box) { line = own }
        let start = line.start
        let (width, height) = (line.end.x - start.x, line.end.y - start.y)
        let isAcross = abs(width) * 10 >= abs(height)
        let along = isAcross ? width : height
        let slope = along == 0 ? 0 : (isAcross ? height : width) / along
        let decimals =
            SVGNumber.decimals(unit: scale, error: SVGCoordinates.tolerance)
            + (gradient.repeats ? 3 : 0)
        let vector = Vector(
            root: root(gradient), dx: Self.steps(width / scale, decimals),
            dy: Self.steps(height / scale, decimals), decimals: decimals,
            isWhole: isWhole)
        let result = Line(
            box: box, scale: scale, isWhole: isWhole, positions: positions(of: vector),
            root: vector.root,
            decimals: decimals, isAcross: isAcross, slope: slope,
            start: isAcross ? start.x + start.y * slope : start.y + start.x * slope)
        last = result
        return result
    }

    /// Returns the number of a gradient's root if it has a position: roots are whole.
    private func numberOfRoot(at start: Int, _ vector: Vector) -> Int? {
        guard let first = roots[vector.root].first, first.start == start else { return nil }
        let other = positions[first.positions].vector
        return other.dx == vector.dx && other.dy == vector.dy && other.decimals == vector.decimals
            ? first.number : nil
    }

    private func positions(of vector: Vector) -> Int? {
        guard vector.dx != 0 || vector.dy != 0 else { return nil }
        if let known = positionsOfVector[vector] { return known }
        positionsOfVector[vector] = positions.count
        positions.append(Positions(vector: vector))
        return positions.count - 1
    }

    /// Returns the index of a gradient's root.
    private func root(_ gradient: Gradient) -> Int {
        if let known = roots.firstIndex(where: { $0.gradient == gradient }) { return known }
        roots.append(Root(gradient: gradient))
        return roots.count - 1
    }

    private static func steps(_ length: Double, _ decimals: Int) -> Int {
        Int((length * Double(SVGNumber.power(decimals))).rounded())
    }

    // MARK: Around a centre

    /// The coordinates of a shape that is filled.
    private struct UserSpace {
        /// On the canvas.
        let origin: Point
        /// CSS pixels in one unit.
        let scale: Double
        /// True if its elements refer to no others.
        let isWhole: Bool

        var decimals: Int { SVGNumber.decimals(unit: scale, error: SVGCoordinates.tolerance) }
    }

    /// An element with stops or colours of its own.
    struct CentredRoot: Hashable {
        let gradient: Gradient
        /// The size of the box, on which the colours of a conic gradient depend; nil for others.
        var size: SIMD2<Double>?
    }

    /// An element in a user space.
    private struct Centred: Hashable {
        let root: CentredRoot
        /// The matrix, in units of 10^-decimals.
        let matrix: SIMD4<Int>
        let decimals: Int
        let isWhole: Bool
    }

    private func centredFill(_ gradient: Gradient, in box: Rect, _ space: UserSpace) -> SVGFill {
        let (scale, origin) = (space.scale, space.origin)
        // The map from the root's own coordinates to the user space.
        let matrix: SIMD4<Double>
        var root = CentredRoot(gradient: gradient)
        switch gradient.wholeGeometry(in: box) {
        case .line, nil: return .color(gradient.lastColor)
        case .ellipse(let center, let radii):
            // The root is a circle with a radius of 1.
            matrix = SIMD4(radii.x, radii.y, center.x - origin.x, center.y - origin.y) / scale
        case .sweep:
            root.size = box.size
            let region = SVGSectors.region(of: box)
            matrix = SIMD4(1, 1, region.x - origin.x, region.y - origin.y) / scale
        }
        // The error grows with each repetition of a pattern or a gradient.
        let decimals = space.decimals + (root.size != nil || gradient.repeats ? 3 : 0)
        let factor = Double(SVGNumber.power(decimals))
        let key = Centred(
            root: root, matrix: SIMD4<Int>((matrix * factor).rounded(.toNearestOrAwayFromZero)),
            // Sectors are too many to be written twice.
            decimals: decimals, isWhole: space.isWhole && root.size == nil)
        if let known = centred[key] { return .gradient(known) }
        centred[key] = count
        write(key, in: box)
        count += 1
        return .gradient(count - 1)
    }

    private func write(_ centred: Centred, in box: Rect) {
        let gradient = centred.root.gradient
        let isConic = centred.root.size != nil
        sink.append(isConic ? "<pattern id=\"" : "<radialGradient id=\"")
        sink.append(gradient: count, names)
        let known = centred.isWhole ? nil : centredRoots[centred.root]
        if let known {
            sink.append("\" href=\"#")
            sink.append(gradient: known, names)
        } else {
            if !centred.isWhole { centredRoots[centred.root] = count }
            if isConic {
                sink.append("\" patternUnits=\"userSpaceOnUse")
                writeSize(of: SVGSectors.region(of: box))
            } else {
                sink.append("\" gradientUnits=\"userSpaceOnUse\" cx=\"0\" cy=\"0\" r=\"1")
                if gradient.repeats { sink.append("\" spreadMethod=\"repeat") }
            }
        }
        sink.append(isConic ? "\" patternTransform=\"matrix(" : "\" gradientTransform=\"matrix(")
        write(centred.matrix.x, centred.decimals)
        sink.append(" 0 0 ")
        write(centred.matrix.y, centred.decimals)
        sink.append(" ")
        write(centred.matrix.z, centred.decimals)
        sink.append(" ")
        write(centred.matrix.w, centred.decimals)
        guard known == nil else { return sink.append(")\"/>") }
        sink.append(")\">")
        if isConic {
            SVGSectors(gradient, in: box, seenIn: SVGSectors.region(of: box)).write(to: &sink)
            sink.append("</pattern>")
        } else {
            writeStops(of: gradient)
            sink.append("</radialGradient>")
        }
    }

    /// Writes the size of a pattern, whose own coordinates begin at its corner.
    private func writeSize(of region: Rect) {
        sink.append("\" width=\"")
        sink.append(region.width, decimals: 2, leadingZero: false)
        sink.append("\" height=\"")
        sink.append(region.height, decimals: 2, leadingZero: false)
    }

    // MARK: Elements

    private func write(_ start: Int, _ index: Int, _ isAcross: Bool) {
        let vector = positions[index].vector
        sink.append("<linearGradient id=\"")
        sink.append(gradient: count, names)
        let first = roots[vector.root].first
        guard let first, !vector.isWhole else {
            if first == nil { roots[vector.root].first = (count, index, start) }
            sink.append("\" gradientUnits=\"userSpaceOnUse")
            writeEnds(start, vector, isAcross)
            if roots[vector.root].gradient.repeats { sink.append("\" spreadMethod=\"repeat") }
            sink.append("\">")
            writeStops(of: roots[vector.root].gradient)
            sink.append("</linearGradient>")
            return
        }
        // The reference is to the root: CairoSVG finds no stops through a second reference.
        sink.append("\" href=\"#")
        sink.append(gradient: first.number, names)
        if first.positions == index {
            sink.append("\" gradientTransform=\"translate(")
            if !isAcross { sink.append("0 ") }
            write(start - first.start, vector.decimals)
            sink.append(")")
        } else {
            writeEnds(start, vector, isAcross)
        }
        sink.append("\"/>")
    }

    /// Writes all ends of a line: a missing one would be the root's.
    private func writeEnds(_ start: Int, _ vector: Vector, _ isAcross: Bool) {
        let (x, y) = isAcross ? (start, 0) : (0, start)
        sink.append("\" x1=\"")
        write(x, vector.decimals)
        sink.append("\" y1=\"")
        write(y, vector.decimals)
        sink.append("\" x2=\"")
        write(x + vector.dx, vector.decimals)
        sink.append("\" y2=\"")
        write(y + vector.dy, vector.decimals)
    }

    private func write(_ steps: Int, _ decimals: Int) {
        sink.append(
            Double(steps) / Double(SVGNumber.power(decimals)), decimals: decimals,
            leadingZero: false)
    }

    private func writeStops(of gradient: Gradient) {
        let box = Rect(x: 0, y: 0, width: 1, height: 1)
        for stop in StraightGradient(gradient, in: box).stops {
            sink.append("<stop")
            if stop.offset > 0 {
                sink.append(" offset=\"")
                sink.append(stop.offset, decimals: 6, leadingZero: false)
                sink.append("\"")
            }
            sink.append(" stop-color=\"")
            sink.append(text: stop.color.opaqueText)
            sink.append("\"")
            sink.append("stop-opacity", alpha: stop.color.alpha)
            sink.append("/>")
        }
    }

    /// Writes all elements.
    func writeDefinitions(to sink: inout ByteSink) {
        sink.append(self.sink)
    }
}

extension Color {
    /// The colour without its alpha, as `#rrggbb`.
    var opaqueText: String {
        opaque.text
    }
}

extension ByteSink {
    /// Appends the attributes that fill with a colour.
    mutating func append(fill color: Color) {
        append(" fill=\"")
        append(text: color.opaqueText)
        append("\"")
        append("fill-opacity", alpha: color.alpha)
    }

    /// Appends the attributes of a fill.
    mutating func append(_ fill: SVGFill, _ names: SVGNames) {
        switch fill {
        case .color(let color): append(fill: color)
        case .gradient(let number): append("fill", gradient: number, names)
        }
    }

    /// Appends an attribute that paints with a gradient.
    mutating func append(_ attribute: StaticString, gradient number: Int, _ names: SVGNames) {
        append(" ")
        append(attribute)
        append("=\"url(#")
        append(gradient: number, names)
        append(")\"")
    }

    /// Appends an opacity, unless it is 1.
    mutating func append(_ attribute: StaticString, alpha: UInt8) {
        guard alpha < 255 else { return }
        append(" ")
        append(attribute)
        append("=\"")
        append(Double(alpha) / 255, decimals: 4, leadingZero: false)
        append("\"")
    }

    /// Appends the name of a gradient: capitals, which no other name has.
    fileprivate mutating func append(gradient number: Int, _ names: SVGNames) {
        append(names.prefix)
        append(lettersOf: number, from: UInt8(ascii: "A"))
    }
}
