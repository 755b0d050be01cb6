import Bytes
package import Encoders
package import Motion
import Typesetting

/// The steps from a checked request to the bytes of a file.
package struct RenderPipeline: Sendable {
    package let limits: RenderLimits
    let schema: RequestSchema

    package init(limits: RenderLimits, schema: RequestSchema = .standard) {
        self.limits = limits
        self.schema = schema
    }

    /// Returns the checked request in a JSON body.
    package func request(json body: [UInt8]) throws(RenderingError) -> RenderRequest {
        try RequestReader.read(try RawRequest(json: body), schema: schema, limits: limits)
    }

    /// Returns the scene of a request.
    package func scene(
        of original: RenderRequest, on worker: RenderWorker
    ) throws(RenderingError) -> Scene {
        try checkDeadline(worker)
        let request = try paged(original, on: worker)
        let layout = try layout(of: request.texts, request.canvas, worker)
        try check(width: layout.width, height: layout.height, scale: request.scale)
        try checkDeadline(worker)
        let appearance = Appearance(
            card: request.card, title: request.accessibleName,
            seed: request.seed, digest: Digest(request.identity).low, language: request.language)
        var sceneLimits = limits.scene
        sceneLimits.work = limits.file.work
        if request.hasEndlessCycle { sceneLimits.cycleSeconds = .infinity }
        var scene = try RenderingError.catching(RenderingError.init) { () throws(SceneError) in
            try request.choreography.scaled(by: layout.factor).scene(
                of: layout, appearance: appearance, limits: sceneLimits,
                deadline: worker.deadline)
        }
        try check(width: scene.width, height: scene.height, scale: request.scale)
        try checkDeadline(worker)
        if let warning = original.captions?.warning { scene.warnings.append(warning) }
        return scene
    }

    /// Returns the layout of texts on a canvas.
    func layout(
        of texts: [BlockText], _ canvas: CanvasRequest, _ worker: RenderWorker
    ) throws(RenderingError) -> Layout {
        try RenderingError.catching({ RenderingError($0, parameter: "text") }) {
            () throws(TypesettingError) in
            try worker.layout(texts, on: canvas, workLimit: limits.file.work)
        }
    }

    private func checkDeadline(_ worker: RenderWorker) throws(RenderingError) {
        if worker.deadline.hasPassed(every: 1) { throw .deadline }
    }

    /// Returns the price of a scene's file, before any of it is made.
    ///
    /// - Throws: `RenderingError.overLimit` when that is past a limit.
    package func price(
        of scene: Scene, as format: any OutputFormat, on worker: RenderWorker
    ) throws(RenderingError) -> Price {
        worker.context.limits = limits.file
        return try RenderingError.catching(RenderingError.init) { () throws(EncodingError) in
            try format.checkedPrice(of: scene, worker.context)
        }
    }

    /// Returns the whole file of a scene whose price is checked.
    package func wholeFile(
        of scene: Scene, as format: any OutputFormat, on worker: RenderWorker
    ) throws(RenderingError) -> EncodedFile {
        prepare(worker)
        do {
            return try format.file(of: scene, worker.context)
        } catch {
            throw RenderingError(try named(error, scene, format, worker))
        }
    }

    /// Returns an error with the parameter that makes a text too long, or with the memory that a
    /// long video needs.
    private func named(
        _ error: EncodingError, _ scene: Scene, _ format: any OutputFormat,
        _ worker: RenderWorker
    ) throws(RenderingError) -> EncodingError {
        if case .videoTooLong(let limit, nil) = error { return tooLong(limit) }
        guard case .tooManyBytes(let count, let limit, nil) = error else { return error }
        let price = Price(bytes: count, work: 0)
        let parameter = try RenderingError.catching(RenderingError.init) {
            () throws(EncodingError) in
            try format.largestParameter(of: scene, price, worker.context) { $0.bytes }
        }
        return .tooManyBytes(count: count, limit: limit, parameter: parameter)
    }

    private func tooLong(_ limit: Int) -> EncodingError {
        let limits = limits.file
        guard limit < limits.videoBytes else { return .videoTooLong(limit: limit) }
        let bytes = limits.videoMemory + limits.videoBytes - limit
        return .videoTooLong(limit: limit, option: limits.memoryOption(for: bytes))
    }

    /// Returns a file that is made piece by piece, of a scene whose price is checked.
    package func file(
        of scene: Scene, as format: any StreamedFormat, on worker: RenderWorker
    ) throws(RenderingError) -> StreamedFile {
        prepare(worker)
        return try RenderingError.catching(RenderingError.init) { () throws(EncodingError) in
            try format.begin(scene, frameLimit: limits.file.frames, worker.context)
        }
    }

    /// Sets a worker's limits on files, and its video encoder from the catalogue.
    private func prepare(_ worker: RenderWorker) {
        worker.context.limits = limits.file
        worker.context.videoEncoder = schema.formats.videoEncoder
    }

    private func check(
        width: Double, height: Double, scale: Double
    ) throws(RenderingError) {
        let pixels = width * height * scale * scale
        guard pixels > limits.pixels else { return }
        throw .overLimit(
            scale > 1 ? "scale" : "width",
            "the picture would have \(NumberText.of(pixels.rounded())) pixels "
                + "(width·height·scale²); the limit is \(NumberText.of(limits.pixels))")
    }
}
