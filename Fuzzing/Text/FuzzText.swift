import Motion
import Rendering
import Typesetting

/// Whole layouts of hostile texts: every character is on one line, in order, at a finite place, and
/// the same the second time; and no line is wider than its width but by what cannot be broken.
///
/// The first eight bytes choose width, size, fonts, spacing, features and markup; the rest is the
/// text, as UTF-8 or as indices into characters that are hard to set.
enum FuzzText: FuzzTarget {
    static func take(_ input: [UInt8]) {
        guard input.count > 8 else { return }
        let setting = Setting(input[..<8])
        let rest = input[8...].prefix(400)
        let text =
            setting.isIndexed
            ? rest.map { setting.characters[Int($0) % setting.characters.count] }.joined()
            : String(decoding: rest, as: UTF8.self)
        guard let typesetter else { return check(false, "no typesetter") }
        guard let styled = try? setting.styled(text) else { return }
        var canvas = CanvasRequest(width: setting.width, height: 4096)
        canvas.verticalAlignment = .top
        canvas.maximumSide = 16_777_216
        guard let layout = layout(styled, canvas, typesetter) else { return }
        checkCharacters(of: layout, styled.text)
        // A glyph that letter spacing takes all room from has no negative width.
        if let width = setting.width, setting.style.letterSpacing >= 0 {
            checkWidths(of: layout, width, text)
        }
        let again = self.layout(styled, canvas, typesetter)
        check(
            again.map(boxes) == boxes(of: layout),
            "\(text.debugDescription) has another layout the second time")
        if typesetter.isFull { self.typesetter = Self.newTypesetter() }
    }

    /// Used by one thread at a time only.
    nonisolated(unsafe) private static var typesetter = newTypesetter()

    private static func newTypesetter() -> Typesetter? {
        try? Typesetter(catalog: FontCatalog(), cache: SharedGlyphCache(capacity: 1 << 26))
    }

    private struct Setting {
        let width: Double?
        let style: TypeStyle
        let isIndexed: Bool
        /// The number of characters of each element of markup; 0 for none.
        let elementLength: Int
        /// The characters that indices stand for, and the elements of markup.
        let (characters, elements): ([String], [(String, String)])

        init(_ bytes: ArraySlice<UInt8>) {
            let bytes = bytes.map { Int($0) }
            width = bytes[0] == 0xFF ? nil : Double(bytes[0] * 4 + bytes[1] % 4)
            isIndexed = bytes[2] & 1 == 0
            elementLength = bytes[2] & 2 == 0 ? 0 : bytes[2] / 4 % 8
            (characters, elements) =
                bytes[1] < 128
                ? (FuzzText.hostile, FuzzText.elements)
                : (FuzzText.hostile + FuzzText.hostileWords, FuzzText.colors + FuzzText.elements)
            let fonts = ["DejaVu Sans", "DejaVu Serif", "DejaVu Sans Mono", "none,DejaVu Sans"]
            let features = [
                "", "liga=0", "smcp", (1...16).map { "ss0\($0 % 10)" }.joined(separator: ","),
            ]
            var style = TypeStyle(
                families: fonts[bytes[3] % 4],
                size: Double(4 + bytes[4]) / (bytes[5] % 3 == 0 ? 2 : 1),
                weight: bytes[5] % 3 == 0 ? 700 : 400,
                paint: .color(Color(red: 0, green: 0, blue: 0)))
            style.isItalic = bytes[5] & 1 == 1
            style.features = features[bytes[6] % 4]
            style.letterSpacing = bytes[7] < 128 ? 0 : Double(bytes[7] - 148) / 1.25
            style.lineHeight = 1.2
            self.style = style
        }

        func styled(_ text: String) throws(TypesettingError) -> StyledText {
            guard elementLength > 0 else { return try StyledText(plain: text, style: style) }
            var markup = ""
            for (index, scalar) in text.unicodeScalars.enumerated() {
                let isInside = index / elementLength % 2 == 0
                if isInside, index % elementLength == 0 {
                    markup += elements[index % elements.count].0
                }
                switch scalar {
                case "<": markup += "&lt;"
                case "&": markup += "&amp;"
                default: markup.unicodeScalars.append(scalar)
                }
                if isInside,
                    index % elementLength == elementLength - 1
                        || index == text.unicodeScalars.count - 1
                {
                    let first = index / elementLength * elementLength
                    markup += elements[first % elements.count].1
                }
            }
            return try MarkupReader.read(markup, style: style)
        }
    }

    private static let elements = [
        ("<b>", "</b>"), ("<sub>", "</sub>"), ("<sup>", "</sup>"), ("<u>", "</u>"),
        (#"<span letter_spacing="3px">"#, "</span>"),
        (#"<span font_features="liga=0, kern=0, ss01, ss02, ss03, ss04, ss05">"#, "</span>"),
        (#"<span font="DejaVu Serif" size="larger">"#, "</span>"), ("<small>", "</small>"),
    ]

    /// Elements that change the colour, and with it nothing else.
    private static let colors = [
        (##"<span foreground="#f00">"##, "</span>"), (##"<span foreground="#00f">"##, "</span>"),
        (#"<span alpha="50%">"#, "</span>"),
    ]

    /// What is hard to choose fonts, colours, and spaces for: letters of words that no font has whole,
    /// characters of private use, letters that join, vowel signs, and ligatures.
    private static let hostileWords = [
        "پ", "ہ", "ے", "\u{AB30}", "\u{FF21}", "ổ", "\u{E0A0}", "\u{F8FF}", "\u{F0001}",
        "\u{1E900}", "\u{7D2}", "\u{182E}", "\u{180A}", "\u{640}", "\u{102C}", "\u{1038}",
        "\u{9CB}", "\u{BCA}", "->", "ffi", "\u{574}\u{576}", "\u{FE0F}", "\u{2064}", "\u{3164}",
    ]

    /// Characters and clusters that are hard to set: marks, joiners, tones, directions, spaces, hyphens,
    /// letters that join.
    private static let hostile = [
        "a", "W", " ", "  ", "\n", "fi", "-", "\u{AD}", "\u{A0}", "\u{200B}", "\u{2060}",
        "\u{200D}",
        "\u{200C}", "\u{200E}", "\u{200F}", "\u{061C}", "\u{202B}", "\u{202E}", "\u{202C}",
        "\u{2067}",
        "\u{2069}", "\u{0301}", "\u{0335}", "\u{0368}", "\u{20DD}", "\u{FE0F}", "\u{FE0E}",
        "\u{1F3FB}", "\u{1F468}", "\u{1F469}\u{200D}\u{1F467}", "\u{1F1E9}", "\u{1F3F4}",
        "\u{E0067}",
        "\u{E007F}", "\u{20E3}", "ש", "ל", "א\u{5B8}", "ب", "ل", "ا", "م\u{651}", "ـ", "ܐ",
        "ހ\u{7A6}",
        "क", "\u{94D}", "\u{93F}", "র", "\u{9CD}", "க", "\u{BCB}", "\u{C47}", "\u{D4D}", "ก",
        "\u{E33}",
        "น", "\u{E49}", "ເ", "\u{EC9}", "ក", "\u{17D2}", "\u{17BB}", "က", "\u{1039}", "\u{1031}",
        "ཀ",
        "\u{FB2}", "་", "日", "。", "「", "ー", "가", "\u{1100}", "\u{1161}", "\u{11A8}", "ሀ", "ა", "ա",
        "\u{3000}",
        "\u{2003}", "\u{202F}", "\u{180E}", "\u{FEFF}", "\u{FFFC}", "\u{10FFFF}", "\u{E000}",
        "\u{1D165}", "1", "/", "ๆ", "北京", "ၵ", "\u{103A}", "ꦏ", "\u{A9C0}", "ᬓ", "ᦵ",
    ]

    private static func layout(
        _ text: StyledText, _ canvas: CanvasRequest, _ typesetter: Typesetter
    ) -> Layout? {
        do throws(TypesettingError) {
            return try typesetter.layout([BlockText(text)], on: canvas)
        } catch {
            switch error {
            case .canvasTooLarge, .colorGlyphs: break
            default: check(false, "\(error) of \(text.text.debugDescription)")
            }
            return nil
        }
    }

    private static func boxes(of layout: Layout) -> [Rect] {
        layout.glyphs.map { $0.rect } + layout.blocks[0].lines.map { $0.rect }
    }

    private static func checkCharacters(of layout: Layout, _ text: String) {
        let written = Array(text.utf16)
        var end = 0
        for glyph in layout.glyphs {
            check(
                areNoGlyphs(written[min(end, glyph.start)..<glyph.start])
                    && glyph.start >= end,
                "\(text.debugDescription) loses characters before \(glyph.start)")
            end = glyph.start + glyph.length
            check(end <= written.count, "\(glyph) lies behind the text")
            check(
                written[glyph.start..<end].elementsEqual(glyph.text.utf16), "\(glyph) is elsewhere")
            let box = [glyph.rect.x, glyph.rect.y, glyph.rect.width, glyph.rect.height]
            check(box.allSatisfy(\.isFinite) && glyph.rect.width >= 0, "\(glyph) has no position")
        }
        check(
            areNoGlyphs(written[end...]),
            "\(text.debugDescription) loses its last characters")
        let lines = layout.blocks[0].lines.count
        check(
            zip(layout.glyphs, layout.glyphs.dropFirst()).allSatisfy { $0.line <= $1.line }
                && layout.glyphs.allSatisfy { $0.line < lines }, "lines are out of order")
    }

    /// Returns true for line breaks, and for characters that draw nothing.
    private static func areNoGlyphs(_ units: ArraySlice<UInt16>) -> Bool {
        String(decoding: units, as: UTF16.self).unicodeScalars.allSatisfy {
            $0 == "\n" || $0.properties.isDefaultIgnorableCodePoint
        }
    }

    /// A line fits without its last letter, and what belongs to that: Pango's conditions, which ours
    /// are, put an item that does not fit on the line where no line can end before it, such as a mark
    /// in a font of its own, and count no hyphen between the letters of a word.
    private static func checkWidths(of layout: Layout, _ width: Double, _ text: String) {
        for (index, line) in layout.blocks[0].lines.enumerated() where line.rect.width > width {
            var units = layout.glyphs.filter { $0.line == index }
            // Some characters that draw nothing have a width, as Hangul fillers.
            var rest = units.reduce(0) { $0 + $1.rect.width }
            while let last = units.popLast() {
                rest -= last.rect.width
                // What has no width fits wherever the letter before it does.
                if last.rect.width > 0, !belongsToLetterBefore(last, units.last) { break }
            }
            // White space does not count where a line may end behind it, and stays where none does.
            // Marks of direction, which letter spacing makes wider than nothing, may stand between,
            // and marks belong to it.
            while let last = units.last,
                last.beginsWithWhitespace || last.rect.width == 0
                    || belongsToLetterBefore(last, nil)
            {
                rest -= last.rect.width
                units.removeLast()
            }
            // An item that begins within a letter, with marks in a font of its own, begins no line,
            // whatever follows the marks in it.
            if rest > width, let last = units.last, last.text.unicodeScalars.count > 1 {
                rest -= last.rect.width
                units.removeLast()
            }
            // What is wider than the width by itself does not fit anywhere, and letters may stand
            // around it: Pango puts one more behind a mark in a font of its own, or where the first
            // letter is too wide, and marks in fonts of their own where their letter fits.
            let unbreakable = units.filter { $0.rect.width > width }
            rest -= unbreakable.reduce(0) { $0 + $1.rect.width }
            check(
                rest <= width + 0.01,
                "\(text.debugDescription) has a line of \(line.rect.width) pixels, not \(width)")
        }
    }

    /// True where no line can end before a glyph.
    private static func belongsToLetterBefore(_ glyph: Glyph, _ before: Glyph?) -> Bool {
        guard let first = glyph.text.unicodeScalars.first else { return true }
        let last = before?.text.unicodeScalars.last
        if glyph.isWhitespace || last == "\u{200D}" { return true }
        // A vowel before its consonant, or what joins the next one, ends no line.
        let ending: [Unicode.Scalar] = [
            "\u{EC0}", "\u{1039}", "\u{17D2}", "\u{A9C0}", "\u{19B5}",
        ]
        // A consonant without its vowel begins none.
        if let last, ending.contains(last) || glyph.text.unicodeScalars.contains("\u{103A}") {
            return true
        }
        switch first.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark, .format: return true
        default: return first == "\u{E33}" || first == "\u{EB3}" || first == "\u{E46}"
        }
    }
}

extension Glyph {
    fileprivate var beginsWithWhitespace: Bool {
        text.unicodeScalars.first?.properties.isWhitespace ?? false
    }
}
