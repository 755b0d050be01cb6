import Bytes
import Motion
import Typesetting

/// Reads an SVG of paths, basic shapes, groups, gradients, and transformations.
///
/// All else that would be drawn is a fault, so that no picture looks other than its file.
/// Source: SVG 2.
struct SVGReader {
    /// The largest coordinate.
    static let mostUnits = 1_000_000.0

    private static let elements = [
        "svg", "g", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "defs",
        "linearGradient", "radialGradient", "stop", "title", "desc", "metadata",
    ]
    /// The elements that draw nothing where they stand.
    private static let undrawn: Set<ByteString> = [
        "defs", "linearGradient", "radialGradient", "title", "desc", "metadata",
    ]
    /// The most gradients that refer to each other.
    private static let mostReferences = 8

    private let box: Rect
    /// The gradients that a paint may name, by id.
    private let gradients: [ByteString: SVGElement]

    /// Returns the picture in the bytes of a file.
    ///
    /// - Throws: The fault of the file, with the element.
    static func picture(in file: [UInt8]) throws(ValueFault) -> VectorPicture {
        let root = try SVGElement.root(of: file)
        guard root.name == "svg" else {
            throw ValueFault("must have <svg> as its outermost element; got <\(root.name.text)>")
        }
        var gradients: [ByteString: SVGElement] = [:]
        root.collect(["linearGradient", "radialGradient"], into: &gradients)
        let reader = SVGReader(box: try Self.box(of: root), gradients: gradients)
        let items = try reader.items(ofGroup: root, SVGStyle(), .identity)
        return VectorPicture(box: reader.box, items: items)
    }

    private static func box(of root: SVGElement) throws(ValueFault) -> Rect {
        guard root["viewBox"] != nil else {
            let width = try root.number("width", default: 0)
            let height = try root.number("height", default: 0)
            guard width > 0, height > 0 else {
                throw root.fault("needs viewBox, or width and height")
            }
            return Rect(x: 0, y: 0, width: width, height: height)
        }
        let numbers = try root.numbers("viewBox")
        guard numbers.count == 4, numbers[2] > 0, numbers[3] > 0 else {
            throw root.fault("must have a viewBox of four numbers, the last two above 0")
        }
        return Rect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }

    // MARK: Elements

    /// Returns the items that a group or the root draws.
    private func items(
        ofGroup group: SVGElement, _ inherited: SVGStyle, _ outer: Affine
    ) throws(ValueFault) -> [VectorPicture.Item] {
        var style = inherited
        try style.apply(group)
        let transform = outer * (try group.transform("transform"))
        var items: [VectorPicture.Item] = []
        for child in group.children {
            items += try self.items(of: child, style, transform)
        }
        return try translucent(items, group)
    }

    private func items(
        of element: SVGElement, _ inherited: SVGStyle, _ outer: Affine
    ) throws(ValueFault) -> [VectorPicture.Item] {
        // Elements of other namespaces, as drawing programs add them.
        let isForeign = element.name.text.utf8.contains(UInt8(ascii: ":"))
        let isHidden = element["display"]?.isSame(as: "none") ?? false
        if isForeign || isHidden || Self.undrawn.contains(element.name) { return [] }
        if element.name == "g" { return try items(ofGroup: element, inherited, outer) }
        guard let data = try element.pathData else {
            throw element.fault("is not supported; one of \(Self.elements.joined(separator: ", "))")
        }
        var style = inherited
        try style.apply(element)
        let subpaths: [VectorPicture.Subpath]
        do {
            subpaths = try PathDataReader.subpaths(in: data, mostPixels: Self.mostUnits)
        } catch {
            throw element.fault(error.message)
        }
        guard !subpaths.isEmpty else { return [] }
        let transform = outer * (try element.transform("transform"))
        var shape = VectorPicture.Shape(subpaths, transform: transform)
        shape.fill = try paint(style.fill, style, of: element)
        (shape.fillOpacity, shape.isEvenOdd) = (style.fillOpacity, style.isEvenOdd)
        if style.strokeWidth > 0, let paint = try paint(style.stroke, style, of: element) {
            var stroke = VectorPicture.Stroke(paint)
            (stroke.opacity, stroke.width) = (style.strokeOpacity, style.strokeWidth)
            (stroke.cap, stroke.join) = (style.cap, style.join)
            stroke.miterLimit = style.miterLimit
            shape.stroke = stroke
        }
        return try translucent([.shape(shape)], element)
    }

    /// Returns items with the opacity of an element.
    private func translucent(
        _ items: [VectorPicture.Item], _ element: SVGElement
    ) throws(ValueFault) -> [VectorPicture.Item] {
        let opacity = try element.share("opacity", default: 1)
        return opacity == 1 || items.isEmpty ? items : [.group(items, opacity: opacity)]
    }

    // MARK: Paint

    /// Returns the paint of a value of `fill` or `stroke`; nil for none.
    private func paint(
        _ value: String, _ style: SVGStyle, of element: SVGElement
    ) throws(ValueFault) -> VectorPicture.Paint? {
        if value.isSame(as: "none") { return nil }
        if value.isSame(as: "currentColor") { return .color(style.color) }
        if let color = Color(css: value) { return .color(color) }
        guard value.begins(with: "url("), let id = value.dropping(first: 4).cssReference,
            gradients[id] != nil
        else {
            throw element.fault(
                "has the paint \"\(value.shortened(to: 60))\"; it must be none, a colour, or "
                    + "url(#id) of a gradient")
        }
        return try gradient(id, style).map { .gradient($0) }
    }

    /// Returns a gradient with the attributes and stops of the gradients that it refers to; nil
    /// without any stops.
    private func gradient(
        _ id: ByteString, _ style: SVGStyle
    ) throws(ValueFault) -> VectorPicture.Gradient? {
        guard var element = gradients[id] else { return nil }
        let isLinear = element.name == "linearGradient"
        var next = element.reference
        for _ in 0..<Self.mostReferences {
            guard let id = next, let other = gradients[id] else { break }
            element.inherit(from: other)
            next = other.reference
        }
        let stops = try stops(of: element, style)
        guard !stops.isEmpty else { return nil }
        let goesByBox = try element.choice(
            "gradientUnits", ["objectBoundingBox": true, "userSpaceOnUse": false], default: true)
        let size = goesByBox ? SIMD2(1, 1) : SIMD2(box.width, box.height)
        let diagonal = ((size * size).sum() / 2).squareRoot()
        func place(_ x: String, _ y: String, _ shares: SIMD2<Double>) throws(ValueFault)
            -> SIMD2<Double>
        {
            SIMD2(
                try element.length(x, default: shares.x * size.x, of: size.x),
                try element.length(y, default: shares.y * size.y, of: size.y))
        }
        let geometry: VectorPicture.Gradient.Geometry
        if isLinear {
            geometry = .linear(
                from: try place("x1", "y1", .zero), to: try place("x2", "y2", SIMD2(1, 0)))
        } else {
            let center = try place("cx", "cy", SIMD2(0.5, 0.5))
            let radius = try element.length("r", default: diagonal / 2, of: diagonal)
            guard try element.length("fr", default: 0, of: diagonal) == 0 else {
                throw element.fault("must have an fr of 0, or none")
            }
            var focus = try place("fx", "fy", center / size) - center
            let distance = (focus * focus).sum().squareRoot()
            // On the circle, or beyond it, a cone would be drawn.
            if distance > 0.99 * radius { focus *= 0.99 * radius / distance }
            geometry = .radial(center: center, radius: radius, focus: center + focus)
        }
        var gradient = VectorPicture.Gradient(geometry, stops: stops)
        gradient.goesByBox = goesByBox
        gradient.transform = try element.transform("gradientTransform")
        gradient.spread = try element.choice(
            "spreadMethod", ["pad": .pad, "reflect": .reflect, "repeat": .repeat], default: .pad)
        return gradient
    }

    private func stops(
        of gradient: SVGElement, _ style: SVGStyle
    ) throws(ValueFault) -> [(offset: Double, color: Color)] {
        var stops: [(offset: Double, color: Color)] = []
        for stop in gradient.children where stop.name == "stop" {
            let offset = max(try stop.share("offset", default: 0), stops.last?.offset ?? 0)
            var color = Color(red: 0, green: 0, blue: 0)
            if let written = stop["stop-color"] {
                guard
                    let known = written.isSame(as: "currentColor")
                        ? style.color : Color(css: written)
                else { throw stop.fault("must have a colour as stop-color") }
                color = known
            }
            let opacity = try stop.share("stop-opacity", default: 1)
            color.alpha = UInt8((Double(color.alpha) * opacity).rounded())
            stops.append((offset, color))
        }
        return stops
    }
}

/// The properties that elements of an SVG inherit from the elements around them.
private struct SVGStyle {
    var fill = "black"
    var fillOpacity = 1.0
    var isEvenOdd = false
    var stroke = "none"
    var strokeOpacity = 1.0
    var strokeWidth = 1.0
    var cap = VectorPicture.Stroke.Cap.butt
    var join = VectorPicture.Stroke.Join.miter
    var miterLimit = 4.0
    /// The colour of `currentColor`.
    var color = Color(red: 0, green: 0, blue: 0)

    /// Properties that would change the drawing, with the values that do not.
    private static let others: [(name: String, values: [String])] =
        ["clip-path", "mask", "filter", "marker", "marker-start", "marker-mid", "marker-end"].map {
            ($0, ["none"])
        } + [
            ("stroke-dasharray", ["none"]), ("vector-effect", ["none"]),
            ("paint-order", ["normal"]), ("mix-blend-mode", ["normal"]),
            ("visibility", ["visible"]),
        ]

    /// Takes the properties of an element.
    ///
    /// - Throws: The first that is wrong, or not supported.
    mutating func apply(_ element: SVGElement) throws(ValueFault) {
        for (name, values) in Self.others {
            guard let value = element[name], !(values + ["inherit"]).includes(value) else {
                continue
            }
            throw element.fault("must not have \(name)=\"\(value.shortened(to: 60))\"")
        }
        if let value = element["color"] {
            guard let known = Color(css: value) else {
                throw element.fault("must have a colour as color")
            }
            color = known
        }
        fill = element["fill"] ?? fill
        stroke = element["stroke"] ?? stroke
        fillOpacity = try element.share("fill-opacity", default: fillOpacity)
        strokeOpacity = try element.share("stroke-opacity", default: strokeOpacity)
        strokeWidth = try element.number("stroke-width", default: strokeWidth)
        miterLimit = try element.number("stroke-miterlimit", default: miterLimit)
        isEvenOdd = try element.choice(
            "fill-rule", ["nonzero": false, "evenodd": true], default: isEvenOdd)
        cap = try element.choice(
            "stroke-linecap", ["butt": .butt, "round": .round, "square": .square], default: cap)
        join = try element.choice(
            "stroke-linejoin", ["miter": .miter, "round": .round, "bevel": .bevel], default: join)
    }
}
