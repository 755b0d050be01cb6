import Synchronization

/// A value that is fulfilled at most once, from any thread, and received by one event loop.
///
/// The loop makes a promise, hands it to whoever computes the value, and then calls
/// `value(orSendTo:)`. A value that was fulfilled meanwhile is returned without a change of thread;
/// a later one goes to the receiver. If the last reference goes away first, the receiver gets nil.
package final class Promise<Value: Sendable>: Sendable {
    package typealias Receiver = @Sendable (Value?) -> Void

    private enum State: Sendable {
        /// The loop has not asked for the value yet.
        case pending
        /// The value waits for the loop to ask.
        case kept(Value)
        case awaited(Receiver)
        /// The value is with the loop or its receiver.
        case received
    }

    private let state = Mutex(State.pending)
    private let abandoned = Atomic(false)

    /// Makes an unfulfilled promise.
    package init() {}

    deinit {
        let receiver: Receiver? = state.withLock { state in
            guard case .awaited(let receiver) = state else { return nil }
            return receiver
        }
        receiver?(nil)
    }

    /// Provides the value.
    ///
    /// - Returns: False when there was one already; the promise keeps that one.
    package func fulfill(_ value: Value) -> Bool {
        let (isFirst, receiver): (Bool, Receiver?) = state.withLock { state in
            switch state {
            case .pending:
                state = .kept(value)
                return (true, nil)
            case .awaited(let receiver):
                state = .received
                return (true, receiver)
            case .kept, .received:
                return (false, nil)
            }
        }
        receiver?(value)
        return isFirst
    }

    /// Fetches the value; called once.
    ///
    /// - Parameter receiver: Called once if this returns nil, on the thread that fulfills or drops
    ///   the promise; with nil when it was dropped.
    /// - Returns: The value, or nil if it is not there yet.
    package func value(orSendTo receiver: @escaping Receiver) -> Value? {
        state.withLock { state in
            guard case .kept(let value) = state else {
                state = .awaited(receiver)
                return nil
            }
            state = .received
            return value
        }
    }

    /// True once the receiver does not want the value any more.
    var isAbandoned: Bool { abandoned.load(ordering: .relaxed) }

    /// Notes that nobody wants the value any more; it may be fulfilled all the same.
    func abandon() {
        abandoned.store(true, ordering: .relaxed)
    }
}
