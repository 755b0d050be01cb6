package import Motion

/// A file format that a scene can be encoded in, with the values of its parameters.
///
/// To add one: a folder beside this file with a type that conforms, and one line in
/// `FormatCatalog.swift`. Content negotiation, file extensions, `GET /formats`, OpenAPI, the
/// command line, the preview page and the format tests read the catalogue.
package protocol OutputFormat: Parameterized {
    static var mediaType: String { get }
    /// The extension of its files, without the dot.
    static var fileExtension: String { get }
    /// True for text, which gzip makes smaller.
    static var isText: Bool { get }
    /// True where an `Accept` header can ask for it.
    static var isNegotiable: Bool { get }
    /// True where it shows motion rather than one frame.
    static var isAnimated: Bool { get }
    /// True where it follows the viewer's preference for dark colours.
    static var hasDarkColors: Bool { get }

    /// Returns the whole file.
    func encode(_ scene: Scene, _ context: EncodingContext) throws(EncodingError) -> [UInt8]
}

/// A format whose files can be large, and so are made piece by piece.
package protocol StreamedFormat: OutputFormat {
    /// Begins a file.
    ///
    /// - Parameters:
    ///   - scene: What it shows.
    ///   - frameLimit: The most frames that it may have.
    ///   - context: The worker's painter, cache and work space.
    /// - Returns: The file, of which nothing is made yet.
    /// - Throws: When the scene cannot be encoded with the format's parameters.
    func begin(
        _ scene: Scene, frameLimit: Int, _ context: EncodingContext
    ) throws(EncodingError) -> StreamedFile
}

/// A file on its way, so that nobody has to hold all of it.
///
/// A class, because what makes it is held once. Pieces may be made on different threads, one after
/// another.
package final class StreamedFile: Sendable {
    private let makeNext: @Sendable (EncodingContext) throws(EncodingError) -> [UInt8]?
    private let measureProgress: @Sendable () -> Double

    /// Closures over a concrete type, because generic code behind an existential is slow.
    init(_ encoder: some FrameEncoder) {
        let state = FrameEncoderState(encoder)
        makeNext = { context throws(EncodingError) in try state.encoder.next(context) }
        measureProgress = { state.encoder.progress }
    }

    /// The share of the file that is done, 0…1.
    package var progress: Double { measureProgress() }

    /// Returns the next piece; nil after the last.
    package func next(_ context: EncodingContext) throws(EncodingError) -> [UInt8]? {
        try makeNext(context)
    }
}

/// An encoder that makes a file frame by frame.
protocol FrameEncoder: Sendable {
    /// The share of the frames that are done, 0…1.
    var progress: Double { get }

    /// Returns the next piece; nil after the last.
    mutating func next(_ context: EncodingContext) throws(EncodingError) -> [UInt8]?
}

/// `@unchecked Sendable`: pieces of a file are made one after another.
private final class FrameEncoderState<Encoder: FrameEncoder>: @unchecked Sendable {
    var encoder: Encoder

    init(_ encoder: Encoder) {
        self.encoder = encoder
    }
}

extension StreamedFormat {
    package func encode(
        _ scene: Scene, _ context: EncodingContext
    ) throws(EncodingError) -> [UInt8] {
        let file = try begin(scene, frameLimit: .max, context)
        var bytes: [UInt8] = []
        while let piece = try file.next(context) { bytes += piece }
        return bytes
    }
}

/// Why a scene cannot be given a form.
package enum EncodingError: Error, Equatable, Sendable {
    /// A library failed.
    case library(LibraryFault)
    case tooManyFrames(count: Int, limit: Int)
    /// A GIF begins with the finished text only when it comes round to it again.
    case posterWithoutLoop
}

/// The painter, the cache and the work space that encoders use from one rendering to the next.
///
/// Belongs to one worker.
package final class EncodingContext {
    let painter: any GlyphPainter
    let cache: any GlyphCache
    private(set) lazy var lzw = LZWWorkspace()
    private var pictureDeflater: Deflater?
    private var frameDeflater: Deflater?

    package init(painter: any GlyphPainter, cache: any GlyphCache) {
        self.painter = painter
        self.cache = cache
    }

    /// The stream for whole pictures.
    func pictures() throws(LibraryFault) -> Deflater {
        try Self.made(&pictureDeflater, .picture)
    }

    /// The stream for the small pictures of an animation.
    func frames() throws(LibraryFault) -> Deflater {
        try Self.made(&frameDeflater, .frame)
    }

    private static func made(
        _ deflater: inout Deflater?, _ purpose: Deflater.Purpose
    ) throws(LibraryFault) -> Deflater {
        if let deflater { return deflater }
        let new = try Deflater(purpose)
        deflater = new
        return new
    }
}

extension EncodingError {
    /// Runs a part of an encoder that only a library can make fail.
    static func catching<Result>(
        _ body: () throws(LibraryFault) -> Result
    ) throws(EncodingError) -> Result {
        do {
            return try body()
        } catch {
            throw .library(error)
        }
    }
}
