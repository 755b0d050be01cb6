import ArgumentParser
import HTTP

/// What HTTP clients may take.
struct LimitOptions: ParsableArguments {
    @Option(help: "Open connections; more wait to be accepted. (10000)")
    var maxConnections: Int?

    @Option(help: "Requests of one connection. (10000)")
    var maxRequests: Int?

    @Option(help: "Bytes of a request's target. (8192)")
    var maxTarget: Int?

    @Option(help: "Bytes of a request's head. (32768)")
    var maxHead: Int?

    @Option(help: "Fields of a request's head. (100)")
    var maxFields: Int?

    @Option(help: "Bytes of a request's body. (65536)")
    var maxBody: Int?

    @Option(help: "Seconds for a head to arrive. (10)")
    var headTimeout: Double?

    @Option(help: "Seconds for a body to arrive. (20)")
    var bodyTimeout: Double?

    @Option(help: "Seconds that a connection may be idle. (60)")
    var idleTimeout: Double?

    @Option(help: "Seconds for a client to take what is sent. (30)")
    var writeTimeout: Double?

    @Option(help: "Seconds to read on after a last answer, so that it arrives. (2)")
    var lingerTimeout: Double?

    @Option(help: "Seconds from SIGTERM until no more connections are taken. (0)")
    var drainDelay: Double?

    @Option(help: "Seconds for requests in flight to finish after that. (30)")
    var drainTimeout: Double?

    @Option(help: "Seconds that an idle connection may still bring a request then. (1)")
    var drainGrace: Double?

    func limits(_ environment: inout Environment) -> ServerLimits {
        var limits = ServerLimits()
        limits.maximumConnections = environment.count(
            maxConnections, "max-connections", default: limits.maximumConnections)
        limits.requestsPerConnection = environment.count(
            maxRequests, "max-requests", default: limits.requestsPerConnection)
        limits.targetBytes = environment.count(
            maxTarget, "max-target", default: limits.targetBytes)
        limits.headBytes = environment.count(maxHead, "max-head", default: limits.headBytes)
        limits.fieldCount = environment.count(maxFields, "max-fields", default: limits.fieldCount)
        limits.bodyBytes = environment.count(maxBody, "max-body", default: limits.bodyBytes)
        limits.headTimeout = environment.duration(
            headTimeout, "head-timeout", default: limits.headTimeout)
        limits.bodyTimeout = environment.duration(
            bodyTimeout, "body-timeout", default: limits.bodyTimeout)
        limits.idleTimeout = environment.duration(
            idleTimeout, "idle-timeout", default: limits.idleTimeout)
        limits.writeTimeout = environment.duration(
            writeTimeout, "write-timeout", default: limits.writeTimeout)
        limits.lingerTimeout = environment.duration(
            lingerTimeout, "linger-timeout", default: limits.lingerTimeout)
        limits.drainDelay = environment.duration(
            drainDelay, "drain-delay", default: limits.drainDelay)
        limits.drainTimeout = environment.duration(
            drainTimeout, "drain-timeout", default: limits.drainTimeout)
        limits.drainGrace = environment.duration(
            drainGrace, "drain-grace", default: limits.drainGrace)
        return limits
    }
}
