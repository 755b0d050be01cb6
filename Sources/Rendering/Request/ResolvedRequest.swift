package import Encoders
import Typesetting

/// A checked request with its format and fonts: all that decides which bytes are rendered.
package struct ResolvedRequest: Sendable {
    package let request: RenderRequest
    package let format: any OutputFormat.Type
    /// The fonts that it is rendered with.
    package let fonts: FontReading
    package let key: RenderKey

    package init(
        _ request: RenderRequest, as format: any OutputFormat.Type, fonts: FontReading
    ) {
        self.request = request
        self.format = format
        self.fonts = fonts
        key = RenderKey(
            request: request.canonical, format: format.name, fonts: fonts.catalog.number)
    }

    /// True if the rendering is made while it is sent, and its length not known before.
    package var isStreamed: Bool { format is any StreamedFormat.Type }
}
