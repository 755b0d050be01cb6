import Encoders
package import Motion
package import Typesetting

/// Renders once, without a server: what the command line does.
package enum OneRendering {
    /// The file for a request and its format.
    ///
    /// - Throws: What is wrong with the request, as the server would say it.
    package static func bytes(
        of arguments: ArgumentDecoder, catalog: FontCatalog
    ) throws(Problem) -> (bytes: [UInt8], warnings: [Warning]) {
        let limits = RenderLimits()
        let request = try RequestReader.read(arguments.raw, limits: limits)
        let format: any OutputFormat.Type
        do {
            format = try arguments.format(requested: request.format)
        } catch {
            throw .invalid([error])
        }
        let worker: RenderWorker
        do {
            worker = try RenderWorker(catalog: catalog)
        } catch {
            throw Problem(error, parameter: "text")
        }
        let pipeline = RenderPipeline(limits: limits)
        let scene = try pipeline.scene(of: request, on: worker)
        let bytes = try pipeline.bytes(of: scene, as: format, request.output, on: worker)
        return (bytes, scene.layout.warnings)
    }
}
