extension RenderingStore {
    /// A rendering that is not finished.
    struct UnfinishedRendering: Sendable {
        enum Stage: Sendable {
            case queued
            /// Being rendered since an instant of the clock.
            case rendering(Int64)
            case compressing(RenderedFile)
            case streaming(StreamID)
        }

        var stage: Stage
        /// The client for whom it was begun.
        let owner: ClientID
        var waiters: [Waiter] = []
        /// True if a spare thread has left it, because it takes long.
        var isLong = false
        /// The clients that have a job in the queue for it.
        var queuedClients: [ClientID] = []
        /// True if a file that was kept is to be compressed.
        var isCached = false
        /// True once a render thread compresses it.
        var isBegun = false
        /// The head, once it is known.
        var head: RenderedHead?
        /// Bytes of memory that are reserved for it.
        var reserved = 0
        /// True if its memory was given to others while it was rendered.
        var isCut = false
        /// The number of waiters at which waiters that have gone are removed.
        var crowd = 64
    }
}

extension RenderingStore.UnfinishedRendering {
    /// True while jobs in the queue are to begin with it.
    var isQueued: Bool {
        switch stage {
        case .queued: true
        case .compressing: !isBegun
        case .rendering, .streaming: false
        }
    }

    /// Adds a waiter; returns true if a job is to be queued in its client's name.
    mutating func add(_ waiter: RenderingStore.Waiter) -> Bool {
        if waiters.count >= crowd {
            waiters.removeAll { $0.receiver.isAbandoned }
            crowd = max(2 * waiters.count, 64)
        }
        waiters.append(waiter)
        guard isQueued, !queuedClients.contains(waiter.client) else { return false }
        queuedClients.append(waiter.client)
        return true
    }

    /// True if somebody waits whose time is not over.
    func isWanted(_ now: Int64) -> Bool {
        waiters.contains { now < $0.deadline && !$0.receiver.isAbandoned }
    }

    /// Removes the waiters whose time is over.
    mutating func removeLate(_ now: Int64, _ effects: inout RenderingStore.Effects) {
        let first = waiters.partition { $0.deadline <= now }
        for waiter in waiters[first...] {
            effects.deliveries.append((waiter, .failure(.deadline)))
        }
        waiters.removeSubrange(first...)
    }
}
