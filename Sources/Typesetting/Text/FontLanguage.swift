import Bytes

/// The languages by which fonts are chosen, and by which they choose the shapes of letters.
enum FontLanguage {
    /// The language of texts that name none: not the locale's, which would choose other fonts for Han
    /// characters on other machines.
    static let unnamed = "en"

    /// Returns the language as Pango and fontconfig know it.
    ///
    /// Pango never forgets a language, so only languages with two letters are told apart, and the
    /// ways in which Chinese is written.
    ///
    /// - Parameter tag: A language tag (BCP 47); empty for none.
    /// - Returns: A tag of a few, in lower case.
    static func name(for tag: String) -> String {
        guard !tag.isEmpty else { return unnamed }
        let parts = tag.lowercasedASCII.pieces(separatedBy: "-").map { ByteString($0) }
        guard parts[0].text.utf8.count == 2 else { return unnamed }
        guard parts[0] == "zh" else { return parts[0].text }
        if parts.contains("hk") || parts.contains("mo") { return "zh-hk" }
        if parts.contains("hant") || parts.contains("tw") { return "zh-tw" }
        return parts.contains("sg") ? "zh-sg" : "zh-cn"
    }
}
