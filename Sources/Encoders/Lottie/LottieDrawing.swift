import Motion

/// The ink of one glyph, shared by glyphs that look the same.
///
/// Coordinates are whole grid steps from the pen, so that equal drawings compare equal.
struct LottieDrawing: Hashable {
    enum Part: Hashable {
        /// Index into `Layout.outlines`.
        case outline(Int)
        case line(LottieBox)
        /// Index into `Layout.bitmaps`.
        case picture(Int, LottieBox)
    }

    /// How shapes are drawn; lengths are grid steps.
    enum Form: Hashable {
        /// Each part filled.
        case fill
        /// A line along all contours.
        case outline(width: Double, cap: LineStyle.Cap)
        /// All parts, and a line of a width along their contours, as one shape.
        case silhouette(outline: Double)

        /// The width of the line along contours.
        var width: Double {
            switch self {
            case .fill: 0
            case .outline(let width, _), .silhouette(let width): width
            }
        }

        /// How the line ends along open contours.
        var cap: LineStyle.Cap {
            if case .outline(_, let cap) = self { cap } else { .butt }
        }

        /// True if a fill and a line overlap.
        var hasOverlap: Bool {
            if case .silhouette(let outline) = self { outline > 0 } else { false }
        }
    }

    let ink: LottieInk
    var form = Form.fill
    /// In the order in which they are drawn.
    let parts: [Part]
    /// How its shapes change; nil where they do not.
    var change: Change?

    struct Change: Hashable {
        /// Index into `Scene.tracks`.
        let track: Int
        /// The index of the glyph that alone has the drawing; nil where all with the motion have it.
        let glyph: Int?
    }

    /// True if fill and line would show where they overlap: the silhouette is cut out of its ink.
    ///
    /// Players and the specification have no other way that composes both: rlottie dims everything
    /// below a layer that is partly transparent itself.
    var isMatte: Bool {
        form.hasOverlap && (change != nil || !ink.isOpaque)
    }

    /// True if it consists of shapes in its ink only.
    var isShape: Bool {
        !parts.contains { if case .picture = $0 { true } else { false } }
    }
}
