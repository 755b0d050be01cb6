extension ByteSink {
    /// Appends text in quotes, escaped as RFC 8259 asks.
    package mutating func append(jsonString text: String) {
        append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { bytes in
            var plain = 0
            for (index, byte) in bytes.enumerated() where Self.isEscaped(byte) {
                append(UnsafeBufferPointer(rebasing: bytes[plain..<index]))
                appendEscape(of: byte)
                plain = index + 1
            }
            append(UnsafeBufferPointer(rebasing: bytes[plain...]))
        }
        append(UInt8(ascii: "\""))
    }

    /// Returns true for a control character, `"` and `\`.
    private static func isEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == 0x22 || byte == 0x5C
    }

    private mutating func appendEscape(of byte: UInt8) {
        switch byte {
        case 0x22: append("\\\"")
        case 0x5C: append("\\\\")
        case 0x0A: append("\\n")
        case 0x0D: append("\\r")
        case 0x09: append("\\t")
        default:
            let digits: StaticString = "0123456789abcdef"
            append("\\u00")
            append(digits.utf8Start[Int(byte >> 4)])
            append(digits.utf8Start[Int(byte & 15)])
        }
    }
}

/// Text of XML as a string.
package enum XMLText {
    /// Returns text escaped for an element or an attribute.
    package static func escaped(_ text: String) -> String {
        var sink = ByteSink(capacity: text.utf8.count + 64)
        sink.append(xml: text)
        return String(decoding: sink.bytes(), as: UTF8.self)
    }
}

extension ByteSink {
    /// Appends text of an element or an attribute; characters outside XML 1.0 become U+FFFD.
    package mutating func append(xml text: String) {
        var text = text
        text.withUTF8 { bytes in
            var plain = 0
            for (index, byte) in bytes.enumerated() {
                let replacement: StaticString
                var first = index
                switch byte {
                case UInt8(ascii: "&"): replacement = "&amp;"
                case UInt8(ascii: "<"): replacement = "&lt;"
                case UInt8(ascii: ">"): replacement = "&gt;"
                case UInt8(ascii: "\""): replacement = "&quot;"
                case UInt8(ascii: "\n"), UInt8(ascii: "\t"): continue
                case 0..<0x20: replacement = "\u{FFFD}"
                // U+FFFE and U+FFFF are EF BF BE and EF BF BF.
                case 0xBE, 0xBF:
                    guard index >= 2, bytes[index - 1] == 0xBF, bytes[index - 2] == 0xEF else {
                        continue
                    }
                    first = index - 2
                    replacement = "\u{FFFD}"
                default: continue
                }
                append(UnsafeBufferPointer(rebasing: bytes[plain..<first]))
                append(replacement)
                plain = index + 1
            }
            append(UnsafeBufferPointer(rebasing: bytes[plain...]))
        }
    }
}
