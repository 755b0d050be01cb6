import Bytes
import HTTP

/// The kind of a problem: the anchor of its section in docs/errors.md.
enum ProblemType: String, CaseIterable, Sendable {
    case invalidParameters = "invalid-parameters"
    case pastALimit = "past-a-limit"
    case noSuchPath = "no-such-path"
    case noSuchFormat = "no-such-format"
    case methodNotAllowed = "method-not-allowed"
    case mediaType = "unsupported-media-type"
    case length = "length"
    case range = "range"
    case forbidden
    case expired
    case tooManyRequests = "too-many-requests"
    case busy
    case memory = "out-of-memory"
    case deadline
    case cannotRender = "cannot-render"
    case endedProcess = "ended-a-process"
    case revision = "newer-release"
    case draining = "shutting-down"
    case `protocol`

    /// The page of the types, behind the address of the service.
    private static let page = "/docs/errors.html#"

    /// Returns the address of the type's section.
    ///
    /// - Parameter service: The address of the service without a slash at its end; empty for a path.
    /// - Returns: The address, or the path.
    func address(at service: String) -> String { service + Self.page + rawValue }
}

extension Problem {
    /// The kind, by the refusal or else by the status, unless it has one of its own.
    var type: ProblemType { kind ?? refusal?.type ?? statusType }

    private var statusType: ProblemType {
        switch status.code {
        case 400: .invalidParameters
        case 403: .forbidden
        case 404 where faults.isEmpty: .noSuchPath
        case 404, 406: .noSuchFormat
        case 405: .methodNotAllowed
        case 411, 413: .length
        case 415: .mediaType
        case 416: .range
        case 422: .pastALimit
        case 429: .tooManyRequests
        case 503: .busy
        default: .protocol
        }
    }
}

extension Refusal {
    fileprivate var type: ProblemType {
        switch self {
        case .rate: .tooManyRequests
        case .signature: .forbidden
        case .expired: .expired
        case .reading, .queue, .queueShare: .busy
        case .memory, .streamMemory: .memory
        case .deadline: .deadline
        case .library, .videoEncoder: .cannotRender
        case .endedProcess: .endedProcess
        case .revision: .revision
        case .draining: .draining
        }
    }
}
