import Encoders
package import Motion
import Typesetting

/// Renders once, without a server: what the command line does.
///
/// A file is made piece by piece, so that a long one need not be held.
package struct OneRendering {
    package let warnings: [Warning]
    /// The share of the file that is made, 0…1.
    package var progress: Double { file?.progress ?? (rest == nil ? 1 : 0) }

    private let worker: RenderWorker
    /// Of a format that is made in one go the whole, until it is taken.
    private var rest: [UInt8]?
    private var file: StreamedFile?

    /// Makes ready what a request and its format ask for.
    ///
    /// - Throws: What is wrong with the request, as the server would say it.
    package init(of arguments: ArgumentDecoder) throws(Problem) {
        let limits = RenderLimits()
        let request = try RequestReader.read(
            arguments.raw, schema: .standard, limits: limits)
        let format: any OutputFormat
        do {
            format = try request.format(try arguments.format(requested: request.format))
        } catch {
            throw .invalid([error])
        }
        do {
            worker = try RenderWorker(catalog: try FontCatalog())
        } catch {
            throw Problem(error)
        }
        let pipeline = RenderPipeline(limits: limits)
        let scene = try pipeline.scene(of: request, on: worker)
        warnings = scene.layout.warnings
        if let format = format as? any StreamedFormat {
            file = try pipeline.file(of: scene, as: format, on: worker)
        } else {
            rest = try pipeline.bytes(of: scene, as: format, on: worker)
        }
    }

    /// The next bytes of the file; nil behind the last.
    package mutating func next() throws(Problem) -> [UInt8]? {
        guard file != nil else {
            defer { rest = nil }
            return rest
        }
        do {
            return try file?.next(worker.context)
        } catch {
            throw Problem(error)
        }
    }
}
