import Bytes
import Motion

/// The card behind the text: a rectangle with round corners, and a ring within its edge.
struct SVGCard {
    private let names: SVGNames
    private let card: Card
    private let size: (width: Double, height: Double)
    private let radius: Double
    /// The fill, and the fill under a dark colour scheme; nil where it does not differ.
    private let fill: SVGFill
    private let darkFill: SVGFill?
    private let paints: SVGPaints
    private let gradients: SVGGradients

    /// Makes the card of a scene, and adds the background's gradients to the document's.
    init(
        _ scene: borrowing Scene, _ names: SVGNames, _ paints: SVGPaints, _ gradients: SVGGradients
    ) {
        self.paints = paints
        self.gradients = gradients
        self.names = names
        card = scene.appearance.card
        size = (scene.width, scene.height)
        radius = card.cornerRadius(width: size.width, height: size.height)
        let box = Rect(x: 0, y: 0, width: size.width, height: size.height)
        func fill(_ paint: Paint) -> SVGFill {
            switch paint {
            case .color(let color): .color(color)
            case .gradient(let gradient):
                gradients.fill(gradient, in: box, origin: .zero, scale: 1, isWhole: true)
            }
        }
        guard paints.background == nil else {
            (self.fill, darkFill) = (.color(.transparent), nil)
            return
        }
        self.fill = fill(card.background)
        darkFill = card.darkBackground.map(fill)
    }

    /// True if it has rectangles that are shown under one colour scheme only: a rule of the style
    /// sheet changes colours only.
    var hasSchemes: Bool {
        guard let darkFill else { return false }
        if case .color = fill, case .color = darkFill { return false }
        return true
    }

    /// Writes the elements.
    func write(to sink: inout ByteSink) {
        if let number = paints.background {
            writeMoving(number, to: &sink)
        } else if let darkFill, hasSchemes {
            write(fill, .light, to: &sink)
            write(darkFill, .dark, to: &sink)
        } else if darkFill != nil || !card.background.isTransparent {
            write(fill, .any, to: &sink)
        }
        if let border = card.border { write(border, to: &sink) }
    }

    /// Writes the rules that hold under a dark colour scheme.
    func writeDarkRules(colorsPen: Bool, to sink: inout ByteSink) {
        if case .color(let color) = darkFill, !hasSchemes {
            names.writeDarkRule(.background, "fill", color, colorsPen: colorsPen, to: &sink)
        }
        if let color = card.border?.darkColor {
            names.writeDarkRule(.border, "fill", color, to: &sink)
        }
    }

    /// Writes the paint of a background that moves within its corners.
    private func writeMoving(_ number: Int, to sink: inout ByteSink) {
        if radius > 0 {
            sink.append("<clipPath id=\"")
            sink.append(.paint(number), names)
            sink.append("\">")
            writeRect(to: &sink)
            sink.append("/></clipPath><g clip-path=\"url(#")
            sink.append(.paint(number), names)
            sink.append(")\">")
        } else {
            sink.append("<g>")
        }
        paints.write(number, names, gradients, to: &sink)
        sink.append("</g>")
    }

    /// Writes the card's rectangle, left open.
    private func writeRect(to sink: inout ByteSink) {
        sink.append("<rect width=\"100%\" height=\"100%\"")
        guard radius > 0 else { return }
        sink.append(" rx=\"")
        sink.append(radius, decimals: 4, leadingZero: false)
        sink.append("\"")
    }

    private func write(_ fill: SVGFill, _ scheme: SceneLayer.Scheme, to sink: inout ByteSink) {
        writeRect(to: &sink)
        sink.append(fill, names)
        switch scheme {
        case .any: if darkFill != nil { sink.append(class: .background, names) }
        case .light: sink.append(class: .light, names)
        case .dark:
            // Viewers without style sheets or media queries show the light scheme.
            sink.append(" display=\"none\"")
            sink.append(class: .dark, names)
        }
        sink.append("/>")
    }

    /// Writes the border as the area between two edges: a line's inner edge is as round as its
    /// outer one only where the radius is larger than half its width.
    private func write(_ border: LineStyle, to sink: inout ByteSink) {
        sink.append("<path fill-rule=\"evenodd\"")
        sink.append(fill: border.color)
        if border.darkColor != nil { sink.append(class: .border, names) }
        sink.append(" d=\"")
        writeEdge(inset: 0, to: &sink)
        if 2 * border.width < min(size.width, size.height) {
            writeEdge(inset: border.width, to: &sink)
        }
        sink.append("\"/>")
    }

    /// Writes the edge of a card that is smaller by a distance on each side, clockwise.
    private func writeEdge(inset: Double, to sink: inout ByteSink) {
        let radius = max(radius - inset, 0)
        let (width, height) = (
            size.width - 2 * (inset + radius), size.height - 2 * (inset + radius)
        )
        func write(_ command: StaticString, _ numbers: Double...) {
            sink.append(command)
            for (index, number) in numbers.enumerated() {
                if index > 0 { sink.append(" ") }
                sink.append(number, decimals: 4, leadingZero: false)
            }
        }
        func corner(_ x: Double, _ y: Double) {
            if radius > 0 { write("a", radius, radius, 0, 0, 1, x * radius, y * radius) }
        }
        write("M", inset + radius, inset)
        write("h", width)
        corner(1, 1)
        write("v", height)
        corner(-1, 1)
        write("h", -width)
        corner(-1, -1)
        write("v", -height)
        corner(1, -1)
        sink.append("z")
    }
}
