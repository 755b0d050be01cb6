package import Motion

/// Limits of the size of a rendering, each configurable.
package struct RenderLimits: Equatable, Sendable {
    /// Grapheme clusters of all blocks together.
    package var graphemes = 2000
    /// The longest side of an automatic canvas in CSS pixels.
    package var canvasSide = 4096.0
    /// Pixels of a picture: width·height·scale².
    package var pixels = 16_777_216.0
    /// Frames of a GIF or APNG.
    package var frames = 3000
    /// Bytes that a permalink may inflate to.
    package var permalinkBytes = 65_536
    package var scene = SceneLimits()

    package init() {}
}
