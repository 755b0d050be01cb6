import Motion
import Synchronization
import Typesetting

/// One reading of the installed fonts, and what the service derives from it.
final class FontReading: Sendable {
    let catalog: FontCatalog
    /// Of fonts and libraries; part of every rendering's entity tag.
    let fingerprint: String
    /// The answer of `/fonts`.
    let document: Document

    init(_ catalog: FontCatalog) throws(LibraryFault) {
        self.catalog = catalog
        fingerprint = String(catalog.fingerprint, radix: 16)
        document = try Document(CatalogDocuments.fonts(catalog))
    }
}

/// The reading of the fonts that new requests are rendered with; one that was begun with an older
/// reading keeps it.
final class CurrentFonts: Sendable {
    private let reading: Mutex<FontReading>

    init(_ reading: FontReading) {
        self.reading = Mutex(reading)
    }

    var current: FontReading { reading.withLock { $0 } }

    func replace(with new: FontReading) {
        reading.withLock { $0 = new }
    }
}
