import ArgumentParser
import Service

/// Who may ask the service, and how often.
struct GuardOptions: ParsableArguments {
    @Option(help: "Requests a second of one address in the long run; more get 429. (no limit)")
    var rateLimit: Double?

    @Option(help: "Requests at once of one address after a rest. (ten times the rate)")
    var rateBurst: Double?

    @Option(
        help: """
            Addresses and ranges, separated by commas, whose X-Forwarded-For says who asks: \
            10.0.0.0/8,::1. (none)
            """)
    var trustedProxies: String?

    @Option(help: "Whether renderings can be asked for with POST: true or false. (true)")
    var allowPost: Bool?

    /// The key is taken from the environment alone: options can be seen by every process.
    func apply(to settings: inout ServiceSettings, _ environment: inout Environment) {
        settings.rateLimit = limit(&environment)
        if let text = environment.optional(trustedProxies, "trusted-proxies") {
            if let ranges = AddressRanges(text) {
                settings.trustedProxies = ranges
            } else {
                environment.refuse(
                    "--trusted-proxies must be addresses or ranges such as 10.0.0.0/8, "
                        + "separated by commas; got \"\(text)\"")
            }
        }
        settings.allowsPost = environment.value(allowPost, "allow-post", default: true)
        settings.signer = SigningKey.signer(&environment)
    }

    private func limit(_ environment: inout Environment) -> RateLimit? {
        let burst = environment.optional(rateBurst, "rate-burst")
        guard let rate = environment.optional(rateLimit, "rate-limit") else {
            if burst != nil { environment.refuse("--rate-burst needs --rate-limit") }
            return nil
        }
        guard (0.001...1_000_000).contains(rate) else {
            environment.refuse("--rate-limit must be from 0.001 to 1000000; got \(rate)")
            return nil
        }
        let most = burst ?? max(10 * rate, 1)
        guard (1...10_000_000).contains(most) else {
            environment.refuse("--rate-burst must be from 1 to 10000000; got \(most)")
            return nil
        }
        return RateLimit(perSecond: rate, burst: most)
    }
}

/// The secret that URLs are signed with.
enum SigningKey {
    static let variable = Environment.prefix + "SIGNING_KEY"

    /// Nil where the variable is not set; an empty one is refused.
    static func signer(_ environment: inout Environment) -> URLSigner? {
        environment.bytes(of: variable).map(URLSigner.init(key:))
    }
}
