/// What moves as one.
package enum Grouping: String, CaseIterable, Sendable {
    case glyph, word, line, all
}

/// The order in which items start.
package enum ItemOrder: String, CaseIterable, Sendable {
    case forward, backward, center, edges, random
}

extension ParameterReader {
    /// The parameter `by`.
    mutating func grouping() -> Grouping {
        choice(
            "by", default: .glyph,
            "What moves as one: each glyph, word or line, or all of the text.")
    }

    /// The parameter `order`.
    mutating func itemOrder() -> ItemOrder {
        choice(
            "order", default: .forward,
            "Which item starts first: the first, the last, the middle, the ends, or any.")
    }
}

/// A block's glyphs grouped into items, numbered from 0 in logical order.
package struct Items: Sendable {
    /// For each glyph the number of its item.
    package let itemOfGlyph: [Int]
    package let count: Int

    package init(_ glyphs: ArraySlice<Glyph>, by grouping: Grouping) {
        switch grouping {
        case .glyph:
            itemOfGlyph = Array(0..<glyphs.count)
            count = glyphs.count
        case .all:
            itemOfGlyph = [Int](repeating: 0, count: glyphs.count)
            count = glyphs.isEmpty ? 0 : 1
        case .word:
            (itemOfGlyph, count) = Self.numbered(glyphs.lazy.map(\.word))
        case .line:
            (itemOfGlyph, count) = Self.numbered(glyphs.lazy.map(\.line))
        }
    }

    /// Numbers by first appearance, so that empty lines leave no gap.
    private static func numbered(_ keys: some Sequence<Int>) -> ([Int], Int) {
        var numbers: [Int: Int] = [:]
        let items = keys.map { key in
            let number = numbers[key] ?? numbers.count
            numbers[key] = number
            return number
        }
        return (items, numbers.count)
    }

    /// For each item its place in the order in which items start; equal ranks start together.
    ///
    /// In `center` and `edges` two items have each rank, but for the middle one of an odd number.
    package func ranks(_ order: ItemOrder, _ randomness: PhaseRandomness) -> [Int] {
        switch order {
        case .forward: return Array(0..<count)
        case .backward: return Array((0..<count).reversed())
        case .center: return (0..<count).map { (abs(2 * $0 - count + 1) - (count + 1) % 2) / 2 }
        case .edges: return (0..<count).map { (count - 1 - abs(2 * $0 - count + 1)) / 2 }
        case .random:
            let draws = (0..<count).map { randomness.unit(.order, item: $0) }
            let shuffled = (0..<count).sorted { (draws[$0], $0) < (draws[$1], $1) }
            var ranks = [Int](repeating: 0, count: count)
            for (place, item) in shuffled.enumerated() { ranks[item] = place }
            return ranks
        }
    }
}
