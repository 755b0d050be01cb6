/// The sender of requests, by whom the service's resources are shared.
///
/// Two requests of one client have equal values; the bits have no other meaning here.
package struct ClientID: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64

    package init(high: UInt64, low: UInt64) {
        (self.high, self.low) = (high, low)
    }

    /// The service itself, and clients without an address.
    package static let anonymous = ClientID(high: 0, low: 0)
}

extension ClientID {
    /// The part of a resource that one client may hold while others wait for it.
    static func share(of whole: Int) -> Int { max(whole / 4, 1) }
}
