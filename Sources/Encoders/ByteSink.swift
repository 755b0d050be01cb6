/// Bytes on their way out, in memory of their own: an encoder appends, and takes them at the end.
struct ByteSink: ~Copyable {
    private var start: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private(set) var count = 0

    /// - Parameter capacity: How many bytes to expect; more may come.
    init(capacity: Int = 4096) {
        self.capacity = max(capacity, 64)
        start = .allocate(capacity: self.capacity)
    }

    deinit { start.deallocate() }

    /// All that was appended.
    consuming func bytes() -> [UInt8] {
        Array(UnsafeBufferPointer(start: start, count: count))
    }

    mutating func append(_ byte: UInt8) {
        reserve(1)
        start[count] = byte
        count += 1
    }

    mutating func append(_ text: StaticString) {
        append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let source = bytes.baseAddress else { return }
        reserve(bytes.count)
        (start + count).update(from: source, count: bytes.count)
        count += bytes.count
    }

    mutating func append(_ bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { append($0) }
    }

    mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { append($0) }
    }

    mutating func append(_ integer: Int) {
        if integer < 0 { append(UInt8(ascii: "-")) }
        append(digitsOf: integer.magnitude)
    }

    /// Appends the shortest text of a number rounded to so many decimals; halves go away from 0.
    ///
    /// - Parameters:
    ///   - decimals: 0…9.
    ///   - leadingZero: Whether 0.5 is written so, and not as `.5`.
    mutating func append(_ number: Double, decimals: Int, leadingZero: Bool = true) {
        let power = Self.powers[decimals]
        let scaled = (number.magnitude * Double(power)).rounded()
        // Far beyond any length or time of a scene; and it keeps NaN out.
        guard scaled < 1e18 else { return append(0) }
        let (whole, fraction) = UInt(scaled).quotientAndRemainder(dividingBy: power)
        if number < 0, scaled > 0 { append(UInt8(ascii: "-")) }
        if whole > 0 || fraction == 0 || leadingZero { append(digitsOf: whole) }
        if fraction > 0 { append(fraction: fraction, digits: decimals) }
    }

    private static let powers: [UInt] = [
        1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
    ]

    private mutating func append(digitsOf number: UInt) {
        reserve(20)
        guard number > 9 else {
            start[count] = UInt8(ascii: "0") + UInt8(number)
            count += 1
            return
        }
        var length = 1
        var limit: UInt = 10
        while number >= limit, length < 19 {
            length += 1
            limit &*= 10
        }
        var rest = number
        for place in stride(from: count + length - 1, through: count, by: -1) {
            start[place] = UInt8(ascii: "0") + UInt8(rest % 10)
            rest /= 10
        }
        count += length
    }

    /// A point and the digits behind it, without zeros at the end.
    private mutating func append(fraction: UInt, digits: Int) {
        reserve(digits + 1)
        start[count] = UInt8(ascii: ".")
        var (rest, length) = (fraction, digits)
        while rest % 10 == 0 {
            rest /= 10
            length -= 1
        }
        for place in stride(from: count + length, to: count, by: -1) {
            start[place] = UInt8(ascii: "0") + UInt8(rest % 10)
            rest /= 10
        }
        count += length + 1
    }

    private mutating func reserve(_ more: Int) {
        guard count + more > capacity else { return }
        let larger = max(2 * capacity, count + more)
        let target = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        target.update(from: start, count: count)
        start.deallocate()
        start = target
        capacity = larger
    }
}
