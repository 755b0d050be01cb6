import Motion
import Rendering

/// What a text is set along: an accepted path reads back as itself, has a finite length, and has a
/// place at every length, near the places just before and behind it.
enum FuzzPath: FuzzTarget {
    static func take(_ input: [UInt8]) {
        guard let text = String(validating: input, as: UTF8.self),
            let shape = shape(of: text)
        else { return }
        check(self.shape(of: shape.text) == shape, "\(text.debugDescription) becomes another path")
        for textLength in [0, 300, 5000.0] { checkPlaces(shape, textLength) }
    }

    private static let parameter = Parameter("path", .path, default: nil, "A path.")

    private static func shape(of text: String) -> PathShape? {
        guard case .path(let shape)? = try? parameter.grammar.value(of: .text(text)) else {
            return nil
        }
        return shape
    }

    private static func checkPlaces(_ shape: PathShape, _ textLength: Double) {
        let curve = LengthwiseCurve(shape, forTextOf: textLength)
        check(curve.length.isFinite && curve.length >= 0, "a length of \(curve.length)")
        for number in -1...9 {
            let length = max(curve.length, 1) * Double(number) / 8
            let (point, direction) = curve.place(at: length)
            check(abs(point.x) < 1e6 && abs(point.y) < 1e6, "a point at \(point)")
            check(abs((direction * direction).sum() - 1) < 1e-9, "a direction of \(direction)")
            // No chord is longer than its arc.
            let chord = curve.place(at: length + 1).point - point
            check((chord * chord).sum() < 1.1, "a step of 1 px covers \(chord)")
        }
    }
}
