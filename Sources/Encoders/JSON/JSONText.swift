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

/// JSON text of small things that are not scenes, for the modules that have no writer.
package enum JSONText {
    /// Text in quotes, escaped.
    package static func string(_ text: String) -> String {
        guard text.utf8.contains(where: isEscaped) else { return "\"" + text + "\"" }
        var sink = ByteSink(capacity: text.utf8.count + 16)
        sink.append(jsonString: text)
        return String(decoding: sink.bytes(), as: UTF8.self)
    }

    /// Whether a byte may not stand in a string as it is: a control character, `"` or `\`.
    fileprivate static func isEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == 0x22 || byte == 0x5C
    }
}
