package import Typesetting

/// One reading of the installed fonts.
package final class FontReading: Sendable {
    package let catalog: FontCatalog
    /// Of fonts and libraries; part of every rendering's entity tag.
    package let fingerprint: String

    init(_ catalog: FontCatalog) {
        self.catalog = catalog
        fingerprint = String(catalog.fingerprint, radix: 16)
    }
}
