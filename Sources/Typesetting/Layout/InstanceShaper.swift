import Motion
import Raster

/// How the axes of a block change.
struct AxisSetting {
    var motions: [AxisMotion] = []
    /// The number of motions, of all blocks, that share the budget of a file.
    var parts = 1

    init() {}

    /// Takes a block's motions; none if they share nothing, as in a trial.
    init(_ motions: [AxisMotion], sharing parts: Int) {
        self.motions = parts > 0 ? motions : []
        self.parts = parts
    }
}

/// Draws the glyphs of a block at other instances of their fonts.
///
/// HarfBuzz shapes a glyph at an instance from the same characters. The middle of its advance is
/// where the glyph as typeset has it, so that the other glyphs stay where they are.
struct InstanceShaper {
    fileprivate struct Line {
        let number: Int
        let shaped: ShapedLine
        let paragraph: ShapedParagraph
    }

    /// The clusters of a line that make one glyph.
    fileprivate struct Unit {
        /// Index into `lines`.
        let line: Int
        let clusters: Range<Int>
    }

    /// The font of glyphs, with its axes.
    fileprivate struct Font {
        let chosen: ChosenFont
        let rest: ShapeStore
        /// The font at each instance.
        var instances: [ShapeStore] = []
    }

    /// Index of the first of the block's glyphs in the layout.
    private let firstGlyph: Int
    private var lines: [Line] = []
    /// One for each glyph.
    private var units: [Unit] = []

    init(firstGlyph: Int) {
        self.firstGlyph = firstGlyph
    }

    mutating func begin(_ line: ShapedLine, of paragraph: ShapedParagraph) {
        lines.append(Line(number: lines.count, shaped: line, paragraph: paragraph))
    }

    /// Adds the next glyph, which these clusters of the line make.
    mutating func add(_ clusters: Range<Int>) {
        units.append(Unit(line: lines.count - 1, clusters: clusters))
    }

    // MARK: Drawing

    /// Returns the block's glyphs at the instances that each motion takes them through.
    ///
    /// - Throws: `TypesettingError.noAxis`, `.tooManyInstances`, `.deadline`, `.library`.
    func instances(
        _ setting: AxisSetting, of glyphs: [Glyph], _ inks: inout InkTable,
        _ deadline: WorkDeadline
    ) throws(TypesettingError) -> [AxisInstances] {
        var all: [AxisInstances] = []
        for motion in setting.motions {
            all.append(
                try instances(motion, sharing: setting.parts, of: glyphs, &inks, deadline))
        }
        return all
    }

    private func instances(
        _ motion: AxisMotion, sharing parts: Int, of glyphs: [Glyph], _ inks: inout InkTable,
        _ deadline: WorkDeadline
    ) throws(TypesettingError) -> AxisInstances {
        var uses: [AxisPath.FontUse] = []
        var fonts: [Font] = []
        var outlines: [Set<Int>] = []
        /// For each glyph the index of its font; nil if it has no outline of a font.
        var fontOfGlyph: [Int?] = []
        for (number, unit) in units.enumerated() {
            try deadline.look(every: 64)
            guard let outline = glyphs[firstGlyph + number].ink?.shape?.outline, !isMissing(unit),
                isOfOneFont(unit)
            else {
                fontOfGlyph.append(nil)
                continue
            }
            let known = try self.font(of: unit, for: motion, &fonts, &uses, inks.library)
            fontOfGlyph.append(known)
            guard let font = known else { continue }
            while outlines.count < fonts.count { outlines.append([]) }
            uses[font].glyphs += 1
            if outlines[font].insert(outline).inserted {
                uses[font].commands += inks.definitions.outlines[outline].commands.count
            }
        }
        guard let steps = AxisPath(motion).steps(of: uses, sharing: parts) else {
            throw .tooManyInstances
        }
        for (font, steps) in zip(fonts.indices, steps) {
            for coordinates in steps.instances {
                try deadline.look()
                let values = Dictionary(zip(motion.tags, coordinates)) { first, _ in first }
                let chosen = fonts[font].chosen
                let store = try TypesettingError.catching { () throws(LibraryFault) in
                    try inks.library.instance(of: chosen, at: values)
                }
                fonts[font].instances.append(store)
            }
        }
        var drawer = InstanceDrawer()
        var drawn: [AxisInstances.OfGlyph?] = []
        drawn.reserveCapacity(units.count)
        for (number, unit) in units.enumerated() {
            try deadline.look(every: 8)
            guard let font = fontOfGlyph[number] else {
                drawn.append(nil)
                continue
            }
            let size = glyphs[firstGlyph + number].size
            let shapes = try TypesettingError.catching { () throws(LibraryFault) in
                try drawer.shapes(
                    of: unit.clusters, in: lines[unit.line], fonts[font], size: size, &inks)
            }
            drawn.append(AxisInstances.OfGlyph(steps: font, shapes: shapes))
        }
        return AxisInstances(motion, steps: steps, glyphs: drawn)
    }

    /// Returns true if no font has one of a glyph's characters.
    private func isMissing(_ unit: Unit) -> Bool {
        let shaped = lines[unit.line].shaped
        return unit.clusters.contains { cluster in
            shaped.clusters[cluster].glyphs.contains {
                if case .missing = shaped.glyphs[$0].symbol { true } else { false }
            }
        }
    }

    /// Returns true if all characters of a glyph are of one font.
    private func isOfOneFont(_ unit: Unit) -> Bool {
        let line = lines[unit.line]
        let runs = unit.clusters.map { line.shaped.clusters[$0].run }
        return runs.allSatisfy { run in
            run == runs[0]
                || line.paragraph.font(of: line.shaped.pieces[run])
                    == line.paragraph.font(of: line.shaped.pieces[runs[0]])
        }
    }

    /// Returns the index of the font of a glyph, which is added if it is new; nil for a font without
    /// the axes of a motion that may be left out.
    private func font(
        of unit: Unit, for motion: AxisMotion, _ fonts: inout [Font],
        _ uses: inout [AxisPath.FontUse], _ library: FontLibrary
    ) throws(TypesettingError) -> Int? {
        let line = lines[unit.line]
        let number = line.shaped.clusters[unit.clusters.lowerBound].run
        let run = line.shaped.runs[number]
        let chosen = line.paragraph.font(of: line.shaped.pieces[number])
        if let known = fonts.firstIndex(where: { $0.chosen == chosen }) { return known }
        let own = FontAxes(chosen).all
        if motion.isOptional, !motion.tags.allSatisfy({ tag in own.contains { $0.tag == tag } }) {
            return nil
        }
        let axes = try motion.tags.map { tag throws(TypesettingError) in
            guard let axis = own.first(where: { $0.tag == tag }) else {
                throw .noAxis(tag.text, font: run.face.family, axes: own.map(\.tag.text))
            }
            return axis
        }
        fonts.append(Font(chosen: chosen, rest: run.face.shapes))
        uses.append(AxisPath.FontUse(axes: axes))
        return fonts.count - 1
    }
}

/// Draws glyphs at instances, part by part of the text.
private struct InstanceDrawer {
    /// A part of a line that was shaped at rest, and at each instance.
    private struct Part {
        let line: Int
        let run: Int
        let rest: InstanceGlyphs
        /// Nil where an instance divides the text otherwise.
        let instances: [InstanceGlyphs?]
    }

    /// The last part: glyphs come in its order.
    private var part: Part?

    /// Returns the shape of a glyph at each instance, its origin counted from the origin of the
    /// glyph's own shape; nil where it draws nothing.
    mutating func shapes(
        of clusters: Range<Int>, in place: InstanceShaper.Line, _ font: InstanceShaper.Font,
        size: Double, _ inks: inout InkTable
    ) throws(LibraryFault) -> [Ink.Shape?] {
        let (line, rest) = (place.shaped, font.rest)
        let first = line.clusters[clusters.lowerBound]
        let part = try part(of: first.run, in: place, font)
        let bytes = line.bytes(of: clusters)
        let own = part.rest.glyphs(in: bytes)
        // Pango draws some characters in its own way, and a glyph may be of several fonts.
        let isSame =
            clusters.allSatisfy { line.clusters[$0].run == first.run }
            && own.map(\.number).elementsEqual(line.numbers(of: clusters))
        let scale = size / rest.unitsPerEm
        let start = try own.startOfInk(in: rest, size: size, &inks)
        let width = own.reduce(0) { $0 + $1.advance }
        var shapes: [Ink.Shape?] = []
        for (index, store) in font.instances.enumerated() {
            var builder = InkBuilder()
            if isSame, let start, let glyphs = part.instances[index]?.glyphs(in: bytes) {
                let advance = glyphs.reduce(0) { $0 + $1.advance }
                var pen = (width - advance) / 2
                for glyph in glyphs {
                    let x = pen + glyph.offset.x - start.x
                    let y = glyph.offset.y - start.y
                    try builder.add(
                        glyph.number, in: store, size: size,
                        at: Point(x: x * scale, y: y * scale), to: &inks)
                    pen += glyph.advance
                }
            } else {
                try builder.add(clusters, of: line, in: store, size: size, to: &inks)
            }
            shapes.append(builder.ink(in: &inks)?.shape)
        }
        return shapes
    }

    private mutating func part(
        of run: Int, in line: InstanceShaper.Line, _ font: InstanceShaper.Font
    ) throws(LibraryFault) -> Part {
        if let part, part.line == line.number, part.run == run { return part }
        let piece = line.shaped.pieces[run]
        let own = try line.paragraph.glyphs(of: piece, at: font.rest)
        let clusters = own.clusters
        let made = Part(
            line: line.number, run: run, rest: own,
            instances: try font.instances.map { store throws(LibraryFault) in
                let glyphs = try line.paragraph.glyphs(of: piece, at: store)
                return glyphs.clusters == clusters ? glyphs : nil
            })
        part = made
        return made
    }
}

extension ShapedLine {
    /// Returns the numbers of the glyphs of clusters, from left to right.
    fileprivate func numbers(of clusters: Range<Int>) -> [UInt32] {
        clusters.sorted { self.clusters[$0].x < self.clusters[$1].x }.flatMap { cluster in
            self.clusters[cluster].glyphs.compactMap {
                if case .glyph(let number) = glyphs[$0].symbol { number } else { nil }
            }
        }
    }
}

extension ArraySlice<InstanceGlyphs.Glyph> {
    /// Returns the origin of the first glyph that draws something, from the pen's first position in font
    /// units; nil if none does.
    fileprivate func startOfInk(
        in shapes: ShapeStore, size: Double, _ inks: inout InkTable
    ) throws(LibraryFault) -> Point? {
        var pen = 0.0
        for glyph in self {
            if case .outline = try inks.drawing(of: glyph.number, shapes, size: size) {
                return Point(x: pen + glyph.offset.x, y: glyph.offset.y)
            }
            pen += glyph.advance
        }
        return nil
    }
}

extension InkBuilder {
    /// Adds the glyphs of clusters as they are typeset, in a font at an instance, from the origin of the
    /// first that draws something.
    fileprivate mutating func add(
        _ clusters: Range<Int>, of line: ShapedLine, in shapes: ShapeStore, size: Double,
        to inks: inout InkTable
    ) throws(LibraryFault) {
        var start: Point?
        for cluster in clusters {
            var pen = line.clusters[cluster].x
            for index in line.clusters[cluster].glyphs {
                let glyph = line.glyphs[index]
                if case .glyph(let number) = glyph.symbol {
                    let origin = Point(x: pen + glyph.offset.x, y: glyph.offset.y)
                    let from = start ?? origin
                    let position = Point(x: origin.x - from.x, y: origin.y - from.y)
                    try add(number, in: shapes, size: size, at: position, to: &inks)
                    if hasShape { start = from }
                }
                pen += glyph.advance
            }
        }
    }
}
