/// What two requests share that mean the same rendering.
///
/// The canonical request itself and no digest of it, so that nobody can make two that clash.
struct RenderKey: Hashable, Sendable {
    /// `RenderRequest.canonical`.
    let request: String
    /// The format's name.
    let format: String
}
