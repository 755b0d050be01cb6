/// What two requests share that mean the same rendering.
///
/// The canonical request itself and no digest of it, so that nobody can make two that clash.
package struct RenderKey: Hashable, Sendable {
    /// `RenderRequest.canonical`.
    package let request: String
    /// The format's name.
    package let format: String
    /// The number of the reading of the fonts that it is rendered with.
    package let fonts: Int
    /// Of all; a key is looked up oftener than made.
    private let hash: Int

    package init(request: String, format: String, fonts: Int) {
        self.request = request
        self.format = format
        self.fonts = fonts
        var hasher = Hasher()
        hasher.combine(request)
        hasher.combine(format)
        hasher.combine(fonts)
        hash = hasher.finalize()
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(hash)
    }
}
