import Encoders
import Motion
package import Typesetting

/// What one render thread keeps: fonts, shapes and streams that cost more to make than to use.
///
/// Not `Sendable`: it stays on its thread.
package final class RenderWorker {
    let typesetter: Typesetter
    let workshop = Workshop(painter: TilePainter())
    let gzip = Deflater(.gzip)

    package init(catalog: FontCatalog) throws(TypesettingError) {
        typesetter = try Typesetter(catalog: catalog)
    }
}
