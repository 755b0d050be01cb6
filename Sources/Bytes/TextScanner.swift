/// Reads text byte by byte, from its start to its end.
package struct TextScanner {
    package let bytes: [UInt8]
    /// The offset of the next byte.
    package var offset = 0

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    package init(_ text: some StringProtocol) {
        self.init(Array(text.utf8))
    }

    /// The next byte; nil at the end.
    package var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    package var isAtEnd: Bool { offset == bytes.count }

    /// Consumes the next byte and returns it; nil at the end.
    package mutating func take() -> UInt8? {
        guard let next else { return nil }
        offset += 1
        return next
    }

    /// Consumes a character of ASCII; returns false if another one is next.
    package mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: scalar) else { return false }
        offset += 1
        return true
    }

    /// Consumes a text; returns false if another one is next.
    package mutating func skip(text: StaticString) -> Bool {
        let text = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        guard bytes[offset...].starts(with: text) else { return false }
        offset += text.count
        return true
    }

    /// Consumes bytes up to the first that is not as wanted, and returns their offsets.
    @discardableResult
    package mutating func consume(while isWanted: (UInt8) -> Bool) -> Range<Int> {
        let start = offset
        while let next, isWanted(next) { offset += 1 }
        return start..<offset
    }

    /// Consumes a sign; returns true if it is a minus.
    package mutating func consumeSign() -> Bool {
        let isNegative = skip("-")
        if !isNegative { _ = skip("+") }
        return isNegative
    }

    /// Returns the text at some offsets.
    package func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    /// The text that is not consumed yet.
    package var rest: String { text(offset..<bytes.count) }
}

extension UInt8 {
    package var isASCIIDigit: Bool { self >= 0x30 && self <= 0x39 }

    package var isASCIISmallLetter: Bool { self >= 0x61 && self <= 0x7A }

    package var isASCIILetter: Bool { (self | 0x20).isASCIISmallLetter }

    package var isASCIILetterOrDigit: Bool { isASCIIDigit || isASCIILetter }

    /// The value of a hexadecimal digit; nil for other bytes.
    package var hexadecimalValue: UInt8? {
        if isASCIIDigit { return self - UInt8(ascii: "0") }
        let letter = self | 0x20
        return (0x61...0x66).contains(letter) ? letter - 0x61 + 10 : nil
    }
}
