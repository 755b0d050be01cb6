package import Motion

/// Draws single glyphs for encoders.
///
/// To use another graphics library, give an `EncodingContext` another conforming type.
package protocol GlyphPainter: AnyObject {
    /// Draws a part of a glyph in a pose, without the pose's opacity and clip.
    ///
    /// The pixels need not be complete once the work for a rendering may not go on.
    ///
    /// - Parameters:
    ///   - part: The part.
    ///   - ink: The glyph's ink.
    ///   - glyph: The glyph that it belongs to.
    ///   - pose: The pose.
    ///   - definitions: The definitions that the ink refers to.
    ///   - scale: Pixels in one CSS pixel.
    ///   - canvas: The size to clip to, in pixels.
    /// - Returns: The pixels.
    /// - Throws: The failure of the graphics library.
    func tile(
        of part: TilePart, _ ink: Ink, of glyph: Glyph, in pose: Pose, _ definitions: Definitions,
        scale: Double, canvas: PixelSize
    ) throws(LibraryFault) -> Tile

    /// Returns a picture as a file of the bitmap's size: its own, PNG or WebP, where that has it, or
    /// else a PNG.
    func file(of bitmap: Bitmap) throws(LibraryFault) -> [UInt8]

    /// Returns a picture as a PNG file of the bitmap's size.
    func png(of bitmap: Bitmap) throws(LibraryFault) -> [UInt8]

    /// Returns a picture's premultiplied pixels in the bitmap's size, row by row without gaps:
    /// blue, green, red, alpha.
    func pixels(of bitmap: Bitmap) throws(LibraryFault) -> [UInt8]
}

/// A part of a glyph as pixels show it.
package enum TilePart: Equatable, Sendable {
    /// The ink in the colour of glyph and pose, or, where there is one, in a gradient.
    case fill(GradientFill?)
    /// A line along the contours, as far as the pose has it drawn, and the edges of lines; in CSS pixels,
    /// opaque.
    case outline(width: Double, cap: LineStyle.Cap)
    /// The silhouette of ink and outline, moved and blurred; opaque before it is blurred.
    case shadow(Shadow, outlineWidth: Double)

    /// A gradient across a box of the canvas, in CSS pixels.
    package struct GradientFill: Equatable, Sendable {
        package var gradient: Gradient
        package var box: Rect

        package init(gradient: Gradient, box: Rect) {
            self.gradient = gradient
            self.box = box
        }
    }

    /// The kind of pixels that it makes of ink.
    package func kind(of ink: Ink) -> Tile.Kind {
        switch self {
        case .fill(let gradient): gradient != nil || ink.hasPicture ? .picture : .coverage
        case .outline, .shadow: .coverage
        }
    }

    /// Returns its box before the glyph is scaled, turned and moved, and without blur.
    package func box(of ink: Ink, in pose: Pose) -> Rect {
        let line: Double
        var offset = Point.zero
        switch self {
        case .fill: line = pose.hasStroke ? pose.strokeWidth / 2 : 0
        case .outline(let width, _): line = width / 2
        case .shadow(let shadow, let width):
            line = width / 2
            offset = Point(x: shadow.offsetX, y: shadow.offsetY)
        }
        return ink.bounds
            .grown(by: Margins(left: line, top: line, right: line, bottom: line))
            .offset(byX: offset.x, y: offset.y)
    }

    /// Returns true if lines are drawn along contours.
    package func hasStroke(in pose: Pose) -> Bool {
        switch self {
        case .fill: pose.hasStroke
        case .outline: true
        case .shadow(_, let outlineWidth): outlineWidth > 0
        }
    }

    /// Returns the standard deviation of its blur before the glyph is scaled, in CSS pixels.
    package func blur(in pose: Pose) -> Double {
        guard case .shadow(let shadow, _) = self, shadow.blurRadius > 0 else { return pose.blur }
        let own = shadow.standardDeviation
        // Two Gaussians, one after another, are one.
        return (own * own + pose.blur * pose.blur).squareRoot()
    }
}

/// A number of columns and rows.
package struct PixelSize: Equatable, Sendable {
    package var width: Int
    package var height: Int

    package var count: Int { width * height }

    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }
}

/// An upright rectangle of whole pixels.
package struct PixelRect: Equatable, Sendable {
    /// The first column.
    package var minX: Int
    /// The first row.
    package var minY: Int
    /// The column after the last.
    package var maxX: Int
    /// The row after the last.
    package var maxY: Int

    package static let empty = PixelRect(minX: 0, minY: 0, maxX: 0, maxY: 0)

    package var width: Int { maxX - minX }
    package var height: Int { maxY - minY }
    package var isEmpty: Bool { maxX <= minX || maxY <= minY }

    package init(minX: Int, minY: Int, maxX: Int, maxY: Int) {
        self.minX = minX
        self.minY = minY
        self.maxX = maxX
        self.maxY = maxY
    }

    /// Makes the rectangle of a whole picture.
    package init(_ size: PixelSize) {
        self.init(minX: 0, minY: 0, maxX: size.width, maxY: size.height)
    }

    package func intersection(_ other: PixelRect) -> PixelRect {
        let common = PixelRect(
            minX: max(minX, other.minX), minY: max(minY, other.minY),
            maxX: min(maxX, other.maxX), maxY: min(maxY, other.maxY))
        return common.isEmpty ? .empty : common
    }

    /// Returns the rectangle with so many more columns and rows on each side.
    package func grown(byX columns: Int, y rows: Int) -> PixelRect {
        PixelRect(
            minX: minX - columns, minY: minY - rows, maxX: maxX + columns, maxY: maxY + rows)
    }

    /// Returns the smallest rectangle around both; an empty one counts for nothing.
    package func union(_ other: PixelRect) -> PixelRect {
        if isEmpty { return other }
        if other.isEmpty { return self }
        return PixelRect(
            minX: min(minX, other.minX), minY: min(minY, other.minY),
            maxX: max(maxX, other.maxX), maxY: max(maxY, other.maxY))
    }
}

/// A glyph as pixels.
package struct Tile: Sendable {
    package enum Kind: Sendable {
        /// One byte a pixel: the alpha of the part's colour there.
        case coverage
        /// Four bytes a pixel, premultiplied: blue, green, red, alpha.
        case picture
    }

    package static let empty = Tile(kind: .coverage, rect: .empty, stride: 0, bytes: [])

    package let kind: Kind
    /// Its position on the canvas.
    package let rect: PixelRect
    /// Bytes from one row to the next.
    package let stride: Int
    package let bytes: [UInt8]

    package init(kind: Kind, rect: PixelRect, stride: Int, bytes: [UInt8]) {
        self.kind = kind
        self.rect = rect
        self.stride = stride
        self.bytes = bytes
    }
}
