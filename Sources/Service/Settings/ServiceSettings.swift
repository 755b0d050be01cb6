package import Encoders
package import HTTP
package import Rendering

/// The settings of the service and its HTTP server.
package struct ServiceSettings: Sendable {
    package var rendering = RenderingSettings()
    /// The `Access-Control-Allow-Origin` of every response; nil sends none.
    package var allowOrigin: String? = "*"
    /// The `Cache-Control` of `/render`.
    package var cacheControl = "public, max-age=86400"
    /// The field with which caches can remove renderings.
    package var cacheTags = CacheTagField.none
    /// The address at which clients reach the service; nil takes the `Host` of each request.
    package var publicURL: PublicURL?
    /// The directory of the preview page; nil serves none.
    package var publicDirectory: String?
    /// The limits of the HTTP server; no permalink that exceeds them is sent.
    package var http = ServerLimits()
    /// True if renderings can be requested with POST.
    package var allowsPost = true
    /// The limits of lists of files.
    package var batch = BatchLimits()
    /// True if `/batch` takes lists.
    var takesBatches: Bool { allowsPost && batch.lines > 0 }
    /// True if assistants may render by `/mcp`.
    package var answersMCP = false
    /// The signer; if it is set, GET and HEAD need signatures, but with `onlyPresets` not of
    /// `/render`.
    package var signer: URLSigner?
    /// True if requests take only texts, presets and a format, and every other rendering needs a
    /// signature.
    package var onlyPresets = false
    /// The presets that requests without a signature may name, where `onlyPresets` is set; nil for all.
    private(set) var openPresets: PresetCatalog?
    /// The limit on the requests of one address; nil sets none.
    package var rateLimit: RateLimit?
    /// The proxies whose `X-Forwarded-For` is trusted.
    package var trustedProxies = AddressRanges()
    /// True if answers that no shared cache may store have a field `Server-Timing`.
    package var tellsTimes = false
    /// True if the lines of the log have the networks of clients.
    package var logsClients = false
    /// True if metrics are not among the routes, but have a port of their own.
    package var hasMetricsPort = false
    package var clock = TimeSource.system
    /// True if the formats are those that there may be, until `Application.use(_:)` says which there
    /// are.
    package var expectsFormats = false

    package init() {}

    /// Takes over what an operator may change while the service runs.
    ///
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - formats: The formats that there are; nil for those of the configuration.
    package mutating func use(_ configuration: ServiceConfiguration, formats: FormatCatalog? = nil)
    {
        rendering.schema = formats.map { configuration.schema.with($0) } ?? configuration.schema
        openPresets = configuration.openPresets
        signer = configuration.signer
    }

    /// The parameters as clients without a signature may use them, for documents.
    var openSchema: RequestSchema {
        let schema = rendering.schema
        guard let openPresets else { return schema }
        return RequestSchema(
            effects: schema.effects, formats: schema.formats, presets: openPresets,
            pictures: schema.pictures)
    }
}

/// The release.
package enum Release {
    package static let version = "0.3.0"
}
