/// The limits of `/batch`.
package struct BatchLimits: Equatable, Sendable {
    /// The lines of a list; 0 if no lists are taken. Default 1,000.
    package var lines = 1000
    /// The bytes of a list. Default 1 MiB.
    package var bodyBytes = 1_048_576

    package init() {}
}
