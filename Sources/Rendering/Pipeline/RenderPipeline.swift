package import Encoders
package import Motion
import Typesetting

/// From a checked request to the bytes of a file.
package struct RenderPipeline: Sendable {
    package let limits: RenderLimits

    package init(limits: RenderLimits) {
        self.limits = limits
    }

    /// The checked request in a JSON body.
    package func request(json body: [UInt8]) throws(RenderingError) -> RenderRequest {
        try RequestReader.read(try RawRequest(json: body), limits: limits)
    }

    /// The request's animation with everything resolved.
    package func scene(
        of request: RenderRequest, on worker: RenderWorker
    ) throws(RenderingError) -> Scene {
        try checkDeadline(worker)
        let layout: Layout
        do {
            layout = try worker.layout(request.texts, on: request.canvas)
        } catch {
            throw RenderingError(error, parameter: "text")
        }
        try check(layout, scale: request.output.scale)
        try checkDeadline(worker)
        let appearance = Appearance(
            background: request.background, darkBackground: request.darkBackground,
            title: request.title ?? request.texts.map(\.text.text).joined(separator: "\n"),
            seed: request.seed, digest: Digest([request.canonical]).low)
        let scene: Scene
        do {
            scene = try request.choreography.scene(
                of: layout, appearance: appearance, limits: limits.scene)
        } catch {
            throw RenderingError(error)
        }
        try checkDeadline(worker)
        return scene
    }

    private func checkDeadline(_ worker: RenderWorker) throws(RenderingError) {
        if worker.workshop.isPastDeadline?() == true { throw .deadline }
    }

    package func bytes(
        of scene: Scene, as format: any OutputFormat.Type, _ options: OutputOptions,
        on worker: RenderWorker
    ) throws(RenderingError) -> [UInt8] {
        do {
            return try format.encode(scene, options, worker.workshop)
        } catch {
            throw RenderingError(error)
        }
    }

    /// A file that is made piece by piece.
    package func file(
        of scene: Scene, as format: any StreamedFormat.Type, _ options: OutputOptions
    ) throws(RenderingError) -> any StreamedFile {
        do {
            return try format.begin(scene, options)
        } catch {
            throw RenderingError(error)
        }
    }

    /// Pixels of a raster picture.
    package func pixels(of scene: Scene, _ options: OutputOptions) -> Double {
        Self.pixels(of: scene.layout, scale: options.scale)
    }

    private static func pixels(of layout: Layout, scale: Double) -> Double {
        layout.width * layout.height * scale * scale
    }

    private func check(_ layout: Layout, scale: Double) throws(RenderingError) {
        let pixels = Self.pixels(of: layout, scale: scale)
        guard pixels > limits.pixels else { return }
        throw .overLimit([
            ParameterFault(
                parameter: scale > 1 ? "scale" : "width",
                message: "the picture would have \(NumberText.of(pixels.rounded())) pixels "
                    + "(width·height·scale²); the limit is \(NumberText.of(limits.pixels))")
        ])
    }
}
