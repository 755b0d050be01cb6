import Bytes
package import Logging

/// A log handler that writes each event as a JSON object on one line.
package struct JSONLogHandler: LogHandler {
    package var logLevel = Logger.Level.info
    package var metadata: Logger.Metadata = [:]
    private let write: @Sendable ([UInt8]) -> Void
    private let clock: @Sendable () -> Double

    /// - Parameters:
    ///   - clock: Returns the seconds since 1970.
    ///   - write: Takes a line with its line break.
    package init(
        clock: @escaping @Sendable () -> Double, write: @escaping @Sendable ([UInt8]) -> Void
    ) {
        self.clock = clock
        self.write = write
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata.first { $0.key.isSame(as: key) }?.value }
        set {
            if let newValue {
                metadata.updateValue(newValue, forKey: key)
            } else {
                metadata.removeValue(forKey: key)
            }
        }
    }

    package func log(event: LogEvent) {
        let given = event.metadata ?? [:]
        let all = metadata.isEmpty ? given : metadata.merging(given) { $1 }
        write(Self.line(at: clock(), event.level, event.message.description, all))
    }

    /// Returns an event, at a number of seconds since 1970, as a line with its line break.
    package static func line(
        at time: Double, _ level: Logger.Level, _ message: String,
        _ metadata: Logger.Metadata = [:]
    ) -> [UInt8] {
        var line = ByteSink(capacity: 512)
        line.append("{\"time\":")
        line.append(text: ((time * 1000).rounded() / 1000).description)
        line.append(",\"level\":\"")
        line.append(text: level.rawValue)
        line.append("\",\"message\":")
        line.append(jsonString: message)
        for (name, value) in metadata.sorted(by: { ByteString($0.key) < ByteString($1.key) }) {
            line.append(",")
            line.append(jsonString: name)
            line.append(":")
            append(value, to: &line)
        }
        line.append("}")
        let text = LineText.escaped(String(decoding: line.bytes(), as: UTF8.self))
        return Array((text + "\n").utf8)
    }

    /// Appends a value as JSON; numbers are JSON numbers.
    private static func append(_ value: Logger.MetadataValue, to line: inout ByteSink) {
        switch value {
        case .stringConvertible(let number as Int): line.append(number)
        case .stringConvertible(let number as Double) where number.isFinite:
            line.append(text: number.description)
        case .string(let text): line.append(jsonString: text)
        default: line.append(jsonString: "\(value)")
        }
    }
}
