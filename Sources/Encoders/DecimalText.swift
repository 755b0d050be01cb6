/// Writes decimal numbers to memory.
enum DecimalText {
    /// A number's size in units of 1/power, rounded; 0 for what is far beyond any length or time of
    /// a scene, or no number.
    @inline(__always)
    static func scaled(_ number: Double, by power: Double) -> UInt {
        // Adding a half and cutting is what rounding comes to, without a call into libm.
        let scaled = number.magnitude * power + 0.5
        return scaled < 1e18 ? UInt(scaled) : 0
    }

    /// Writes a number of 10^-decimals without zeros at its end, in 32 bytes at most.
    ///
    /// - Returns: The number of bytes.
    @inline(__always)
    static func write(
        _ number: UInt, decimals: Int, isNegative: Bool, leadingZero: Bool,
        to target: UnsafeMutablePointer<UInt8>
    ) -> Int {
        var number = number
        var decimals = decimals
        while decimals > 0, number % 10 == 0 {
            number /= 10
            decimals -= 1
        }
        var length = 0
        if isNegative, number > 0 {
            target[0] = UInt8(ascii: "-")
            length = 1
        }
        // Digits come from the end, so their number is needed first.
        let digits = digitCount(number)
        let whole = max(digits - decimals, leadingZero || decimals == 0 ? 1 : 0)
        var place = length + whole + (decimals > 0 ? decimals + 1 : 0)
        length = place
        for _ in 0..<decimals {
            place -= 1
            target[place] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number % 10)
            number /= 10
        }
        if decimals > 0 {
            place -= 1
            target[place] = UInt8(ascii: ".")
        }
        for _ in 0..<whole {
            place -= 1
            target[place] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number % 10)
            number /= 10
        }
        return length
    }

    @inline(__always)
    private static func digitCount(_ number: UInt) -> Int {
        var digits = 1
        var limit: UInt = 10
        while number >= limit, digits < 19 {
            digits += 1
            limit &*= 10
        }
        return digits
    }
}

extension UnsafeMutablePointer<UInt8> {
    /// Copies a text's bytes here and returns their number.
    @inline(__always)
    func write(_ text: StaticString) -> Int {
        update(from: text.utf8Start, count: text.utf8CodeUnitCount)
        return text.utf8CodeUnitCount
    }
}
