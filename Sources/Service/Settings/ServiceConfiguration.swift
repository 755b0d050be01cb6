package import Rendering
package import Typesetting

/// The settings that an operator may change while the service runs; a reload replaces all of them
/// at once.
package struct ServiceConfiguration: Sendable {
    /// The parameters of requests, with the operator's effects, presets and pictures.
    package let schema: RequestSchema
    /// The presets that requests without a signature may name; nil for all.
    package let openPresets: PresetCatalog?
    /// The keys that URLs are signed with; nil where they need no signature.
    package let signer: URLSigner?
    package let fonts: FontCatalog

    package init(
        schema: RequestSchema, openPresets: PresetCatalog? = nil, signer: URLSigner?,
        fonts: FontCatalog
    ) {
        self.schema = schema
        self.openPresets = openPresets
        self.signer = signer
        self.fonts = fonts
    }
}
