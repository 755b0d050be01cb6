import Encoders
import HTTP
import Rendering

/// The resources that the handlers of one configuration share: its settings and fonts, and the
/// parts of the service that outlive it.
///
/// A class, because each handler has it and the settings are large.
final class RouteResources: Sendable {
    /// The settings, with the parameters and the keys of the configuration.
    let settings: ServiceSettings
    let fonts: FontReading
    let drain: DrainSignal
    let renderer: Renderer
    let readers: RequestReaders
    /// The limit on the requests of one address; nil for none.
    let limiter: RateLimiter?
    /// The requests that were checked.
    let memo: RequestMemo
    /// The clients whose lists are under way.
    let batchPlaces: BatchPlaces
    let metrics: MetricsDocument
    /// The requests that wait for the formats; nil where the formats are known.
    let pendingFormats: PendingFormats?

    /// Makes the parts of a service for its first configuration.
    init(
        _ settings: ServiceSettings, _ renderer: Renderer, _ drain: DrainSignal,
        _ metrics: MetricsDocument
    ) {
        pendingFormats = settings.expectsFormats ? PendingFormats() : nil
        self.settings = settings
        self.renderer = renderer
        self.drain = drain
        self.metrics = metrics
        fonts = renderer.fonts
        readers = RequestReaders(trusting: settings.trustedProxies)
        limiter = settings.rateLimit.map { RateLimiter($0, clock: settings.clock) }
        memo = RequestMemo(
            cacheCapacity: settings.rendering.cacheBytes, budget: renderer.budget)
        batchPlaces = BatchPlaces()
    }

    /// Takes the parts of the service from another configuration's.
    ///
    /// - Parameters:
    ///   - other: The resources of the other configuration.
    ///   - configuration: The configuration.
    ///   - fonts: The reading of its fonts.
    ///   - formats: The formats that there are; nil while they are not known.
    init(
        _ other: RouteResources, _ configuration: ServiceConfiguration, fonts: FontReading,
        formats: FormatCatalog?
    ) {
        var settings = other.settings
        settings.use(configuration, formats: formats)
        pendingFormats = formats == nil ? other.pendingFormats : nil
        self.settings = settings
        self.fonts = fonts
        (drain, renderer, readers) = (other.drain, other.renderer, other.readers)
        (limiter, memo, batchPlaces) = (other.limiter, other.memo, other.batchPlaces)
        metrics = other.metrics
    }
}

extension RouteResources {
    var configuration: ServiceConfiguration {
        ServiceConfiguration(
            schema: settings.rendering.schema, openPresets: settings.openPresets,
            signer: settings.signer, fonts: fonts.catalog)
    }

    /// Returns what a request has to wait for; nil where it need not.
    func pending(for request: NegotiatedRequest) -> PendingFormats? {
        request.format.isVideo ? pendingFormats : nil
    }
}

extension NegotiatedRequest {
    /// - Throws: All faults of the request; a missing or wrong signature comes first.
    convenience init(
        _ request: HTTP.Request, source: RenderingSource, _ resources: RouteResources
    ) throws(Problem) {
        let checked = try CheckedRequest(request, source: source, settings: resources.settings)
        try self.init(request, checked, fonts: resources.fonts)
    }
}
