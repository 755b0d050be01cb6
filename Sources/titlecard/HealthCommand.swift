import ArgumentParser
import Glibc

/// `titlecard health`: asks a service for its health, for Docker's HEALTHCHECK.
struct Health: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Ask a running service for its health; exit 0 when it is ready.")

    @Option(help: "Address of the service. (127.0.0.1)")
    var host: String?

    @Option(help: "Port of the service. (8080)")
    var port: UInt16?

    func run() throws {
        var environment = Environment()
        let isNamed = host != nil || port != nil
        var host = environment.value(host, "host", default: "127.0.0.1")
        var port = environment.value(port, "port", default: 8080)
        try environment.finish(passing: ServeOptions.variables)
        // The variables belong to an image, whose service may have options as well.
        if !isNamed, let address = RunningService.address() { (host, port) = address }
        guard let status = HealthProbe.status(of: host, port: port) else {
            StandardStreams.writeError("unreachable: \(HealthProbe.reachable(host)):\(port)")
            throw ExitCode.failure
        }
        print(status == 200 ? "ok" : "status \(status)")
        if status != 200 { throw ExitCode.failure }
    }
}

/// An HTTP client that reads one status.
enum HealthProbe {
    /// Returns an address of this machine for a host at which a service listens on every address, and
    /// for the machine's own name, which need not be in its files.
    static func reachable(_ host: String) -> String {
        ["0.0.0.0": "127.0.0.1", "::": "::1", "localhost": "127.0.0.1"][host] ?? host
    }

    /// Returns the status of `GET /health`; nil if no answer comes within two seconds.
    static func status(of host: String, port: UInt16) -> Int? {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(reachable(host), "\(port)", &hints, &list) == 0 else { return nil }
        defer { freeaddrinfo(list) }
        var next = list
        while let address = next?.pointee {
            if let status = status(at: address, host: host) { return status }
            next = address.ai_next
        }
        return nil
    }

    private static func status(at address: addrinfo, host: String) -> Int? {
        let descriptor = socket(address.ai_family, address.ai_socktype, address.ai_protocol)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var limit = timeval(tv_sec: 2, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(
                descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
        guard connect(descriptor, address.ai_addr, address.ai_addrlen) == 0 else { return nil }
        let request = "GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        guard send(descriptor, request, request.utf8.count, Int32(MSG_NOSIGNAL)) > 0 else {
            return nil
        }
        var buffer = [UInt8](repeating: 0, count: 64)
        let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_WAITALL))
        guard count > 12 else { return nil }
        let words = String(decoding: buffer.prefix(count), as: UTF8.self).split(separator: " ")
        guard words.count > 1, words[0].hasPrefix("HTTP/1.") else { return nil }
        return Int(words[1])
    }
}
