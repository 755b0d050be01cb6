import Encoders
import Motion
package import Rendering

extension RequestSchema {
    /// Titlecard's own effects and formats, an effect more of each kind, and a format more.
    package static let extended = RequestSchema(
        effects: EffectCatalog(
            EffectCatalog.standard.entries + [
                EffectCatalog.Entry(Twinkle.self), EffectCatalog.Entry(.tilt),
            ]),
        formats: FormatCatalog(FormatCatalog.standard.entries.map { $0.type } + [TextFormat.self]),
        presets: .standard)
}
