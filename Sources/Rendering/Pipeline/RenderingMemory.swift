import Encoders
import Motion

/// The memory that a rendering takes while it is made.
enum RenderingMemory {
    /// Bytes that every render thread may take without asking.
    static let allowance = 4 << 20

    /// Bytes of a picture's pixels, its rows as they are compressed, and its file, for each pixel.
    private static let bytesPerPixel = 12.0
    /// Bytes of a glyph's tracks and elements in a text format, for each drawing of it.
    private static let bytesPerDrawing = 4096
    private static let fewGlyphs = 64

    /// Returns the bytes that a format that is not streamed needs for a scene; 0 if they are within
    /// the allowance.
    static func estimate(of scene: Scene, for request: ResolvedRequest) -> Int {
        let bytes: Int
        if request.formatType.isText {
            // Few glyphs fit, however often each is drawn.
            guard scene.layout.glyphs.count > fewGlyphs else { return 0 }
            bytes = bytesPerDrawing * scene.layers.reduce(0) { $0 + $1.glyphs.count }
        } else {
            let scale = request.request.scale
            let pixels = scene.layout.width * scene.layout.height * scale * scale
            bytes = Int(min(pixels * bytesPerPixel, 1e12))
        }
        return bytes > allowance ? bytes : 0
    }
}
