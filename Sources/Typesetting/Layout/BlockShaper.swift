import Bytes
import Motion
import Raster

/// One line of a block before it is aligned: glyphs count x from its left end and y from its
/// baseline.
struct LaidOutLine {
    /// Indices into the layout's glyphs.
    var glyphs: Range<Int>
    var runs: [Run]
    var width: Double
    /// From the baseline up to the upper edge of the highest box.
    var ascent: Double
    var height: Double
    var direction: Direction
    /// False where it goes on with the line before it.
    var beginsParagraph: Bool
}

/// One block before it is put on the canvas.
struct LaidOutBlock {
    var lines: [LaidOutLine] = []
    var warnings: [Warning] = []
    /// Its characters, instances, and alternatives; nil for none.
    var extras: BlockExtras?
    /// The height of small letters in CSS pixels, where it is asked for.
    var xHeight = 0.0
    /// False if it ended early, as a trial may.
    var isWhole = true
    /// True if a line ends within a word.
    var breaksWord = false
    /// The numbers beside its lines; nil for none.
    var numbers: LineNumbers?
    /// Its only line along a path; nil for straight lines.
    var bent: BentLine?

    /// The width of the column beside its lines.
    var column: Double { numbers?.width ?? 0 }
    var width: Double { bent?.box.width ?? column + lines.reduce(0) { max($0, $1.width) } }
    var height: Double { bent?.box.height ?? lines.reduce(0) { $0 + $1.height } }
}

/// How a block is shaped.
struct BlockSetting {
    /// The index of the block in its layout.
    var index = 0
    /// The boundaries at which words begin.
    var words = WordBoundaries.spaces
    var lines = LineSetting()
    var axes = AxisSetting()
}

/// Turns one block into lines, runs and glyphs, the units that can move on their own.
struct BlockShaper {
    private let text: StyledText
    private let segments: SegmentedText
    /// The index of the block.
    private let index: Int
    private let deadline: WorkDeadline

    private var block = LaidOutBlock()
    private var words: WordCounter
    /// The style at the current offset, and the span that it comes from.
    private var style: SpanStyle
    private var span = 0
    /// The box of glyphs of `style`, and the face that it is for.
    private var box: (metrics: BoxMetrics, face: FontFace, script: UInt8)?
    /// A UTF-8 offset with the same in UTF-16 code units.
    private var position = (utf16: 0, utf8: 0)
    /// The font of the run that was begun last.
    private var lastRun: (face: FontFace, size: Double, span: Int)?
    /// The warnings about the faces of the glyphs.
    private var fonts: FontWarnings
    private let hasPictures: Bool
    /// The UTF-8 offsets at which the paint changes.
    private let colorBorders: [Int]
    /// The characters that the glyphs of the current line draw; nil in texts of one colour.
    private var drawn: DrawnCharacters?
    /// The ink of the last unit in other paints than the paint of its first character.
    private var parts: [PartInk] = []
    /// The glyphs that axes change; nil where none do.
    private var instances: InstanceShaper?

    /// The height of a glyph's box, its font's ascent and descent centred in it (CSS's
    /// half-leading); by default, tall scripts have all the height that their font asks.
    private struct BoxMetrics {
        /// From the baseline up to the upper edge.
        var top: Double
        var height: Double

        init(_ face: FontFace, script: UInt8? = nil, _ style: TypeStyle) {
            height = (style.lineHeight ?? TypeStyle.usualLineHeight) * style.size
            let scale = style.size / face.unitsPerEm
            if style.lineHeight == nil, let script, TallScripts.contains(script, in: face) {
                height = max(height, (face.ascent + face.descent) * scale)
            }
            top = (height + (face.ascent - face.descent) * scale) / 2
        }
    }

    private init(
        _ text: StyledText, index: Int, _ words: WordCounter, _ choices: FamilyChoices,
        _ deadline: WorkDeadline
    ) {
        self.words = words
        self.deadline = deadline
        self.text = text
        self.index = index
        fonts = FontWarnings(choices)
        segments = SegmentedText(text.text)
        hasPictures = !text.pictures.isEmpty
        colorBorders = text.colorBorders
        style = text.spans[0].style
    }

    /// Shapes a block, and appends its glyphs and its ink.
    static func shape(
        _ text: StyledText, _ setting: BlockSetting, with textShaper: borrowing TextShaper,
        into glyphs: inout [Glyph], _ inks: inout InkTable, _ deadline: WorkDeadline
    ) throws(TypesettingError) -> LaidOutBlock {
        let choices = FamilyChoices(of: text, inks.library)
        let boundaries = try TypesettingError.catching { () throws(LibraryFault) in
            try TextBoundaries(
                of: text.text, setting.words, isWrapped: setting.lines.width != nil)
        }
        let counter = WordCounter(starts: boundaries.wordStarts)
        var shaper = BlockShaper(text, index: setting.index, counter, choices, deadline)
        if !setting.axes.motions.isEmpty {
            shaper.instances = InstanceShaper(firstGlyph: glyphs.count)
        }
        inks.library.noteFonts(of: text)
        glyphs.reserveCapacity(glyphs.count + text.text.utf8.count)
        let paragraphs = try textShaper.paragraphs(
            of: text, shaper.segments, boundaries, choices, inks.library, deadline)
        shaper.fonts.addTorn(paragraphs.torn)
        for paragraph in paragraphs.all where shaper.block.isWhole {
            try shaper.add(paragraph, setting.lines, with: textShaper, into: &glyphs, &inks)
        }
        shaper.block.warnings = shaper.fonts.warnings(ofBlock: setting.index)
        if boundaries.lacksDictionary {
            shaper.block.warnings.append(.noDictionary(block: setting.index))
        }
        if let instances = shaper.instances {
            let made = try instances.instances(setting.axes, of: glyphs, &inks, deadline)
            shaper.block.extras = BlockExtras.changed(shaper.block.extras) { $0.instances = made }
        }
        return shaper.block
    }

    private mutating func add(
        _ paragraph: ShapedParagraph, _ setting: LineSetting,
        with textShaper: borrowing TextShaper, into glyphs: inout [Glyph],
        _ inks: inout InkTable
    ) throws(TypesettingError) {
        var start = paragraph.bytes.lowerBound
        for line in try setting.lines(of: paragraph, behind: block.lines.count, deadline) {
            let end = line.runs.last?.piece.bytes.upperBound ?? start
            let shaped: ShapedLine
            do throws(LibraryFault) {
                shaped = try ShapedLine(
                    line, of: paragraph, start: start, in: segments, inks.library,
                    keepsPieces: instances != nil || !colorBorders.isEmpty)
            } catch {
                throw .library(error)
            }
            let breaksWord = line.breaksWord
            if breaksWord { block.breaksWord = true }
            instances?.begin(shaped, of: paragraph)
            try add(shaped, of: paragraph, with: textShaper, into: &glyphs, &inks)
            start = end
            if setting.trial?.ends(breaksWord: breaksWord, number: block.lines.count) == true {
                block.isWhole = false
                return
            }
        }
    }

    private mutating func add(
        _ shaped: ShapedLine, of paragraph: ShapedParagraph,
        with textShaper: borrowing TextShaper,
        into glyphs: inout [Glyph], _ inks: inout InkTable
    ) throws(TypesettingError) {
        if shaped.beginsParagraph, shaped.start > 0 { words.breakLine() }
        if !colorBorders.isEmpty { drawn = DrawnCharacters(of: shaped, paragraph) }
        let firstGlyph = glyphs.count
        var runs: [Run] = []
        var (highest, lowest) = (-Double.infinity, -Double.infinity)
        // The shaped run and the span of the last glyph.
        var known: (run: Int, span: Int)?
        var first = 0
        while first < shaped.clusters.count {
            let unit = shaped.unit(from: first, in: segments)
            let run = shaped.clusters[first].run
            first = unit.upperBound
            try deadline.look(every: 32)
            guard
                let span = try addUnit(
                    unit, in: shaped, shaped.runs[run], to: &glyphs, &inks)
            else { continue }
            let key = (run: run, span: span)
            let index = glyphs.count - 1
            instances?.add(unit)
            if let known, known == key {
                runs[runs.count - 1].glyphs.append(index)
            } else {
                add(glyphs, index, of: shaped.runs[key.run], to: &runs)
            }
            known = key
            highest = max(highest, -glyphs[index].rect.y)
            lowest = max(lowest, glyphs[index].rect.maxY)
        }
        if glyphs.count == firstGlyph {
            updateStyle(at: shaped.start)
            let face: FontFace
            do throws(LibraryFault) {
                face = try textShaper.face(for: style.type, inks.library)
            } catch {
                throw .library(error)
            }
            let metrics = BoxMetrics(face, style.type)
            (highest, lowest) = (metrics.top, metrics.height - metrics.top)
        }
        block.lines.append(
            LaidOutLine(
                glyphs: firstGlyph..<glyphs.count, runs: runs, width: shaped.width,
                ascent: highest, height: highest + lowest, direction: shaped.direction,
                beginsParagraph: shaped.beginsParagraph))
    }

    /// Adds the glyph that several clusters make; `run` is the first one's.
    ///
    /// - Returns: The index of the span whose style it has; nil if it is no glyph, for all of its
    ///   characters draw nothing.
    private mutating func addUnit(
        _ clusters: Range<Int>, in shaped: ShapedLine, _ run: ShapedLine.Run,
        to glyphs: inout [Glyph], _ inks: inout InkTable
    ) throws(TypesettingError) -> Int? {
        let bytes = shaped.bytes(of: clusters)
        updateStyle(at: bytes.lowerBound)
        let metrics = boxMetrics(of: run.face, script: run.script)
        let (left, right) = shaped.ends(of: clusters)
        let rect = Rect(
            x: left, y: -style.rise - metrics.top, width: right - left, height: metrics.height)
        let characters = segments[bytes]
        let isWhitespace = segments.isWhitespace(bytes)
        let utf16 = utf16Range(bytes, characters)
        // The values of the first cluster: `style` goes on with the others.
        let (paint, hasBlockPaint, span) = (style.type.paint, style.hasBlockPaint, span)
        let (size, baseline) = (style.type.size, -style.rise)
        let isSpaced = style.type.letterSpacing != 0 && style.type.isSpacingAskedFor
        let hasColors =
            !colorBorders.isEmpty && text.spans[span].end < bytes.upperBound
            && colorBorders.contains { bytes.lowerBound < $0 && $0 < bytes.upperBound }
        var builder = InkBuilder()
        do throws(LibraryFault) {
            if hasColors {
                try add(clusters, in: shaped, beside: span, to: &builder, &inks)
            } else {
                for index in clusters {
                    let cluster = shaped.clusters[index]
                    try add(cluster, in: shaped, isWhitespace: isWhitespace, to: &builder, &inks)
                }
            }
        } catch {
            throw .library(error)
        }
        let picture = hasPictures ? text.picture(at: bytes.lowerBound) : nil
        if let picture {
            noteAlternative(of: picture, as: glyphs.count)
            let pen = shaped.glyphs[shaped.clusters[clusters.lowerBound].glyphs.lowerBound]
            let start = Point(x: left + pen.offset.x, y: baseline)
            try builder.add(picture, beside: run.face, size: size, at: start, to: &inks)
        }
        if style.isDecorated { builder.addLines(style, of: run.face, along: rect) }
        if !segments.isASCII, builder.isEmpty, segments.drawsNothing(bytes) { return nil }
        if isSpaced { fonts.addSpaced(characters) }
        if builder.isMissing || hasColors && parts.contains(where: \.builder.isMissing) {
            fonts.addMissing(characters, in: run.face)
        } else if picture == nil {
            for cluster in clusters {
                fonts.add(characters, in: shaped.runs[shaped.clusters[cluster].run], span: span)
            }
        }
        let word = words.word(at: bytes.lowerBound, isWhitespace: isWhitespace)
        glyphs.append(
            Glyph(
                block: index, line: block.lines.count, word: word, text: characters,
                start: utf16.start, length: utf16.length, isWhitespace: isWhitespace, paint: paint,
                hasBlockPaint: hasBlockPaint, rect: rect, baseline: baseline, size: size,
                ink: builder.ink(in: &inks)))
        if hasColors { addParts(to: &glyphs[glyphs.count - 1], glyphs.count - 1, &inks) }
        return span
    }

    /// Keeps the alternative of a picture that is the glyph of an index.
    private mutating func noteAlternative(of picture: PlacedPicture, as glyph: Int) {
        block.extras = BlockExtras.changed(block.extras) {
            $0.alternatives[glyph] = picture.alternative
        }
    }

    /// The ink of a unit in another paint than the paint of its first character.
    private struct PartInk {
        /// The index of a span with the paint.
        let span: Int
        var builder = InkBuilder()
    }

    /// Gives a glyph, of this index, its parts in other paints.
    private mutating func addParts(
        to glyph: inout Glyph, _ index: Int, _ inks: inout InkTable
    ) {
        var own: [GlyphPart] = []
        for part in parts {
            let style = text.spans[part.span].style
            guard let ink = part.builder.ink(in: &inks) else { continue }
            if let whole = glyph.ink {
                own.append(
                    GlyphPart(
                        paint: style.type.paint, hasBlockPaint: style.hasBlockPaint, ink: ink,
                        of: glyph))
                // The bounds of the whole glyph, by which the canvas gets its size.
                glyph.ink?.bounds = whole.bounds.union(ink.bounds)
            } else {
                (glyph.paint, glyph.hasBlockPaint) = (style.type.paint, style.hasBlockPaint)
                glyph.ink = ink
            }
        }
        guard !own.isEmpty else { return }
        block.extras = BlockExtras.changed(block.extras) { $0.parts[index] = own }
    }

    /// Returns the UTF-8 offset of the character that a glyph draws. Glyphs that axes change are drawn in
    /// one colour.
    private mutating func character(
        ofGlyph glyph: Int, in cluster: ShapedLine.Cluster, of shaped: ShapedLine, first: Int
    ) throws(LibraryFault) -> Int {
        guard instances == nil else { return first }
        return try drawn?.character(ofGlyph: glyph, in: cluster, of: shaped) ?? first
    }

    /// Notes the characters of clusters that one glyph draws though they have several colours.
    private mutating func noteOneColors(
        of clusters: Range<Int>, in shaped: ShapedLine
    ) throws(LibraryFault) {
        let bytes = shaped.bytes(of: clusters)
        let start = bytes.lowerBound
        var starts: Set<Int> = [start]
        for cluster in clusters {
            for glyph in shaped.clusters[cluster].glyphs {
                starts.insert(
                    try character(
                        ofGlyph: glyph, in: shaped.clusters[cluster], of: shaped, first: start))
            }
        }
        let ends = starts.sorted().dropFirst() + [bytes.upperBound]
        for (start, end) in zip(starts.sorted(), ends)
        where colorBorders.contains(where: { start < $0 && $0 < end }) {
            if !segments.drawsNothing(segments.end(ofCharacterAt: start)..<end) {
                fonts.addOneColored(segments[start..<end])
            }
        }
    }

    private mutating func add(
        _ cluster: ShapedLine.Cluster, in shaped: ShapedLine, isWhitespace: Bool,
        to builder: inout InkBuilder, _ inks: inout InkTable
    ) throws(LibraryFault) {
        // White space at which a line is wrapped draws nothing.
        guard cluster.advance > 0 || !isWhitespace else { return }
        updateStyle(at: cluster.start)
        var pen = Point(x: cluster.x, y: -style.rise)
        for glyph in cluster.glyphs {
            try builder.add(
                shaped.glyphs[glyph], of: shaped.runs[cluster.run].face, size: style.type.size,
                at: pen, to: &inks)
            pen.x += shaped.glyphs[glyph].advance
        }
    }

    /// Adds the glyphs of a unit that have the paint of its first span; the others become `parts`.
    private mutating func add(
        _ clusters: Range<Int>, in shaped: ShapedLine, beside span: Int,
        to builder: inout InkBuilder, _ inks: inout InkTable
    ) throws(LibraryFault) {
        try noteOneColors(of: clusters, in: shaped)
        parts = []
        for cluster in shaped.clusters[clusters] {
            updateStyle(at: cluster.start)
            var pen = Point(x: cluster.x, y: -style.rise)
            let (face, size) = (shaped.runs[cluster.run].face, style.type.size)
            for index in cluster.glyphs {
                let glyph = shaped.glyphs[index]
                if let part = try part(ofGlyph: index, in: cluster, of: shaped, beside: span) {
                    try parts[part].builder.add(glyph, of: face, size: size, at: pen, to: &inks)
                } else {
                    try builder.add(glyph, of: face, size: size, at: pen, to: &inks)
                }
                pen.x += glyph.advance
            }
        }
    }

    /// Returns the index of the part that a glyph belongs to, which is added if it is new; nil if
    /// it has the paint of the span beside it.
    private mutating func part(
        ofGlyph glyph: Int, in cluster: ShapedLine.Cluster, of shaped: ShapedLine, beside first: Int
    ) throws(LibraryFault) -> Int? {
        let character = try character(
            ofGlyph: glyph, in: cluster, of: shaped, first: cluster.start)
        let own = text.spans.firstIndex { character < $0.end } ?? first
        let style = text.spans[own].style
        guard instances == nil, !style.hasPaint(of: text.spans[first].style) else { return nil }
        if let known = parts.firstIndex(where: { style.hasPaint(of: text.spans[$0.span].style) }) {
            return known
        }
        parts.append(PartInk(span: own))
        return parts.count - 1
    }

    /// Adds the index of a glyph to the last run, or to a new one where font, paint or direction
    /// differ.
    private mutating func add(
        _ glyphs: [Glyph], _ index: Int, of shaped: ShapedLine.Run, to runs: inout [Run]
    ) {
        let direction: Direction = shaped.isRightToLeft ? .rightToLeft : .leftToRight
        let size = glyphs[index].size
        let last = runs.count - 1
        if last >= 0, let lastRun, lastRun.face === shaped.face, lastRun.size == size,
            runs[last].paint == glyphs[index].paint, runs[last].direction == direction,
            isSet(alike: lastRun.span)
        {
            runs[last].glyphs.append(index)
            return
        }
        lastRun = (shaped.face, size, span)
        var font = RunFont(
            family: shaped.face.family, weight: shaped.face.weight, isItalic: shaped.face.isItalic,
            size: size)
        font.features = style.allFeatures
        font.variations = style.type.variations
        font.isVariable = shaped.face.shapes.isVariable
        font.letterSpacing = style.type.letterSpacing
        font.language = style.type.language
        let scale = size / shaped.face.unitsPerEm
        font.clippingAscent = shaped.face.clippingExtents.ascent * scale
        font.clippingDescent = shaped.face.clippingExtents.descent * scale
        runs.append(
            Run(
                font: font, paint: glyphs[index].paint, direction: direction, glyphs: [index]))
    }

    /// Returns true if a span has the features and the letter spacing of the current span.
    private func isSet(alike other: Int) -> Bool {
        guard other != span else { return true }
        let other = text.spans[other].style
        return other.type.letterSpacing == style.type.letterSpacing
            && other.allFeatures == style.allFeatures
    }

    /// Sets `style` to the style at an offset; offsets rise except for a few steps back.
    private mutating func updateStyle(at offset: Int) {
        let isBefore = span > 0 && offset < text.spans[span - 1].end
        guard isBefore || offset >= text.spans[span].end else { return }
        var next = isBefore ? 0 : span
        while next + 1 < text.spans.count, offset >= text.spans[next].end { next += 1 }
        guard next != span else { return }
        span = next
        style = text.spans[next].style
        box = nil
    }

    private mutating func boxMetrics(of face: FontFace, script: UInt8) -> BoxMetrics {
        if let box, box.face === face, box.script == script { return box.metrics }
        let metrics = BoxMetrics(face, script: script, style.type)
        box = (metrics, face, script)
        return metrics
    }

    /// Returns a range of the text in UTF-16 code units; ranges rise.
    private mutating func utf16Range(
        _ range: Range<Int>, _ characters: String
    ) -> (start: Int, length: Int) {
        if segments.isASCII { return (range.lowerBound, range.count) }
        if range.lowerBound > position.utf8 {
            position.utf16 += segments[position.utf8..<range.lowerBound].utf16.count
        }
        let length = characters.utf16.count
        defer { position = (position.utf16 + length, range.upperBound) }
        return (position.utf16, length)
    }
}
