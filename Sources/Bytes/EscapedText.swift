extension ByteSink {
    /// Appends text in quotes, escaped as RFC 8259 asks.
    package mutating func append(jsonString text: String) {
        append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { bytes in
            var plain = 0
            for (index, byte) in bytes.enumerated() where Self.isEscaped(byte) {
                append(UnsafeBufferPointer(rebasing: bytes[plain..<index]))
                appendEscape(of: Unicode.Scalar(byte))
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

    /// Appends the escape of a character of the Basic Multilingual Plane.
    fileprivate mutating func appendEscape(of scalar: Unicode.Scalar) {
        switch scalar {
        case "\"": append("\\\"")
        case "\\": append("\\\\")
        case "\n": append("\\n")
        case "\r": append("\\r")
        case "\t": append("\\t")
        default:
            let digits: StaticString = "0123456789abcdef"
            append("\\u")
            for shift in [12, 8, 4, 0] as [UInt32] {
                append(digits.utf8Start[Int(scalar.value >> shift & 15)])
            }
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

extension Unicode.Scalar {
    /// True for a character that can make a line look like another, or like several: control
    /// characters, separators of lines and paragraphs, and the marks of direction (Bidi_Control).
    package var isControl: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}

/// Text for people as a string that is one line, in files and on terminals.
package enum LineText {
    /// Returns text with escapes of JSON, such as `\u001b`, for all control characters.
    ///
    /// JSON, which has such characters only in its strings, is the same JSON afterwards.
    package static func escaped(_ text: String) -> String {
        // Most text is printable ASCII, which is faster to tell by bytes.
        guard text.utf8.contains(where: { !(0x20..<0x7F).contains($0) }),
            text.unicodeScalars.contains(where: \.isControl)
        else { return text }
        var sink = ByteSink(capacity: text.utf8.count + 64)
        for scalar in text.unicodeScalars {
            if scalar.isControl {
                sink.appendEscape(of: scalar)
            } else {
                sink.append(text: String(scalar))
            }
        }
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
