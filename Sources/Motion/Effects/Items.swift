import Bytes

/// The unit that moves as one.
package enum Grouping: String, CaseIterable, Sendable {
    case glyph, word, line, all
}

/// The order in which items start.
package enum ItemOrder: String, CaseIterable, Sendable {
    case forward, backward, center, edges, random
}

extension ParameterReader {
    /// Reads the parameter `by`.
    mutating func grouping(default fallback: Grouping = .glyph) -> Grouping {
        choice(
            "by", default: fallback,
            "The unit that moves: each glyph, word, or line, or the whole text.")
    }

    /// Reads the parameter `order`.
    mutating func itemOrder(default fallback: ItemOrder = .forward) -> ItemOrder {
        choice(
            "order", default: fallback,
            "Which item starts first: the first, the last, the middle one, the ends, or a random "
                + "one.")
    }
}

/// A block's glyphs grouped into items, numbered from 0 in logical order.
package struct Items: Sendable {
    /// The number of each glyph's item.
    package let itemOfGlyph: [Int]
    package let count: Int

    fileprivate init(itemOfGlyph: [Int], count: Int) {
        self.itemOfGlyph = itemOfGlyph
        self.count = count
    }

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

    /// Returns the rank of each item in the order in which items start; equal ranks start together.
    ///
    /// In `center` and `edges` two items have each rank, except for the middle one of an odd
    /// number.
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
            for (rank, item) in shuffled.enumerated() { ranks[item] = rank }
            return ranks
        }
    }
}

/// The time from one item to the next: the request's, or the usual one, up to four seconds for all
/// items of a block.
struct ItemInterval: Sendable {
    /// Seconds; nil if the request gives none.
    private let given: Double?
    private let usual: Double

    /// The most seconds of all items together if the request gives no interval.
    private static let most = 4.0

    /// Reads the parameter `interval`.
    ///
    /// - Parameters:
    ///   - parameters: The reader.
    ///   - usual: The interval of few items, in seconds.
    ///   - range: Its range.
    ///   - summary: The sentence about it.
    init(
        _ parameters: inout ParameterReader, usually usual: Double,
        in range: ClosedRange<Double> = 0...10, _ summary: StaticString
    ) {
        self.usual = usual
        given = parameters.automaticNumber(
            "interval", earlier: usual, in: range, unit: .seconds,
            "\(summary); \(NumberText.of(usual)), up to 4 for all of them (auto).")
    }

    /// Returns the seconds between two of so many items: whole milliseconds if they are fewer than
    /// usual, so that delays are short numbers in a file.
    func seconds(ofItems count: Int) -> Double {
        if let given { return given }
        let share = Self.most / Double(max(count, 1))
        guard share < usual else { return usual }
        return share < 0.001 ? share : (1000 * share).rounded(.down) / 1000
    }
}

extension EffectBlock {
    /// Returns the words that have times, as items with their starts in seconds from the phase's
    /// start; nil unless items are words, and have times.
    func timedItems(by grouping: Grouping) -> (items: Items, starts: [Double])? {
        guard grouping == .word, !words.isEmpty else { return nil }
        var itemOfGlyph = [Int](repeating: 0, count: glyphs.count)
        for (item, word) in words.enumerated() {
            for glyph in word.glyphs { itemOfGlyph[glyph] = item }
        }
        return (
            Items(itemOfGlyph: itemOfGlyph, count: words.count), words.map { max($0.start, 0) }
        )
    }
}

/// Items with equal motions, which start one after another.
struct Stagger: Sendable {
    private let grouping: Grouping
    private let order: ItemOrder
    /// From one item's start to the next one's.
    private let interval: ItemInterval

    /// Reads the parameters `by`, `order` and `interval`.
    ///
    /// - Parameters:
    ///   - parameters: The reader.
    ///   - grouping: The default of `by`.
    ///   - order: The default of `order`.
    ///   - interval: The usual interval, in seconds.
    init(
        _ parameters: inout ParameterReader, by grouping: Grouping = .glyph,
        order: ItemOrder = .forward, interval: Double
    ) {
        self.grouping = parameters.grouping(default: grouping)
        self.order = parameters.itemOrder(default: order)
        self.interval = ItemInterval(
            &parameters, usually: interval, "Seconds between one item's start and the next one's")
    }

    /// Gives each item its tracks.
    ///
    /// - Parameters:
    ///   - block: The block.
    ///   - duration: The seconds of each item's tracks.
    ///   - tracks: Returns the tracks of an item that starts at a time.
    /// - Returns: A phase that ends with the last item.
    func phase(
        of block: EffectBlock, lasting duration: Double, _ tracks: (_ start: Double) -> PhaseTracks
    ) -> Phase {
        let schedule = schedule(of: block, lasting: duration)
        var phase = Phase(
            items: schedule.items, tracks: schedule.starts.map(tracks), duration: schedule.end)
        phase.followsWords = schedule.followsWords
        return phase
    }

    /// The items of a block and their times, in seconds from the phase's start.
    struct Starts {
        let items: Items
        /// The start of each item.
        let starts: [Double]
        /// The end of the last item; 0 without items.
        let end: Double
        /// True if items start with the words that have times.
        var followsWords = false
    }

    /// Returns the items of a block, each of which lasts for so many seconds.
    func schedule(of block: EffectBlock, lasting duration: Double) -> Starts {
        if let words = block.timedItems(by: grouping) {
            return Starts(
                items: words.items, starts: words.starts,
                end: (words.starts.max() ?? 0) + duration, followsWords: true)
        }
        let items = Items(block.glyphs, by: grouping)
        let interval = interval.seconds(ofItems: items.count)
        let starts = items.ranks(order, block.randomness).map { Double($0) * interval }
        return Starts(items: items, starts: starts, end: starts.max().map { $0 + duration } ?? 0)
    }
}
