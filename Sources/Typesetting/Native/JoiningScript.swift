import CPango

/// A script whose letters join, so that no space can be between them.
///
/// These scripts have letters that join at both sides in Unicode's ArabicShaping.txt.
struct JoiningScript: Equatable {
    let name: String

    private static let all: [(script: GUnicodeScript, name: String)] = [
        (G_UNICODE_SCRIPT_ARABIC, "Arabic"), (G_UNICODE_SCRIPT_SYRIAC, "Syriac"),
        (G_UNICODE_SCRIPT_NKO, "N’Ko"), (G_UNICODE_SCRIPT_MONGOLIAN, "Mongolian"),
        (G_UNICODE_SCRIPT_HANIFI_ROHINGYA, "Hanifi Rohingya"),
        (G_UNICODE_SCRIPT_PHAGS_PA, "Phags-pa"), (G_UNICODE_SCRIPT_MANDAIC, "Mandaic"),
        (G_UNICODE_SCRIPT_ADLAM, "Adlam"), (G_UNICODE_SCRIPT_MANICHAEAN, "Manichaean"),
        (G_UNICODE_SCRIPT_PSALTER_PAHLAVI, "Psalter Pahlavi"),
        (G_UNICODE_SCRIPT_SOGDIAN, "Sogdian"), (G_UNICODE_SCRIPT_CHORASMIAN, "Chorasmian"),
        (G_UNICODE_SCRIPT_OLD_UYGHUR, "Old Uyghur"),
    ]

    private init?(_ script: GUnicodeScript) {
        guard let known = Self.all.first(where: { $0.script == script }) else { return nil }
        name = known.name
    }

    /// The script of an item, by Pango's number of it; nil if its letters do not join.
    init?(number: UInt8) {
        self.init(GUnicodeScript(Int32(number)))
    }

    /// The script of a letter that joins, of its marks and digits, or of a character that draws
    /// letters out; nil for all other characters.
    init?(of scalar: Unicode.Scalar) {
        switch scalar {
        case "\u{640}": self.init(G_UNICODE_SCRIPT_ARABIC)
        // By their category these are punctuation.
        case "\u{1807}", "\u{180A}": self.init(G_UNICODE_SCRIPT_MONGOLIAN)
        default:
            guard scalar.isLetter || scalar.isMark || scalar.properties.numericType != nil else {
                return nil
            }
            self.init(g_unichar_get_script(scalar.value))
        }
    }
}

extension StyledText {
    /// True if it has letters that join, which letter spacing leaves where they are; O(n).
    package var hasJoiningLetters: Bool {
        text.unicodeScalars.contains { !$0.isASCII && JoiningScript(of: $0) != nil }
    }
}
