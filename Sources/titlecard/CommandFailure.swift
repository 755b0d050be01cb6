import Motion
import Rendering

/// The reason why a command fails.
struct CommandFailure: Error, Equatable, Sendable {
    /// The exit status, by the numbers of sysexits.h.
    enum Kind: Int32, Sendable {
        /// The options are wrong, or do not go together.
        case usage = 64
        /// The texts to be drawn are wrong, or too much.
        case data = 65
        /// A file or folder to read from is not there, or cannot be read.
        case noInput = 66
        /// The fonts that every rendering needs cannot be had.
        case unavailable = 69
        /// A rendering failed that should not.
        case software = 70
        /// The system refused what every rendering needs.
        case system = 71
        /// The file to write cannot be created.
        case cannotCreate = 73
        /// Reading or writing failed.
        case inputOutput = 74

        init(_ fault: LibraryFault) {
            if case .fonts = fault { self = .unavailable } else { self = .system }
        }
    }

    let kind: Kind
    /// Each a line for people.
    let messages: [String]

    init(_ kind: Kind, _ parameter: String, _ message: String) {
        self.kind = kind
        messages = ["\(parameter): \(message)"]
    }

    /// A request that cannot be rendered; wrong data where only its texts are at fault.
    init(_ error: RenderingError, hasTexts: Bool) {
        switch error {
        case .overLimit: kind = .data
        case .invalid(let faults):
            let isOfTexts = hasTexts && faults.allSatisfy { $0.parameter == "text" }
            kind = isOfTexts ? .data : .usage
        case .library(let fault): kind = Kind(fault)
        case .queueFull, .streamMemoryFull, .deadline, .stopped: kind = .system
        }
        messages =
            error.faults.isEmpty
            ? ["the rendering ended early"]
            : error.faults.map { "\($0.parameter): \($0.message)" }
    }
}
