/// Text for XML of other modules.
package enum XMLText {
    /// The text as it may stand within an element or an attribute.
    package static func escaped(_ text: String) -> String {
        var sink = ByteSink(capacity: text.utf8.count + 64)
        sink.append(xml: text)
        return String(decoding: sink.bytes(), as: UTF8.self)
    }
}

extension ByteSink {
    /// Text within an element or an attribute; characters that XML 1.0 has not become U+FFFD.
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
