package import HTTP
package import Rendering

/// The settings of the service that an operator may change; the limits of its HTTP server included.
package struct ServiceSettings: Sendable {
    package var rendering = RenderingSettings()
    /// `Access-Control-Allow-Origin` of every answer; nil sends none.
    package var allowOrigin: String? = "*"
    /// `Cache-Control` of `/render`.
    package var cacheControl = "public, max-age=86400"
    /// Directory of the preview page; nil serves none.
    package var publicDirectory: String?
    /// The limits of the HTTP server; no permalink is sent that goes past them.
    package var http = ServerLimits()
    /// True if renderings can be asked for with POST.
    package var allowsPost = true
    /// Demands signatures of GET where it is set.
    package var signer: URLSigner?
    /// Bounds the requests of one address where it is set.
    package var rateLimit: RateLimit?
    /// Whose `X-Forwarded-For` is believed.
    package var trustedProxies = AddressRanges()
    package var clock = TimeSource.system

    package init() {}
}

/// The release that this is; part of every ETag, since other releases may draw other bytes.
package enum Release {
    package static let version = "0.2.0"
}
