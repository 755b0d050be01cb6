/// Bytes as text of 64 characters (RFC 4648), which has one spelling only.
package struct Base64: Sendable {
    private let alphabet: [UInt8]
    /// For each byte its digit; 64 for none.
    private let digits: [UInt8]
    /// True if the text is filled up with `=` to a multiple of four characters.
    private let isPadded: Bool

    /// The alphabet of section 4, padded.
    package static let standard = Base64(last: "+/", isPadded: true)
    /// The alphabet of section 5, without padding.
    package static let url = Base64(last: "-_", isPadded: false)

    private init(last: String, isPadded: Bool) {
        alphabet = Array(
            ("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789" + last).utf8)
        var digits = [UInt8](repeating: 64, count: 256)
        for (digit, byte) in alphabet.enumerated() { digits[Int(byte)] = UInt8(digit) }
        self.digits = digits
        self.isPadded = isPadded
    }

    package func encoded(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var (bits, width) = (0, 0)
        for byte in bytes {
            bits = (bits << 8 | Int(byte)) & 0xFFFF
            width += 8
            while width >= 6 {
                width -= 6
                text.append(alphabet[bits >> width & 63])
            }
        }
        if width > 0 { text.append(alphabet[bits << (6 - width) & 63]) }
        while isPadded, text.count & 3 != 0 { text.append(UInt8(ascii: "=")) }
        return text
    }

    /// Returns the bytes of a text without padding; nil where `encoded` would not write it: a
    /// character is not of the alphabet, the length is impossible, or bits are left over.
    package func decoded(_ text: Substring) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count * 3 / 4)
        var (bits, width) = (0, 0)
        for byte in text.utf8 {
            let digit = digits[Int(byte)]
            guard digit < 64 else { return nil }
            bits = (bits << 6 | Int(digit)) & 0xFFFF
            width += 6
            if width >= 8 {
                width -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> width))
            }
        }
        guard width < 6, bits & (1 << width - 1) == 0 else { return nil }
        return bytes
    }
}
