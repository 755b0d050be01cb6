import ArgumentParser
import Motion
import Raster
import Rendering
import Service

/// The reason why a command fails.
struct CommandFailure: Error, Equatable, Sendable {
    /// The exit status, by the numbers of sysexits.h.
    enum Kind: Int32, Sendable {
        /// The service cannot listen, or a check has found a fault.
        case general = 1
        /// The options are wrong, or do not go together.
        case usage = 64
        /// The texts to be drawn are wrong, or too much.
        case data = 65
        /// A file or folder to read from is not there, or cannot be read.
        case noInput = 66
        /// The fonts that every rendering needs cannot be read.
        case unavailable = 69
        /// A rendering failed that should not fail.
        case software = 70
        /// The system refused something that every rendering needs.
        case system = 71
        /// The file to write cannot be created.
        case cannotCreate = 73
        /// Reading or writing failed.
        case inputOutput = 74
        /// Nobody reads the output any more. The number is that of shells for SIGPIPE, which PID 1 of a
        /// container survives.
        case closedPipe = 141

        var exitCode: ExitCode { ExitCode(rawValue) }

        init(_ fault: LibraryFault) {
            self =
                switch fault {
                case .fonts: .unavailable
                case .fontFiles(_, let areUnreadable): areUnreadable ? .noInput : .data
                case .font, .memory, .drawing, .warning, .thread: .system
                }
        }
    }

    let kind: Kind
    /// The reasons, each a line.
    let messages: [String]

    init(_ kind: Kind, messages: [String]) {
        self.kind = kind
        self.messages = messages
    }

    init(_ kind: Kind, parameter: String, message: String) {
        self.init(kind, messages: ["\(parameter): \(message)"])
    }

    /// The failure of a service that starts.
    init(start error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let fault as LibraryFault where fault.isOfOwnFonts:
            self.init(.library(fault), hasTexts: false)
        case let fault as LibraryFault:
            self.init(Kind(fault), messages: ["cannot serve: \(fault)"])
        case is StaticFilesError: self.init(.noInput, messages: ["cannot serve: \(error)"])
        default: self.init(.general, messages: ["cannot serve: \(error)"])
        }
    }

    /// The failure of a request; its kind is `data` if only texts are at fault.
    ///
    /// - Parameters:
    ///   - error: The reason.
    ///   - hasTexts: True if it has texts.
    ///   - files: The paths of the files that values come from, by the parameter's name.
    init(_ error: RenderingError, hasTexts: Bool, files: [String: String] = [:]) {
        switch error {
        case .overLimit: kind = .data
        case .invalid(let faults):
            let onlyTexts =
                hasTexts
                && faults.allSatisfy { $0.parameter == "text" || $0.parameter == "captions" }
            kind = onlyTexts ? .data : .usage
        case .library(let fault): kind = Kind(fault)
        case .queueFull, .queueShare, .streamMemoryFull, .memoryFull, .deadline, .refused,
            .stopped, .videoEncoder:
            kind = .system
        }
        messages =
            error.faults.isEmpty
            ? ["the rendering ended early"]
            : error.faults.map { fault in
                let name = fault.parameter.prefix { $0 != "[" }
                let file = files[String(name)].map { "\($0): " } ?? ""
                return "\(file)\(fault.parameter): \(fault.message)"
            }
    }
}
