package import Rendering
package import Typesetting

/// The settings that an operator may change while the service runs; a reload replaces all of them
/// at once.
package struct ServiceConfiguration: Sendable {
    /// The parameters of requests, with the operator's effects, presets and pictures.
    package let schema: RequestSchema
    /// The keys that URLs are signed with; nil where they need no signature.
    package let signer: URLSigner?
    package let fonts: FontCatalog

    package init(schema: RequestSchema, signer: URLSigner?, fonts: FontCatalog) {
        self.schema = schema
        self.signer = signer
        self.fonts = fonts
    }
}
