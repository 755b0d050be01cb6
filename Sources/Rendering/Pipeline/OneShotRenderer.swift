package import Encoders
package import Motion
import Raster
import Typesetting

/// Renders one request on the calling thread, as the command line does.
///
/// A long file is made piece by piece and never held whole.
package struct OneShotRenderer {
    package let warnings: [Warning]
    /// Seconds of one cycle.
    package let duration: Double
    /// The settings that were lowered so that the file has no more bytes than it may; nil where it is
    /// as asked for.
    package let fitted: String?
    /// The texts without markup.
    package let texts: [String]

    private let worker: RenderWorker
    /// The file of a format that is not streamed, until it is returned.
    private var rest: [UInt8]?
    private var file: StreamedFile?

    /// The limits where the time is the caller's own.
    package static var limits: RenderLimits {
        var limits = RenderLimits()
        limits.file.work = .infinity
        limits.file.textBytes = .infinity
        return limits
    }

    /// Prepares the rendering of a request.
    ///
    /// - Parameters:
    ///   - raw: The request.
    ///   - schema: The parameters of requests.
    ///   - fontDirectories: Directories with further fonts.
    ///   - watch: Called after each piece of the file, of which all may be made at once.
    ///   - chooseFormat: Returns the format for the one that the request names.
    /// - Throws: The reason why the request cannot be rendered, the same as the server's.
    package init(
        of raw: RawRequest,
        schema: RequestSchema = .standard, fontDirectories: [String] = [],
        watchedBy watch: ((StreamedFile) -> Void)? = nil,
        as chooseFormat: (FormatCatalog.Entry?) throws(ParameterFault) -> FormatCatalog.Entry
    ) throws(RenderingError) {
        let request = try RequestReader.read(raw, schema: schema, limits: Self.limits)
        let format = try RenderingError.catching({ .invalid([$0]) }) {
            () throws(ParameterFault) in
            try chooseFormat(request.format)
        }
        let worker = try RenderingError.catching { () throws(LibraryFault) in
            try RenderWorker(catalog: try FontCatalog(directories: fontDirectories))
        }
        worker.context.watchProgress = watch
        try self.init(of: request, as: format, schema: schema, on: worker)
    }

    /// Prepares the rendering of a checked request with a worker of the calling thread.
    ///
    /// - Throws: The reason why the request cannot be rendered, the same as the server's.
    package init(
        of request: RenderRequest, as entry: FormatCatalog.Entry, schema: RequestSchema,
        limits: RenderLimits = Self.limits, on worker: RenderWorker
    ) throws(RenderingError) {
        self.worker = worker
        texts = request.plainTexts
        let format = try RenderingError.catching({ .invalid([$0]) }) {
            () throws(ParameterFault) in
            try request.format(entry)
        }
        (duration, warnings, fitted, rest, file) = try worker.attempt { () throws(RenderingError) in
            let pipeline = RenderPipeline(limits: limits, schema: schema)
            let scene = try pipeline.scene(of: request, on: worker)
            _ = try pipeline.price(of: scene, as: format, on: worker)
            let (duration, warnings) = (scene.duration.seconds, format.warnings(of: scene))
            guard let format = format.streamed else {
                let whole = try pipeline.wholeFile(of: scene, as: format, on: worker)
                return (duration, warnings, whole.fitted, whole.bytes, nil)
            }
            let file = try pipeline.file(of: scene, as: format, on: worker)
            return (duration, warnings, nil, nil, file)
        }
    }

    /// Returns the next bytes of the file; nil after the last.
    package mutating func next() throws(RenderingError) -> [UInt8]? {
        guard let file else {
            defer { rest = nil }
            return rest
        }
        guard !file.isFinished else { return nil }
        return try RenderingError.catching(RenderingError.init) { () throws(EncodingError) in
            try file.next(worker.context)
        }
    }
}
