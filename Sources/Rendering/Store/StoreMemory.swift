extension RenderingStore {
    /// Reserves the memory that a rendering needs.
    ///
    /// The first always succeeds, since its size has a limit of its own.
    ///
    /// - Returns: False if too little is left.
    mutating func reserve(_ bytes: Int, for key: RenderKey) -> (Bool, Effects) {
        var effects = Effects()
        guard let rendering = unfinished[key], !rendering.isCut,
            reserve(bytes, of: rendering.owner, &effects)
        else { return (false, effects) }
        unfinished[key]?.reserved += bytes
        return (true, effects)
    }

    /// Cuts streams and renderings of clients that hold more than their share, until a rendering can
    /// have memory.
    ///
    /// Streams are cut first, beginning with the one whose readers have not asked for a piece for
    /// the longest time, then renderings; these end as soon as their threads check the clock.
    mutating func cutExcess(for bytes: Int, of key: RenderKey) -> Effects {
        var effects = Effects()
        guard let owner = unfinished[key]?.owner else { return effects }
        let share = ClientID.share(of: min(limits.streamBytes, limits.budget.capacity))
        guard memory.bytes(of: owner) + bytes <= share else { return effects }
        while !memory.hasRoom(for: bytes), let greediest = memory.greediest(beyond: share) {
            let streams = streams.filter { $0.value.owner == greediest && $0.value.bytes > 0 }
            if let (id, _) = streams.min(by: { $0.value.begun < $1.value.begun }) {
                cut(id, &effects)
            } else if let (key, rendering) = unfinished.first(where: {
                $0.value.owner == greediest && $0.value.reserved > 0
            }) {
                memory.giveBack(rendering.reserved, of: rendering.owner)
                unfinished[key]?.reserved = 0
                unfinished[key]?.isCut = true
            } else {
                break
            }
        }
        return effects
    }

    /// Releases the memory of a stream, whose readers fail when they ask for the next piece.
    private mutating func cut(_ id: StreamID, _ effects: inout Effects) {
        guard var stream = streams[id] else { return }
        unlink(id, from: stream.key)
        stream.stage = .failed
        release(&stream, &effects)
        memory.giveBack(stream.heldBytes, of: stream.owner)
        effects.released.append(stream.pieces)
        stream.heldBytes = 0
        stream.pieces = []
        streams[id] = stream
        for reader in stream.readers { readers[reader]?.index = 0 }
    }

    /// Reserves memory for a client; kept renderings make room for it.
    mutating func reserve(
        _ bytes: Int, of client: ClientID, _ effects: inout Effects
    ) -> Bool {
        guard memory.isWithinLimit(bytes) else { return false }
        effects.released += kept.makeRoom(for: bytes)
        return memory.reserve(bytes, of: client)
    }

    /// Gives back the memory that was reserved for a rendering.
    mutating func releaseReservation(for key: RenderKey) {
        guard let rendering = unfinished[key] else { return }
        memory.giveBack(rendering.reserved, of: rendering.owner)
        unfinished[key]?.reserved = 0
    }
}

extension RenderingStore.Stream {
    /// Bytes of memory that it holds.
    fileprivate var bytes: Int { reserved + heldBytes }
}
