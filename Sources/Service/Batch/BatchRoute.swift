import Bytes
import Dispatch
import HTTP
import Motion
import Rendering
import Synchronization

/// The limits of `/batch`.
package struct BatchLimits: Equatable, Sendable {
    /// The lines of a list; 0 if no lists are taken. Default 1,000.
    package var lines = 1000
    /// The bytes of a list. Default 1 MiB.
    package var bodyBytes = 1_048_576

    package init() {}
}

/// The handler of `/batch`: a list of files in, a ZIP archive of them out.
///
/// The list is read whole before the answer begins: most clients send all of it before they read.
/// The archive is made while it is sent.
final class BatchRoute: Sendable {
    static let path = "/batch"

    private let resources: RouteResources

    static let mediaTypes: [ByteString] = [
        "application/jsonl", "application/x-ndjson", "text/plain", "application/octet-stream",
    ]

    init(_ resources: RouteResources) {
        self.resources = resources
    }

    func respond(_ context: RequestContext) {
        resources.readers.submit(for: context) { [self] in
            do throws(Problem) {
                let content = try content(of: context)
                context.send(
                    Response(
                        fields: [
                            "Content-Type": "application/zip", "Cache-Control": "no-store",
                            "Content-Disposition": "attachment; filename=\"titlecard.zip\"",
                        ], body: .stream(content)))
            } catch {
                context.fail(error)
            }
        }
    }

    private func content(of context: RequestContext) throws(Problem) -> BatchContent {
        let request = context.request
        let permission = try Permission(
            of: request, for: .parameters(extension: nil), settings: resources.settings)
        try RequestDecoder.checkBody(of: request, isOneOf: Self.mediaTypes)
        try RequestDecoder.checkQuery(of: request, isEmpty: "belongs in the lines of the body")
        let list = BatchList(request.body, longestLine: resources.settings.http.bodyBytes)
        guard list.lineCount <= resources.settings.batch.lines else {
            throw Problem(
                .contentTooLarge, "Too many lines", "body",
                "has \(list.lineCount) lines; the limit is \(resources.settings.batch.lines)")
        }
        let address = ClientAddress.of(request, trusting: resources.settings.trustedProxies)
        let client = address?.clientID ?? .anonymous
        guard let place = resources.batchPlaces.take(for: client) else { throw .busyLists }
        guard resources.renderer.budget.reserve(request.body.count, for: .renderings) else {
            throw Problem(.memoryFull)
        }
        return BatchContent(list, context, permission, client: client, place, resources) {
            [limiter = resources.limiter] in
            address.flatMap { limiter?.take(for: $0) }
        }
    }
}

extension Problem {
    /// The problem of a client whose list is under way.
    fileprivate static var busyLists: Problem {
        var problem = Problem(
            .serviceUnavailable,
            "Another list of this client is being rendered",
            retryAfter: 5)
        problem.refusal = .queueShare
        return problem
    }
}

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

/// The lines of a list that is in memory.
struct BatchList: Sendable {
    struct Line: Sendable {
        /// From 1.
        let number: Int
        /// Nil if it has too many bytes.
        let bytes: [UInt8]?
    }

    private let bytes: [UInt8]
    private let longestLine: Int
    private var offset = 0
    private var number = 0

    init(_ bytes: [UInt8], longestLine: Int) {
        (self.bytes, self.longestLine) = (bytes, longestLine)
    }

    var lineCount: Int {
        let breaks = bytes.reduce(0) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
        return breaks + (bytes.last.map { $0 != UInt8(ascii: "\n") } ?? false ? 1 : 0)
    }

    /// The bytes of the whole list.
    var byteCount: Int { bytes.count }

    var isAtEnd: Bool { offset >= bytes.count }

    /// Returns the next line; nil at the end.
    mutating func next() -> Line? {
        guard !isAtEnd else { return nil }
        let end = bytes[offset...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        let line = bytes[offset..<end]
        offset = end + 1
        number += 1
        return Line(number: number, bytes: line.count <= longestLine ? Array(line) : nil)
    }
}
