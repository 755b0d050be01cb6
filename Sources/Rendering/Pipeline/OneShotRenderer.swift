package import Encoders
package import Motion
import Typesetting

/// Renders one request on the calling thread, as the command line does.
///
/// A file is made piece by piece, so that a long one need not be held.
package struct OneShotRenderer {
    package let warnings: [Warning]
    /// The share of the file that is made, 0…1.
    package var progress: Double { file?.progress ?? (rest == nil ? 1 : 0) }

    private let worker: RenderWorker
    /// Of a format that is made in one go the whole, until it is taken.
    private var rest: [UInt8]?
    private var file: StreamedFile?

    /// Makes ready what a request and its format ask for.
    ///
    /// - Throws: The reason why the request cannot be rendered, as the server would say it.
    package init(
        of raw: RawRequest,
        schema: RequestSchema = .standard,
        as chooseFormat: (FormatCatalog.Entry?) throws(ParameterFault) -> FormatCatalog.Entry
    ) throws(RenderingError) {
        let limits = RenderLimits()
        let request = try RequestReader.read(raw, schema: schema, limits: limits)
        let format: any OutputFormat
        do {
            format = try request.format(try chooseFormat(request.format))
        } catch {
            throw .invalid([error])
        }
        do {
            worker = try RenderWorker(catalog: try FontCatalog())
        } catch {
            throw .library(error)
        }
        let pipeline = RenderPipeline(limits: limits)
        let scene = try pipeline.scene(of: request, on: worker)
        warnings = scene.layout.warnings
        if let format = format.streamed {
            file = try pipeline.file(of: scene, as: format, on: worker)
        } else {
            rest = try pipeline.bytes(of: scene, as: format, on: worker)
        }
    }

    /// The next bytes of the file; nil behind the last.
    package mutating func next() throws(RenderingError) -> [UInt8]? {
        guard file != nil else {
            defer { rest = nil }
            return rest
        }
        do {
            return try file?.next(worker.context)
        } catch {
            throw RenderingError(error)
        }
    }
}
