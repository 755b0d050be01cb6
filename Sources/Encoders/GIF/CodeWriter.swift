/// Packs codes of changing width into bytes, the lowest bits first (GIF89a, appendix F).
struct CodeWriter: ~Copyable {
    private let start: UnsafeMutablePointer<UInt8>
    private var count = 0
    private var bits: UInt64 = 0
    private var width = 0

    /// - Parameter capacity: The most symbols that codes can stand for.
    init(capacity: Int) {
        // Every symbol a code of 12 bits, a clear code after each 3,000, and the two around all.
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

    /// Writes the bits that are left.
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
    /// Appends bytes as GIF's sub-blocks of at most 255, and the empty one behind them.
    mutating func append(subBlocks bytes: UnsafeBufferPointer<UInt8>) {
        var place = 0
        while place < bytes.count {
            let length = min(255, bytes.count - place)
            append(UInt8(length))
            append(UnsafeBufferPointer(rebasing: bytes[place..<place + length]))
            place += length
        }
        append(UInt8(0))
    }
}
