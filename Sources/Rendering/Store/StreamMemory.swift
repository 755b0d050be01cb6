/// The memory that streams and large renderings hold, or have reserved, by client.
struct StreamMemory: Sendable {
    private let limits: RenderingStore.Limits
    private(set) var bytes = 0
    private var bytesOfClients: [ClientID: Int] = [:]

    init(_ limits: RenderingStore.Limits) {
        self.limits = limits
    }

    func bytes(of client: ClientID) -> Int { bytesOfClients[client, default: 0] }

    /// Returns the client that holds most, if that is more than a share.
    func greediest(beyond share: Int) -> ClientID? {
        guard let most = bytesOfClients.max(by: { $0.value < $1.value }), most.value > share else {
            return nil
        }
        return most.key
    }

    /// Returns true if streams may hold so many more; the first always may.
    func isWithinLimit(_ count: Int) -> Bool {
        bytes == 0 || bytes + count <= limits.streamBytes
    }

    func hasRoom(for count: Int) -> Bool {
        bytes == 0 || isWithinLimit(count) && limits.budget.hasRoom(for: count)
    }

    /// Reserves memory within the budget; the first reservation always succeeds.
    ///
    /// - Returns: False if too little is left.
    mutating func reserve(_ count: Int, of client: ClientID) -> Bool {
        guard limits.budget.reserve(count, for: .renderings, isFirst: bytes == 0) else {
            return false
        }
        add(count, of: client)
        return true
    }

    /// Counts memory that is held whether or not there is room for it.
    mutating func take(_ count: Int, of client: ClientID) {
        limits.budget.take(count, for: .renderings)
        add(count, of: client)
    }

    mutating func giveBack(_ count: Int, of client: ClientID) {
        guard count > 0 else { return }
        limits.budget.release(count, for: .renderings)
        add(-count, of: client)
    }

    private mutating func add(_ count: Int, of client: ClientID) {
        bytes += count
        let held = bytes(of: client) + count
        bytesOfClients[client] = held > 0 ? held : nil
    }
}
