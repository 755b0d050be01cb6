package import Logging

/// Log lines as JSON objects, one a line, on standard error.
package struct JSONLogHandler: LogHandler {
    package var logLevel = Logger.Level.info
    package var metadata: Logger.Metadata = [:]
    private let write: @Sendable ([UInt8]) -> Void
    private let clock: @Sendable () -> Double

    /// `clock` gives the seconds since 1970; `write` gets whole lines.
    package init(
        clock: @escaping @Sendable () -> Double, write: @escaping @Sendable ([UInt8]) -> Void
    ) {
        self.clock = clock
        self.write = write
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        var members = [
            ("time", JSONNode.number((clock() * 1000).rounded() / 1000)),
            ("level", .string(event.level.rawValue)), ("message", .string("\(event.message)")),
        ]
        let all = metadata.merging(event.metadata ?? [:]) { $1 }
        for (name, value) in all.sorted(by: { $0.key < $1.key }) {
            members.append((name, Self.node(of: value)))
        }
        write(JSONNode.object(members).bytes + [UInt8(ascii: "\n")])
    }

    /// Numbers as numbers, so that they can be added up.
    private static func node(of value: Logger.MetadataValue) -> JSONNode {
        switch value {
        case .stringConvertible(let number as Int): .number(Double(number))
        case .stringConvertible(let number as Double) where number.isFinite: .number(number)
        default: .string("\(value)")
        }
    }
}
