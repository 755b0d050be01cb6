/// The name of a route in metrics and logs.
enum RouteName: String, Sendable {
    case render
    case permalink
    case typing
    case embed
    case element
    case canonical
    case batch
    /// One rendering of a list.
    case batchLine = "batch_line"
    case mcp
    case effects
    case formats
    case fonts
    case presets
    case targets
    case pictures
    case parameters
    case openapi
    case health
    case metrics
    /// Files of the preview page, and unknown paths.
    case other
    /// Bytes that are not a request.
    case malformed

    /// True if its answers depend on which formats there are, whatever the request.
    var dependsOnFormats: Bool {
        switch self {
        case .batch, .mcp, .formats, .targets, .parameters, .openapi: true
        default: false
        }
    }
}
