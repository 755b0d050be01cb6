import Bytes
import Motion

/// The events of a line: one for all that moves together, shadows beneath it, and overlays on it.
struct ASSText {
    /// What an event draws of a group of glyphs.
    private enum Part {
        /// Their fill and their line; true if words are swept by `\kf`.
        case text(karaoke: Bool)
        case shadow(Shadow)
        case overlay(ASSSweeps.Overlay)
    }

    private let scene: Scene
    /// The first track with the same colours and opacities, for each track.
    private let looks: [Int]
    private let block: Int
    private let line: Line
    private let sweeps: ASSSweeps
    /// The font of each glyph of the line, and its direction.
    private let runs: [Int: Int]

    private var paint: TextPaint { scene.blocks[block].paint }

    init(of block: Int, _ number: Int, _ sweeps: ASSSweeps, in document: ASSDocument) {
        (scene, looks) = (document.scene, document.looks)
        (self.block, self.sweeps) = (block, sweeps)
        line = scene.blocks[block].layout.lines[number]
        runs = line.runs.enumerated().reduce(into: [:]) { runs, run in
            for glyph in run.element.glyphs { runs[glyph] = run.offset }
        }
    }

    /// Adds the events of the glyphs of the line, in the order in which they are read.
    func add(_ glyphs: [Int], to document: inout ASSDocument) {
        let inked = trimmed(glyphs[...])
        guard !inked.isEmpty else { return }
        note(inked, &document.missing)
        for group in groups(inked, in: scene.span(ofBlock: block)) {
            add(group, to: &document)
        }
    }

    private func note(_ glyphs: ArraySlice<Int>, _ missing: inout ASSMissing) {
        if paint.hasGradient { missing.insert(.gradients) }
        for glyph in glyphs {
            guard let ink = scene.nodes[glyph].glyph.ink else { continue }
            if ink.hasPicture { missing.insert(.pictures) }
        }
        for font in line.runs.map(\.font) {
            if !font.variations.isEmpty || !font.features.isEmpty { missing.insert(.axes) }
            // libass reads the weight of the file, 400, and emboldens what is to be more than 150 above it.
            if font.isVariable, font.weight > 550 { missing.insert(.weights) }
        }
    }

    // MARK: Groups

    private func trimmed(_ glyphs: ArraySlice<Int>) -> ArraySlice<Int> {
        let isInk = { (index: Int) in !scene.nodes[index].glyph.isWhitespace }
        guard let first = glyphs.firstIndex(where: isInk), let last = glyphs.lastIndex(where: isInk)
        else { return [] }
        return glyphs[first...last]
    }

    /// Neighbours that move together for a while.
    private struct Group {
        let glyphs: ArraySlice<Int>
        let span: Range<Instant>
        /// What they do together; nil where letters that join move apart.
        let motion: ASSMotion?
        /// True if it has its words whole, and all of their time.
        var hasWords = true
    }

    /// Returns the largest groups of a line: the line itself, its words, or its glyphs, for the whole time or
    /// else for each phase.
    private func groups(_ glyphs: ArraySlice<Int>, in span: Range<Instant>) -> [Group] {
        let groups = parts(of: glyphs, in: span)
        if groups.allSatisfy({ $0.hasWords && $0.motion != nil }) { return groups }
        let entrance = scene.blocks[block].entrance
        let leaving = scene.blocks[block].exit?.lowerBound ?? span.upperBound
        let ends = [span.lowerBound, entrance.upperBound, leaving, span.upperBound]
        return zip(ends, ends.dropFirst()).filter { $0 < $1 }.flatMap { start, end in
            parts(of: glyphs, in: start..<end).map { group in
                var part = group
                part.hasWords = false
                return part
            }
        }
    }

    /// Returns the largest groups in a span.
    private func parts(of glyphs: ArraySlice<Int>, in span: Range<Instant>) -> [Group] {
        func group(_ glyphs: ArraySlice<Int>, _ motion: ASSMotion?, hasWords: Bool = true) -> Group
        {
            Group(glyphs: glyphs, span: span, motion: motion, hasWords: hasWords)
        }
        if let whole = motion(of: glyphs, in: span) { return [group(glyphs, whole)] }
        return glyphs.split { scene.nodes[$0].glyph.isWhitespace }.flatMap { word in
            let whole = motion(of: word, in: span)
            if whole != nil || isJoined(word) { return [group(word, whole)] }
            return word.indices.map { index in
                let glyph = word[index...index]
                return group(glyph, motion(of: glyph, in: span), hasWords: word.count == 1)
            }
        }
    }

    /// Returns what glyphs do together; nil if they move, or are hidden, apart, or need events of their own.
    private func motion(of glyphs: ArraySlice<Int>, in span: Range<Instant>) -> ASSMotion? {
        guard !isKernedApart(glyphs), Set(glyphs.map { scene.nodes[$0].mask ?? -1 }).count == 1
        else { return nil }
        return ASSMotion(of: Array(glyphs), about: center(of: glyphs), in: scene, span)
    }

    /// Returns true if letters of a word have tags of their own, between which libass does not kern.
    private func isKernedApart(_ glyphs: ArraySlice<Int>) -> Bool {
        zip(glyphs, glyphs.dropFirst()).contains { one, next in
            let (node, other) = (scene.nodes[one], scene.nodes[next])
            guard
                looks[node.track] != looks[other.track]
                    || looks[node.outlineTrack] != looks[other.outlineTrack]
            else { return false }
            // Latin, Greek, and Cyrillic; others have few pairs that are kerned.
            return [node, other].allSatisfy { node in
                !node.glyph.isWhitespace
                    && node.glyph.text.unicodeScalars.allSatisfy { $0.value < 0x530 }
            }
        }
    }

    /// Returns true if some glyphs have letters that join.
    private func isJoined(_ word: ArraySlice<Int>) -> Bool {
        word.contains { glyph in
            scene.nodes[glyph].glyph.text.unicodeScalars.contains { scalar in
                Self.joinedScripts.contains { $0.contains(scalar.value) }
            }
        }
    }

    /// The blocks of scripts whose letters join: Arabic and its neighbours, Mongolian, Phags-pa, Adlam.
    private static let joinedScripts: [ClosedRange<UInt32>] = [
        0x600...0x8FF, 0x1800...0x18AF, 0xA840...0xA87F, 0xFB50...0xFDFF, 0xFE70...0xFEFC,
        0x10AC0...0x10FDF, 0x1E900...0x1E95F,
    ]

    // MARK: Fonts

    private func font(of glyph: Int) -> RunFont? { runs[glyph].map { line.runs[$0].font } }

    /// Returns the middle of the box in which libass sets a group: as wide as its glyphs, from the highest
    /// ascent of its fonts to their lowest descent.
    private func center(of glyphs: ArraySlice<Int>) -> SIMD2<Double> {
        let first = scene.nodes[glyphs[glyphs.startIndex]].glyph.rect
        let box = glyphs.reduce(first) { $0.union(scene.nodes[$1].glyph.rect) }
        let fonts = Set(glyphs.compactMap { runs[$0] }).map { line.runs[$0].font }
        let ascent = fonts.map(\.clippingAscent).max() ?? 0
        let descent = fonts.map(\.clippingDescent).max() ?? 0
        return SIMD2(box.center.x, line.baseline + (descent - ascent) / 2)
    }

    /// Returns the space between letters, which those that join do not have.
    private func spacing(of glyph: Int, _ font: RunFont) -> Double {
        font.letterSpacing == 0 || isJoined([glyph]) ? 0 : font.letterSpacing
    }

    private static func size(of font: RunFont) -> String {
        ASSTags.number(font.clippingAscent + font.clippingDescent)
    }

    private static func name(of font: RunFont) -> String {
        font.family.pieces(separatedBy: ",").joined(separator: " ")
    }

    // MARK: Events

    private func add(_ group: Group, to document: inout ASSDocument) {
        let (glyphs, middle) = (Array(group.glyphs), center(of: group.glyphs))
        let span = group.span
        let shown = glyphs.compactMap {
            scene.tracks[scene.nodes[$0].outlineTrack].opacity.shown(until: span.upperBound)
        }
        let start = max(span.lowerBound, shown.map(\.lowerBound).min() ?? span.upperBound)
        let end = min(span.upperBound, shown.map(\.upperBound).max() ?? span.upperBound)
        guard start < end else { return }
        if group.motion == nil { document.missing.insert(.letters) }
        let motion = group.motion?.clamped(to: start..<end) ?? ASSMotion(restingIn: start..<end)
        document.missing.formUnion(motion.missing)
        let pieces = motion.pieces
        let hasKaraoke = group.hasWords && pieces.count == 1
        for piece in pieces {
            for shadow in paint.shadows.reversed() {
                add(.shadow(shadow), glyphs, middle, piece, to: &document)
            }
            add(.text(karaoke: hasKaraoke), glyphs, middle, piece, to: &document)
            for overlay in sweeps.overlays(over: glyphs) where !(overlay.isKaraoke && hasKaraoke) {
                add(.overlay(overlay), glyphs, middle, piece, to: &document)
            }
        }
    }

    private func add(
        _ part: Part, _ glyphs: [Int], _ middle: SIMD2<Double>, _ whole: ASSMotion,
        to document: inout ASSDocument
    ) {
        var (piece, layer, point) = (whole, ASSDocument.Layer.texts, middle)
        var mask = scene.nodes[glyphs[0]].mask
        switch part {
        case .text: break
        case .shadow(let shadow):
            layer = .shadows
            point += SIMD2(shadow.offsetX, shadow.offsetY)
            mask = nil
        case .overlay(let overlay):
            layer = .overlays
            mask = overlay.mask
            let own = glyphs.compactMap { overlay.nodes[$0] }
            guard
                let shown = own.first.flatMap({
                    scene.tracks[scene.nodes[$0].track].opacity.shown(until: whole.span.upperBound)
                }),
                let part = whole.clamped(to: shown)
            else { return }
            piece = part
        }
        if Set(glyphs.map { scene.nodes[$0].mask ?? -1 }).count > 1 {
            document.missing.insert(.masks)
            if case .text = part { mask = nil }
        }
        guard document.writesEvents, let first = glyphs.first, let font = font(of: first) else {
            return
        }
        let style = document.style(style(of: first, font))
        var text = writtenDirection(glyphs)
        var head = ASSTags()
        if glyphs.count == 1, line.direction == .leftToRight, !piece.changesSize {
            // Its advance is without kerning in libass, but its left edge is the same.
            head.add("an4")
            point.x += scene.nodes[first].glyph.rect.x - middle.x
        }
        // Pango puts half of the space between letters before each.
        point.x += spacing(of: first, font) / 2
        head.add(piece, from: point)
        head.add(clip: mask.map { scene.masks[$0] } ?? [], scene.canvas, piece.span)
        text = Array("{".utf8) + head.text + Array("}".utf8) + text
        var karaoke = KaraokeTally(piece.span)
        for span in spans(of: glyphs, part) {
            var tags = ASSTags()
            if span.lowerBound > 0 { tags.add("r") }
            add(glyphs[span.lowerBound], part, font, piece, &karaoke, to: &tags)
            if !tags.isEmpty { text += Array("{".utf8) + tags.text + Array("}".utf8) }
            for glyph in glyphs[span] { text += escaped(glyph) }
        }
        document.addEvent(layer, piece.span, style: style, text)
    }

    /// Returns the style of a glyph.
    private func style(of glyph: Int, _ font: RunFont) -> String {
        let fill = scene.nodes[glyph].glyph.color
        let line = paint.outline
        let edge = line?.color ?? Color(red: 0, green: 0, blue: 0)
        return [
            Self.name(of: font), Self.size(of: font), ASSTags.abgr(fill),
            ASSTags.abgr(fill), ASSTags.abgr(edge), "&H00000000",
            font.weight > 550 ? "-1" : "0", font.isItalic ? "-1" : "0", "0", "0", "100", "100",
            ASSTags.number(spacing(of: glyph, font)), "0", "1",
            ASSTags.number((line?.width ?? 0) / 2),
            "0", "5", "0", "0", "0", "-1",
        ].joined(separator: ",")
    }

    /// What decides the tags of a glyph.
    private struct Look: Hashable {
        let run: Int?
        let spacing: Double
        /// The tracks of its colours.
        let tracks: [Int?]
        var color: Color?
        var karaoke: Int?
    }

    private func look(of glyph: Int, _ part: Part) -> Look {
        let node = scene.nodes[glyph]
        let spacing = font(of: glyph).map { self.spacing(of: glyph, $0) } ?? 0
        func look(_ tracks: [Int?]) -> Look {
            Look(run: runs[glyph], spacing: spacing, tracks: tracks)
        }
        switch part {
        case .shadow: return look([looks[node.shadowTrack]])
        case .overlay(let overlay):
            return look([overlay.nodes[glyph].map { looks[scene.nodes[$0].track] }])
        case .text(let hasKaraoke):
            var own = look([looks[node.track], looks[node.outlineTrack]])
            if !node.glyph.hasBlockPaint { own.color = node.glyph.color }
            if hasKaraoke { own.karaoke = sweeps.karaoke[glyph]?.word }
            return own
        }
    }

    /// Returns the ranges of glyphs that have the same tags.
    private func spans(of glyphs: [Int], _ part: Part) -> [ClosedRange<Int>] {
        var spans: [ClosedRange<Int>] = []
        var last: Look?
        for (index, glyph) in glyphs.enumerated() {
            let own = look(of: glyph, part)
            if let end = spans.indices.last, own == last {
                spans[end] = spans[end].lowerBound...index
            } else {
                spans.append(index...index)
            }
            last = own
        }
        return spans
    }

    /// Adds the tags of glyphs that are alike.
    private func add(
        _ glyph: Int, _ part: Part, _ base: RunFont, _ piece: ASSMotion,
        _ tally: inout KaraokeTally, to tags: inout ASSTags
    ) {
        let node = scene.nodes[glyph]
        if let font = font(of: glyph) {
            add(font, after: base, to: &tags)
            if font.letterSpacing != 0 {
                tags.add("fsp\(ASSTags.number(spacing(of: glyph, font)))")
            }
        }
        tags.add(sizeOf: piece)
        let event = piece.span
        switch part {
        case .shadow(let shadow):
            let tracks = scene.tracks[node.shadowTrack].withoutFill
            let fill = ASSFill(color: shadow.color, tracks: tracks)
            tags.add(paint.outline == nil ? [(1, fill)] : [(1, fill), (3, fill)], event)
            // libass takes a share of what it calls a blur as the standard deviation.
            if shadow.blurRadius > 0 {
                tags.add("blur\(ASSTags.number(shadow.blurRadius / 2 / 0.8493))")
            }
        case .overlay(let overlay):
            tags.add("bord0")
            guard let own = overlay.nodes[glyph].map({ scene.nodes[$0] }) else {
                return tags.add("1a&HFF&")
            }
            tags.add([(1, ASSFill(color: own.glyph.color, tracks: scene.tracks[own.track]))], event)
        case .text(let hasKaraoke):
            var fills: [(part: Int, fill: ASSFill)] = []
            if hasKaraoke, let word = sweeps.karaoke[glyph] {
                for tag in tally.tags(to: word) { tags.add(tag) }
                // What hides the fill under overlays does not hide the line. The second colour is that
                // before the sweep.
                let opacity = GlyphTracks(opacity: scene.tracks[node.outlineTrack].opacity)
                fills.append((1, ASSFill(color: word.color, tracks: opacity)))
                fills.append((2, ASSFill(color: node.glyph.color, tracks: opacity)))
            } else {
                if tally.hasBegun { tags.add("k0") }
                fills.append(
                    (1, ASSFill(color: node.glyph.color, tracks: scene.tracks[node.track])))
            }
            if let line = paint.outline {
                let tracks = scene.tracks[node.outlineTrack]
                fills.append((3, ASSFill(color: line.color, tracks: tracks.withoutFill)))
            }
            tags.add(fills, event)
            if hasKaraoke, let word = sweeps.karaoke[glyph], !word.stays,
                word.end < event.upperBound
            {
                let past = scene.tracks[node.track].pose(at: word.end).fill
                let color = ASSTags.bgr(past.color(own: node.glyph.color))
                tags.add("1c\(color)", from: word.end, to: word.end, in: event)
            }
        }
    }

    private func add(_ font: RunFont, after base: RunFont, to tags: inout ASSTags) {
        if font.family != base.family { tags.add("fn\(Self.name(of: font))") }
        if Self.size(of: font) != Self.size(of: base) { tags.add("fs\(Self.size(of: font))") }
        // A style is bold or not.
        let isOfStyle = font.weight == base.weight && [400, 700].contains(font.weight)
        if !isOfStyle { tags.add("b\(font.weight)") }
        if font.isItalic != base.isItalic { tags.add(font.isItalic ? "i1" : "i0") }
    }

    // MARK: Characters

    /// Returns a mark of the line's direction, where libass would take another one.
    private func writtenDirection(_ glyphs: [Int]) -> [UInt8] {
        if line.direction == .rightToLeft { return Array("\u{200F}".utf8) }
        let isMixed = line.runs.contains { $0.direction == .rightToLeft }
        return isMixed && glyphs.count > 1 ? Array("\u{200E}".utf8) : []
    }

    private func escaped(_ glyph: Int) -> [UInt8] {
        let text =
            scene.blocks[block].layout.alternatives[glyph] == nil
            ? scene.nodes[glyph].glyph.text : ""
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "}"): bytes += [UInt8(ascii: "\\"), byte]
            // A word joiner keeps it from being the start of a command.
            case UInt8(ascii: "\\"): bytes += Array("\\\u{2060}".utf8)
            case 0x0A, 0x0D, 0x09: bytes.append(0x20)
            default: bytes.append(byte)
            }
        }
        return bytes
    }
}

/// The hundredths of a second that the karaoke of an event has told of: they add up.
private struct KaraokeTally {
    private let start: Int
    private var told = 0
    private(set) var hasBegun = false

    init(_ event: Range<Instant>) {
        start = event.lowerBound.centiseconds
    }

    /// Returns the tags of a word, and of the pause before it.
    mutating func tags(to word: ASSSweeps.Karaoke) -> [String] {
        hasBegun = true
        // A word in several spans is swept as one by libass, which lets each begin behind the other.
        let begin = max(told, word.start.centiseconds - start)
        let end = max(begin, word.end.centiseconds - start)
        defer { told = end }
        return (begin > told ? ["k\(begin - told)"] : []) + ["kf\(end - begin)"]
    }
}

extension GlyphTracks {
    /// The same motion without changes of the colour.
    fileprivate var withoutFill: GlyphTracks {
        var tracks = self
        tracks.fill = nil
        return tracks
    }
}
