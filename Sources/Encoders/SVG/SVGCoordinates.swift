import Bytes
import Motion

/// The coordinates in which nodes are written.
struct SVGCoordinates {
    /// The largest error of a position, in CSS pixels.
    static let tolerance = 0.01

    /// The origin on the canvas, rounded as it is written.
    var origin: Point
    /// CSS pixels in one unit, which is a font unit where outlines are drawn.
    let scale: Double
    /// The decimals that positions need.
    private let decimals: Int

    init(origin: Point, scale: Double) {
        self.origin = origin
        self.scale = scale
        decimals = SVGNumber.decimals(unit: scale, error: Self.tolerance)
    }

    /// Returns the distance of a point of the canvas from the origin, in CSS pixels.
    func shift(to point: Point) -> Point { Point(x: point.x - origin.x, y: point.y - origin.y) }

    /// Writes a length of CSS pixels.
    func write(_ pixels: Double, to sink: inout ByteSink) {
        sink.append(pixels / scale, decimals: decimals, leadingZero: false)
    }

    /// Writes an attribute with a length of CSS pixels, unless it is 0.
    func write(attribute name: StaticString, _ pixels: Double, to sink: inout ByteSink) {
        guard abs(pixels) > Self.tolerance else { return }
        sink.append(" ")
        sink.append(name)
        sink.append("=\"")
        write(pixels, to: &sink)
        sink.append("\"")
    }

    /// Writes the attribute of an element that is moved by CSS pixels.
    func writeTransform(_ shift: Point, to sink: inout ByteSink) {
        sink.append(" transform=\"translate(")
        write(shift.x, to: &sink)
        if abs(shift.y) > Self.tolerance {
            sink.append(" ")
            write(shift.y, to: &sink)
        }
        sink.append(")\"")
    }

    /// Writes the top left corner of a rectangle.
    func write(topLeft rect: Rect, to sink: inout ByteSink) {
        write(rect.x - origin.x, to: &sink)
        sink.append(" ")
        write(rect.y - origin.y, to: &sink)
    }

    /// Writes the attribute of a path around a rectangle.
    func writePath(around rect: Rect, to sink: inout ByteSink) {
        sink.append(" d=\"M")
        write(topLeft: rect, to: &sink)
        sink.append("h")
        write(rect.width, to: &sink)
        sink.append("v")
        write(rect.height, to: &sink)
        sink.append("h")
        write(-rect.width, to: &sink)
        sink.append("z\"")
    }
}
