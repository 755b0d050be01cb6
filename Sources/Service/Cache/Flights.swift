import Rendering
import Synchronization

/// Renderings on their way, so that equal requests at the same time share one.
final class Flights<Passenger: Sendable>: Sendable {
    private let passengers = Mutex<[RenderKey: [Passenger]]>([:])

    /// Waits for a rendering.
    ///
    /// - Returns: Whether it is the first to wait, who sees to it that the rendering is made.
    func board(_ passenger: Passenger, for key: RenderKey) -> Bool {
        passengers.withLock { passengers in
            passengers[key, default: []].append(passenger)
            return passengers[key]?.count == 1
        }
    }

    /// Ends the flight when nobody waits any more for whom `isWaiting` is true.
    ///
    /// - Returns: Whether it ended.
    func cancel(_ key: RenderKey, unless isWaiting: (Passenger) -> Bool) -> Bool {
        passengers.withLock { passengers in
            guard let aboard = passengers[key], !aboard.contains(where: isWaiting) else {
                return false
            }
            passengers[key] = nil
            return true
        }
    }

    /// Ends the flight.
    ///
    /// - Returns: All who wait.
    func land(_ key: RenderKey) -> [Passenger] {
        passengers.withLock { $0.removeValue(forKey: key) ?? [] }
    }
}
