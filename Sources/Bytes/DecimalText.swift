/// Writes decimal numbers to memory.
public enum DecimalText {
    /// Returns a number's magnitude in units of 1/power, rounded; 0 for numbers far beyond any length
    /// or time of a scene, and for NaN.
    @inlinable @inline(__always)
    public static func scaled(_ number: Double, by power: Double) -> UInt {
        // Adding a half and truncating rounds without a call into libm.
        let scaled = number.magnitude * power + 0.5
        return scaled < 1e18 ? UInt(scaled) : 0
    }

    /// Writes a number of units of 10^-decimals without trailing zeros, in 32 bytes at most.
    ///
    /// - Returns: The number of bytes.
    @inlinable @inline(__always) public static func write(
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
        // Digits are written from the end, so their number is needed first.
        let digits = digitCount(number)
        let whole = max(digits - decimals, leadingZero || decimals == 0 ? 1 : 0)
        var offset = length + whole + (decimals > 0 ? decimals + 1 : 0)
        length = offset
        for _ in 0..<decimals {
            offset -= 1
            target[offset] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number % 10)
            number /= 10
        }
        if decimals > 0 {
            offset -= 1
            target[offset] = UInt8(ascii: ".")
        }
        for _ in 0..<whole {
            offset -= 1
            target[offset] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number % 10)
            number /= 10
        }
        return length
    }

    /// Writes a number of ten-thousandths, as JSON's numbers are, in 32 bytes at most.
    ///
    /// - Returns: The number of bytes.
    @inlinable @inline(__always) public static func write(
        tenThousandths number: UInt, isNegative: Bool, to target: UnsafeMutablePointer<UInt8>
    ) -> Int {
        let (whole, fraction) = number.quotientAndRemainder(dividingBy: 10_000)
        var length = 0
        if isNegative, number > 0 {
            target[0] = UInt8(ascii: "-")
            length = 1
        }
        if whole < 10 {
            target[length] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: whole)
            length += 1
        } else {
            length += write(
                whole, decimals: 0, isNegative: false, leadingZero: true, to: target + length)
        }
        guard fraction > 0 else { return length }
        let (high, low) = fraction.quotientAndRemainder(dividingBy: 100)
        target[length] = UInt8(ascii: ".")
        target[length + 1] = pairs.utf8Start[2 * Int(high)]
        target[length + 2] = pairs.utf8Start[2 * Int(high) + 1]
        target[length + 3] = pairs.utf8Start[2 * Int(low)]
        target[length + 4] = pairs.utf8Start[2 * Int(low) + 1]
        length += 5
        while target[length - 1] == UInt8(ascii: "0") { length -= 1 }
        return length
    }

    /// The two digits of each number below 100.
    @inlinable static var pairs: StaticString {
        """
        0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444\
        5464748495051525354555657585960616263646566676869707172737475767778798081828384858687888990\
        919293949596979899
        """
    }

    @inlinable @inline(__always) static func digitCount(_ number: UInt) -> Int {
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
    /// Writes a text here and returns the number of its bytes.
    @inlinable @inline(__always) public func write(_ text: StaticString) -> Int {
        update(from: text.utf8Start, count: text.utf8CodeUnitCount)
        return text.utf8CodeUnitCount
    }
}
