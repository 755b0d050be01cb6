import Encoders
import Motion
import Rendering

/// Writes requests of captions as files: a video as a film, which may have any length.
struct CaptionsWriter {
    let schema: RequestSchema
    let worker: RenderWorker
    let interruption: Interruption

    /// Writes a file, which appears whole or not at all.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - format: Its format.
    ///   - frames: The frames of a video that are shown; nil for all.
    ///   - path: The path of the file; nil and `-` for standard output.
    ///   - option: The option that names it, for messages.
    ///   - progress: Called with the share that is written; nil to draw the bar of the file.
    /// - Returns: The warnings of the rendering.
    /// - Throws: The reason why it cannot be made or written.
    func write(
        _ request: RenderRequest, as format: FormatCatalog.Entry, frames: Range<Int>? = nil,
        to path: String?, of option: String = "-o", progress: ((Double) -> Void)? = nil
    ) throws -> [Warning] {
        func report(_ share: Double, of count: Int) {
            if let progress { progress(share) } else { interruption.bar.update(share, of: count) }
        }
        if let ffmpeg = schema.formats.videoEncoder as? FFmpeg, format.type.isVideo {
            var output = try OutputFile(path, of: option, interruption)
            let encoder = ffmpeg.writing(to: try output.programFile())
            let film = try FilmRenderer(
                of: request, as: format, schema: schema, by: encoder, on: worker, frames: frames)
            if var film {
                while !film.isFinished {
                    try film.next()
                    report(film.progress, of: film.frameCount)
                }
                try output.finish()
                return film.warnings
            }
        }
        worker.context.watchProgress = { report($0.progress, of: $0.frameCount) }
        var rendering = try OneShotRenderer(
            of: request, as: format, schema: schema, limits: FilmRenderer.limits, on: worker)
        var output = try OutputFile(path, of: option, interruption)
        while let piece = try rendering.next() { try output.append(piece) }
        try output.finish()
        return rendering.warnings
    }
}
