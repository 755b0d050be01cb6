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
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": append("&amp;")
            case "<": append("&lt;")
            case ">": append("&gt;")
            case "\"": append("&quot;")
            case "\n", "\t": append(UInt8(truncatingIfNeeded: scalar.value))
            case "\0"..<" ", "\u{FFFE}", "\u{FFFF}": append("\u{FFFD}" as StaticString)
            default:
                for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
                    append(byte)
                }
            }
        }
    }
}
