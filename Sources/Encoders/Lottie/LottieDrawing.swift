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

    /// The form in which shapes are drawn; lengths are grid steps.
    enum Form: Hashable {
        /// A fill of each part.
        case fill
        /// A line along all contours.
        case outline(width: Double, cap: LineStyle.Cap)
        /// All parts as one shape, with a line along their contours.
        case silhouette(outline: Double)

        /// The width of the line along contours.
        var width: Double {
            switch self {
            case .fill: 0
            case .outline(let width, _), .silhouette(let width): width
            }
        }

        /// The ends of the line along open contours.
        var cap: LineStyle.Cap {
            if case .outline(_, let cap) = self { cap } else { .butt }
        }

        /// True if a fill and a line overlap.
        var hasOverlap: Bool {
            if case .silhouette(let outline) = self { outline > 0 } else { false }
        }
    }

    let ink: LottieInk
    /// The slot of the ink; nil for none.
    var slot: LottieSlot?
    var form = Form.fill
    /// The parts in drawing order.
    let parts: [Part]
    /// The change of its shapes; nil for none.
    var change: Change?

    struct Change: Hashable {
        /// Index into `Scene.tracks`.
        let track: Int
        /// The index of the only glyph with the drawing; nil where all glyphs with the motion have
        /// it.
        let glyph: Int?
    }

    /// True if the overlap of fill and line would show: the silhouette is then cut out of the
    /// drawing's ink.
    ///
    /// Players and the specification compose both in no other way: rlottie dims everything below a
    /// layer that is itself translucent.
    var isMatte: Bool {
        form.hasOverlap && (change != nil || !ink.isOpaque)
    }

    /// True if it consists only of shapes in its ink.
    var isShape: Bool {
        !parts.contains { if case .picture = $0 { true } else { false } }
    }
}
