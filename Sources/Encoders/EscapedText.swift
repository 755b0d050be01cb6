extension ByteSink {
    /// Appends text in quotes, escaped as RFC 8259 asks.
    mutating func append(jsonString text: String) {
        append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { bytes in
            var plain = 0
            for (index, byte) in bytes.enumerated() where JSONText.isEscaped(byte) {
                append(UnsafeBufferPointer(rebasing: bytes[plain..<index]))
                appendEscape(of: byte)
                plain = index + 1
            }
            append(UnsafeBufferPointer(rebasing: bytes[plain...]))
        }
        append(UInt8(ascii: "\""))
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

/// JSON strings for other modules.
package enum JSONText {
    /// Returns text in quotes, escaped as RFC 8259 asks.
    package static func string(_ text: String) -> String {
        guard text.utf8.contains(where: isEscaped) else { return "\"" + text + "\"" }
        var sink = ByteSink(capacity: text.utf8.count + 16)
        sink.append(jsonString: text)
        return String(decoding: sink.bytes(), as: UTF8.self)
    }

    /// Returns true if a byte has to be escaped: a control character, `"` or `\`.
    fileprivate static func isEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == 0x22 || byte == 0x5C
    }
}

/// XML text for other modules.
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
    mutating func append(xml text: String) {
        var text = text
        text.withUTF8 { bytes in
            var plain = 0
            func appendPlain(_ end: Int, to sink: inout ByteSink) {
                sink.append(UnsafeBufferPointer(rebasing: bytes[plain..<end]))
            }
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
                appendPlain(first, to: &self)
                append(replacement)
                plain = index + 1
            }
            appendPlain(bytes.count, to: &self)
        }
    }
}
