package import Motion

/// A form that a scene can be given.
///
/// To add one: a folder beside this file with a type that conforms, and one line in
/// `FormatCatalog.swift`. Content negotiation, file extensions, the command line, the preview
/// page's menu and the format tests read the catalogue.
package protocol OutputFormat: Sendable {
    /// The name that requests use.
    static var name: String { get }
    static var mediaType: String { get }
    /// Without the dot.
    static var fileExtension: String { get }
    /// True if it compresses well, which pictures do not.
    static var isText: Bool { get }
    /// True if an `Accept` header can ask for it.
    static var isNegotiable: Bool { get }

    static func encode(
        _ scene: Scene, _ options: OutputOptions, _ workshop: Workshop
    ) throws(EncodingError) -> [UInt8]
}

/// A format whose files can be large, and so are made piece by piece.
package protocol StreamedFormat: OutputFormat {
    /// Makes ready what the pieces will be made of.
    static func begin(
        _ scene: Scene, _ options: OutputOptions
    ) throws(EncodingError) -> any StreamedFile
}

/// A file on its way, so that nobody has to hold all of it.
///
/// Its pieces may be made on different threads, one after another.
package protocol StreamedFile: Sendable {
    /// The share of the file that is done, 0…1.
    var progress: Double { get }

    /// The next piece; nil behind the last.
    mutating func next(_ workshop: Workshop) throws(EncodingError) -> [UInt8]?
}

extension StreamedFormat {
    package static func encode(
        _ scene: Scene, _ options: OutputOptions, _ workshop: Workshop
    ) throws(EncodingError) -> [UInt8] {
        var file = try begin(scene, options)
        var bytes: [UInt8] = []
        while let piece = try file.next(workshop) { bytes += piece }
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
    /// The time that the rendering may take is over.
    case deadline
}

/// What encoders work with and keep from one rendering to the next.
///
/// Belongs to one worker.
package final class Workshop {
    let painter: any GlyphPainter
    let cache: any GlyphCache
    private(set) lazy var lzw = LZWWorkspace()
    private var pictureDeflater: Deflater?
    private var frameDeflater: Deflater?
    /// Returns true once the time that the rendering may take is over; nil where it may take any.
    package var isPastDeadline: (() -> Bool)?
    private var checks = 0

    package init(painter: any GlyphPainter, cache: any GlyphCache) {
        self.painter = painter
        self.cache = cache
    }

    /// Looks at the clock; to be called between glyphs and frames.
    ///
    /// - Parameter stride: The number of calls of which one looks, where what is done between two
    ///   calls takes little longer than a look.
    /// - Throws: `EncodingError.deadline` when the time that the rendering may take is over.
    package func checkDeadline(every stride: Int = 1) throws(EncodingError) {
        checks &+= 1
        guard checks % stride == 0, let isPastDeadline, isPastDeadline() else { return }
        throw .deadline
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
