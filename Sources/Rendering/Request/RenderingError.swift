import Bytes
import Encoders
package import Motion
package import Raster
import Typesetting

/// The reason why a request is not rendered.
package enum RenderingError: LibraryError, Equatable, Sendable {
    /// Parameters are invalid; all faults.
    case invalid([ParameterFault])
    /// The request is valid, but exceeds a limit.
    case overLimit([ParameterFault])
    /// A library failed; a later attempt may succeed.
    case library(LibraryFault)
    /// The queue of the render threads is full.
    case queueFull
    /// The client has its share of the queue, and others wait.
    case queueShare
    /// The streams hold as much memory as they may.
    case streamMemoryFull
    /// All renderings and streams under way take as much memory as they may.
    case memoryFull
    /// The rendering took longer than a request may.
    case deadline
    /// The rendering has ended a process, or may have; another attempt is possible after seconds.
    case refused(retryAfter: Int)
    /// The program that encodes videos has failed; the reason.
    case videoEncoder(String)
    /// The render threads have been stopped.
    case stopped

    /// Returns the error of one invalid parameter.
    package static func invalid(_ parameter: String, _ message: String) -> RenderingError {
        .invalid([ParameterFault(parameter: parameter, message: message)])
    }

    /// Returns the error of one parameter that exceeds a limit.
    package static func overLimit(_ parameter: String, _ message: String) -> RenderingError {
        .overLimit([ParameterFault(parameter: parameter, message: message)])
    }

    /// Runs code of another module, and turns its error into one of a rendering.
    static func catching<Result, Fault: Error>(
        _ convert: (Fault) -> RenderingError, _ body: () throws(Fault) -> Result
    ) throws(RenderingError) -> Result {
        do {
            return try body()
        } catch {
            throw convert(error)
        }
    }

    /// All faults with their parameters; empty if no parameter is at fault.
    package var faults: [ParameterFault] {
        switch self {
        case .invalid(let faults), .overLimit(let faults): return faults
        case .library(let fault):
            switch fault {
            case .fontFiles(let reasons, _):
                return reasons.map { ParameterFault(parameter: "fonts", message: $0) }
            case .font, .fonts:
                return [ParameterFault(parameter: "font", message: fault.description)]
            case .memory, .drawing, .warning, .thread:
                return [ParameterFault(parameter: "text", message: fault.description)]
            }
        case .videoEncoder(let event):
            return [ParameterFault(parameter: "format", message: event)]
        case .queueFull, .queueShare, .streamMemoryFull, .memoryFull, .deadline, .refused,
            .stopped:
            return []
        }
    }

    init(_ error: SceneError) {
        guard error != .deadline else {
            self = .deadline
            return
        }
        let message =
            switch error {
            case .cycleTooLong(let seconds, let limit, _):
                "one cycle would take \(Self.rounded(seconds)) s; "
                    + "the limit is \(NumberText.of(limit)) s"
            case .cycleOutOfReach(let speed, _):
                "needs a speed of \(Self.rounded(speed)); speeds are from 0.1 to 10"
            case .tooManyKeyframes(let count, let limit):
                "the animation would have \(count) keyframes; the limit is \(limit)"
            case .tooMuchWork(let megapixels, let limit):
                "the animation is as much work as \(NumberText.of(megapixels.rounded())) "
                    + "megapixels; the limit is \(NumberText.of(limit))"
            case .deadline: ""
            }
        switch error {
        case .cycleOutOfReach(_, let parameter): self = .invalid(parameter, message)
        case .cycleTooLong(_, _, let parameter?): self = .overLimit(parameter, message)
        default: self = .overLimit("text", message)
        }
    }

    init(_ error: TypesettingError, parameter: String) {
        switch error {
        case .controlCharacter(let scalar):
            let code = String(scalar.value, radix: 16, uppercase: true)
            let padded = NumberText.padded(code, to: 4)
            self = .invalid(parameter, "must not hold the control character U+\(padded)")
        case .blank:
            self = .invalid(
                parameter, "must have a character that is neither white space nor invisible")
        case .markup(let message):
            self = .invalid(parameter, "markup: \(message)")
        case .canvasTooLarge(let name, let length, let limit):
            self = .overLimit(
                name,
                "the text needs \(NumberText.of(length)) px; "
                    + "the limit is \(NumberText.of(limit)) px")
        case .colorGlyphs(let font):
            self = .invalid(
                "font",
                "\"\(font)\" draws this text with colours of its own (COLR or SVG), "
                    + "which cannot be drawn; choose another font")
        case .graphemeTooLong(let count, let limit):
            self = .overLimit(
                parameter, "has a grapheme of \(count) characters; the limit is \(limit)")
        case .directionsTooDeep(let limit):
            self = .overLimit(
                parameter, "nests more than \(limit) directional embeddings or isolates")
        case .tooManyFonts(let count, let limit):
            self = .overLimit(
                parameter, "markup: asks for \(count) different fonts; the limit is \(limit)")
        case .damagedPicture(let name):
            self = .invalid("pictures.\(name)", PictureReader.damaged.message)
        case .tooMuchWork(let megapixels, let limit):
            self = .overLimit(
                parameter,
                "has pictures that are as much work to scale as "
                    + "\(NumberText.of(megapixels.rounded())) megapixels; "
                    + "the limit is \(NumberText.of(limit))")
        case .longerThanPath(let length, let overflow):
            self = .invalid(
                "path",
                "must not be shorter than the text, \(Self.rounded(length)) px; "
                    + "\(Self.rounded(overflow)) px of it do not fit: "
                    + "a smaller size or fit=shrink would help")
        case .noAxis(let axis, let font, let axes):
            let own = axes.isEmpty ? "none" : axes.joined(separator: ", ")
            self = .invalid(
                "font",
                "\"\(font)\" has no axis \"\(axis)\", which the keyframes change; "
                    + "its axes are: \(own)")
        case .tooManyInstances:
            self = .overLimit(
                parameter, "has too many glyphs for keyframes that change axes so often")
        case .deadline:
            self = .deadline
        case .library(let fault):
            self = .library(fault)
        }
    }

    init(_ error: EncodingError) {
        switch error {
        case .library(let fault):
            self = .library(fault)
        case .tooManyFrames(let count, let limit):
            self = .overLimit(
                "fps", "the animation would have \(count) frames; the limit is \(limit)")
        case .tooManyBytes(let count, let limit, let parameter):
            self = .overLimit(
                parameter ?? "text",
                "the file would have \(NumberText.of(count.rounded())) bytes; "
                    + "the limit is \(NumberText.of(limit))")
        case .tooMuchWork(let megapixels, let limit, let parameter):
            self = .overLimit(
                parameter,
                "the rendering would compose \(NumberText.of(megapixels.rounded())) "
                    + "megapixels; the limit is \(NumberText.of(limit)); "
                    + "--max-work \(NumberText.of(megapixels.rounded(.up))) would do")
        case .doesNotFit(let bytes, let limit, let settings):
            self = .overLimit(
                "maxBytes",
                "the smallest file\(settings.isEmpty ? "" : ", with \(settings),") has \(bytes) bytes; "
                    + "the limit is \(limit)")
        case .notInFormat(let parameter, let message):
            self = .invalid(parameter, message)
        case .sideTooLong(let parameter, let pixels, let limit):
            self = .overLimit(
                parameter,
                "the picture would have a side of \(pixels) px; "
                    + "the format's limit is \(limit) px")
        case .tooMuchMemory(let bytes, let limit, let option, let parameter):
            self = .overLimit(
                parameter,
                "the video would take at least \(bytes >> 20) MiB of memory; "
                    + "the limit is \(limit >> 20) MiB; --memory \(option) would do")
        case .videoTooLong(let limit, let option):
            let remedy = option.map { "; with --memory \($0) it would be the highest" } ?? ""
            self = .overLimit(
                "fps", "the video would have more bytes than the limit, \(limit)\(remedy)")
        case .videoEncoder(let event):
            self = .videoEncoder(event)
        case .deadline:
            self = .deadline
        }
    }

    private static func rounded(_ number: Double) -> String {
        NumberText.of((number * 100).rounded() / 100)
    }
}
