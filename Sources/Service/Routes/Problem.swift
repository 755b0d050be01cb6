import Encoders
package import HTTP
package import Motion
import Typesetting

/// Why a request is not answered with what it asked for; the one place that turns faults into
/// statuses and JSON (RFC 9457).
package struct Problem: Error, Equatable, Sendable {
    package var status: Status
    package var title: String
    /// Every fault that was found, with the parameter concerned; empty where none is.
    package var faults: [ParameterFault]
    /// Seconds after which to try again.
    package var retryAfter: Int?
    /// The library that failed, where one did.
    package private(set) var libraryFault: LibraryFault?

    package init(
        _ status: Status, _ title: String, faults: [ParameterFault] = [], retryAfter: Int? = nil
    ) {
        self.status = status
        self.title = title
        self.faults = faults
        self.retryAfter = retryAfter
    }

    // MARK: The client's

    static func invalid(_ faults: [ParameterFault]) -> Problem {
        Problem(.badRequest, "Invalid parameters", faults: faults)
    }

    static func malformed(_ message: String) -> Problem {
        .invalid([ParameterFault(parameter: "body", message: message)])
    }

    static func unsupportedMediaType(_ message: String) -> Problem {
        Problem(
            .unsupportedMediaType, "Unsupported media type",
            faults: [ParameterFault(parameter: "Content-Type", message: message)])
    }

    static func overLimit(_ faults: [ParameterFault]) -> Problem {
        Problem(.unprocessableContent, "Past a limit", faults: faults)
    }

    static let lengthRequired = Problem(
        .lengthRequired, "Length required",
        faults: [
            ParameterFault(
                parameter: "Content-Length", message: "is required; send a body, or use GET")
        ])

    static let notFound = Problem(.notFound, "No such path")

    static func notAcceptable(_ formats: FormatCatalog) -> Problem {
        let types = formats.entries.map { $0.type }.filter { $0.isNegotiable }.map { $0.mediaType }
        return Problem(
            .notAcceptable, "No such format",
            faults: [
                ParameterFault(
                    parameter: "Accept",
                    message: "asks for none of \(types.joined(separator: ", "))")
            ])
    }

    static func forbidden(_ message: String) -> Problem {
        Problem(
            .forbidden, "Forbidden",
            faults: [ParameterFault(parameter: "signature", message: message)])
    }

    static func tooManyRequests(retryAfter seconds: Int) -> Problem {
        Problem(
            .tooManyRequests, "Too many requests from one address", retryAfter: seconds)
    }

    // MARK: The server's

    static let busy = Problem(
        .serviceUnavailable, "Too many renderings are waiting", retryAfter: 1)
    static let tooSlow = Problem(
        .serviceUnavailable, "The rendering took too long", retryAfter: 1)
    static let draining = Problem(
        .serviceUnavailable, "The server is shutting down", retryAfter: 1)

    init(_ failure: ProtocolFailure) {
        self.init(
            failure.status, failure.status.reason,
            faults: [ParameterFault(parameter: "request", message: failure.message)])
    }

    /// A library failed: the picture would not be right, and may be at another time.
    package init(_ fault: LibraryFault) {
        let (title, parameter) =
            switch fault {
            case .font: ("A font could not be opened", "font")
            case .fonts: ("The fonts could not be read", "font")
            case .memory: ("Memory is short", "text")
            case .drawing: ("Drawing failed", "text")
            case .warning: ("Typesetting failed", "text")
            case .thread: ("A render thread could not be started", "text")
            }
        self.init(
            .serviceUnavailable, title,
            faults: [ParameterFault(parameter: parameter, message: fault.description)],
            retryAfter: 1)
        libraryFault = fault
    }

    init(_ error: SceneError) {
        let message =
            switch error {
            case .cycleTooLong(let seconds, let limit):
                "one cycle would take \(Self.rounded(seconds)) s; "
                    + "the limit is \(NumberText.of(limit)) s"
            case .cycleOutOfReach(let speed):
                "takes a speed from 0.1 to 10; got one of \(Self.rounded(speed))"
            case .tooManyKeyframes(let count, let limit):
                "the animation would have \(count) keyframes; the limit is \(limit)"
            }
        if case .cycleOutOfReach = error {
            self = .invalid([ParameterFault(parameter: "cycle", message: message)])
        } else {
            self = .overLimit([ParameterFault(parameter: "text", message: message)])
        }
    }

    init(_ error: TypesettingError, parameter: String) {
        switch error {
        case .controlCharacter(let scalar):
            let code = String(scalar.value, radix: 16, uppercase: true)
            let padded = String(repeating: "0", count: max(4 - code.count, 0)) + code
            self = .invalid([
                ParameterFault(
                    parameter: parameter,
                    message: "must not hold the control character U+\(padded)")
            ])
        case .blank:
            self = .invalid([
                ParameterFault(
                    parameter: parameter,
                    message: "must have a character that is not white space")
            ])
        case .markup(let message):
            self = .invalid([ParameterFault(parameter: parameter, message: "markup: \(message)")])
        case .canvasTooLarge(let name, let length, let limit):
            self = .overLimit([
                ParameterFault(
                    parameter: name,
                    message: "the text needs \(NumberText.of(length)) px; "
                        + "the limit is \(NumberText.of(limit)) px")
            ])
        case .library(let fault):
            self.init(fault)
        }
    }

    init(_ error: EncodingError) {
        switch error {
        case .library(let fault):
            self.init(fault)
        case .tooManyFrames(let count, let limit):
            self = .overLimit([
                ParameterFault(
                    parameter: "fps",
                    message: "the animation would have \(count) frames; the limit is \(limit)")
            ])
        case .posterWithoutLoop:
            self = .invalid([
                ParameterFault(
                    parameter: "poster",
                    message: "must not be end in a GIF that does not loop: it begins with the "
                        + "finished text only when it comes round to it again")
            ])
        }
    }

    private static func rounded(_ number: Double) -> String {
        NumberText.of((number * 100).rounded() / 100)
    }
}

extension Problem {
    /// `application/problem+json`.
    var json: JSONNode {
        var members: [(String, JSONNode)] = [
            ("type", .string("about:blank")), ("title", .string(title)),
            ("status", .number(Double(status.code))),
        ]
        members.append(
            (
                "errors",
                .array(
                    faults.map { fault in
                        .object([
                            ("parameter", .string(fault.parameter)),
                            ("message", .string(fault.message)),
                        ])
                    })
            ))
        return .object(members)
    }
}
