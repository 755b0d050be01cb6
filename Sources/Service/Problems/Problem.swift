import Bytes
import Encoders
package import HTTP
package import Motion
import Raster
package import Rendering

/// An error response, which becomes JSON (RFC 9457).
package struct Problem: Error, Equatable, Sendable {
    package var status: Status
    package var title: String
    /// All faults with their parameters; empty if no parameter is at fault.
    package var faults: [ParameterFault]
    /// The seconds after which the client may try again.
    package var retryAfter: Int?
    /// True if the answer is a picture, whatever the request accepts.
    package var isDrawn = false
    /// The kind; nil where the refusal or the status says it.
    private(set) var kind: ProblemType?
    /// The reason that metrics count, if nothing is wrong with the request's parameters.
    var refusal: Refusal?

    package init(
        _ status: Status, _ title: String, faults: [ParameterFault] = [], retryAfter: Int? = nil
    ) {
        self.status = status
        self.title = title
        self.faults = faults
        self.retryAfter = retryAfter
    }

    /// Makes the problem of one parameter.
    init(
        _ status: Status, _ title: String, _ parameter: String, _ message: String,
        retryAfter: Int? = nil
    ) {
        let fault = ParameterFault(parameter: parameter, message: message)
        self.init(status, title, faults: [fault], retryAfter: retryAfter)
    }

    // MARK: Client errors

    static func invalid(_ faults: [ParameterFault]) -> Problem {
        var problem = Problem(.badRequest, "Invalid parameters", faults: faults)
        problem.kind = .invalidParameters
        return problem
    }

    static func invalid(_ parameter: String, _ message: String) -> Problem {
        .invalid([ParameterFault(parameter: parameter, message: message)])
    }

    static func malformed(_ message: String) -> Problem {
        .invalid("body", message)
    }

    static func unsupportedMediaType(_ message: String) -> Problem {
        Problem(
            .unsupportedMediaType, "Unsupported media type", "Content-Type", message)
    }

    static let lengthRequired = Problem(
        .lengthRequired, "Length required", "Content-Length",
        "is required; send a body, or use GET")

    static let targetNotASCII = Problem(
        ofProtocol: .badRequest, "the target must be percent-encoded ASCII")

    static let notFound = Problem(.notFound, "No such path")

    /// The problem of an unknown path; if only its extension is unknown, the fault lists the known
    /// ones.
    static func notFound(at path: String, _ formats: FormatCatalog) -> Problem {
        guard path.begins(with: "/render.") || path.begins(with: "/r/"),
            let dot = path.utf8.lastIndex(of: UInt8(ascii: ".")),
            formats[fileExtension: ByteString(path[dot...].dropping(first: 1))] == nil
        else { return .notFound }
        return Problem(
            .notFound, "No such format", "format",
            "the path must end in one of \(formats.extensionList); "
                + "got \"\(path[dot...].shortened(to: 20))\"" + formats.question(forFile: path))
    }

    static func notAcceptable(_ formats: FormatCatalog) -> Problem {
        let types = formats.entries.map { $0.type }.filter { $0.isNegotiable }.map { $0.mediaType }
        let paths = formats.entries.map { "/render." + $0.type.fileExtension }
        return Problem(
            .notAcceptable, "No such format", "Accept",
            "asks for none of \(types.joined(separator: ", ")); the path can name the format, "
                + "whatever Accept says: \(paths.joined(separator: ", "))")
    }

    static func rangeNotSatisfiable(of byteCount: Int) -> Problem {
        Problem(
            .rangeNotSatisfiable, "No such part", "Range",
            "must begin within the file, which has \(byteCount) bytes")
    }

    static func forbidden(_ message: String) -> Problem {
        var problem = Problem(.forbidden, "Forbidden", "signature", message)
        problem.refusal = .signature
        return problem
    }

    /// The problem of a URL that has ended, at an instant in seconds since 1970.
    static func expired(at instant: Int64) -> Problem {
        var problem = Problem(
            .forbidden, "The address has expired", "expires", "is over since \(instant)")
        problem.refusal = .expired
        return problem
    }

    static func tooManyRequests(retryAfter seconds: Int) -> Problem {
        var problem = Problem(
            .tooManyRequests, "Too many requests from one address", retryAfter: seconds)
        problem.refusal = .rate
        return problem
    }

    // MARK: Server errors

    static let busyReading = Problem(
        .reading, "Too many large requests are waiting to be read", retryAfter: 1)
    static let draining = Problem(.draining, "The server is shutting down", retryAfter: 1)

    /// The problem of an address that a newer server wrote, which might be drawn differently here.
    static func newerRevision(_ revision: UInt16) -> Problem {
        let fault = ParameterFault(
            parameter: "revision",
            message: "must be at most \(Renderer.revision), which is this server's own; "
                + "got \(revision)")
        return Problem(
            .revision, "The address belongs to a newer release", faults: [fault], retryAfter: 10)
    }

    /// Makes the problem of a request that the service cannot take at the moment.
    private init(
        _ refusal: Refusal, _ title: String, faults: [ParameterFault] = [], retryAfter: Int
    ) {
        self.init(.serviceUnavailable, title, faults: faults, retryAfter: retryAfter)
        self.refusal = refusal
    }

    init(_ failure: ProtocolFailure) {
        self.init(ofProtocol: failure.status, failure.message)
    }

    /// Makes the problem of a request that is not HTTP as the service reads it.
    private init(ofProtocol status: Status, _ message: String) {
        self.init(status, status.reason, "request", message)
        if status == .badRequest { kind = .protocol }
    }

    /// Makes the problem of an error of a rendering.
    package init(_ error: RenderingError) {
        switch error {
        case .invalid(let faults): self = .invalid(faults)
        case .overLimit(let faults):
            self.init(.unprocessableContent, "Limit exceeded", faults: faults)
        case .queueFull:
            self.init(
                .queue, "Too many renderings are waiting (--render-queue)", retryAfter: 1)
        case .queueShare:
            self.init(
                .queueShare,
                "Too many renderings of one client are waiting, and other clients are waiting too",
                retryAfter: 1)
        case .streamMemoryFull:
            self.init(
                .streamMemory, "Files in progress take up all stream memory (--stream-memory)",
                retryAfter: 5)
        case .memoryFull:
            self.init(
                .memory, "Work in progress takes up all memory (--memory)", retryAfter: 5)
        case .deadline:
            self.init(.deadline, "The rendering took too long", retryAfter: 1)
        case .refused(let seconds):
            self.init(
                .endedProcess, "The rendering has ended a process of the service",
                retryAfter: seconds)
        case .videoEncoder:
            self.init(
                .videoEncoder, "The video could not be encoded", faults: error.faults,
                retryAfter: 1)
        case .stopped: self = .draining
        case .library(let fault):
            let title =
                switch fault {
                case .font: "A font could not be opened"
                case .fonts, .fontFiles: "The fonts could not be read"
                case .memory: "There is not enough memory"
                case .drawing: "Drawing failed"
                case .warning: "Typesetting failed"
                case .thread: "A render thread could not be started"
                }
            self.init(.library, title, faults: error.faults, retryAfter: 1)
        }
    }

    /// Runs code of `Rendering`, and turns its error into a problem.
    static func catching<Result>(
        _ body: () throws(RenderingError) -> Result
    ) throws(Problem) -> Result {
        do {
            return try body()
        } catch {
            throw Problem(error)
        }
    }
}

extension Problem {
    static let mediaType = "application/problem+json"

    /// Returns the content in JSON.
    ///
    /// - Parameter service: The address of the service without a slash at its end; empty if only the path of
    ///   the documentation is known.
    /// - Returns: The members of RFC 9457, and `errors`.
    func json(of service: String) -> JSONNode {
        [
            "type": .string(type.address(at: service)), "title": .string(title),
            "status": .number(Double(status.code)), "errors": errors,
        ]
    }

    /// The faults.
    var errors: JSONNode {
        .array(
            faults.map { fault in
                ["parameter": .string(fault.parameter), "message": .string(fault.message)]
            })
    }
}

/// The reason why a request is refused although nothing is wrong with its parameters.
enum Refusal: String, CaseIterable, Sendable {
    /// The address sends too many requests.
    case rate
    /// The signature is missing or wrong.
    case signature
    /// The URL has ended.
    case expired
    /// Too many large requests wait to be read.
    case reading
    /// Too many renderings wait.
    case queue
    /// Too many renderings of one client wait.
    case queueShare = "queue_share"
    case memory
    case streamMemory = "stream_memory"
    case deadline
    /// A library failed.
    case library
    /// The program that encodes videos failed.
    case videoEncoder = "video_encoder"
    /// The rendering has ended a process.
    case endedProcess = "ended_process"
    /// The address, or the key of a cache, is of a newer revision.
    case revision
    /// The service is shutting down.
    case draining
}
