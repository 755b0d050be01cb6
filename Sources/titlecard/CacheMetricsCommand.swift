import ArgumentParser
import Glibc
import HTTP

/// `titlecard cache-metrics`: what the nginx of deploy/nginx says, and what its disk has left, for
/// Prometheus.
struct CacheMetrics: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve metrics of the nginx that keeps pictures.",
        discussion:
            "nginx sends its messages to --syslog (deploy/nginx). They are counted, and not "
            + "kept. GET /metrics has the counts, and the free bytes of the disk of --folder.")

    @Option(help: "ADDRESS:PORT at which nginx's messages arrive, by UDP.")
    var syslog = "127.0.0.1:9145"

    @Option(help: "ADDRESS:PORT to serve /metrics at.")
    var listen = "127.0.0.1:9145"

    @Option(help: "Folder of what nginx keeps.")
    var folder = "/var/cache/nginx"

    func run() throws {
        // Process 1 of a container ends by no signal that it does not handle.
        for number in [SIGTERM, SIGINT] { signal(number) { _ in _exit(0) } }
        let messages = CacheMessages()
        let address = try Self.address(listen, "--listen")
        let socket = try Self.socket(at: syslog)
        let server = Server(
            on: .host(address.host, port: address.port), loops: 1,
            handler: CacheMetricsHandler(messages: messages, folder: folder))
        do {
            try server.start()
        } catch {
            throw StandardStreams.report(
                CommandFailure(.general, messages: ["cannot serve: \(error)"]))
        }
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(socket, &buffer, buffer.count, 0)
            guard count > 0 else { continue }
            buffer.withUnsafeBytes {
                messages.count(UnsafeRawBufferPointer(rebasing: $0[..<count]))
            }
        }
    }

    private static func address(_ text: String, _ option: String) throws -> HostAndPort {
        guard let address = HostAndPort(text) else {
            throw ValidationError("\(option) must be ADDRESS:PORT; got \"\(text)\"")
        }
        return address
    }

    /// Opens the socket that messages come to.
    private static func socket(at text: String) throws -> Int32 {
        let address = try address(text, "--syslog")
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
        hints.ai_flags = AI_PASSIVE
        var list: UnsafeMutablePointer<addrinfo>?
        defer { if let list { freeaddrinfo(list) } }
        guard getaddrinfo(address.host, "\(address.port)", &hints, &list) == 0,
            let found = list?.pointee
        else {
            throw ValidationError("--syslog: there is no address \"\(address.host)\"")
        }
        let descriptor = Glibc.socket(found.ai_family, found.ai_socktype, found.ai_protocol)
        guard descriptor >= 0, bind(descriptor, found.ai_addr, found.ai_addrlen) == 0 else {
            let reason = String(cString: strerror(errno))
            throw StandardStreams.report(
                CommandFailure(.general, messages: ["cannot listen on \(text): \(reason)"]))
        }
        return descriptor
    }
}

/// Answers `GET /metrics`, and anything else by 404.
private struct CacheMetricsHandler: Handler {
    let messages: CacheMessages
    let folder: String

    func handle(_ request: Request, _ responder: Responder) {
        guard request.path == "/metrics" else {
            responder.send(Response(status: .notFound))
            return
        }
        responder.send(
            Response(
                fields: ["Content-Type": "text/plain; version=0.0.4; charset=utf-8"],
                body: .bytes(Array((messages.text + disk).utf8))))
    }

    func response(to failure: ProtocolFailure, from address: String) -> Response {
        Response(status: failure.status)
    }

    /// The bytes of the disk; none while the folder is not there.
    private var disk: String {
        var found = statvfs()
        guard statvfs(folder, &found) == 0 else { return "" }
        let block = Double(found.f_frsize)
        return [
            ("disk_free_bytes", "Bytes that the disk of the cache has left.", found.f_bavail),
            ("disk_bytes", "Bytes of the disk of the cache.", found.f_blocks),
        ].map { name, help, blocks in
            """
            # HELP titlecard_nginx_\(name) \(help)
            # TYPE titlecard_nginx_\(name) gauge
            titlecard_nginx_\(name) \(Double(blocks) * block)

            """
        }.joined()
    }
}
