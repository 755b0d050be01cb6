package import Encoders
package import Motion
package import Typesetting

/// A request with everything checked, named and defaulted: it cannot be wrong any more, only too
/// large.
package struct RenderRequest: Sendable {
    /// One for each of the choreography's blocks.
    package var texts: [BlockText]
    package var canvas: CanvasRequest
    package var choreography: Choreography
    package var background: Color
    package var darkBackground: Color?
    /// The accessible name where the author gave one.
    package var title: String?
    /// What all chance is drawn from.
    package var seed: UInt64
    package var output: OutputOptions
    /// The format that the request itself asks for.
    package var format: (any OutputFormat.Type)?
    /// The request as canonical JSON: keys sorted, defaults and format left out, no white space.
    package var canonical: String
}
