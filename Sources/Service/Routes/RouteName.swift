/// A route as metrics and logs call it.
enum RouteName: String, Sendable {
    case render
    case permalink
    case effects
    case formats
    case fonts
    case openapi
    case health
    case metrics
    /// Files of the preview page, and what is not there.
    case other
    /// What was no request.
    case malformed
}
