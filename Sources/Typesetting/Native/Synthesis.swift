import CPango
import Motion
import Raster

/// The weight and slope that fontconfig asks to be made for a face that lacks them; HarfBuzz knows
/// neither.
struct Synthesis: Hashable {
    /// True if strokes are made thicker.
    let isEmboldened: Bool
    /// Horizontal shift for each unit of height.
    let slant: Double

    init(isEmboldened: Bool, slant: Double) {
        self.isEmboldened = isEmboldened
        self.slant = slant
    }

    /// The synthesis that fontconfig asks for.
    init(_ pattern: FontPattern) {
        isEmboldened = pattern.boolean(FC_EMBOLDEN) ?? false
        slant = pattern.matrix(FC_MATRIX)?.xy ?? 0
    }

    /// True if the font is drawn as it is in its file.
    var isNone: Bool { !isEmboldened && slant == 0 }

    /// Returns an outline slanted, then emboldened as FreeType does it (`FT_GlyphSlot_Embolden`).
    func applied(to outline: Outline) throws(LibraryFault) -> Outline {
        guard !isNone, !outline.isEmpty else { return outline }
        var points = FreeTypeOutline(outline, slant: slant)
        if isEmboldened { try points.embolden(by: outline.unitsPerEm / 24) }
        return points.outline(unitsPerEm: outline.unitsPerEm)
    }
}

/// An outline as FreeType stores it: contours of points on and off the curve, y growing upwards, in
/// 64ths of a font unit.
///
/// No face and no file belongs to it, so threads do not share anything.
private struct FreeTypeOutline {
    private static let scale = 64.0

    private var points: [FT_Vector] = []
    private var tags: [CChar] = []
    /// For each contour the index of its last point.
    private var ends: [Int16] = []

    private enum Tag {
        static let quadratic: CChar = 0
        static let on: CChar = 1
        static let cubic: CChar = 2
    }

    init(_ outline: Outline, slant: Double) {
        func vector(_ point: Point) -> FT_Vector {
            let y = 0 - point.y
            let x = point.x + slant * y
            return FT_Vector(x: Int((x * Self.scale).rounded()), y: Int((y * Self.scale).rounded()))
        }
        for segment in outline.segments {
            switch segment {
            case .move(let point), .line(let point):
                add(vector(point), Tag.on)
            case .quadratic(let control, let end):
                add(vector(control), Tag.quadratic)
                add(vector(end), Tag.on)
            case .cubic(let first, let second, let end):
                add(vector(first), Tag.cubic)
                add(vector(second), Tag.cubic)
                add(vector(end), Tag.on)
            case .close:
                closeContour()
            }
        }
    }

    private mutating func add(_ point: FT_Vector, _ tag: CChar) {
        points.append(point)
        tags.append(tag)
    }

    /// Ends a contour, whose first point must not be repeated as its last.
    private mutating func closeContour() {
        let first = ends.last.map { Int($0) + 1 } ?? 0
        if points.count > first + 1, tags[points.count - 1] == Tag.on,
            points[points.count - 1].x == points[first].x,
            points[points.count - 1].y == points[first].y
        {
            points.removeLast()
            tags.removeLast()
        }
        if points.count > first { ends.append(Int16(clamping: points.count - 1)) }
    }

    /// Moves the edges apart by so many font units.
    ///
    /// - Throws: `LibraryFault.drawing` if FreeType refuses the outline.
    mutating func embolden(by strength: Double) throws(LibraryFault) {
        guard points.count <= Int(Int16.max) else {
            throw .drawing("a glyph has too many points to be emboldened")
        }
        let amount = Int((strength * Self.scale).rounded())
        let error = points.withUnsafeMutableBufferPointer { points in
            tags.withUnsafeMutableBufferPointer { tags in
                ends.withUnsafeMutableBufferPointer { ends in
                    var outline = FT_Outline(
                        n_contours: Int16(ends.count), n_points: Int16(points.count),
                        points: points.baseAddress, tags: tags.baseAddress,
                        contours: ends.baseAddress, flags: 0)
                    return FT_Outline_EmboldenXY(&outline, amount, amount)
                }
            }
        }
        guard error == 0 else { throw .drawing("a glyph could not be emboldened") }
    }

    func outline(unitsPerEm: Double) -> Outline {
        var commands: [Outline.Command] = []
        var coordinates: [Float] = []
        func add(_ command: Outline.Command, _ indices: Int...) {
            commands.append(command)
            for index in indices {
                coordinates.append(Float(Double(points[index].x) / Self.scale))
                coordinates.append(Float(0 - Double(points[index].y) / Self.scale))
            }
        }
        var first = 0
        for end in ends.map(Int.init) {
            add(.move, first)
            var index = first + 1
            while index <= end {
                // Behind a contour's last point comes its first.
                func following(_ count: Int) -> Int {
                    index + count <= end ? index + count : first
                }
                switch tags[index] {
                case Tag.quadratic:
                    add(.quadratic, index, following(1))
                    index += 2
                case Tag.cubic:
                    add(.cubic, index, following(1), following(2))
                    index += 3
                default:
                    add(.line, index)
                    index += 1
                }
            }
            commands.append(.close)
            first = end + 1
        }
        return Outline(commands: commands, coordinates: coordinates, unitsPerEm: unitsPerEm)
    }
}
