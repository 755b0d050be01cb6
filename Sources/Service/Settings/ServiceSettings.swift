/// What an operator may decide of the service; the HTTP server has its own limits.
package struct ServiceSettings: Sendable {
    /// Render threads.
    package var workers = 2
    /// Renderings that may wait for a worker before clients get 503.
    package var renderQueue = 256
    /// `Access-Control-Allow-Origin` of every answer; nil sends none.
    package var allowOrigin: String? = "*"
    /// `Cache-Control` of `/render`.
    package var cacheControl = "public, max-age=86400"
    /// Directory of the preview page; nil serves none.
    package var publicDirectory: String?
    /// The longest target, for which no `Content-Location` may be.
    package var targetBytes = 8192
    package var limits = RenderLimits()

    package init() {}
}

/// The release that this is; part of every ETag, since other releases may draw other bytes.
package enum Release {
    package static let version = "0.2.0"
}
