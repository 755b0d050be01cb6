import Bytes
package import Encoders
import Motion

extension RenderRequest {
    /// Returns the request for a still of a rendering: the finished text, whatever parameters this
    /// request has that only the still's format reads.
    ///
    /// - Parameters:
    ///   - format: The format of the rendering.
    ///   - still: A format that shows one frame.
    ///   - schema: The parameters of requests.
    ///   - limits: The limits of requests.
    /// - Returns: The request.
    /// - Throws: A fault of the request, which it had before.
    package func still(
        of format: FormatCatalog.Entry, as still: FormatCatalog.Entry, schema: RequestSchema,
        limits: RenderLimits
    ) throws(RenderingError) -> RenderRequest {
        var raw = try RawRequest(json: Array(canonical.utf8))
        let shared = Set(format.parameters.map(\.key))
        for parameter in still.parameters where !shared.contains(parameter.key) {
            raw.values[parameter.key] = nil
        }
        return try RequestReader.read(raw, schema: schema, limits: limits)
    }
}
