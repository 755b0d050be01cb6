import Synchronization
package import Typesetting

/// One reading of the installed fonts, and what the service derives from it.
package final class FontReading: Sendable {
    package let catalog: FontCatalog
    /// Of fonts and libraries; part of every rendering's entity tag.
    package let fingerprint: String

    package init(_ catalog: FontCatalog) {
        self.catalog = catalog
        fingerprint = String(catalog.fingerprint, radix: 16)
    }
}

/// The reading of the fonts that new requests are rendered with; one that was begun with an older
/// reading keeps it.
package final class CurrentFonts: Sendable {
    private let reading: Mutex<FontReading>

    package init(_ reading: FontReading) {
        self.reading = Mutex(reading)
    }

    package var current: FontReading { reading.withLock { $0 } }

    package func replace(with new: FontReading) {
        reading.withLock { $0 = new }
    }
}
