/// A position on the canvas in CSS pixels; y grows downwards.
package struct Point: Hashable, Sendable {
    package var x: Double
    package var y: Double

    package static let zero = Point(x: 0, y: 0)

    package init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

/// An upright rectangle in CSS pixels.
package struct Rect: Hashable, Sendable {
    /// The left edge.
    package var x: Double
    /// The top edge.
    package var y: Double
    package var width: Double
    package var height: Double

    package var maxX: Double { x + width }
    package var maxY: Double { y + height }
    package var center: Point { Point(x: x + width / 2, y: y + height / 2) }

    package init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// Returns the smallest rectangle that holds both; an empty rectangle counts as its position.
    package func union(_ other: Rect) -> Rect {
        let left = min(x, other.x)
        let top = min(y, other.y)
        return Rect(
            x: left, y: top,
            width: max(maxX, other.maxX) - left, height: max(maxY, other.maxY) - top)
    }

    /// Returns the rectangle that lies within both; it has a negative width or height if there is
    /// none.
    func intersection(_ other: Rect) -> Rect {
        let (left, top) = (max(x, other.x), max(y, other.y))
        return Rect(
            x: left, y: top, width: min(maxX, other.maxX) - left,
            height: min(maxY, other.maxY) - top)
    }

    /// Returns the common part of two rectangles; nil if they do not overlap.
    func overlap(with other: Rect) -> Rect? {
        let common = intersection(other)
        return common.width > 0 && common.height > 0 ? common : nil
    }

    /// Returns the rectangle with its distances from a point multiplied.
    func scaled(by factor: Double, about center: Point) -> Rect {
        Rect(
            x: center.x + factor * (x - center.x), y: center.y + factor * (y - center.y),
            width: factor * width, height: factor * height)
    }

    /// Returns the rectangle with more room on each side.
    package func grown(by margins: Margins) -> Rect {
        Rect(
            x: x - margins.left, y: y - margins.top,
            width: width + margins.left + margins.right,
            height: height + margins.top + margins.bottom)
    }

    /// Returns the rectangle with its sides moved outwards, except for some.
    func opened(by distance: Double, but edges: Edges) -> Rect {
        grown(
            by: Margins(
                left: edges.contains(.left) ? 0 : distance,
                top: edges.contains(.top) ? 0 : distance,
                right: edges.contains(.right) ? 0 : distance,
                bottom: edges.contains(.bottom) ? 0 : distance))
    }

    /// Returns the rectangle at a progress from this one to another.
    func mixed(with other: Rect, progress: Double) -> Rect {
        Rect(
            x: x.mixed(with: other.x, progress: progress),
            y: y.mixed(with: other.y, progress: progress),
            width: width.mixed(with: other.width, progress: progress),
            height: height.mixed(with: other.height, progress: progress))
    }

    /// Returns the rectangle moved.
    package func offset(byX dx: Double, y dy: Double) -> Rect {
        Rect(x: x + dx, y: y + dy, width: width, height: height)
    }
}

/// Distances from the edges of a rectangle outwards, in CSS pixels.
package struct Margins: Hashable, Sendable {
    package var left: Double
    package var top: Double
    package var right: Double
    package var bottom: Double

    package static let zero = Margins(left: 0, top: 0, right: 0, bottom: 0)

    package init(left: Double, top: Double, right: Double, bottom: Double) {
        self.left = left
        self.top = top
        self.right = right
        self.bottom = bottom
    }

    /// Returns the distances multiplied.
    package func scaled(by factor: Double) -> Margins {
        Margins(
            left: left * factor, top: top * factor, right: right * factor, bottom: bottom * factor)
    }

    /// The sum of the distances from the left and the right edge.
    package var across: Double { left + right }

    /// The sum of the distances from the upper and the lower edge.
    package var down: Double { top + bottom }

    package static func + (one: Margins, other: Margins) -> Margins {
        Margins(
            left: one.left + other.left, top: one.top + other.top, right: one.right + other.right,
            bottom: one.bottom + other.bottom)
    }

    /// Makes the same distance from every edge.
    package init(all distance: Double) {
        self.init(left: distance, top: distance, right: distance, bottom: distance)
    }
}

/// Sides of a box.
package struct Edges: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package static let left = Edges(rawValue: 1)
    package static let top = Edges(rawValue: 2)
    package static let right = Edges(rawValue: 4)
    package static let bottom = Edges(rawValue: 8)
    package static let all: Edges = [.left, .top, .right, .bottom]

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }
}
