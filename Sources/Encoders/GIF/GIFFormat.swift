package import Motion

/// Frames of at most 256 colours (GIF89a).
package enum GIFFormat: StreamedFormat {
    package static let name = "gif"
    package static let mediaType = "image/gif"
    package static let fileExtension = "gif"
    package static let isText = false
    package static let isNegotiable = true

    package static func begin(
        _ scene: Scene, _ options: OutputOptions
    ) throws(EncodingError) -> any StreamedFile {
        var origin = Instant.zero
        if options.poster == .end, scene.duration > .zero {
            guard scene.loop != .count(1) else { throw .posterWithoutLoop }
            origin = scene.finishedInstant
        }
        let times = try options.frameTimes(of: scene, from: origin)
        let background = GIFBackground(scene.appearance.background, matte: options.matte)
        if let color = scene.inkColor {
            let indexer = RampIndexer(color, over: background, levels: options.levels)
            return GIFStream(plain: GIFFile(scene, times, options, indexer))
        }
        return GIFStream(colorful: { painter throws(LibraryFault) in
            let indexer = try ColorIndexer(
                scene, over: background, levels: options.levels, painter)
            return GIFFile(scene, times, options, indexer)
        })
    }
}

/// A GIF of either kind of ink: spelt out, because generic code behind an existential is slow.
private struct GIFStream: StreamedFile {
    /// Begins a file whose palette needs the pixels of pictures.
    typealias Beginning = @Sendable (any GlyphPainter) throws(LibraryFault) -> GIFFile<ColorIndexer>

    private var plain: GIFFile<RampIndexer>?
    private var colorful: GIFFile<ColorIndexer>?
    /// Until the first piece is made.
    private var beginning: Beginning?

    init(plain: GIFFile<RampIndexer>) {
        self.plain = plain
    }

    init(colorful beginning: @escaping Beginning) {
        self.beginning = beginning
    }

    var progress: Double { plain?.progress ?? colorful?.progress ?? 0 }

    mutating func next(_ workshop: Workshop) throws(EncodingError) -> [UInt8]? {
        if let beginning {
            colorful = try EncodingError.catching { () throws(LibraryFault) in
                try beginning(workshop.painter)
            }
            self.beginning = nil
        }
        if plain != nil { return try plain?.next(workshop) }
        return try colorful?.next(workshop)
    }
}
