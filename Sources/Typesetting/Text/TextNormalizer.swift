/// Makes every way of writing a line break or a tab one, and refuses other control characters.
package enum TextNormalizer {
    /// CR LF, CR, U+2028 and U+2029 become `\n`, a tab four spaces.
    package static func normalized(_ text: String) throws(TypesettingError) -> String {
        guard text.utf8.contains(where: Self.isSuspect) else { return text }
        var result = String.UnicodeScalarView()
        var previous: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            defer { previous = scalar }
            switch scalar {
            case "\n":
                if previous != "\r" { result.append("\n") }
            case "\r", "\u{2028}", "\u{2029}":
                result.append("\n")
            case "\t":
                result.append(contentsOf: "    ".unicodeScalars)
            default:
                guard scalar.properties.generalCategory != .control else {
                    throw .controlCharacter(scalar)
                }
                result.append(scalar)
            }
        }
        return String(result)
    }

    /// Whether a byte may begin or be something that has to be looked at: C0 controls, DEL, and
    /// the lead bytes of U+0080…U+009F and U+2028.
    private static func isSuspect(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == 0x7F || byte == 0xC2 || byte == 0xE2
    }
}
