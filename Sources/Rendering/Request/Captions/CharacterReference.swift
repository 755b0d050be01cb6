import Bytes

/// References to characters as HTML has them, and thus WebVTT: `&amp;`, `&rsquo;`, `&#39;`, `&#x27;`.
///
/// The names are those of HTML 4 for Latin letters, punctuation, and common signs.
enum CharacterReference {
    /// Returns the character that a reference at the start of a text names, and where it ends; nil for none.
    static func scalar(_ source: ArraySlice<UInt8>) -> (Unicode.Scalar, end: Int)? {
        let name = source.dropFirst().prefix(9).prefix { $0 != UInt8(ascii: ";") }
        guard name.endIndex < source.endIndex, source[name.endIndex] == UInt8(ascii: ";") else {
            return nil
        }
        let code = codes[ByteString(String(decoding: name, as: UTF8.self))] ?? number(name)
        return code.flatMap(Unicode.Scalar.init).map { ($0, name.endIndex + 1) }
    }

    private static func number(_ name: ArraySlice<UInt8>) -> UInt32? {
        guard name.first == UInt8(ascii: "#") else { return nil }
        let digits = String(decoding: name.dropFirst(), as: UTF8.self)
        let isHexadecimal = digits.utf8.first.map { $0 | 0x20 } == UInt8(ascii: "x")
        let code =
            isHexadecimal ? UInt32(digits.dropping(first: 1), radix: 16) : UInt32(digits)
        return code.flatMap { $0 >= 0x20 && !(0x7F...0x9F ~= $0) ? $0 : nil }
    }

    private static let codes: [ByteString: UInt32] = {
        var codes: [ByteString: UInt32] = [:]
        for (index, name) in latin.pieces(separatedBy: " ").enumerated() {
            codes[ByteString(String(name))] = 0xA0 + UInt32(index)
        }
        for pair in others.pieces(separatedBy: " ") {
            let parts = String(pair).pieces(separatedBy: "=").map(String.init)
            codes[ByteString(parts[0])] = UInt32(parts[1], radix: 16)
        }
        return codes
    }()

    /// The names of U+00A0 to U+00FF.
    private static let latin = """
        nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg \
        plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 \
        iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml \
        Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave \
        Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil \
        egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde \
        ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml
        """

    /// Other names with their code points.
    private static let others = """
        amp=26 lt=3C gt=3E quot=22 OElig=152 oelig=153 Scaron=160 scaron=161 Yuml=178 fnof=192 \
        circ=2C6 tilde=2DC ensp=2002 emsp=2003 thinsp=2009 zwnj=200C zwj=200D lrm=200E rlm=200F \
        ndash=2013 mdash=2014 lsquo=2018 rsquo=2019 sbquo=201A ldquo=201C rdquo=201D bdquo=201E \
        dagger=2020 Dagger=2021 bull=2022 hellip=2026 permil=2030 prime=2032 Prime=2033 \
        lsaquo=2039 rsaquo=203A euro=20AC trade=2122 larr=2190 uarr=2191 rarr=2192 darr=2193 \
        minus=2212 ne=2260 le=2264 ge=2265 infin=221E radic=221A apos=27
        """
}
