import Foundation
import Hummingbird
import Logging
import NIOCore

/// A minimal server of `/health` and of a file in memory, with which Titlecard is compared.
///
///     hummingbird-hello 8081 picture.svg
@main
struct Hello {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let port = Int(arguments[1]),
            let file = FileManager.default.contents(atPath: arguments[2])
        else { fatalError("usage: hummingbird-hello PORT FILE") }
        let health = ByteBuffer(string: #"{"status":"ok"}"#)
        let picture = ByteBuffer(bytes: file)

        let router = Router()
        router.get("/health") { _, _ in
            Response(
                status: .ok, headers: [.contentType: "application/json"],
                body: ResponseBody(byteBuffer: health))
        }
        router.get("/file") { _, _ in
            Response(
                status: .ok, headers: [.contentType: "image/svg+xml"],
                body: ResponseBody(byteBuffer: picture))
        }
        var logger = Logger(label: "hello")
        logger.logLevel = .notice
        let application = Application(
            router: router,
            configuration: ApplicationConfiguration(
                address: .hostname("127.0.0.1", port: port), serverName: nil),
            logger: logger)
        try await application.runService()
    }
}
