/// The rounds in which the supervisor asks its workers whether they still answer.
struct HangWatch {
    /// The nanoseconds between two rounds.
    static let interval: UInt64 = 500_000_000
    /// A round that comes later than this says nothing about the workers: the supervisor was stopped,
    /// and they perhaps with it.
    private static let lateness: UInt64 = 1_000_000_000

    /// The seconds for which a worker may be silent.
    let patience: UInt64
    /// The instant of the next round, in nanoseconds.
    private(set) var next: UInt64

    /// - Parameters:
    ///   - seconds: The seconds for which a worker may be silent; there is no watch for 0.
    ///   - now: The present instant, in nanoseconds.
    init?(seconds: UInt16, now: UInt64) {
        guard seconds > 0 else { return nil }
        patience = UInt64(seconds)
        next = now + Self.interval
    }

    /// Begins a round, if it is time.
    ///
    /// - Returns: The nanoseconds since the round before that count; nil if it is not time.
    mutating func begin(now: UInt64) -> UInt64? {
        guard next <= now else { return nil }
        let delay = now - next
        next = now + Self.interval
        return delay > Self.lateness ? 0 : Self.interval + delay
    }
}

/// The silence of a worker that serves.
struct Silence {
    /// The nanoseconds since it was first asked without an answer that count.
    private var nanoseconds: UInt64?
    private var isAsked = false

    /// Adds the nanoseconds of a round, and asks the worker unless it has a question.
    ///
    /// - Parameters:
    ///   - nanoseconds: The nanoseconds since the round before that count.
    ///   - ask: Returns false if the worker's connection is full, which is silence too.
    /// - Returns: The nanoseconds of silence.
    mutating func extend(by nanoseconds: UInt64, _ ask: () -> Bool) -> UInt64 {
        let sum = self.nanoseconds.map { $0 + nanoseconds } ?? 0
        self.nanoseconds = sum
        if !isAsked { isAsked = ask() }
        return sum
    }

    /// Ends the silence.
    mutating func noteAnswer() { self = Silence() }
}
