import Bytes
import Encoders
import Glibc
import Processes
import Raster
package import Typesetting

/// Renders the requests of a journal like the server, to see whether the process lives on.
package enum TrialRendering {
    /// The time that a trial may take.
    private static let duration: Int64 = 8_000_000_000

    /// Renders a request and drops the outcome.
    ///
    /// A rendering that takes more memory than it may ends the process by a signal.
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
        let settings = settings.withVideoMemory
        let memory = TrialMemory(settings)
        let lines = entry.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        guard lines.count > 1 else { return }
        let name = ByteString(String(decoding: lines[0], as: UTF8.self))
        guard let format = settings.schema.formats[name] else { return }
        var request = try RequestReader.read(
            try RawRequest(json: Array(lines[1])), schema: settings.schema,
            limits: settings.limits)
        // The request has passed the check of its cycle once, which depends on its source.
        request.hasEndlessCycle = true
        let worker: RenderWorker
        let resolved = try ResolvedRequest(request, as: format, fonts: FontReading(catalog))
        do {
            worker = try RenderWorker(catalog: catalog, cache: memory.glyphs)
            begin(
                Permalink.path(
                    of: request.canonical, extension: format.type.fileExtension,
                    try Deflater(.permalink)))
        } catch {
            throw .library(error)
        }
        let deadline = now() + duration
        do {
            try worker.attempt(at: resolved.key, while: { $0 < deadline }, now) {
                () throws(RenderingError) in
                try render(resolved, settings, memory, on: worker)
            }
        } catch {
            // Without the limit it would have taken more.
            if case .library(.memory) = error { abort() }
            throw error
        }
    }

    private static func render(
        _ request: ResolvedRequest, _ settings: RenderingSettings, _ memory: TrialMemory,
        on worker: RenderWorker
    ) throws(RenderingError) {
        let pipeline = RenderPipeline(limits: settings.limits, schema: settings.schema)
        let scene = try pipeline.scene(of: request.request, on: worker)
        let price = try pipeline.price(of: scene, as: request.format, on: worker)
        _ = request.format.warnings(of: scene)
        guard let streamed = request.format.streamed else {
            memory.reserve(
                RenderingMemory.estimate(of: scene)
                    + RenderingMemory.estimate(of: scene, for: request, price, settings.limits))
            _ = worker.gzip.deflated(
                try pipeline.wholeFile(of: scene, as: request.format, on: worker).bytes)
            return
        }
        memory.reserve(RenderingMemory.estimate(of: scene) + streamed.memory(of: scene))
        let producer = StreamProducer(try pipeline.file(of: scene, as: streamed, on: worker))
        while try !producer.nextPiece(worker.context).isLast {}
    }
}

/// The memory that a trial may take: the memory that `--memory` leaves a worker that renders
/// nothing else.
///
/// The limit is `RLIMIT_DATA`, of memory that only the process writes to (Linux 4.7). `RLIMIT_AS`
/// would also count mapped fonts, of which there may be any number, and memory that the allocator
/// has only set aside, and so convict renderings for the fonts that they use. It is a soft limit: a
/// program that this process starts can take it back.
private struct TrialMemory {
    let glyphs: SharedGlyphCache
    private let budget: MemoryBudget
    private let programBytes: Int
    /// The bytes that this process has before it renders.
    private let ownBytes = ProcessMemory.writable
    /// The limit that this process was started with.
    private let first = ResourceLimit.memory.value.rlim_cur

    /// Limits the memory of this process, before any library may look for the limit.
    init(_ settings: RenderingSettings) {
        budget = MemoryBudget(capacity: settings.memoryBytes - settings.connectionBytes)
        programBytes = settings.programBytes
        budget.set(.program, to: programBytes)
        glyphs = SharedGlyphCache(capacity: settings.glyphCacheBytes, budget: budget)
        limit(to: budget.capacity)
    }

    /// Makes room for the expected memory of a rendering. A single rendering gets it even past the
    /// budget.
    ///
    /// The limit has twice as much: the memory allocated for a file of any length is not all
    /// written.
    func reserve(_ bytes: Int) {
        limit(to: max(budget.capacity, programBytes + 2 * bytes))
        budget.take(bytes, for: .renderings)
        glyphs.shrink(by: 0)
    }

    private func limit(to bytes: Int) {
        ResourceLimit.memory.setSoft(min(rlim_t(ownBytes + bytes), first))
    }
}
