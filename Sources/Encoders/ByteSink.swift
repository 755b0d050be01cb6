import Motion

/// A growing buffer that an encoder appends to, and takes the bytes from at the end.
struct ByteSink: ~Copyable {
    private var start: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private(set) var count = 0

    /// - Parameter capacity: The number of bytes to expect; there may be more.
    init(capacity: Int = 4096) {
        self.capacity = max(capacity, 64)
        start = .allocate(capacity: self.capacity)
    }

    deinit { start.deallocate() }

    /// Returns all bytes that were appended.
    consuming func bytes() -> [UInt8] {
        Array(UnsafeBufferPointer(start: start, count: count))
    }

    mutating func append(_ byte: UInt8) {
        reserve(1)
        start[count] = byte
        count += 1
    }

    @inline(__always)
    mutating func append(_ text: StaticString) {
        reserve(text.utf8CodeUnitCount)
        (start + count).update(from: text.utf8Start, count: text.utf8CodeUnitCount)
        count += text.utf8CodeUnitCount
    }

    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let source = bytes.baseAddress else { return }
        reserve(bytes.count)
        (start + count).update(from: source, count: bytes.count)
        count += bytes.count
    }

    /// Appends bytes that were appended before.
    mutating func appendCopy(of range: Range<Int>) {
        reserve(range.count)
        (start + count).update(from: start + range.lowerBound, count: range.count)
        count += range.count
    }

    mutating func append(_ other: borrowing ByteSink) {
        append(UnsafeBufferPointer(start: other.start, count: other.count))
    }

    mutating func append(_ bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { append($0) }
    }

    // Labelled, because a literal would prefer it to `StaticString`, which is faster.
    mutating func append(text: String) {
        var text = text
        text.withUTF8 { append($0) }
    }

    mutating func append(_ integer: Int) {
        append(
            UInt(integer.magnitude), decimals: 0, isNegative: integer < 0, leadingZero: true)
    }

    /// Appends the shortest text of a number rounded to at most nine decimals, halves away from 0.
    ///
    /// Without a leading zero 0.5 is written `.5`.
    mutating func append(_ number: Double, decimals: Int, leadingZero: Bool = true) {
        append(
            DecimalText.scaled(number, by: Double(Self.power(decimals))), decimals: decimals,
            isNegative: number < 0, leadingZero: leadingZero)
    }

    /// Appends an instant in seconds, with the decimals that it has.
    mutating func append(_ instant: Instant) {
        append(
            UInt(instant.ticks.magnitude), decimals: 4, isNegative: instant.ticks < 0,
            leadingZero: true)
    }

    private static func power(_ decimals: Int) -> UInt {
        switch decimals {
        case 0: 1
        case 1: 10
        case 2: 100
        case 3: 1000
        case 4: 10_000
        default: (5..<decimals).reduce(100_000) { power, _ in power * 10 }
        }
    }

    /// Appends a number of units of 10^-decimals.
    private mutating func append(
        _ number: UInt, decimals: Int, isNegative: Bool, leadingZero: Bool
    ) {
        reserve(32)
        count += DecimalText.write(
            number, decimals: decimals, isNegative: isNegative, leadingZero: leadingZero,
            to: start + count)
    }

    /// Appends the bytes that `body` writes, at most `room`; it returns their number.
    @inline(__always)
    mutating func append(
        atMost room: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Int
    ) {
        reserve(room)
        count += body(start + count)
    }

    @inline(__always)
    private mutating func reserve(_ more: Int) {
        if count + more > capacity { grow(more) }
    }

    @inline(never)
    private mutating func grow(_ more: Int) {
        let larger = max(2 * capacity, count + more)
        let target = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        target.update(from: start, count: count)
        start.deallocate()
        start = target
        capacity = larger
    }
}
