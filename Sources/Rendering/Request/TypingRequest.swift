package import Bytes
package import Encoders
import Motion
import Typesetting

/// A request in the language of readme-typing-svg: lines that are typed and erased, one after
/// another.
///
/// It is as lenient as that service: unknown names are passed over, a number keeps its digits, a
/// wrong colour is the default.
/// Source: github.com/DenverCoder1/readme-typing-svg, `RendererModel` and its tests.
package struct TypingRequest {
    /// One line's own values; lists in `color`, `size` and `letterSpacing` have one for each line, the
    /// last for all that follow.
    private struct Line {
        var text: String
        var color: Color
        var size: Int
        /// CSS pixels.
        var letterSpacing: Double
    }

    /// The parameters that differ from their defaults, in a spelling of their own: equal requests have
    /// the same.
    package let canonical: [(name: String, value: String)]
    package let format: FormatCatalog.Entry

    private let lines: [Line]
    private let font: String
    private let weight: Int
    private let background: Color
    private let isCentered: Bool
    private let isVerticallyCentered: Bool
    private let isMultiline: Bool
    private let width: Int
    private let height: Int
    /// Milliseconds.
    private let duration: Int
    private let pause: Int
    private let repeats: Bool

    /// The parameters of queries, with the values that hold without them.
    package static let parameters: [(name: String, value: String?, summary: String)] = [
        ("lines", nil, "The texts, separated by `separator`."),
        ("separator", ";", "The separator between two texts."),
        ("font", "monospace", "A font family."),
        ("weight", "400", "The weight of the font, 100 to 1000."),
        ("size", "20", "The font size in CSS pixels; one for each line, separated by commas."),
        ("color", "36BCF7", "The colour of the text; one for each line, separated by commas."),
        ("background", "00000000", "The colour behind the text."),
        ("letterSpacing", "normal", "Letter spacing with a CSS unit; one for each line."),
        ("center", "false", "Whether lines are centred horizontally."),
        ("vCenter", "false", "Whether lines are centred vertically."),
        ("multiline", "false", "Whether lines stay, and the next ones appear below."),
        ("width", "400", "The width in CSS pixels."),
        ("height", "50", "The height in CSS pixels."),
        ("duration", "5000", "The milliseconds of each line."),
        ("pause", "0", "The milliseconds between two lines."),
        ("repeat", "true", "Whether it starts again."),
        ("random", "false", "Whether lines come in a random order."),
        ("seed", nil, "Random seed of the order; by default derived from the lines."),
        ("format", "svg", "The output format."),
    ]
    /// The values of queries that do not give them.
    private static let defaults = Dictionary(
        uniqueKeysWithValues: parameters.compactMap { name, value, _ in
            value.map { (ByteString(name), $0) }
        })
    private static let longestSide = 10_000
    private static let largestSize = 1000
    /// Eleven days.
    private static let longestTime = 1_000_000_000
    /// The part of a line's duration, 0…1, in which it is typed if it is erased afterwards.
    private static let typedShare = 0.8
    /// Beneath each line of several, in CSS pixels.
    private static let lineGap = 5

    /// Reads the values of a query by name; of duplicates the last.
    ///
    /// - Throws: All faults.
    package init(_ values: [ByteString: String], schema: RequestSchema) throws(RenderingError) {
        var reader = Reader(values: values)
        format = reader.format(schema)
        font = reader.font()
        weight = min(max(reader.number("weight"), 100), 1000)
        background = reader.color("background")
        isCentered = reader.boolean("center")
        isVerticallyCentered = reader.boolean("vCenter")
        isMultiline = reader.boolean("multiline")
        width = reader.number("width", atMost: Self.longestSide)
        height = reader.number("height", atMost: Self.longestSide)
        duration = reader.number("duration", atMost: Self.longestTime)
        pause = reader.number("pause", atLeast: 0, atMost: Self.longestTime)
        repeats = reader.boolean("repeat")
        var (texts, separator) = reader.lines()
        let seed = reader.seed() ?? Digest(texts).low
        if reader.boolean("random") { texts = Self.shuffled(texts, seed: seed) }
        let colors = reader.colors()
        let sizes = reader.sizes(atMost: Self.largestSize)
        let spacings = reader.letterSpacings()
        lines = texts.enumerated().map { index, text in
            let size = sizes[min(index, sizes.count - 1)]
            return Line(
                text: text, color: colors[min(index, colors.count - 1)], size: size,
                letterSpacing: spacings[min(index, spacings.count - 1)].pixels(at: size))
        }
        try reader.faults.check()
        // A blank line is a space, which stays at the end too.
        let written = texts.map { $0.isEmpty ? " " : $0 }
        // Between spaces it would not stay; no line has a line break.
        if separator.isSame(as: " "), texts.contains(where: \.isEmpty) { separator = "\n" }
        let all: [(ByteString, String)] = [
            ("lines", written.joined(separator: separator)), ("separator", separator),
            ("font", font), ("weight", "\(weight)"), ("size", Self.list(sizes.map(String.init))),
            ("color", Self.list(colors.map(Self.digits))),
            ("background", Self.digits(background)),
            ("letterSpacing", Self.list(spacings.map(\.text))), ("center", "\(isCentered)"),
            ("vCenter", "\(isVerticallyCentered)"), ("multiline", "\(isMultiline)"),
            ("width", "\(width)"), ("height", "\(height)"), ("duration", "\(duration)"),
            ("pause", "\(pause)"), ("repeat", "\(repeats)"), ("format", format.name),
        ]
        // Lines stand in the order in which they are typed, so that no chance is left, and no seed.
        canonical = all.filter { name, value in
            !(Self.defaults[name]?.isSame(as: value) ?? false)
        }.map { ($0.text, $1) }
    }

    private static func shuffled(_ texts: [String], seed: UInt64) -> [String] {
        let randomness = Randomness(seed: seed)
        let keys = texts.indices.map { randomness.unit(stream: 0, item: $0) }
        return texts.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }.map { texts[$0] }
    }

    /// Joins values of lines, without the last ones that would be the same anyway.
    private static func list(_ values: [String]) -> String {
        var values = values.map { ByteString($0) }[...]
        while values.count > 1, values.last == values.dropLast().last { values.removeLast() }
        return values.map(\.text).joined(separator: ",")
    }

    /// Returns a colour's hexadecimal digits as they stand in a query.
    private static func digits(_ color: Color) -> String {
        color.isTransparent ? "00000000" : String(color.text.uppercasedASCII.dropping(first: 1))
    }

    // MARK: The rendering

    /// Returns the request for the renderer.
    ///
    /// - Parameters:
    ///   - path: The path and query with the canonical parameters.
    ///   - limits: The limits of its size.
    /// - Returns: The request, in which an SVG has no limit of its cycle: it costs the same however long it
    ///   lasts.
    /// - Throws: A fault of `lines` that cannot be set, or are too many.
    package func renderRequest(
        at path: String, limits: RenderLimits
    ) throws(RenderingError) -> RenderRequest {
        let graphemes = lines.reduce(0) { $0 + max($1.text.count, 1) }
        guard graphemes <= limits.graphemes else {
            throw .overLimit(
                "lines", "have \(graphemes) graphemes; the limit is \(limits.graphemes)")
        }
        let seconds = Double(duration) / 1000
        let typed = isMultiline ? 1 : Self.typedShare
        let effect = EvenTyping(typing: seconds * typed, erasing: seconds * (1 - typed))
        var texts: [BlockText] = []
        var blocks: [Choreography.Block] = []
        for line in lines {
            var style = TypeStyle(
                families: font, size: Double(line.size), weight: weight,
                paint: .color(line.color))
            style.letterSpacing = line.letterSpacing
            style.lineHeight = 1.2
            do {
                // A blank line takes its time all the same.
                texts.append(
                    BlockText(
                        try StyledText(
                            plain: line.text.isEmpty ? " " : line.text, style: style,
                            allowsBlank: true)))
            } catch {
                throw RenderingError(error, parameter: "lines")
            }
            blocks.append(
                Choreography.Block(
                    effect: effect, named: ("typing", "Typing"), cursor: .none, cursorBlink: 0,
                    paint: TextPaint(fill: .color(line.color))))
        }
        let rest = Double(pause) / 1000
        var canvas = CanvasRequest(width: Double(width), height: Double(height))
        canvas.alignment = isCentered ? .center : .left
        canvas.verticalAlignment = .top
        canvas.baselines = baselines
        return RenderRequest(
            texts: texts, canvas: canvas,
            choreography: Choreography(
                blocks: blocks, sequence: isMultiline ? .queue : .replace,
                // Several lines begin again at once, as there.
                exit: isMultiline ? .none : .between,
                timing: .init(gap: isMultiline ? rest : 0, hold: rest),
                loop: repeats ? .infinite : .count(1)),
            card: Card(background: .color(background)), title: nil, seed: 0,
            // Its first frame is as there.
            values: ["poster": .string("start")],
            format: format, canonical: path, sources: [], path: path,
            hasEndlessCycle: format.name.isSame(as: SVGFormat.name))
    }

    private var baselines: Baselines {
        var positions: [Double] = []
        var y = 0
        for line in lines {
            y += line.size + Self.lineGap
            positions.append(isMultiline ? Double(y) : Double(height) / 2)
        }
        return Baselines(positions: positions, areMiddles: isVerticallyCentered)
    }

    // MARK: Values

    /// Reads values as readme-typing-svg does.
    private struct Reader {
        private let values: [ByteString: String]
        private(set) var faults = FaultList()

        /// The reading of digits ends here, so that no number overflows.
        private static let largestNumber = 1_000_000_000_000

        init(values: [ByteString: String]) {
            self.values = TypingRequest.defaults.merging(values) { $1 }
        }

        private func text(_ name: ByteString) -> String { values[name] ?? "" }

        private func list(_ name: ByteString) -> [Substring] {
            text(name).pieces(separatedBy: ",")
        }

        private mutating func fault(_ name: ByteString, _ message: String) {
            faults.add(name.text, message)
        }

        mutating func format(_ schema: RequestSchema) -> FormatCatalog.Entry {
            do {
                _ = try schema.format.value(of: .text(text("format")))
            } catch {
                for part in error.parts { fault("format", part.message) }
            }
            return schema.formats[ByteString(text("format"))] ?? schema.formats.defaultEntry
        }

        /// Returns the lines, and the separator between them.
        ///
        /// The text is split by bytes, as in PHP: a mark that combines with a separator stays at
        /// the next line.
        mutating func lines() -> ([String], separator: String) {
            let separator = text("separator").isEmpty ? ";" : text("separator")
            var written = text("lines")
            if separator.utf8.count == 1 {
                while written.ends(with: separator) { written.unicodeScalars.removeLast() }
            }
            let lines = written.pieces(separatedBy: separator).map(Self.collapsed)
            if lines.allSatisfy(\.isEmpty) { fault("lines", "must be set; it has the texts") }
            return (lines, separator)
        }

        /// Returns a text with its white space as an SVG shows it: none at the ends, one space within.
        private static func collapsed(_ text: Substring) -> String {
            text.unicodeScalars.split {
                $0 == " " || $0.properties.generalCategory == .control
            }.map(String.init).joined(separator: " ")
        }

        /// Returns the family; letters of ASCII, digits, hyphens and spaces are kept.
        func font() -> String {
            let kept = text("font").utf8.filter {
                $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: " ")
            }
            let name = String(decoding: kept, as: UTF8.self).pieces(
                separatedBy: " ", omittingEmpty: true
            )
            .joined(separator: " ")
            return name.isEmpty ? "monospace" : name
        }

        func boolean(_ name: ByteString) -> Bool {
            text(name).lowercasedASCII.isSame(as: "true")
        }

        // MARK: Colours

        func color(_ name: ByteString) -> Color {
            Self.color(text(name)[...]) ?? standardColor(name)
        }

        /// Returns a colour for each line; a wrong colour becomes the colour of the line before.
        func colors() -> [Color] {
            var colors: [Color] = []
            for written in list("color") {
                colors.append(Self.color(written) ?? colors.last ?? standardColor("color"))
            }
            return colors
        }

        private func standardColor(_ name: ByteString) -> Color {
            TypingRequest.defaults[name].flatMap { Self.color($0[...]) } ?? .transparent
        }

        /// Returns the colour of the hexadecimal digits in a text; nil where they are none.
        private static func color(_ text: Substring) -> Color? {
            let digits = text.utf8.filter { $0.hexadecimalValue != nil }
            guard [3, 4, 6, 8].contains(digits.count),
                let color = Color(css: "#" + String(decoding: digits, as: UTF8.self))
            else {
                return nil
            }
            return color.isTransparent ? .transparent : color
        }

        // MARK: Numbers

        mutating func number(
            _ name: ByteString, atLeast least: Int = 1, atMost most: Int = largestNumber
        ) -> Int {
            number(in: text(name)[...], of: name, atLeast: least, atMost: most)
        }

        mutating func sizes(atMost most: Int) -> [Int] {
            var sizes: [Int] = []
            for written in list("size") {
                sizes.append(number(in: written, of: "size", atLeast: 1, atMost: most))
            }
            return sizes
        }

        /// Returns nil where the query gives none.
        mutating func seed() -> UInt64? {
            values["seed"] == nil ? nil : UInt64(number("seed", atLeast: 0))
        }

        private mutating func number(
            in text: Substring, of name: ByteString, atLeast least: Int, atMost most: Int
        ) -> Int {
            let number = Self.number(in: text)
            if number < least {
                fault(name, "must be a \(least == 0 ? "number from 0" : "positive number")")
            } else if number > most {
                fault(name, "must be at most \(most)")
            }
            return min(max(number, least), most)
        }

        /// Returns the number of the digits in a text, below 0 with a minus before them; 0 without any.
        private static func number(in text: Substring) -> Int {
            var scanner = TextScanner(
                text.utf8.filter { $0.isASCIIDigit || $0 == UInt8(ascii: "-") })
            let isNegative = scanner.skip("-")
            var number = 0
            for digit in scanner.bytes[scanner.consume(while: \.isASCIIDigit)]
            where number < largestNumber {
                number = 10 * number + Int(digit - UInt8(ascii: "0"))
            }
            return isNegative ? -number : number
        }

        // MARK: Lengths

        func letterSpacings() -> [Length] { list("letterSpacing").map(Length.init) }
    }

    /// A length of CSS, or none.
    private struct Length {
        private let number: Double
        private let unit: ByteString

        /// CSS pixels in each unit that does not depend on the font (CSS Values 3, 5.2).
        private static let absolute: [ByteString: Double] = [
            "px": 1, "pt": 96.0 / 72, "pc": 16, "in": 96, "cm": 96 / 2.54, "mm": 96 / 25.4,
            "q": 96 / 101.6, "rem": 16,
        ]
        /// Ems in each unit that depends on it.
        private static let relative: [ByteString: Double] = ["em": 1, "ex": 0.5, "ch": 0.5]
        private static let longest = 1000.0

        /// Reads a length; anything else means no space.
        init(_ text: Substring) {
            var scanner = TextScanner(
                text.lowercasedASCII.utf8.filter { $0 != UInt8(ascii: " ") })
            let isNegative = scanner.consumeSign()
            var digits = scanner.text(scanner.consume { !$0.isASCIISmallLetter && $0 < 0x80 })
            if digits.begins(with: ".") { digits = "0" + digits }
            let unit = ByteString(scanner.rest)
            let isKnown = Self.absolute[unit] != nil || Self.relative[unit] != nil
            guard isKnown, let number = JSONNumber.value(of: digits), number.isFinite else {
                (number, self.unit) = (0, "")
                return
            }
            self.number = isNegative ? -number : number
            self.unit = unit
        }

        func pixels(at size: Int) -> Double {
            let scale = Self.absolute[unit] ?? (Self.relative[unit] ?? 0) * Double(size)
            return min(max(number * scale, -Self.longest), Self.longest)
        }

        /// The length as it stands in a query.
        var text: String { number == 0 ? "normal" : NumberText.of(number) + unit.text }
    }
}
