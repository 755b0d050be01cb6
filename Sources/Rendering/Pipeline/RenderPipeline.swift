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
            seed: request.seed, digest: Digest.of([request.canonical]).low)
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

/// A number for a text that is the same in every process (FNV-1a, two lanes of 64 bits).
package struct Digest {
    package let low: UInt64
    package let high: UInt64

    package static func of(_ parts: [String]) -> Digest {
        var (low, high): (UInt64, UInt64) = (0xcbf2_9ce4_8422_2325, 0x9ae1_6a3b_2f90_404f)
        func add(_ byte: UInt8) {
            low = (low ^ UInt64(byte)) &* 0x100_0000_01b3
            high = (high ^ UInt64(byte ^ 0x5A)) &* 0x100_0000_01b3
            high ^= high >> 29
        }
        for part in parts {
            for byte in part.utf8 { add(byte) }
            // No UTF-8 text holds this byte, so that parts cannot run into each other.
            add(0xFF)
        }
        return Digest(low: mixed(low), high: mixed(high))
    }

    /// Spreads the last bytes over all bits (SplitMix64's finaliser).
    private static func mixed(_ value: UInt64) -> UInt64 {
        var z = value
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// 32 hexadecimal digits.
    package var text: String {
        [high, low].map { part in
            let digits = String(part, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}
