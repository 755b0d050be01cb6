import Motion

/// An upright rectangle in grid steps.
struct LottieBox: Hashable {
    var left: Int
    var top: Int
    var right: Int
    var bottom: Int

    var width: Int { right - left }
    var height: Int { bottom - top }

    /// Makes the box of a canvas from its top left corner.
    init(width: Int, height: Int) {
        left = 0
        top = 0
        right = width
        bottom = height
    }

    /// Makes the box of a rectangle about an origin, its edges rounded to steps; `step` is their
    /// length in the rectangle's units.
    init(_ rect: Rect, about origin: Point, step: Double) {
        left = Int(((rect.x - origin.x) / step).rounded())
        top = Int(((rect.y - origin.y) / step).rounded())
        // No line may vanish through rounding.
        right = max(Int(((rect.maxX - origin.x) / step).rounded()), left + 1)
        bottom = max(Int(((rect.maxY - origin.y) / step).rounded()), top + 1)
    }

    /// Makes the smallest box around a rectangle in ems.
    init(around ems: Rect, stepsPerEm: Double) {
        left = Int((ems.x * stepsPerEm).rounded(.down))
        top = Int((ems.y * stepsPerEm).rounded(.down))
        right = Int((ems.maxX * stepsPerEm).rounded(.up))
        bottom = Int((ems.maxY * stepsPerEm).rounded(.up))
    }

    /// Returns the box's rectangle from the coordinates of its origin.
    func rect(from origin: Point) -> Rect {
        Rect(
            x: origin.x + Double(left), y: origin.y + Double(top), width: Double(width),
            height: Double(height))
    }

    func union(_ other: LottieBox) -> LottieBox {
        var box = self
        box.left = min(left, other.left)
        box.top = min(top, other.top)
        box.right = max(right, other.right)
        box.bottom = max(bottom, other.bottom)
        return box
    }

    func grown(by steps: Int) -> LottieBox {
        var box = self
        box.left -= steps
        box.top -= steps
        box.right += steps
        box.bottom += steps
        return box
    }

    /// Returns the corners, clockwise or anticlockwise from the top left or the bottom left.
    func corners(clockwise: Bool) -> [LottieContours.Step] {
        typealias Step = LottieContours.Step
        let corners = [
            Step(x: left, y: top), Step(x: right, y: top), Step(x: right, y: bottom),
            Step(x: left, y: bottom),
        ]
        return clockwise ? corners : corners.reversed()
    }
}
