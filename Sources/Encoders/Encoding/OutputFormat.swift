package import Motion
package import Raster

/// A file format in which a scene can be encoded, with the values of its parameters.
///
/// To add one, write a type that conforms in a folder beside this file, and one line in
/// `FormatCatalog.swift`. Content negotiation, file extensions, `GET /formats`, OpenAPI, the
/// command line, the preview page, and the format tests read the catalogue.
package protocol OutputFormat: Parameterized {
    static var mediaType: String { get }
    /// The extension of its files, without the dot.
    static var fileExtension: String { get }
    /// Other extensions by which requests may name it, without the dot; by default none.
    static var otherExtensions: [String] { get }
    /// True if its files are text, which gzip makes smaller; by default false.
    static var isText: Bool { get }
    /// True if an `Accept` header can ask for it; by default true.
    static var isNegotiable: Bool { get }
    /// True if another program encodes its files; by default false.
    static var isVideo: Bool { get }
    /// True if its files are texts with their times and places; by default false.
    static var isTimedText: Bool { get }
    /// True if its files show motion rather than one frame; by default true.
    static var isAnimated: Bool { get }
    /// True if its files follow the viewer's preference for dark colours; by default false.
    static var hasDarkColors: Bool { get }
    /// True if its files stand still where the viewer prefers reduced motion; by default false.
    static var followsReducedMotion: Bool { get }

    /// The format itself if it encodes its files piece by piece; else nil.
    var streamed: (any StreamedFormat)? { get }

    /// The parameter of the format that makes its files needlessly large; by default nil.
    var enlargingParameter: String? { get }

    /// Estimates the cost of a scene's file, before any of it is made.
    ///
    /// - Throws: When the scene cannot be encoded with the format's parameters.
    func price(of scene: Scene, _ context: EncodingContext) throws(EncodingError) -> Price

    /// Returns the whole file.
    func encode(_ scene: Scene, _ context: EncodingContext) throws(EncodingError) -> [UInt8]

    /// Returns the whole file with the settings that were chosen to make it; by default none.
    func file(of scene: Scene, _ context: EncodingContext) throws(EncodingError) -> EncodedFile

    /// Returns the bytes that the encoder of a whole file takes within limits, besides its pixels
    /// or its text; by default none.
    func workingMemory(for scene: Scene, _ limits: EncodingLimits) -> Int

    /// Returns a warning for each thing in a scene that its files cannot show.
    func unsupported(in scene: Scene) -> [Warning]
}

extension OutputFormat {
    package static var otherExtensions: [String] { [] }

    package static var isText: Bool { false }

    package static var isNegotiable: Bool { true }

    package static var isVideo: Bool { false }

    package static var isTimedText: Bool { false }

    package static var isAnimated: Bool { true }

    package static var hasDarkColors: Bool { false }

    package static var followsReducedMotion: Bool { false }

    package var streamed: (any StreamedFormat)? { nil }

    package var enlargingParameter: String? { nil }

    package func workingMemory(for scene: Scene, _ limits: EncodingLimits) -> Int { 0 }

    package func file(
        of scene: Scene, _ context: EncodingContext
    ) throws(EncodingError) -> EncodedFile {
        EncodedFile(bytes: try encode(scene, context))
    }

    package func unsupported(in scene: Scene) -> [Warning] { [] }

    /// Returns all warnings of a scene's rendering in this format.
    package func warnings(of scene: Scene) -> [Warning] {
        scene.warnings + unsupported(in: scene)
    }
}

/// A whole file.
package struct EncodedFile: Sendable {
    package var bytes: [UInt8]
    /// The settings that were lowered so that the file fits its limit, as parameters of a request;
    /// nil where none were.
    package var fitted: String?
}

/// A format whose files can be large, and so are encoded piece by piece.
package protocol StreamedFormat: OutputFormat {
    /// Begins a file.
    ///
    /// - Parameters:
    ///   - scene: The scene that it shows.
    ///   - frameLimit: The most frames that it may have.
    ///   - context: The encoding thread's context.
    /// - Returns: The file, not encoded at all yet.
    /// - Throws: When the scene cannot be encoded with the format's parameters.
    func begin(
        _ scene: Scene, frameLimit: Int, _ context: EncodingContext
    ) throws(EncodingError) -> StreamedFile

    /// Returns the most bytes that a scene's file holds from one piece to the next, besides the
    /// pieces.
    func memory(of scene: Scene) -> Int
}

/// A file that is encoded piece by piece, so that the whole file need not be in memory.
///
/// A class, because its encoder has a state. Pieces may be encoded on different threads, one after
/// another.
package final class StreamedFile: Sendable {
    /// The number of frames.
    package let frameCount: Int
    private let makeNext: @Sendable (EncodingContext) throws(EncodingError) -> [UInt8]
    private let measureProgress: @Sendable () -> Double
    private let checkEnd: @Sendable () -> Bool

    // Closures over a concrete type, because generic code behind an existential is slow.
    package init(_ encoder: some FrameEncoder) {
        let state = FrameEncoderState(encoder)
        frameCount = encoder.frameCount
        makeNext = { context throws(EncodingError) in try state.encoder.next(context) }
        measureProgress = { state.encoder.progress }
        checkEnd = { state.encoder.isFinished }
    }

    /// The share of the file that is encoded, 0…1.
    package var progress: Double { measureProgress() }

    /// True once its last piece is returned.
    package var isFinished: Bool { checkEnd() }

    /// Returns the next piece, which may be empty; to be called until the file is finished.
    package func next(_ context: EncodingContext) throws(EncodingError) -> [UInt8] {
        let piece = try makeNext(context)
        context.watchProgress?(self)
        return piece
    }
}

extension StreamedFile {
    /// Makes a file of present bytes, and returns them in pieces.
    package convenience init(_ bytes: [UInt8], pieceLength: Int) {
        self.init(WholeFile(bytes: bytes, pieceLength: pieceLength))
    }

    private struct WholeFile: FrameEncoder {
        let bytes: [UInt8]
        let pieceLength: Int
        var next = 0

        var frameCount: Int { 1 }
        var progress: Double { Double(next) / Double(max(bytes.count, 1)) }
        var isFinished: Bool { next >= bytes.count }

        mutating func next(_ context: EncodingContext) -> [UInt8] {
            let end = min(next + pieceLength, bytes.count)
            defer { next = end }
            return Array(bytes[next..<end])
        }
    }
}

/// An encoder of a file, frame by frame.
package protocol FrameEncoder: Sendable {
    /// The number of frames.
    var frameCount: Int { get }

    /// The share of the frames that are encoded, 0…1.
    var progress: Double { get }

    /// True once the last piece is returned.
    var isFinished: Bool { get }

    /// Returns the next piece, which may be empty; called until the file is finished.
    mutating func next(_ context: EncodingContext) throws(EncodingError) -> [UInt8]
}

/// `@unchecked Sendable`: the pieces of a file are encoded one after another.
private final class FrameEncoderState<Encoder: FrameEncoder>: @unchecked Sendable {
    var encoder: Encoder

    init(_ encoder: Encoder) {
        self.encoder = encoder
    }
}

extension StreamedFormat {
    package var streamed: (any StreamedFormat)? { self }

    package func encode(
        _ scene: Scene, _ context: EncodingContext
    ) throws(EncodingError) -> [UInt8] {
        let file = try begin(scene, frameLimit: .max, context)
        var bytes: [UInt8] = []
        while !file.isFinished { bytes += try file.next(context) }
        return bytes
    }
}

/// An error that keeps a scene from being encoded.
package enum EncodingError: LibraryError, Equatable, Sendable {
    /// A library failed.
    case library(LibraryFault)
    case tooManyFrames(count: Int, limit: Int)
    /// More work than a rendering may take, in composed megapixels, and the parameter that causes
    /// most of it.
    case tooMuchWork(megapixels: Double, limit: Double, parameter: String)
    /// More bytes than a text may have, and the parameter that makes it long; nil while it is not
    /// known.
    case tooManyBytes(count: Double, limit: Double, parameter: String?)
    /// More bytes than the request allows, even with the settings that make the smallest file.
    case doesNotFit(bytes: Int, limit: Int, settings: String)
    /// More bytes of memory than encoding a video may take, the option `--memory` with which there
    /// would be enough, and the parameter that causes most of them.
    case tooMuchMemory(bytes: Int, limit: Int, option: Int, parameter: String)
    /// A video of more bytes than the limit, and the option `--memory` with which the limit would be
    /// the highest; nil where it is.
    case videoTooLong(limit: Int, option: Int? = nil)
    /// A failure of the program that encodes videos, described by the text.
    case videoEncoder(String)
    /// Something that files of a format cannot have, and the parameter that asks for it.
    case notInFormat(parameter: String, message: String)
    /// More pixels a side than files of a format can have, and the parameter to make smaller.
    case sideTooLong(parameter: String, pixels: Int, limit: Int)
    /// The time that the rendering may take is over.
    case deadline
}

/// The painter, the cache, and the scratch space that encoders keep between renderings.
///
/// Belongs to one worker.
package final class EncodingContext {
    let painter: any GlyphPainter
    let cache: any GlyphCache
    /// The values that formats keep, a `Scratch` each.
    private var scratch: [AnyObject] = []
    /// The end of the work for the present rendering.
    package let deadline: WorkDeadline
    /// The bounds of files.
    package var limits = EncodingLimits()
    /// The program that encodes videos; nil where there is none.
    package var videoEncoder: (any VideoEncoder)?
    /// Called after each piece of a file, which may be encoded several times until it fits.
    package var watchProgress: ((StreamedFile) -> Void)?

    package init(
        painter: any GlyphPainter, cache: any GlyphCache, deadline: WorkDeadline = WorkDeadline()
    ) {
        self.painter = painter
        self.cache = cache
        self.deadline = deadline
    }

    /// Checks the clock; to be called between glyphs and frames.
    ///
    /// - Parameter stride: The number of calls of which one checks, for calls with little work
    ///   between them.
    /// - Throws: `EncodingError.deadline` when the time that the rendering may take is over.
    package func checkDeadline(every stride: Int = 1) throws(EncodingError) {
        if deadline.hasPassed(every: stride) { throw .deadline }
    }

    /// Checks the clock and the length of a text; to be called between its parts.
    ///
    /// - Parameters:
    ///   - count: The bytes of the text so far.
    ///   - stride: The number of calls of which one checks the clock.
    /// - Throws: `EncodingError.deadline`, or `.tooManyBytes` when the text exceeds its limit.
    func check(textBytes count: Int, every stride: Int = 1) throws(EncodingError) {
        try checkDeadline(every: stride)
        guard Double(count) > limits.textBytes else { return }
        throw .tooManyBytes(count: Double(count), limit: limits.textBytes, parameter: nil)
    }

    /// Returns the value that a format keeps between renderings, or makes it.
    func scratch<Format: OutputFormat, Value: ~Copyable, Fault: Error>(
        of format: Format.Type, _ make: () throws(Fault) -> Value
    ) throws(Fault) -> Scratch<Format, Value> {
        for kept in scratch {
            if let kept = kept as? Scratch<Format, Value> { return kept }
        }
        let made = Scratch<Format, Value>(try make())
        scratch.append(made)
        return made
    }

    /// Releases the memory of values that can be made again.
    package func release() {
        scratch = []
    }
}

/// A value that a format keeps from one rendering to the next, such as a compressor or a table.
final class Scratch<Format: OutputFormat, Value: ~Copyable> {
    var value: Value

    fileprivate init(_ value: consuming Value) {
        self.value = value
    }
}
