package import Motion

/// A bar beside the text, as long as the text is wide or high.
package struct SideBar: Equatable, Sendable {
    package enum Side: String, CaseIterable, Sendable {
        case left, right, top, bottom
        /// By the direction of the first text.
        case start, end
    }

    package var side: Side
    package var color: Color
    /// The colour under a dark colour scheme; nil where it does not differ.
    package var darkColor: Color?
    /// CSS pixels.
    package var width: Double
    /// CSS pixels between the text and the bar.
    package var gap: Double

    package init(
        _ side: Side, color: Color, darkColor: Color? = nil, width: Double, gap: Double
    ) {
        self.side = side
        self.color = color
        self.darkColor = darkColor
        self.width = width
        self.gap = gap
    }

    /// The room that it takes from the text, in CSS pixels.
    package var room: Double { width + gap }

    /// True if it is as high as the text, beside it.
    package var isUpright: Bool { side != .top && side != .bottom }
}

extension SideBar {
    /// Returns the bar beside the boxes of blocks, at least one, and of the numbers of their lines.
    func bar(beside blocks: [BlockLayout]) -> AccentBar {
        let boxes = blocks.flatMap { [$0.rect] + $0.numbers.map(\.rect) }
        let text = boxes.dropFirst().reduce(boxes[0]) { $0.union($1) }
        var rect = text
        switch side {
        case .left, .start: (rect.x, rect.width) = (text.x - room, width)
        case .right, .end: (rect.x, rect.width) = (text.maxX + gap, width)
        case .top: (rect.y, rect.height) = (text.y - room, width)
        case .bottom: (rect.y, rect.height) = (text.maxY + gap, width)
        }
        return AccentBar(
            rect: rect, color: color, darkColor: darkColor, isUpright: isUpright)
    }

    /// Returns the bar at the side that the direction of a text decides, if its side depends on it.
    func beside(_ direction: Direction) -> SideBar {
        var bar = self
        switch side {
        case .start: bar.side = direction == .leftToRight ? .left : .right
        case .end: bar.side = direction == .leftToRight ? .right : .left
        case .left, .right, .top, .bottom: break
        }
        return bar
    }
}
