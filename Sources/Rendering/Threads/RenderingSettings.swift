import Encoders
package import Supervision

/// The settings of renderings that an operator may change.
package struct RenderingSettings: Sendable {
    /// Render threads.
    package var workers = 2
    /// Threads that render videos, each with a process of ffmpeg at a time.
    package var videoProcesses = 1
    /// Renderings that may wait for a render thread before others are refused.
    package var queueLength = 256
    /// The time that render threads may spend on one request, which includes its wait.
    package var deadline: Duration = .seconds(60)
    /// Bytes of finished renderings that are kept; 0 keeps none.
    package var cacheBytes = 67_108_864
    /// Bytes of glyphs' shapes and pictures that are kept for all workers together; 0 keeps none.
    package var glyphCacheBytes = 67_108_864
    /// Bytes that GIF, APNG and WebP files may hold together while they wait for their clients.
    package var streamBytes = 536_870_912
    /// Bytes of memory that the whole service may take.
    package var memoryBytes = 629_145_600
    /// Processes like this one, each with so much memory.
    package var processes = 1
    package var limits = RenderLimits()
    /// The journal in which render threads note their renderings; nil if nobody reads it.
    package var journal: WorkJournal?
    /// The parameters, effects and formats of requests.
    package var schema = RequestSchema.standard

    package init() {}

    /// All render threads, also the threads that are started when one client keeps the others busy.
    package var threads: Int {
        max(workers, 1) + RenderPool.maximumSpareThreads(workers: workers) + videoThreads
    }

    var videoThreads: Int { schema.formats.videoEncoder == nil ? 0 : videoProcesses }

    /// The fonts that each render thread may have open at rest.
    var restingFonts: Int { max(64 / max(workers, 1), 4) }

    /// Bytes of `memoryBytes` that are set aside for the buffers of connections.
    package var connectionBytes: Int { memoryBytes / 8 }

    /// The least bytes of the program, with its libraries, and with the bytes that render threads
    /// may take without asking; the rest is measured.
    var programBytes: Int {
        let bytes = 24 << 20 + threads * RenderingMemory.allowance
        // Something has to be left for renderings.
        return min(bytes, memoryBytes / 2)
    }

    /// The most bytes of a video: half a minute of ProRes in full HD.
    private static let videoBytes = 192 << 20

    /// The settings, with limits for a video: the memory that the program leaves.
    var withVideoMemory: RenderingSettings {
        var settings = self
        settings.limits.file.videoBytes = Self.videoBytes
        settings.limits.file.videoMemory = memoryBytes - programBytes
        settings.limits.file.programMemory = programBytes
        settings.limits.file.processes = processes
        return settings
    }
}
