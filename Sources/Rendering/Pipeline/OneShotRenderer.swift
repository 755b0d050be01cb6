package import Encoders
package import Motion
import Raster
import Typesetting

/// Renders one request on the calling thread, as the command line does.
///
/// A long file is made piece by piece and never held whole.
package struct OneShotRenderer {
    package let warnings: [Warning]
    /// How much of the file is made, 0…1.
    package var progress: Double { file?.progress ?? (rest == nil ? 1 : 0) }

    private let worker: RenderWorker
    /// The file of a format that is not streamed, until it is returned.
    private var rest: [UInt8]?
    private var file: StreamedFile?

    /// Prepares the rendering of a request.
    ///
    /// - Throws: The reason why the request cannot be rendered, the same as the server's.
    package init(
        of raw: RawRequest,
        schema: RequestSchema = .standard, fontDirectories: [String] = [],
        as chooseFormat: (FormatCatalog.Entry?) throws(ParameterFault) -> FormatCatalog.Entry
    ) throws(RenderingError) {
        var limits = RenderLimits()
        // It is the caller's own time.
        limits.file.work = .infinity
        limits.file.textBytes = .infinity
        let request = try RequestReader.read(raw, schema: schema, limits: limits)
        let format = try RenderingError.catching({ .invalid([$0]) }) {
            () throws(ParameterFault) in
            try request.format(try chooseFormat(request.format))
        }
        worker = try RenderingError.catching { () throws(LibraryFault) in
            try RenderWorker(catalog: try FontCatalog(directories: fontDirectories))
        }
        let pipeline = RenderPipeline(limits: limits)
        let scene = try pipeline.scene(of: request, on: worker)
        _ = try pipeline.price(of: scene, as: format, on: worker)
        warnings = format.warnings(of: scene)
        if let format = format.streamed {
            file = try pipeline.file(of: scene, as: format, on: worker)
        } else {
            rest = try pipeline.bytes(of: scene, as: format, on: worker)
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
