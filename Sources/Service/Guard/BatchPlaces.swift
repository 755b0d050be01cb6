import Rendering
import Synchronization

/// The clients whose lists are under way: one list each, so that its files have a bound.
final class BatchPlaces: Sendable {
    private let clients = Mutex<Set<ClientID>>([])

    /// Takes a place; nil if the client has one.
    func take(for client: ClientID) -> BatchPlace? {
        clients.withLock { clients in
            clients.insert(client).inserted ? BatchPlace(self, client) : nil
        }
    }

    fileprivate func leave(_ client: ClientID) {
        _ = clients.withLock { $0.remove(client) }
    }
}

/// A place among the lists under way, which is free again once nobody has it.
final class BatchPlace: Sendable {
    private let places: BatchPlaces
    private let client: ClientID

    fileprivate init(_ places: BatchPlaces, _ client: ClientID) {
        (self.places, self.client) = (places, client)
    }

    deinit { places.leave(client) }
}
