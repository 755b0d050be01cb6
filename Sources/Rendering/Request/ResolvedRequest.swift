import Bytes
package import Encoders
import Motion
import Synchronization
package import Typesetting

/// A checked request with its format and fonts, which together determine the rendered bytes.
///
/// A class, because many hold the same one.
package final class ResolvedRequest: Sendable {
    package let request: RenderRequest
    /// The format with the request's values of its parameters.
    package let format: any OutputFormat
    /// The fonts that it is rendered with.
    package let fonts: FontReading
    let key: RenderKey

    /// - Throws: The fault of format parameters that do not go together.
    package init(
        _ request: RenderRequest, as format: FormatCatalog.Entry, fonts: FontReading
    ) throws(RenderingError) {
        self.request = request
        self.format = try RenderingError.catching({ .invalid([$0]) }) {
            () throws(ParameterFault) in
            try request.format(format)
        }
        self.fonts = fonts
        key = RenderKey(
            request: ByteString(request.identity.joined(separator: "\n")),
            format: ByteString(format.name),
            fonts: fonts.catalog.number, isLasting: request.isLasting)
    }

    /// The format's fixed properties.
    package var formatType: any OutputFormat.Type { type(of: format) }

    /// True if the rendering is made while it is sent, so that its length is unknown.
    package var isStreamed: Bool { format.streamed != nil }
}

/// One reading of the installed fonts.
package final class FontReading: Sendable {
    package let catalog: FontCatalog
    /// The fingerprint of fonts and libraries, which is part of every rendering's entity tag.
    package let fingerprint: String

    init(_ catalog: FontCatalog) {
        self.catalog = catalog
        // Short, since it is hashed again with each request.
        fingerprint =
            Digest([String(catalog.fingerprint, radix: 16)] + EncodingLibraries.versions).text
    }
}

/// The reading of the fonts that new requests are rendered with.
final class CurrentFonts: Sendable {
    private let reading: Mutex<FontReading>

    init(_ reading: FontReading) {
        self.reading = Mutex(reading)
    }

    var value: FontReading {
        get { reading.withLock { $0 } }
        set { reading.withLock { $0 = newValue } }
    }
}

/// The identity of a rendering: two requests that mean the same have equal keys.
///
/// It holds the canonical request and not a digest, so that no collisions can be constructed, and
/// compares its bytes: canonically equivalent texts are drawn differently.
struct RenderKey: Hashable, Sendable {
    /// `RenderRequest.identity`.
    let request: ByteString
    /// The format's name.
    let format: ByteString
    /// The number of the reading of the fonts that it is rendered with.
    let fonts: Int
    /// False for a request that is soon out of date.
    let isLasting: Bool
    /// The hash of all properties, computed once because a key is looked up several times.
    private let hash: Int

    init(request: ByteString, format: ByteString, fonts: Int, isLasting: Bool = true) {
        self.request = request
        self.format = format
        self.fonts = fonts
        self.isLasting = isLasting
        var hasher = Hasher()
        hasher.combine(request)
        hasher.combine(format)
        hasher.combine(fonts)
        hash = hasher.finalize()
    }

    /// The approximate number of bytes in memory.
    var cost: Int { request.utf8.count }

    func hash(into hasher: inout Hasher) {
        hasher.combine(hash)
    }
}
