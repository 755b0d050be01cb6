import Bytes
package import Motion

/// The typographic style of a block, as the request gives it.
package struct TypeStyle: Hashable, Sendable {
    /// A family, or several separated by commas.
    package var families: String {
        get { familyBytes.text }
        set { familyBytes = ByteString(newValue) }
    }
    /// Two styles are equal if the bytes of their texts are.
    fileprivate var familyBytes: ByteString
    /// CSS pixels in one em.
    package var size: Double
    /// 100…1000; nil for the usual one of the families.
    package var weight: Int?
    /// True for italic and oblique text.
    package var isItalic = false
    /// OpenType features as HarfBuzz reads them, such as `liga=0,ss01`; empty for the font's own.
    package var features: String {
        get { featureBytes.text }
        set { featureBytes = ByteString(newValue) }
    }
    private var featureBytes: ByteString = ""
    /// Coordinates of variable fonts as HarfBuzz reads them, such as `wdth=80,wght=350`, which take
    /// precedence over the weight's; empty for none.
    package var variations: String {
        get { variationBytes.text }
        set { variationBytes = ByteString(newValue) }
    }
    fileprivate var variationBytes: ByteString = ""
    /// A language tag (BCP 47), by which fonts are chosen; empty for none.
    package var language: String {
        get { languageBytes.text }
        set { languageBytes = ByteString(newValue) }
    }
    fileprivate var languageBytes: ByteString = ""
    /// CSS pixels between graphemes, half to each neighbour; letters that join have none.
    package var letterSpacing = 0.0
    /// False if the letter spacing comes from a preset, and the request itself does not ask for it.
    package var isSpacingAskedFor = true
    /// The height of a glyph's box in multiples of `size`; nil for the height that the script and
    /// the font ask.
    package var lineHeight: Double?
    package var paint: Paint

    package init(families: String, size: Double, weight: Int? = nil, paint: Paint) {
        familyBytes = ByteString(families)
        self.size = size
        self.weight = weight
        self.paint = paint
    }
}

extension TypeStyle {
    /// The `lineHeight` of texts that ask for none, except in tall scripts.
    static let usualLineHeight = 1.2

    /// Returns the style with its size and its letter spacing multiplied.
    fileprivate func scaled(by factor: Double) -> TypeStyle {
        var style = self
        style.size *= factor
        style.letterSpacing *= factor
        return style
    }
}

/// The properties of a style by which a font is chosen.
struct FontQuery: Hashable {
    private let families: ByteString
    private let size: Double
    private let weight: Int?
    private let isItalic: Bool
    private let variations: ByteString
    private let language: ByteString

    fileprivate init(_ style: TypeStyle) {
        (families, variations) = (style.familyBytes, style.variationBytes)
        language = style.languageBytes
        (size, weight, isItalic) = (style.size, style.weight, style.isItalic)
    }
}

extension TypeStyle {
    var font: FontQuery { FontQuery(self) }
}

/// The style of a span: the block's own, and the properties that only markup can set.
package struct SpanStyle: Hashable, Sendable {
    package enum Underline: String, CaseIterable, Sendable {
        case none, single, double, low
    }

    package var type: TypeStyle
    /// CSS pixels above the baseline.
    package var rise = 0.0
    /// OpenType features that take precedence over the features of `type`; in Pango's syntax.
    package var features: String {
        get { featureBytes.text }
        set { featureBytes = ByteString(newValue) }
    }
    private var featureBytes: ByteString = ""
    package var underline = Underline.none
    package var isStruckThrough = false
    /// False where markup sets a colour.
    package var hasBlockPaint = true

    /// The features of block and span, of which later ones take precedence over earlier ones.
    var allFeatures: String {
        let isOne = type.features.isEmpty || features.isEmpty
        return isOne ? type.features + features : "\(type.features),\(features)"
    }

    /// Returns true if another style has the same paint.
    func hasPaint(of other: SpanStyle) -> Bool {
        type.paint == other.type.paint && hasBlockPaint == other.hasBlockPaint
    }

    /// True if lines are drawn along the text.
    var isDecorated: Bool { underline != .none || isStruckThrough }

    package init(_ type: TypeStyle) {
        self.type = type
    }
}

/// A part of a text with a line drawn by hand under, through, or around it.
package struct TextMark: Equatable, Sendable {
    package var style: MarkStyle
    /// UTF-8 offsets.
    package var range: Range<Int>
}

/// A picture in the place of one character of a text: an object, because few texts have one.
package final class PlacedPicture: Equatable, Sendable {
    package let picture: TextPicture
    /// The text for people who do not see it.
    package let alternative: String
    /// The UTF-8 offset of its character, `TextPicture.character`.
    package let offset: Int

    package init(picture: TextPicture, alternative: String, offset: Int) {
        self.picture = picture
        self.alternative = alternative
        self.offset = offset
    }

    package static func == (one: PlacedPicture, other: PlacedPicture) -> Bool {
        one.picture == other.picture && one.alternative.isSame(as: other.alternative)
            && one.offset == other.offset
    }

    /// Returns its width in CSS pixels beside text of so many CSS pixels an em: it is an em high.
    func width(size: Double) -> Double { size * picture.aspectRatio }

    /// The UTF-8 offsets of its character.
    var range: Range<Int> { offset..<offset + UTF8.width(TextPicture.character) }
}

/// A part of source code or of a terminal session, and how it differs from the rest.
package struct TextPart: Sendable {
    /// The UTF-8 offset of its end; it begins at the end of the part before.
    package var end: Int
    /// Nil for the block's own paint.
    package var color: Color?
    package var isBold = false
    package var isItalic = false
    package var isUnderlined = false
    package var isStruckThrough = false

    package init(end: Int, color: Color?) {
        self.end = end
        self.color = color
    }

    /// The weight of bold parts, unless the text has a larger one.
    private static let bold = 700

    fileprivate func style(in type: TypeStyle) -> SpanStyle {
        var style = SpanStyle(type)
        if let color {
            style.type.paint = .color(color)
            style.hasBlockPaint = false
        }
        if isBold { style.type.weight = max(type.weight ?? 0, Self.bold) }
        if isItalic { style.type.isItalic = true }
        if isUnderlined { style.underline = .single }
        style.isStruckThrough = isStruckThrough
        return style
    }
}

/// Text in spans of one style each.
package struct StyledText: Equatable, Sendable {
    package struct Span: Equatable, Sendable {
        /// The UTF-8 offset of its end; it begins at the end of the span before.
        package var end: Int
        package var style: SpanStyle
    }

    /// Normalised, without markup.
    package let text: String
    /// At least one; the last ends with the text.
    package let spans: [Span]
    /// The block's own style.
    package let base: TypeStyle
    /// In the order of their starts, the longer first.
    package private(set) var marks: [TextMark] = []
    /// By rising offsets.
    package private(set) var pictures: [PlacedPicture] = []

    /// Text in one style.
    ///
    /// - Throws: `TypesettingError.blank` unless that is allowed, or
    ///   `TypesettingError.controlCharacter`.
    package init(
        plain text: String, style: TypeStyle, allowsBlank: Bool = false
    ) throws(TypesettingError) {
        let text = try TextNormalizer.normalized(text)
        try self.init(
            text: text, spans: [Span(end: text.utf8.count, style: SpanStyle(style))], base: style,
            allowsBlank: allowsBlank)
    }

    /// Text that is normalised already, in one style except for what its parts change.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - style: The style of the whole text.
    ///   - parts: Its parts, in their order, up to the end of the text.
    /// - Throws: As for plain text.
    package init(
        normalized text: String, style: TypeStyle, parts: [TextPart]
    ) throws(TypesettingError) {
        var spans: [Span] = []
        for part in parts {
            let own = part.style(in: style)
            if spans.last?.style == own { spans.removeLast() }
            spans.append(Span(end: part.end, style: own))
        }
        if spans.isEmpty { spans = [Span(end: text.utf8.count, style: SpanStyle(style))] }
        try self.init(text: text, spans: spans, base: style)
    }

    /// Text that is normalised already.
    ///
    /// - Throws: `TypesettingError.blank` for nothing but white space and characters that draw
    ///   nothing, unless that is allowed, `TypesettingError.graphemeTooLong`,
    ///   `TypesettingError.directionsTooDeep`, `TypesettingError.tooManyFonts`.
    init(
        text: String, spans: [Span], base: TypeStyle, marks: [TextMark] = [],
        pictures: [PlacedPicture] = [], allowsBlank: Bool = false
    ) throws(TypesettingError) {
        guard
            allowsBlank || text.unicodeScalars.contains(where: \.isSeen)
        else { throw .blank }
        try Self.checkGraphemes(of: text)
        try Self.checkDirections(of: text)
        if spans.count > Self.maximumFonts {
            let fonts = Set(spans.map(\.style.type.font)).count
            guard fonts <= Self.maximumFonts else {
                throw .tooManyFonts(count: fonts, limit: Self.maximumFonts)
            }
        }
        self.text = text
        self.spans = spans
        self.base = base
        self.marks = marks
        self.pictures = pictures
    }

    /// The characters of a grapheme: twice the marks that streams of text have (UAX 15,
    /// Stream-Safe Text Format), and several times the longest emoji. Libraries take more than
    /// linear time for one.
    private static let maximumGrapheme = 64
    /// The fonts, in each size, weight and style, that markup may ask for: fontconfig takes
    /// milliseconds for each.
    private static let maximumFonts = 64

    private static func checkGraphemes(of text: String) throws(TypesettingError) {
        guard text.utf8.count > maximumGrapheme, !text.utf8.allSatisfy({ $0 < 0x80 }) else {
            return
        }
        var start = text.startIndex
        while start < text.endIndex {
            let end = text.index(after: start)
            if text.utf8.distance(from: start, to: end) > maximumGrapheme {
                let count = text.unicodeScalars.distance(from: start, to: end)
                guard count <= maximumGrapheme else {
                    throw .graphemeTooLong(count: count, limit: maximumGrapheme)
                }
            }
            start = end
        }
    }

    /// The embeddings and isolates within each other. Each adds two levels at most, of the 125 that
    /// there are (UAX 9, BD2); FriBidi 1.0.8 ends the process where isolates come past the last.
    private static let maximumDirections = 60

    private static func checkDirections(of text: String) throws(TypesettingError) {
        // All of them begin with this byte.
        guard text.utf8.count(where: { $0 == 0xE2 }) > maximumDirections else { return }
        /// True for each isolate that is open, false for each embedding.
        var open: [Bool] = []
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x0A: open = []
            case 0x202A, 0x202B, 0x202D, 0x202E: open.append(false)
            case 0x2066...0x2068: open.append(true)
            case 0x202C: if open.last == false { open.removeLast() }
            case 0x2069:
                if let isolate = open.lastIndex(of: true) { open.removeSubrange(isolate...) }
            default: break
            }
            guard open.count <= maximumDirections else {
                throw .directionsTooDeep(limit: maximumDirections)
            }
        }
    }

    /// The number of grapheme clusters; O(n).
    package var graphemeCount: Int { text.count }

    private init(
        checked text: String, spans: [Span], base: TypeStyle, marks: [TextMark],
        pictures: [PlacedPicture]
    ) {
        self.text = text
        self.spans = spans
        self.base = base
        self.marks = marks
        self.pictures = pictures
    }

    /// The text with the words that stand for its pictures.
    package var spelled: String {
        guard !pictures.isEmpty else { return text }
        let bytes = Array(text.utf8)
        var spelled: [UInt8] = []
        var end = 0
        for placed in pictures {
            spelled += bytes[end..<placed.offset] + Array(placed.alternative.utf8)
            end = placed.range.upperBound
        }
        return String(decoding: spelled + bytes[end...], as: UTF8.self)
    }

    /// The UTF-8 offsets at which the paint changes, in their order.
    var colorBorders: [Int] {
        guard spans.count > 1 else { return [] }
        return spans.indices.dropLast().compactMap { index in
            spans[index].style.hasPaint(of: spans[index + 1].style) ? nil : spans[index].end
        }
    }

    /// Returns the style at a UTF-8 offset before the end.
    func style(at offset: Int) -> SpanStyle {
        (spans.first { offset < $0.end } ?? spans[spans.count - 1]).style
    }

    /// Returns the picture whose character is at a UTF-8 offset; nil if there is none.
    func picture(at offset: Int) -> PlacedPicture? { pictures.first { $0.offset == offset } }

    /// Returns the text with one more mark, on all of it.
    package func marked(_ style: MarkStyle) -> StyledText {
        var text = self
        text.marks.insert(TextMark(style: style, range: 0..<self.text.utf8.count), at: 0)
        return text
    }

    /// Returns the marks of the text once it is set as some glyphs of a layout.
    func marks(of range: Range<Int>, in glyphs: [Glyph]) -> [Mark] {
        let utf8 = text.utf8
        func utf16(_ offset: Int) -> Int {
            text.utf16.distance(
                from: text.startIndex, to: utf8.index(utf8.startIndex, offsetBy: offset))
        }
        return marks.compactMap { mark in
            let (start, end) = (utf16(mark.range.lowerBound), utf16(mark.range.upperBound))
            let own = range.drop { glyphs[$0].start + glyphs[$0].length <= start }
                .prefix { glyphs[$0].start < end }
            return own.isEmpty ? nil : Mark(mark.style, glyphs: own)
        }
    }

    /// Returns the text with all lengths of its styles multiplied.
    func scaled(by factor: Double) -> StyledText {
        StyledText(
            checked: text,
            spans: spans.map { span in
                var span = span
                span.style.type = span.style.type.scaled(by: factor)
                span.style.rise *= factor
                return span
            }, base: base.scaled(by: factor), marks: marks, pictures: pictures)
    }

    /// Returns so many graphemes of the text, without white space at their end, and an ellipsis.
    func cut(behind count: Int) -> StyledText {
        var shown = text.prefix(count)
        while let last = shown.last, last.isWhitespace { shown.removeLast() }
        let end = shown.utf8.count
        let last = spans.firstIndex { $0.end >= max(end, 1) } ?? spans.count - 1
        var kept = Array(spans[...last])
        let text = shown + "\u{2026}"
        kept[last].end = text.utf8.count
        // The ellipsis stands for the rest of the text, and has the marks of the rest.
        let marks = marks.filter { $0.range.lowerBound < end }.map { mark in
            let markEnd = mark.range.upperBound > end ? text.utf8.count : mark.range.upperBound
            return TextMark(style: mark.style, range: mark.range.lowerBound..<markEnd)
        }
        return StyledText(
            checked: String(text), spans: kept, base: base, marks: marks,
            pictures: pictures.filter { $0.offset < end })
    }
}

/// Replaces line breaks and tabs of every kind by one form, and refuses other control characters.
package enum TextNormalizer {
    /// Returns the text with `\n` for CR LF, CR, U+2028 and U+2029, with four spaces for a tab, and with
    /// U+FFFD for U+FFFC, which stands for pictures.
    ///
    /// - Throws: `TypesettingError.controlCharacter`.
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
            case TextPicture.character:
                result.append("\u{FFFD}")
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

    /// Returns true for bytes that a character in need of a closer look may begin with: C0 controls,
    /// DEL, and the lead bytes of U+0080…U+009F, U+2028, and U+FFFC.
    private static func isSuspect(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == 0x7F || byte == 0xC2 || byte == 0xE2 || byte == 0xEF
    }
}

/// The syntax of font families in requests.
package enum FamilyList {
    /// Returns the families without space around the commas, and without the quotes of CSS, or nil if there
    /// is none or one is empty.
    package static func normalized(_ list: String) -> String? {
        let families = list.pieces(separatedBy: ",").map { withoutQuotes($0.trimmingSpaces) }
        let isValid = families.allSatisfy { family in
            !family.isEmpty
                && family.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        }
        return isValid ? families.joined(separator: ",") : nil
    }

    /// Returns a family without the quotes around it; an opening quote without a closing one stays,
    /// so that the family is unknown.
    private static func withoutQuotes(_ family: Substring) -> Substring {
        guard let quote = family.utf8.first, "\"'".utf8.contains(quote),
            family.utf8.count > 1, family.utf8.last == quote
        else { return family }
        return family.dropping(first: 1).dropping(last: 1).trimmingSpaces
    }

    /// Returns the families of a normalised list.
    static func families(_ list: String) -> [String] {
        list.utf8.contains(UInt8(ascii: ","))
            ? list.pieces(separatedBy: ",", omittingEmpty: true).map(String.init) : [list]
    }
}
