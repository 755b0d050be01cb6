import Encoders
package import Motion
import Synchronization
package import Typesetting

/// The means of one render thread: fonts, shapes and streams that cost more to make than to use.
///
/// Not `Sendable`: it stays on its thread.
package final class RenderWorker {
    let context: EncodingContext
    let gzip: Deflater
    private let cache: any GlyphCache
    private let health: RenderHealth
    private var catalog: FontCatalog
    /// Nil after a fault, for a font map that once failed to open a font goes on drawing others.
    private var typesetter: Typesetter?

    /// - Throws: The fault that keeps it from rendering, which a sample shows.
    init(
        catalog: FontCatalog, cache: any GlyphCache, health: RenderHealth
    ) throws(LibraryFault) {
        self.catalog = catalog
        self.cache = cache
        self.health = health
        context = EncodingContext(painter: TilePainter(cache: cache), cache: cache)
        gzip = try Deflater(.gzip)
        try warmUp()
    }

    /// A worker by itself.
    package convenience init(catalog: FontCatalog) throws(LibraryFault) {
        let cache = SharedGlyphCache(capacity: RenderingSettings().glyphCacheBytes)
        try self.init(catalog: catalog, cache: cache, health: RenderHealth())
    }

    /// Sets texts in the fonts of a reading from now on.
    func use(_ catalog: FontCatalog) {
        guard catalog.number != self.catalog.number else { return }
        self.catalog = catalog
        typesetter = nil
    }

    func layout(
        _ texts: [BlockText], on canvas: CanvasRequest
    ) throws(TypesettingError) -> Layout {
        if let typesetter, !typesetter.isFull {
            return try typesetter.layout(texts, on: canvas)
        }
        // The old one goes before the new one comes.
        typesetter = nil
        let fresh: Typesetter
        do {
            fresh = try Typesetter(catalog: catalog, cache: cache)
        } catch {
            throw .library(error)
        }
        typesetter = fresh
        return try fresh.layout(texts, on: canvas)
    }

    /// Renders a sample with fonts that are opened anew.
    func warmUp() throws(LibraryFault) {
        typesetter = nil
        let fresh = try Typesetter(catalog: catalog, cache: cache)
        try fresh.warmUp()
        typesetter = fresh
    }

    /// Does a part of a rendering, in which encoders look at the clock.
    ///
    /// `deadline` returns the instant until which it may take; it is asked again when that is over,
    /// for it may have been put off.
    func attempt<Result>(
        until deadline: @escaping () -> Int64, _ now: @escaping () -> Int64,
        _ body: () throws(RenderingError) -> Result
    ) throws(RenderingError) -> Result {
        var end = Int64.min
        context.isPastDeadline = {
            guard now() >= end else { return false }
            end = deadline()
            return now() >= end
        }
        defer { context.isPastDeadline = nil }
        return try attempt(body)
    }

    /// Does a part of a rendering, and notes for `/health` how it went.
    ///
    /// After a library's fault the next part opens its fonts anew.
    func attempt<Result>(_ body: () throws(RenderingError) -> Result) throws(RenderingError)
        -> Result
    {
        do {
            let result = try body()
            health.noteSuccess()
            return result
        } catch {
            if case .library(let fault) = error {
                typesetter = nil
                health.noteFailure(fault)
            }
            throw error
        }
    }
}

/// The reasons why renderings fail, which `/health` reports.
final class RenderHealth: Sendable {
    /// Read for every rendering, so without a lock.
    private let isFailing = Atomic(false)
    private let faults = Mutex<[LibraryFault]>([])

    /// Different faults that are remembered.
    private static let maximumFaults = 8

    init() {}

    /// The reasons why renderings fail, in the order in which they came up; empty where the last one
    /// succeeded.
    var reasons: [String] {
        guard isFailing.load(ordering: .acquiring) else { return [] }
        return faults.withLock { $0.map(\.description) }
    }

    /// Notes a rendering that a library made fail.
    func noteFailure(_ fault: LibraryFault) {
        faults.withLock { faults in
            if faults.count < Self.maximumFaults, !faults.contains(fault) { faults.append(fault) }
            isFailing.store(true, ordering: .releasing)
        }
    }

    /// Notes a rendering that succeeded.
    func noteSuccess() {
        guard isFailing.load(ordering: .relaxed) else { return }
        faults.withLock { faults in
            faults = []
            isFailing.store(false, ordering: .releasing)
        }
    }
}
