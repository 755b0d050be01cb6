/// The paths that more than a table of routes knows.
enum RoutePath {
    static let batch = "/batch"
    /// Before the target that is asked about.
    static let canonical = "/canonical"
    /// Before the extension of a format.
    static let countdown = "/countdown"
    static let element = "/element"
    static let mcp = "/mcp"
    static let metrics = "/metrics"
    /// Before the token of a permalink.
    static let permalink = "/r/"
    static let typing = "/typing"
}
