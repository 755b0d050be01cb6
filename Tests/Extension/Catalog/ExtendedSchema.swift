import Encoders
import Motion
package import Rendering

extension RequestSchema {
    /// Titlecard's own effects and formats, and one more of each.
    package static let extended = RequestSchema(
        effects: EffectCatalog(EffectCatalog.standard.entries + [EffectCatalog.Entry(Flicker.self)]),
        formats: FormatCatalog(FormatCatalog.standard.entries.map { $0.type } + [TextFormat.self]))
}
