/// A growing buffer that a writer appends to, and takes the bytes from at the end.
///
/// Public, because encoders append a few bytes at a time: a `package` function is never inlined in
/// another module.
public struct ByteSink: ~Copyable {
    @usableFromInline var start: UnsafeMutablePointer<UInt8>
    @usableFromInline var capacity: Int
    @usableFromInline var end = 0

    /// - Parameter capacity: The number of bytes to expect; there may be more.
    @inlinable public init(capacity: Int = 4096) {
        self.capacity = max(capacity, 64)
        start = .allocate(capacity: self.capacity)
    }

    deinit { start.deallocate() }

    /// The number of bytes that were appended.
    @inlinable public var count: Int { end }

    /// Returns all bytes that were appended.
    @inlinable public consuming func bytes() -> [UInt8] {
        Array(UnsafeBufferPointer(start: start, count: end))
    }

    @inlinable public mutating func append(_ byte: UInt8) {
        reserve(1)
        start[end] = byte
        end += 1
    }

    @inlinable @inline(__always) public mutating func append(_ text: StaticString) {
        reserve(text.utf8CodeUnitCount)
        (start + end).update(from: text.utf8Start, count: text.utf8CodeUnitCount)
        end += text.utf8CodeUnitCount
    }

    @inlinable public mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let source = bytes.baseAddress else { return }
        reserve(bytes.count)
        (start + end).update(from: source, count: bytes.count)
        end += bytes.count
    }

    /// Appends bytes that were appended before.
    @inlinable public mutating func appendCopy(of range: Range<Int>) {
        reserve(range.count)
        (start + end).update(from: start + range.lowerBound, count: range.count)
        end += range.count
    }

    @inlinable public mutating func append(_ other: borrowing ByteSink) {
        append(UnsafeBufferPointer(start: other.start, count: other.end))
    }

    @inlinable public mutating func append(_ bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { append($0) }
    }

    /// Appends the lowest bytes of a number, the very lowest first.
    @inlinable public mutating func append(littleEndian number: Int, bytes count: Int) {
        for index in 0..<count { append(UInt8(truncatingIfNeeded: number >> (8 * index))) }
    }

    // Labelled, because a literal would prefer it to `StaticString`, which is faster.
    @inlinable public mutating func append(text: String) {
        var text = text
        text.withUTF8 { append($0) }
    }

    @inlinable public mutating func append(_ integer: Int) {
        append(
            UInt(integer.magnitude), decimals: 0, isNegative: integer < 0, leadingZero: true)
    }

    /// Appends the shortest text of a number rounded to at most nine decimals, halves away from 0.
    ///
    /// Without a leading zero 0.5 is written `.5`.
    @inlinable public mutating func append(
        _ number: Double, decimals: Int, leadingZero: Bool = true
    ) {
        append(
            DecimalText.scaled(number, by: Double(Self.power(decimals))), decimals: decimals,
            isNegative: number < 0, leadingZero: leadingZero)
    }

    @inlinable static func power(_ decimals: Int) -> UInt {
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
    @inlinable public mutating func append(
        _ number: UInt, decimals: Int, isNegative: Bool, leadingZero: Bool
    ) {
        reserve(32)
        end += DecimalText.write(
            number, decimals: decimals, isNegative: isNegative, leadingZero: leadingZero,
            to: start + end)
    }

    /// Appends the bytes that `body` writes, at most `room`; it returns their number.
    @inlinable @inline(__always) public mutating func append(
        atMost room: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Int
    ) {
        reserve(room)
        end += body(start + end)
    }

    @inlinable @inline(__always) mutating func reserve(_ more: Int) {
        if end + more > capacity { grow(more) }
    }

    @usableFromInline @inline(never)
    mutating func grow(_ more: Int) {
        let larger = max(2 * capacity, end + more)
        let target = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        target.update(from: start, count: end)
        start.deallocate()
        start = target
        capacity = larger
    }
}
