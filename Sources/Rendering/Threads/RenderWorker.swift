import Bytes
package import Encoders
import Glibc
import Motion
package import Raster
import Supervision
import Synchronization
package import Typesetting

/// The resources of one render thread, which are expensive to make.
///
/// It is not `Sendable`, and belongs to one thread at a time.
package final class RenderWorker {
    package let context: EncodingContext
    /// The end of the work that `attempt` runs.
    let deadline = WorkDeadline()
    let gzip: Deflater
    /// The priority of the thread that it is on.
    let priority = ThreadPriority()
    /// The instant of the thread's processor time at which a job that has not finished is to be left
    /// to another thread; nil if it may take any time.
    var yieldTime: Int64?
    /// The place in the journal where it notes its renderings, if a supervisor reads it.
    var slot: JournalSlot?
    private let cache: any GlyphCache
    private let health: RenderHealth
    private var catalog: FontCatalog
    /// Nil after a fault, because a font map that failed to open a font silently uses another.
    private var typesetter: Typesetter?
    private let memory: MemoryWatch?
    /// The fonts that may stay open while there is no work, and where memory is short.
    private let restingFonts: Int
    /// The relief of memory for which fonts were opened again last.
    private var lastRelief: Int

    /// - Throws: The fault that keeps it from rendering, which a sample shows.
    init(
        catalog: FontCatalog, cache: any GlyphCache, health: RenderHealth,
        memory: MemoryWatch? = nil, restingFonts: Int = 32
    ) throws(LibraryFault) {
        self.catalog = catalog
        self.cache = cache
        self.health = health
        self.memory = memory
        lastRelief = memory?.reliefs ?? 0
        self.restingFonts = restingFonts
        context = EncodingContext(
            painter: TilePainter(cache: cache, deadline: deadline), cache: cache,
            deadline: deadline)
        gzip = try Deflater(.gzip)
        try warmUp()
    }

    /// Makes a worker for a thread of the caller's, with a cache of its own or one that it shares.
    package convenience init(
        catalog: FontCatalog,
        cache: SharedGlyphCache = SharedGlyphCache(capacity: RenderingSettings().glyphCacheBytes)
    ) throws(LibraryFault) {
        try self.init(catalog: catalog, cache: cache, health: RenderHealth())
    }

    /// Lays out texts in the fonts of a catalogue from now on.
    func use(_ catalog: FontCatalog) {
        guard catalog.number != self.catalog.number else { return }
        self.catalog = catalog
        typesetter = nil
    }

    func layout(
        _ texts: [BlockText], on canvas: CanvasRequest, workLimit: Double
    ) throws(TypesettingError) -> Layout {
        try openTypesetter().layout(texts, on: canvas, workLimit: workLimit, until: deadline)
    }

    /// Returns true if a text fits a canvas in its own size.
    func fits(_ text: BlockText, on canvas: CanvasRequest) throws(TypesettingError) -> Bool {
        try openTypesetter().fits([text], on: canvas, until: deadline)
    }

    /// Returns the typesetter, or a new one if it holds too much.
    private func openTypesetter() throws(TypesettingError) -> Typesetter {
        if let typesetter, !typesetter.isFull { return typesetter }
        // The old typesetter is freed before the new one is made.
        typesetter = nil
        let fresh = try TypesettingError.catching { () throws(LibraryFault) in
            try Typesetter(catalog: catalog, cache: cache)
        }
        typesetter = fresh
        return fresh
    }

    /// Frees the memory of everything that the worker can make again.
    func release() {
        typesetter = nil
        context.release()
    }

    /// Opens the fonts unless they are open.
    func prepare() throws(LibraryFault) {
        if typesetter == nil { try warmUp() }
    }

    /// True if the fonts that are open take too much, or memory is short.
    var isToRenew: Bool { typesetter?.isFull == true || lastRelief != memory?.reliefs ?? 0 }

    /// Opens the fonts again if the open fonts take too much, so that the next job need not. If
    /// memory is short, one thread does it at a time, and the others after their next job.
    func renew() {
        guard let memory, memory.reliefs != lastRelief else {
            if typesetter?.isFull == true { try? warmUp() }
            return
        }
        let relief = memory.reliefs
        let hasRelieved = memory.relieve {
            if typesetter?.holds(moreThan: restingFonts) == true { try? warmUp() }
        }
        if hasRelieved { lastRelief = relief }
    }

    /// Gives back the memory of fonts that texts asked for, and of encoders.
    func rest() {
        context.release()
        guard let typesetter, typesetter.holds(moreThan: restingFonts) else { return }
        try? warmUp()
    }

    /// Opens the fonts again and renders a sample.
    func warmUp() throws(LibraryFault) {
        typesetter = nil
        let fresh = try Typesetter(catalog: catalog, cache: cache)
        try fresh.warmUp()
        typesetter = fresh
    }

    /// The nanoseconds between two checks of whether work is still wanted.
    private static let lookInterval: Int64 = 2_000_000

    /// True if the present job has taken all the time that it may have on this thread.
    var hasToYield: Bool {
        guard let yieldTime else { return false }
        return nanoseconds(of: CLOCK_THREAD_CPUTIME_ID) >= yieldTime
    }

    /// The nanoseconds of a processor after which work gives way to shorter work of other threads.
    private static let shortWork: Int64 = 10_000_000

    /// Runs a part of a rendering, in which layout, tracks and encoders check whether it may go on.
    ///
    /// `isWanted` returns true while the work may go on at an instant of the clock, and is called now
    /// and then. The rendering is noted in the journal meanwhile.
    func attempt<Result>(
        at key: RenderKey, while isWanted: @escaping (_ now: Int64) -> Bool,
        _ now: @escaping () -> Int64, _ body: () throws(RenderingError) -> Result
    ) throws(RenderingError) -> Result {
        try note(key)
        defer { slot?.end() }
        var nextLook = Int64.min
        let longTime = yieldTime ?? nanoseconds(of: CLOCK_THREAD_CPUTIME_ID) + Self.shortWork
        deadline.isPassed = { [priority] in
            let time = now()
            guard time >= nextLook else { return false }
            nextLook = time + Self.lookInterval
            guard isWanted(time) else {
                nextLook = .min
                return true
            }
            if nanoseconds(of: CLOCK_THREAD_CPUTIME_ID) >= longTime { priority.lower() }
            return false
        }
        defer { deadline.isPassed = nil }
        return try attempt(body)
    }

    /// - Throws: `RenderingError.refused` if it must not begin.
    private func note(_ key: RenderKey) throws(RenderingError) {
        guard let slot else { return }
        let outcome = key.request.utf8.withContiguousStorageIfAvailable { request in
            slot.begin(format: key.format.text, request: UnsafeRawBufferPointer(request))
        }
        if case .refused(let seconds) = outcome { throw .refused(retryAfter: seconds) }
    }

    /// Runs a part of a rendering, and notes its success or failure for `/health`.
    ///
    /// After a library's fault the next part opens its fonts again.
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
    /// Atomic, because it is read for every rendering.
    private let isFailing = Atomic(false)
    private let faults = Mutex<[LibraryFault]>([])
    private let faultCounts = Mutex<[LibraryFault.Library: Int]>([:])

    /// The number of different faults that are kept.
    private static let maximumFaults = 8

    init() {}

    /// The reasons why renderings fail, in the order of their first occurrence; empty if the last one
    /// succeeded.
    var reasons: [String] {
        guard isFailing.load(ordering: .acquiring) else { return [] }
        return faults.withLock { $0.map(\.description) }
    }

    /// The faults of each library since the start.
    var counts: [(library: String, count: Int)] {
        let counts = faultCounts.withLock { $0 }
        return LibraryFault.Library.allCases.map { ($0.rawValue, counts[$0] ?? 0) }
    }

    /// Notes the fault of a library.
    func noteFailure(_ fault: LibraryFault) {
        faultCounts.withLock { $0[fault.library, default: 0] += 1 }
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
