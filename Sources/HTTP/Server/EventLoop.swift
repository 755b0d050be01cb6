/// What a descriptor is ready for, or is watched for.
struct Readiness: OptionSet, Sendable {
    let rawValue: UInt8

    static let read = Readiness(rawValue: 1)
    static let write = Readiness(rawValue: 2)
    /// Both directions are shut or the connection has failed; always watched for.
    static let gone = Readiness(rawValue: 4)
}

/// One descriptor's readiness, with the token that it was watched under.
struct ReadyEvent: Sendable {
    var token: UInt64
    var readiness: Readiness
}

/// The system's way of waiting for many descriptors at once.
///
/// To add one, such as kqueue's, conform a class and make it in `Server.start`. Readiness is level
/// triggered: it is told again and again until it is used or no longer watched for. Everything but
/// `wake` is called on the loop's own queue only.
protocol EventLoop: AnyObject, Sendable {
    /// Begins to watch a descriptor; closing it ends that.
    ///
    /// - Returns: false when the system has no room for another.
    func watch(_ descriptor: Int32, for readiness: Readiness, token: UInt64) -> Bool

    /// Begins to watch a listening descriptor that other loops watch too, for reading: of them all
    /// at least one is told of each event, but not every one.
    ///
    /// - Returns: false when the system has no room for another.
    func watchShared(_ descriptor: Int32, token: UInt64) -> Bool

    /// Changes what a descriptor is watched for that is not shared.
    func change(_ descriptor: Int32, to readiness: Readiness, token: UInt64)

    /// Ceases to watch a descriptor that stays open.
    func unwatch(_ descriptor: Int32)

    /// Waits for events, a call of `wake` or the end of a time, and replaces the list by what there
    /// is, which may be nothing.
    ///
    /// - Parameters:
    ///   - timeout: milliseconds; negative for ever.
    ///   - events: the list.
    func wait(timeout: Int32, into events: inout [ReadyEvent])

    /// Makes the present or next `wait` return at once; from any thread.
    func wake()
}
