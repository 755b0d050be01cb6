import Motion

/// Finds the best places at which a sentence that is too long for a page is divided.
///
/// Of all ways it is the one of the least cost: few pages, which end at pauses or else at punctuation,
/// are even, and are no short word.
struct PageCuts {
    let words: [PageWord]
    /// The words with which a page may begin, and the end of the last.
    let places: [Int]
    /// For each place the last one, as an index, at which a page that begins there may end.
    let ends: [Int]
    let parameters: CaptionParameters

    /// The cost of a page that ends where nothing says so, beside 1 for each page.
    private static let plainEnd = 1.5
    /// The cost of a page of one short word.
    private static let shortWord = 3.0
    /// The cost of a page that is twice as long as the others, or has nothing.
    private static let uneven = 0.5

    /// The places at which pages end, as indices, in their order.
    var best: [Int] {
        let last = places.count - 1
        let lengths = lengths
        let usual = Double(lengths[last]) / Double(max(leastPages, 1))
        var costs = [Double](repeating: .infinity, count: places.count)
        var next = [Int](repeating: last, count: places.count)
        costs[last] = 0
        for start in (0..<last).reversed() {
            for end in start + 1...max(start + 1, ends[start]) {
                let share = Double(lengths[end] - lengths[start]) / max(usual, 1) - 1
                var cost = 1 + costs[end] + Self.uneven * share * share
                if end < last { cost += Self.plainEnd * (1 - worth(of: places[end])) }
                let isOne = places[end] - places[start] == 1
                if isOne, words[places[start]].isShort { cost += Self.shortWord }
                if cost < costs[start] { (costs[start], next[start]) = (cost, end) }
            }
        }
        var cuts: [Int] = []
        var place = 0
        while place < last {
            place = next[place]
            cuts.append(place)
        }
        return cuts
    }

    /// The graphemes before each place.
    private var lengths: [Int] {
        var lengths = [0]
        for (start, end) in zip(places, places.dropFirst()) {
            let own = words[start..<end].reduce(0) { $0 + $1.graphemes }
            lengths.append(lengths[lengths.count - 1] + own)
        }
        return lengths
    }

    /// The number of pages if each is as long as possible.
    private var leastPages: Int {
        var (count, place) = (0, 0)
        while place < ends.count {
            place = max(ends[place], place + 1)
            count += 1
        }
        return count
    }

    /// Returns how well a page ends before a word, 0…1.
    private func worth(of index: Int) -> Double {
        let (last, word) = (words[index - 1], words[index])
        let pause = (word.at.seconds - last.until.seconds) / parameters.pagePause
        var worth = min(max(2 * pause, 0), 1)
        if last.endsSentence(before: word) { worth = max(worth, 1) }
        if last.endsClause { worth = max(worth, 0.8) }
        switch word.gap {
        case .cue: worth = max(worth, 0.5)
        case .line: worth = max(worth, 0.3)
        case .space, .none: break
        }
        return worth
    }
}
