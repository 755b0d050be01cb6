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
    /// The checked values at the request's top by name, of which formats read their own.
    package var values: [String: ParameterValue]
    /// The format that the request itself asks for.
    package var format: FormatCatalog.Entry?
    /// The request as canonical JSON: keys sorted, defaults and format left out, no white space.
    package var canonical: String

    /// Pixels in one CSS pixel.
    package var scale: Double {
        var reader = ParameterReader(values)
        return reader.scale()
    }

    /// Returns a format with the request's values of its parameters.
    ///
    /// - Throws: The parameter that does not go with the others.
    package func format(
        _ entry: FormatCatalog.Entry
    ) throws(ParameterFault) -> any OutputFormat {
        try entry.type.init(values)
    }
}
