import Bytes
package import Encoders
import HTTP
package import Lists
import Motion
package import Rendering

extension ListLine {
    /// Checks the request, and chooses the format: its own, or else the format of the path's
    /// extension.
    ///
    /// - Parameters:
    ///   - settings: The limits and the parameters, effects, presets and formats.
    ///   - permission: The permission of the sender of the line; nil for everything.
    /// - Returns: The request with its format.
    /// - Throws: All faults of the request.
    package func request(
        _ settings: borrowing ServiceSettings, by permission: Permission? = nil
    ) throws(Problem) -> (RenderRequest, FormatCatalog.Entry) {
        switch source {
        case .parameters(var raw):
            let formats = settings.rendering.schema.formats
            raw.pathFormat = formats.entry(ofFile: path.name.text)?.name
            let request = try CheckedRequest.read(raw, permission, settings)
            return (request, try format(request.format, settings))
        case .target(let target): return try request(at: target, settings)
        }
    }

    private func request(
        at target: String, _ settings: borrowing ServiceSettings
    ) throws(Problem) -> (RenderRequest, FormatCatalog.Entry) {
        let request = HTTP.Request(target: target)
        let formats = settings.rendering.schema.formats
        guard let source = RenderingSource.lasting(of: request, formats) else {
            throw .invalid(
                "url", "is not the address of a picture; got \"\(request.path.shortened(to: 60))\"")
        }
        var requested = source.fileExtension
        if case .typing = source {
            // The path decides where the query leaves it open.
            let values = try TypingQuery.values(in: request.query ?? "")
            if values["format"] == nil { requested = try format(nil, settings) }
        }
        let checked = try CheckedRequest(
            request, source: source, typedAs: requested, settings: settings)
        return (checked.request, try format(requested ?? checked.request.format, settings))
    }

    private func format(
        _ requested: FormatCatalog.Entry?, _ settings: borrowing ServiceSettings
    ) throws(Problem) -> FormatCatalog.Entry {
        let formats = settings.rendering.schema.formats
        return try Problem.catching { () throws(RenderingError) in
            try format(requested, formats)
        }
    }
}
