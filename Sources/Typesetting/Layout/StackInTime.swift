import Motion

/// The places of blocks that come and go at times of their own, and do not move each other.
enum StackInTime {
    /// Returns how far each block stands from its edge; from the line half-way down for blocks in the
    /// middle, the first of which has half of its height above that line.
    ///
    /// In the order of their starts, each takes the first place from its edge on that no block
    /// of the same edge has while it is seen.
    ///
    /// - Parameters:
    ///   - blocks: The seconds in which each block is seen, its edge, and its height.
    ///   - spacing: The distance between neighbours.
    /// - Returns: The distances, in the unit of heights.
    static func distances(
        of blocks: [(
            time: ClosedRange<Double>, edge: CanvasRequest.VerticalAlignment, height: Double
        )], spacing: Double
    ) -> [Double] {
        var distances = [Double](repeating: 0, count: blocks.count)
        // The blocks that may still be seen.
        var standing: [Int] = []
        let order = blocks.indices.sorted {
            (blocks[$0].time.lowerBound, $0) < (blocks[$1].time.lowerBound, $1)
        }
        for index in order {
            let own = blocks[index]
            if own.edge == .middle { distances[index] = -own.height / 2 }
            standing.removeAll { blocks[$0].time.upperBound <= own.time.lowerBound }
            let others = standing.filter { blocks[$0].edge == own.edge }
                .sorted { (distances[$0], $0) < (distances[$1], $1) }
            for other in others
            where distances[index] + own.height + spacing > distances[other] {
                let end = distances[other] + blocks[other].height + spacing
                distances[index] = max(distances[index], end)
            }
            standing.append(index)
        }
        return distances
    }
}

extension CanvasLayout {
    /// Puts blocks at the edges that they name, one that comes while others stand beyond these, and
    /// returns the size of all.
    mutating func stackInTime(
        _ blocks: [LaidOutBlock], room: Double?
    ) -> (width: Double, height: Double) {
        layout.hasCardOfEachBlock = canvas.card == .fit
        let width = room ?? blocks.reduce(0) { max($0, $1.width) }
        let spacing =
            canvas.spacing + (layout.hasCardOfEachBlock ? canvas.cardMargins.down : 0)
        var distances = StackInTime.distances(
            of: blocks.indices.map { (texts[$0].time ?? 0...0, alignment($0), blocks[$0].height) },
            spacing: spacing)
        for (index, text) in texts.enumerated() {
            distances[index] = text.stackPlace?.distance ?? distances[index]
        }
        let needed = blocks.indices.reduce(0) {
            let end = distances[$1] + blocks[$1].height
            return max($0, alignment($1) == .middle ? 2 * end : end)
        }
        let given = texts.reduce(canvas.textHeight ?? 0) { max($0, $1.stackPlace?.height ?? 0) }
        let height = max(needed, given)
        layout.stackPlaces = distances.map { StackPlace(distance: $0, height: height) }
        for (index, block) in blocks.enumerated() {
            let top =
                switch alignment(index) {
                case .top: distances[index]
                case .middle: height / 2 + distances[index]
                case .bottom: height - block.height - distances[index]
                }
            align(block, top: top, width: width)
        }
        return (width, height)
    }

    /// Returns where a block stands in the height of the canvas.
    private func alignment(_ block: Int) -> CanvasRequest.VerticalAlignment {
        texts[block].verticalAlignment ?? canvas.verticalAlignment
    }
}
