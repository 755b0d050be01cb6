import Bytes
import Encoders
package import Typesetting

/// Renders what a journal holds, as the server does, to see whether the process lives on.
package enum TrialRendering {
    /// The time that a trial may take.
    private static let duration: Int64 = 8_000_000_000

    /// Renders a request and drops the outcome.
    ///
    /// - Parameters:
    ///   - entry: The name of the format and the canonical request, each a line.
    ///   - settings: The settings of the server.
    ///   - catalog: The installed fonts.
    ///   - now: Returns the nanoseconds of a monotonic clock.
    ///   - begin: Called before libraries see the request, with the path of its permalink.
    /// - Throws: The reason why it is not rendered.
    package static func run(
        _ entry: [UInt8], _ settings: RenderingSettings, _ catalog: FontCatalog,
        now: @escaping () -> Int64, begin: (_ path: String) -> Void
    ) throws(RenderingError) {
        let lines = entry.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        guard lines.count > 1 else { return }
        let name = ByteString(String(decoding: lines[0], as: UTF8.self))
        guard let format = settings.schema.formats[name] else { return }
        var request = try RequestReader.read(
            try RawRequest(json: Array(lines[1])), schema: settings.schema,
            limits: settings.limits)
        // It has passed the check once, which depends on what it came from.
        request.hasEndlessCycle = true
        let worker: RenderWorker
        let resolved = try ResolvedRequest(request, as: format, fonts: FontReading(catalog))
        do {
            worker = try RenderWorker(catalog: catalog)
            begin(
                Permalink.path(
                    of: request.canonical, extension: format.type.fileExtension,
                    try Deflater(.permalink)))
        } catch {
            throw .library(error)
        }
        let deadline = now() + duration
        try worker.attempt(at: resolved.key, while: { $0 < deadline }, now) {
            () throws(RenderingError) in
            let pipeline = RenderPipeline(limits: settings.limits, schema: settings.schema)
            let scene = try pipeline.scene(of: request, on: worker)
            _ = resolved.format.warnings(of: scene)
            guard let streamed = resolved.format.streamed else {
                _ = worker.gzip.deflated(
                    try pipeline.wholeFile(of: scene, as: resolved.format, on: worker).bytes)
                return
            }
            let producer = StreamProducer(try pipeline.file(of: scene, as: streamed, on: worker))
            while try !producer.nextPiece(worker.context).isLast {}
        }
    }
}
