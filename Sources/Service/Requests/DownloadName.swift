import Bytes
import Encoders
import Rendering

/// The name under which a client keeps a rendering, made of its text.
///
/// It is a part of neither the bytes of a rendering nor its key.
struct DownloadName {
    /// Letters and digits of any script with hyphens between them; empty where a text has none.
    let stem: String

    private static let mostGraphemes = 60
    /// Most systems take names of up to 255 bytes.
    private static let mostBytes = 200

    /// Makes the name of a request's rendering; those for the present second have none of their own.
    init(of request: RenderRequest) {
        self.init(of: request.isLasting ? request.plainTexts : [])
    }

    /// Makes a name of the letters and digits of texts, in their order.
    init(of texts: [String]) {
        var stem = ""
        var count = 0
        var isApart = false
        scan: for text in texts {
            for character in text {
                guard let kept = Self.kept(character) else {
                    isApart = true
                    continue
                }
                let addition = (isApart && !stem.isEmpty ? "-" : "") + kept
                count += addition.count
                guard count <= Self.mostGraphemes,
                    stem.utf8.count + addition.utf8.count <= Self.mostBytes
                else { break scan }
                stem += addition
                isApart = false
            }
            isApart = true
        }
        self.stem = stem
    }

    /// Returns a letter or a digit with its marks, without what is invisible; nil for any other character.
    private static func kept(_ character: Character) -> String? {
        if let byte = character.asciiValue {
            return byte.isASCIILetterOrDigit ? String(character) : nil
        }
        guard let first = character.unicodeScalars.first,
            first.properties.isAlphabetic || first.properties.generalCategory == .decimalNumber
        else { return nil }
        // Joiners are a part of how words are spelt.
        let seen = character.unicodeScalars.filter { scalar in
            scalar == "\u{200C}" || scalar == "\u{200D}"
                || !scalar.properties.isDefaultIgnorableCodePoint
        }
        return seen.isEmpty ? nil : String(String.UnicodeScalarView(seen))
    }

    /// Returns the value of `Content-Disposition` (RFC 6266): a plain name, and the name of the text for clients
    /// that read more than ASCII (RFC 8187).
    func disposition(of format: any OutputFormat.Type) -> String {
        let plain = "inline; filename=\"titlecard.\(format.fileExtension)\""
        guard !stem.isEmpty else { return plain }
        return plain + "; filename*=UTF-8''\(Self.escaped(stem)).\(format.fileExtension)"
    }

    /// Returns a text with all bytes but letters, digits and hyphens of ASCII percent-encoded.
    private static func escaped(_ text: String) -> String {
        var escaped: [UInt8] = []
        for byte in text.utf8 {
            if byte.isASCIILetterOrDigit || byte == UInt8(ascii: "-") {
                escaped.append(byte)
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                escaped += [UInt8(ascii: "%")] + NumberText.padded(digits, to: 2).utf8
            }
        }
        return String(decoding: escaped, as: UTF8.self)
    }
}
