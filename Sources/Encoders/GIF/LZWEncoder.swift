import Bytes

/// GIF's Lempel–Ziv–Welch encoder (GIF89a, appendix F).
///
/// Free pixels may be encoded as an alternative symbol, transparent, instead of being drawn again.
/// A phrase is not always the longest one: a shorter one is taken where the next then reaches
/// further (flexible parsing, Horspool 1995). In a lossy image a phrase goes on with a near colour
/// where it would end.
///
/// Its tables are large, so it is kept from image to image.
struct LZWEncoder: ~Copyable {
    /// The pixels to be encoded, row by row.
    private struct Input {
        let symbols: UnsafePointer<UInt8>
        /// 1 for each pixel that `alternative` may replace, 0 for others.
        let isFree: UnsafePointer<UInt8>
        let alternative: UInt8
        let count: Int
        /// The rows of `NearColors`; nil for an image without loss.
        let near: UnsafePointer<UInt8>?
    }

    /// Nodes are codes plus one; 0 is none.
    private typealias Node = Int

    private static let maximumCodes = 4096
    /// The number of phrases shorter than the longest that are tried.
    private static let shorterPhrases = 4
    /// The number of free pixels of a phrase at which both symbols are tried.
    private static let branches = 16
    /// The fewest consecutive free pixels that are skipped at once.
    private static let longRun = 8
    private static let eightFree: UInt64 = 0x0101_0101_0101_0101

    private let children: UnsafeMutablePointer<UInt16>
    private let parents: UnsafeMutablePointer<UInt16>
    private let lengths: UnsafeMutablePointer<Int32>
    private let firsts: UnsafeMutablePointer<UInt8>
    /// The node of a phrase of the alternative only, by its length.
    private let runs: UnsafeMutablePointer<UInt16>
    private var longestRun = 1

    /// The smallest code size of the present image's symbols.
    private var codeSize = 2
    /// The number of codes that the decoder knows after the present one.
    private var nextCode = 0
    private var branchesLeft = 0

    init() {
        let nodes = Self.maximumCodes + 1
        children = .allocate(capacity: nodes * 256)
        parents = .allocate(capacity: nodes)
        lengths = .allocate(capacity: nodes)
        firsts = .allocate(capacity: nodes)
        runs = .allocate(capacity: nodes)
    }

    deinit {
        children.deallocate()
        parents.deallocate()
        lengths.deallocate()
        firsts.deallocate()
        runs.deallocate()
    }

    /// Appends an image's code size and its data in sub-blocks.
    ///
    /// - Parameters:
    ///   - image: The image.
    ///   - near: The symbols that may stand for others; nil for none.
    ///   - sink: The end of the file.
    mutating func encode(_ image: GIFImage, near: NearColors? = nil, into sink: inout ByteSink) {
        guard let near else { return encode(image, nearRows: nil, into: &sink) }
        near.rows.withUnsafeBufferPointer { rows in
            encode(image, nearRows: rows.baseAddress, into: &sink)
        }
    }

    private mutating func encode(
        _ image: GIFImage, nearRows: UnsafePointer<UInt8>?, into sink: inout ByteSink
    ) {
        image.symbols.withUnsafeBufferPointer { symbols in
            image.isFree.withUnsafeBufferPointer { isFree in
                guard let symbols = symbols.baseAddress, let isFree = isFree.baseAddress else {
                    return
                }
                let input = Input(
                    symbols: symbols, isFree: isFree, alternative: image.alternative,
                    count: image.symbols.count, near: nearRows)
                encode(input, largest: image.largest, into: &sink)
            }
        }
    }

    private mutating func encode(_ input: Input, largest: UInt8, into sink: inout ByteSink) {
        codeSize = max(2, 8 - largest.leadingZeroBitCount)
        var writer = CodeWriter(capacity: input.count)
        writer.append(1 << codeSize, width: codeSize + 1)
        reset(input)
        var width = codeSize + 1
        var position = 0
        var previous: Node = 0
        while position < input.count {
            let entry = entryAfter(previous)
            let phrase = nextPhrase(input, at: position, after: previous, entry)
            if entry != 0 {
                let first = firsts[phrase.node == entry ? previous : phrase.node]
                add(entry, first, to: previous, isRun: first == input.alternative)
            }
            writer.append(phrase.node - 1, width: width)
            // The decoder's table is one entry behind.
            if nextCode + 1 > 1 << width, width < 12 { width += 1 }
            previous = phrase.node
            position = phrase.end
            if nextCode == Self.maximumCodes {
                writer.append(1 << codeSize, width: width)
                reset(input)
                width = codeSize + 1
                previous = 0
            }
        }
        writer.append(1 << codeSize + 1, width: width)
        writer.finish()
        sink.append(UInt8(codeSize))
        writer.withBytes { sink.append(subBlocks: $0) }
    }

    // MARK: The table

    private mutating func reset(_ input: Input) {
        let literals = 1 << codeSize
        nextCode = literals + 2
        for symbol in 0..<literals {
            initialize(symbol + 1, parent: 0, length: 1, first: UInt8(symbol))
        }
        runs[1] = UInt16(input.alternative) + 1
        longestRun = 1
    }

    private func initialize(
        _ node: Node, parent: Node, length: Int32, first: UInt8
    ) {
        (children + node << codeSize).update(repeating: 0, count: 1 << codeSize)
        parents[node] = UInt16(parent)
        lengths[node] = length
        firsts[node] = first
    }

    /// Returns the node that the decoder makes of the previous phrase and the next symbol.
    private func entryAfter(_ previous: Node) -> Node {
        previous != 0 && nextCode < Self.maximumCodes ? nextCode + 1 : 0
    }

    private mutating func add(
        _ entry: Node, _ symbol: UInt8, to previous: Node, isRun: Bool
    ) {
        initialize(
            entry, parent: previous, length: lengths[previous] + 1, first: firsts[previous])
        nextCode += 1
        let child = children + (previous << codeSize + Int(symbol))
        // After a phrase shorter than the longest, the entry may be in the table already.
        guard child.pointee == 0 else { return }
        child.pointee = UInt16(entry)
        if isRun, longestRun == Int(lengths[previous]),
            Int(runs[longestRun]) == previous
        {
            longestRun += 1
            runs[longestRun] = UInt16(entry)
        }
    }

    // MARK: Phrases

    private struct Phrase {
        var node: Node
        /// The position after its last symbol.
        var end: Int
    }

    private mutating func nextPhrase(
        _ input: Input, at start: Int, after previous: Node, _ entry: Node
    ) -> Phrase {
        var best = longestPhrase(input, at: start, after: previous, entry)
        guard best.end < input.count, best.node != entry else { return best }
        // Within a long run no other phrase reaches further.
        if best.end - start >= Self.longRun, best.node == Int(runs[longestRun]),
            input.isFree[best.end] != 0
        {
            return best
        }
        let longest = best
        let nextEntry = nextCode + (entry != 0 ? 1 : 0) < Self.maximumCodes ? Self.probe : 0
        var reach = longestPhrase(input, at: longest.end, after: longest.node, nextEntry).end
        var phrase = longest
        for _ in 0..<Self.shorterPhrases where phrase.end - start > 1 {
            phrase = Phrase(node: Int(parents[phrase.node]), end: phrase.end - 1)
            let end = longestPhrase(input, at: phrase.end, after: phrase.node, nextEntry).end
            if end > reach { (best, reach) = (phrase, end) }
        }
        return best
    }

    /// The node of an entry that is not made yet.
    private static let probe: Node = maximumCodes

    /// Returns the longest phrase from a position on, which may be the entry that the previous
    /// phrase makes.
    private mutating func longestPhrase(
        _ input: Input, at start: Int, after previous: Node, _ entry: Node
    ) -> Phrase {
        var best = Phrase(node: 0, end: start)
        guard start < input.count else { return best }
        branchesLeft = Self.branches
        let symbol = input.symbols[start]
        if input.isFree[start] != 0 {
            explore(input.alternative, input, start, previous, entry, &best)
            guard symbol != input.alternative else { return best }
        }
        explore(symbol, input, start, previous, entry, &best)
        return best
    }

    private mutating func explore(
        _ symbol: UInt8, _ input: Input, _ start: Int, _ previous: Node, _ entry: Node,
        _ best: inout Phrase
    ) {
        let child = children + (previous << codeSize + Int(symbol))
        let isNew = previous != 0 && entry != 0 && child.pointee == 0
        if isNew {
            child.pointee = UInt16(entry)
            initialize(
                entry, parent: previous, length: lengths[previous] + 1, first: firsts[previous])
        }
        follow(input, from: Int(symbol) + 1, at: start + 1, &best)
        if isNew { child.pointee = 0 }
    }

    /// Follows the table as far as the pixels allow.
    private mutating func follow(
        _ input: Input, from node: Node, at position: Int, _ best: inout Phrase
    ) {
        var (node, position) = (node, position)
        if node == Int(input.alternative) + 1 { skipRun(input, &node, &position) }
        while true {
            if position > best.end { best = Phrase(node: node, end: position) }
            guard position < input.count else { return }
            let symbol = input.symbols[position]
            let row = children + node << codeSize
            var child = Int(row[Int(symbol)])
            if input.isFree[position] != 0, symbol != input.alternative {
                let other = Int(row[Int(input.alternative)])
                if other != 0 {
                    if child != 0, branchesLeft > 0 {
                        branchesLeft -= 1
                        follow(input, from: other, at: position + 1, &best)
                    } else {
                        child = other
                    }
                }
            }
            if child == 0, let near = input.near {
                child = nearChild(row, near + Int(symbol) * NearColors.most)
            }
            guard child != 0 else { return }
            node = child
            position += 1
        }
    }

    /// Returns the child of a node for the first of some near symbols that has one; 0 if none has.
    private func nearChild(
        _ row: UnsafePointer<UInt16>, _ near: UnsafePointer<UInt8>
    ) -> Int {
        for place in 0..<NearColors.most {
            let symbol = Int(near[place])
            guard symbol != 0 else { return 0 }
            if symbol < 1 << codeSize, row[symbol] != 0 { return Int(row[symbol]) }
        }
        return 0
    }

    /// Skips many free pixels at once.
    private func skipRun(_ input: Input, _ node: inout Node, _ position: inout Int) {
        let limit = min(longestRun - 1, input.count - position)
        guard limit >= Self.longRun else { return }
        let free = UnsafeRawPointer(input.isFree + position)
        var count = 0
        while count + 8 <= limit,
            free.loadUnaligned(fromByteOffset: count, as: UInt64.self) == Self.eightFree
        {
            count += 8
        }
        while count < limit, input.isFree[position + count] != 0 { count += 1 }
        guard count >= Self.longRun else { return }
        node = Int(runs[count + 1])
        position += count
    }
}

/// Packs codes of changing width into bytes, the lowest bits first (GIF89a, appendix F).
private struct CodeWriter: ~Copyable {
    private let start: UnsafeMutablePointer<UInt8>
    private var count = 0
    private var bits: UInt64 = 0
    private var width = 0

    /// - Parameter capacity: The number of symbols.
    init(capacity: Int) {
        // A code of 12 bits for each symbol, a clear code after each 3,000, and the two around all.
        start = .allocate(capacity: capacity * 3 / 2 + capacity / 512 + 32)
    }

    deinit { start.deallocate() }

    @inline(__always)
    mutating func append(_ code: Int, width codeWidth: Int) {
        bits |= UInt64(truncatingIfNeeded: code) << UInt64(width)
        width += codeWidth
        while width >= 8 {
            start[count] = UInt8(truncatingIfNeeded: bits)
            count += 1
            bits >>= 8
            width -= 8
        }
    }

    /// Writes the remaining bits.
    mutating func finish() {
        guard width > 0 else { return }
        start[count] = UInt8(truncatingIfNeeded: bits)
        count += 1
        (bits, width) = (0, 0)
    }

    func withBytes(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
        body(UnsafeBufferPointer(start: start, count: count))
    }
}

extension ByteSink {
    /// Appends bytes as sub-blocks of at most 255, and the empty one that ends them.
    fileprivate mutating func append(subBlocks bytes: UnsafeBufferPointer<UInt8>) {
        var start = 0
        while start < bytes.count {
            let length = min(255, bytes.count - start)
            append(UInt8(length))
            append(UnsafeBufferPointer(rebasing: bytes[start..<start + length]))
            start += length
        }
        append(UInt8(0))
    }
}
