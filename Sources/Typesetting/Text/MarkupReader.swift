package import Bytes
package import Motion

/// Turns Pango markup into styled text.
package struct MarkupReader {
    private var text = ""
    private var spans: [StyledText.Span] = []
    private var styles: [SpanStyle]
    private var marks: [TextMark] = []
    /// The mark of each open element; nil if it begins none.
    private var openMarks: [TextMark?] = []
    private var placed: [PlacedPicture] = []
    /// True between the tags of a picture, where nothing may stand.
    private var isInPicture = false
    private let base: TypeStyle
    private let markStyle: MarkStyle
    private let pictures: [ByteString: TextPicture]

    private init(style: TypeStyle, mark: MarkStyle, pictures: [ByteString: TextPicture]) {
        base = style
        markStyle = mark
        self.pictures = pictures
        styles = [SpanStyle(style)]
    }

    /// Reads markup.
    ///
    /// - Parameters:
    ///   - markup: The markup.
    ///   - style: The style of the text, where no element changes it.
    ///   - mark: The style of marks, where no attribute changes it.
    ///   - pictures: The pictures that it may have, by name.
    /// - Returns: The text.
    /// - Throws: `TypesettingError.markup` with the reason, or a fault of the text itself.
    package static func read(
        _ markup: String, style: TypeStyle, mark: MarkStyle = MarkStyle(.highlight),
        pictures: [ByteString: TextPicture] = [:]
    ) throws(TypesettingError) -> StyledText {
        var reader = MarkupReader(style: style, mark: mark, pictures: pictures)
        let markup = try TextNormalizer.normalized(markup)
        for event in try MarkupScanner.events(of: markup) {
            do {
                try reader.read(event)
            } catch {
                guard case .markup(let message) = error, case .start(_, _, let offset) = event
                else { throw error }
                let position = MarkupScanner.position(of: offset, in: markup)
                throw .markup("\(message) (at \(position))")
            }
        }
        if reader.spans.isEmpty { throw .blank }
        return try StyledText(
            text: reader.text, spans: reader.spans, base: reader.base, marks: reader.marks,
            pictures: reader.placed)
    }

    /// Returns the first name that occurs twice.
    private static func repeated(_ names: [String]) -> String? {
        var known: Set<ByteString> = []
        return names.first { !known.insert(ByteString($0)).inserted }
    }

    /// Returns a mark that begins here.
    private func mark(
        with attributes: [MarkupScanner.Attribute]
    ) throws(TypesettingError) -> TextMark {
        guard !openMarks.contains(where: { $0 != nil }) else {
            throw .markup("<mark> must not be within another")
        }
        var style = markStyle
        for attribute in attributes {
            try MarkupAttributes.apply(
                attribute: attribute.name, value: attribute.value, to: &style)
        }
        return TextMark(style: style, range: text.utf8.count..<text.utf8.count)
    }

    /// Adds a picture in the style of the text around it.
    private mutating func addPicture(
        with attributes: [MarkupScanner.Attribute]
    ) throws(TypesettingError) {
        var (name, alternative): (String?, String?)
        for attribute in attributes {
            switch ByteString(attribute.name) {
            case "name": name = attribute.value
            case "alt": alternative = try MarkupAttributes.alternative(attribute.value)
            default:
                throw .markup(
                    "attribute \(attribute.name) is not supported by <picture>; one of name, alt")
            }
        }
        guard let name else { throw .markup("<picture> needs a name") }
        guard let picture = pictures[ByteString(name)] else {
            let known = pictures.keys.sorted().map(\.text).joined(separator: ", ")
            throw .markup(
                "there is no picture \"\(name.shortened(to: 60))\""
                    + (known.isEmpty ? "" : "; one of \(known)"))
        }
        placed.append(
            PlacedPicture(
                picture: picture, alternative: alternative ?? name, offset: text.utf8.count))
        append(String(TextPicture.character), in: styles[styles.count - 1])
    }

    private mutating func append(_ characters: String, in style: SpanStyle) {
        text += characters
        if spans.last?.style == style { spans.removeLast() }
        spans.append(StyledText.Span(end: text.utf8.count, style: style))
    }

    private mutating func read(_ event: MarkupScanner.Event) throws(TypesettingError) {
        switch event {
        case .start(let element, let attributes, _):
            guard !isInPicture else {
                throw .markup("<\(element)> must not be within <picture>")
            }
            var style = styles[styles.count - 1]
            try MarkupAttributes.apply(element: element, to: &style)
            // Size first, so that values that depend on it do not depend on the order of writing.
            let ordered =
                attributes.filter(\.isSize) + attributes.filter { !$0.isSize }
            if let name = Self.repeated(attributes.map(\.name)) {
                throw .markup("attribute \(name) is given twice")
            }
            if element.isSame(as: "mark") {
                styles.append(style)
                openMarks.append(try mark(with: attributes))
                return
            }
            if element.isSame(as: "picture") {
                try addPicture(with: attributes)
                isInPicture = true
                styles.append(style)
                openMarks.append(nil)
                return
            }
            for attribute in ordered {
                let name = attribute.name
                guard element.isSame(as: "span") else {
                    throw .markup("element <\(element)> takes no attribute \(name)")
                }
                try MarkupAttributes.apply(attribute: name, value: attribute.value, to: &style)
            }
            styles.append(style)
            openMarks.append(nil)
        case .end:
            isInPicture = false
            styles.removeLast()
            guard var mark = openMarks.removeLast() else { return }
            mark.range = mark.range.lowerBound..<text.utf8.count
            if !mark.range.isEmpty { marks.append(mark) }
        case .text(let written):
            // Character references may stand for characters that the normaliser replaces or refuses.
            let plain = try TextNormalizer.normalized(written)
            guard !plain.isEmpty else { return }
            guard !isInPicture else { throw .markup("text must not be within <picture>") }
            append(plain, in: styles[styles.count - 1])
        }
    }
}

/// The effect of Pango markup's elements and attributes on a style, and of `<mark>` and `<picture>`, which
/// are not Pango's.
///
/// Source: Pango's documentation, "Text Attributes and Markup"; only the listed ones are supported.
enum MarkupAttributes {
    static let elements = [
        "b", "big", "i", "mark", "picture", "s", "small", "span", "sub", "sup", "tt", "u",
    ]
    static let attributes = [
        "font", "size", "weight", "style", "foreground", "alpha", "letter_spacing", "rise",
        "font_features", "underline", "strikethrough",
    ]

    /// Pango's step between its named sizes.
    private static let step = 1.2
    /// CSS pixels in a point.
    private static let point = 4.0 / 3

    static func apply(element: String, to style: inout SpanStyle) throws(TypesettingError) {
        switch ByteString(element) {
        case "b": style.type.weight = 700
        case "i": style.type.isItalic = true
        case "s": style.isStruckThrough = true
        case "u": style.underline = .single
        case "tt": style.type.families = "Monospace"
        case "big": try setSize(style.type.size * step, in: &style, source: "<big>")
        case "small": try setSize(style.type.size / step, in: &style, source: "<small>")
        case "sub", "sup":
            style.rise += style.type.size * (element.isSame(as: "sup") ? 0.35 : -0.15)
            try setSize(style.type.size * 0.7, in: &style, source: "<\(element)>")
        case "mark", "picture", "span": break
        default:
            throw .markup(
                "element <\(element)> is not supported; one of \(elements.joined(separator: ", "))")
        }
    }

    static func apply(
        attribute: String, value: String, to style: inout SpanStyle
    ) throws(TypesettingError) {
        switch ByteString(attribute) {
        case "font":
            guard let families = FamilyList.normalized(value) else {
                throw fault(attribute, value, "a font family, or several separated by commas")
            }
            style.type.families = families
        case "size": try setSize(try size(value, from: style.type.size), in: &style, source: value)
        case "weight": style.type.weight = try weight(value)
        case "style":
            guard ["normal", "italic", "oblique"].includes(value) else {
                throw fault(attribute, value, "normal, italic or oblique")
            }
            style.type.isItalic = !value.isSame(as: "normal")
        case "foreground":
            guard let color = Color(css: value) else {
                throw fault(attribute, value, "a colour such as #ff8800 or orange")
            }
            style.type.paint = .color(color)
            style.hasBlockPaint = false
        case "alpha":
            style.type.paint = style.type.paint.withAlpha(try alpha(value))
            style.hasBlockPaint = false
        case "letter_spacing":
            style.type.letterSpacing = try length(attribute, value, in: -20...100)
            style.type.isSpacingAskedFor = true
        case "rise": style.rise = try length(attribute, value, in: -400...400)
        case "font_features": style.features = try features(value)
        case "underline":
            guard
                let underline = SpanStyle.Underline.allCases.first(where: {
                    $0.rawValue.isSame(as: value)
                })
            else {
                throw fault(attribute, value, "none, single, double or low")
            }
            style.underline = underline
        case "strikethrough":
            let flags: [ByteString: Bool] = ["true": true, "false": false]
            guard let flag = flags[ByteString(value)] else {
                throw fault(attribute, value, "true or false")
            }
            style.isStruckThrough = flag
        default:
            throw .markup(
                "attribute \(attribute) is not supported; one of "
                    + attributes.joined(separator: ", "))
        }
    }

    static func apply(
        attribute: String, value: String, to mark: inout MarkStyle
    ) throws(TypesettingError) {
        switch ByteString(attribute) {
        case "kind":
            guard let kind = MarkStyle.Kind.allCases.first(where: { $0.rawValue.isSame(as: value) })
            else {
                let names = MarkStyle.Kind.allCases.map(\.rawValue).joined(separator: ", ")
                throw fault(attribute, value, "one of \(names)")
            }
            mark.kind = kind
        case "layer":
            guard
                let layer = MarkStyle.Layer.allCases.first(where: {
                    $0.rawValue.isSame(as: value)
                })
            else { throw fault(attribute, value, "behind or front") }
            mark.layer = layer
        case "color":
            guard let color = Color(css: value) else {
                throw fault(attribute, value, "a colour such as #ff8800 or orange")
            }
            (mark.color, mark.darkColor) = (color, nil)
        case "width":
            guard let width = number(value[...]), MarkStyle.widths.contains(width) else {
                throw fault(attribute, value, "a number of ems from 0.01 to 2")
            }
            mark.width = width
        default:
            throw .markup(
                "attribute \(attribute) is not supported by <mark>; one of kind, layer, color, width"
            )
        }
    }

    /// The most characters of the words that stand for a picture.
    private static let longestAlternative = 200

    /// Returns the words that stand for a picture, on one line.
    static func alternative(_ value: String) throws(TypesettingError) -> String {
        let count = value.unicodeScalars.count
        guard count <= longestAlternative else {
            throw .markup("alt must have at most \(longestAlternative) characters; got \(count)")
        }
        return try TextNormalizer.normalized(value).pieces(separatedBy: "\n").joined(
            separator: " ")
    }

    private static func fault(
        _ attribute: String, _ value: String, _ expected: String
    ) -> TypesettingError {
        .markup("\(attribute)=\"\(value.shortened(to: 60))\" must be \(expected)")
    }

    private static func setSize(
        _ size: Double, in style: inout SpanStyle, source: String
    ) throws(TypesettingError) {
        guard size >= 4, size <= 400 else {
            let rounded = (size * 100).rounded() / 100
            throw .markup(
                "a size must be from 4 to 400 px; \(source.shortened(to: 60)) makes it \(rounded) px"
            )
        }
        style.type.size = size
    }

    /// Reads a named step, percent, `pt`, `px`, or Pango's 1024ths of a point, in CSS pixels.
    private static func size(
        _ value: String, from current: Double
    ) throws(TypesettingError) -> Double {
        // Pango's `medium` is the size that the text has without markup.
        let named: [ByteString: Double] = [
            "smaller": current / step, "larger": current * step,
            "xx-small": current * 0.5787, "x-small": current * 0.6944, "small": current * 0.8333,
            "medium": current, "large": current * step, "x-large": current * 1.44,
            "xx-large": current * 1.728,
        ]
        if let size = named[ByteString(value)] { return size }
        if value.ends(with: "%"), let percent = number(value.dropping(last: 1)) {
            return current * percent / 100
        }
        guard let size = pixels(value) else {
            throw fault("size", value, "like 12pt, 16px, 120%, larger, or 1024ths of a point")
        }
        return size
    }

    private static func weight(_ value: String) throws(TypesettingError) -> Int {
        let named: [ByteString: Int] = [
            "thin": 100, "ultralight": 200, "light": 300, "semilight": 350, "book": 380,
            "normal": 400, "medium": 500, "semibold": 600, "bold": 700, "ultrabold": 800,
            "heavy": 900, "ultraheavy": 1000,
        ]
        if let weight = named[ByteString(value)] { return weight }
        guard value.utf8.allSatisfy(\.isASCIIDigit), let weight = Int(value),
            (100...1000).contains(weight)
        else {
            throw fault("weight", value, "a name such as bold, or from 100 to 1000")
        }
        return weight
    }

    private static func alpha(_ value: String) throws(TypesettingError) -> UInt8 {
        let share: Double?
        if value.ends(with: "%") {
            share = number(value.dropping(last: 1)).map { $0 / 100 }
        } else {
            share = number(value[...]).map { $0 / 65536 }
        }
        guard let share, share >= 0, share <= 1 else {
            throw fault("alpha", value, "from 1 to 65536, or from 0% to 100%")
        }
        return UInt8((share * 255).rounded())
    }

    private static func length(
        _ attribute: String, _ value: String, in range: ClosedRange<Double>
    ) throws(TypesettingError) -> Double {
        guard let pixels = pixels(value) else {
            throw fault(attribute, value, "like 2pt, 3px, or 1024ths of a point")
        }
        guard range.contains(pixels) else {
            let (low, high) = (Int(range.lowerBound), Int(range.upperBound))
            throw fault(attribute, value, "from \(low) to \(high) px")
        }
        return pixels
    }

    private static func features(_ value: String) throws(TypesettingError) -> String {
        let isPlain = value.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
        guard isPlain, value.utf8.count <= 200 else {
            throw fault("font_features", value, "OpenType features such as \"liga=0, smcp\"")
        }
        return value
    }

    private static func pixels(_ value: String) -> Double? {
        if value.ends(with: "pt") { return number(value.dropping(last: 2)).map { $0 * point } }
        if value.ends(with: "px") { return number(value.dropping(last: 2)) }
        return number(value[...]).map { $0 / 1024 * point }
    }

    /// Reads a finite decimal number without exponent or surrounding space.
    private static func number(_ text: Substring) -> Double? {
        guard text.utf8.count <= 20,
            text.utf8.allSatisfy({ "+-.0123456789".utf8.contains($0) })
        else { return nil }
        return Double(text)
    }
}

extension MarkupScanner.Attribute {
    fileprivate var isSize: Bool { name.isSame(as: "size") }
}
