import Bytes
import CPango

/// Scripts and fonts whose lines are higher than others': an installed font of each has more than
/// 1.5 em of ink, with the highest and deepest forms of usual words (`Benchmarks/line_ink.py`).
///
/// Latin, Greek, Cyrillic, Hebrew, Arabic of Naskh and Kufi, Devanagari, Thai, Han, kana, and Hangul
/// are never among them.
enum TallScripts {
    /// Returns true if lines of a script, by Pango's number, need the height that a font asks.
    static func contains(_ script: UInt8, in face: FontFace) -> Bool {
        switch GUnicodeScript(rawValue: Int32(script)) {
        case G_UNICODE_SCRIPT_BALINESE, G_UNICODE_SCRIPT_JAVANESE, G_UNICODE_SCRIPT_KHMER,
            G_UNICODE_SCRIPT_MYANMAR, G_UNICODE_SCRIPT_TIBETAN:
            true
        // A style of Arabic, whose words descend.
        case G_UNICODE_SCRIPT_ARABIC: face.isNastaliq
        default: false
        }
    }
}
