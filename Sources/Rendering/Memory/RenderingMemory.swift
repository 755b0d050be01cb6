import Encoders
import Motion

/// The memory that a rendering takes while it is made.
enum RenderingMemory {
    /// Bytes that every render thread may take without asking.
    static let allowance = 4 << 20

    /// Bytes of a picture's pixels, its rows as they are compressed, and its file, for each pixel.
    private static let bytesPerPixel = 12.0

    /// Bytes of a glyph of a scene, with its tracks.
    private static let bytesPerGlyph = 768

    /// Returns the bytes that a scene takes; 0 if they are within the allowance.
    static func estimate(of scene: Scene) -> Int {
        let bytes = scene.nodes.count * bytesPerGlyph
        return bytes > allowance ? bytes : 0
    }

    /// Returns the bytes that a format that is not streamed needs for a scene; 0 if they are within
    /// the allowance.
    static func estimate(
        of scene: Scene, for request: ResolvedRequest, _ price: Price, _ limits: RenderLimits
    ) -> Int {
        var bytes: Int
        if request.formatType.isText {
            // The price is within a factor of two, and an array that grows is copied once.
            bytes = 2 * Int(min(2 * price.bytes, limits.file.textBytes, 1e12))
        } else {
            let scale = request.request.scale
            let pixels = scene.width * scene.height * scale * scale
            bytes = Int(min(pixels * bytesPerPixel, 1e12))
        }
        bytes += request.format.workingMemory(for: scene, limits.file)
        return bytes > allowance ? bytes : 0
    }
}
