/// The pace at which a client takes what it is sent, measured while it is waited for.
struct WritePace {
    /// Bytes that it has taken.
    var takenBytes = 0
    /// The nanoseconds for which it was waited for, up to `begun`.
    private var waited: Int64 = 0
    private var begun: Int64 = 0

    /// Begins to wait; returns the nanoseconds for which the client was waited for before.
    mutating func begin(at now: Int64) -> Int64 {
        if waited == 0 { takenBytes = 0 }
        begun = now
        return waited
    }

    mutating func pause(at now: Int64) { waited += now - begun }
}
