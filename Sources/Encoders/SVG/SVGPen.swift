import Bytes
import Motion

/// The line along contours, which is present but transparent at rest.
struct SVGPen {
    private let names: SVGNames
    /// True if one rule suits all groups: each draws fills of one colour.
    private let isRule: Bool

    init(_ names: SVGNames, _ groups: [SVGGroup]) {
        self.names = names
        isRule = groups.allSatisfy {
            $0.part == .fill && $0.gradient == nil && $0.paint == nil
        }
    }

    /// Writes the rule of all groups.
    func writeRule(to sink: inout ByteSink) {
        guard isRule else { return }
        sink.append(".")
        sink.append(names.root)
        sink.append(">g{stroke:currentColor;stroke-opacity:0;stroke-linejoin:round;")
        sink.append("stroke-dasharray:1 9}")
    }

    /// Writes the attributes of a group's element.
    func writeAttributes(of fill: SVGFill?, to sink: inout ByteSink) {
        if isRule {
            if case .color(let color) = fill { Self.writeColor(color, to: &sink) }
            return
        }
        if let fill { Self.writeStroke(fill, names, to: &sink) }
        sink.append(" stroke-opacity=\"0\" stroke-linejoin=\"round\" stroke-dasharray=\"1 9\"")
    }

    /// Writes the attributes that paint the line as the fill.
    static func writeStroke(_ fill: SVGFill, _ names: SVGNames, to sink: inout ByteSink) {
        switch fill {
        case .color(let color):
            writeColor(color, to: &sink)
            sink.append(" stroke=\"currentColor\"")
        case .gradient(let number):
            sink.append("stroke", gradient: number, names)
        }
    }

    private static func writeColor(_ color: Color, to sink: inout ByteSink) {
        sink.append(" color=\"")
        sink.append(text: color.opaqueText)
        sink.append("\"")
    }
}
