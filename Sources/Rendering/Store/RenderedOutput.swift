import Bytes
package import Encoders
package import Motion

/// A receiver of a rendering, passed to `Renderer.render`.
package protocol RenderingReceiver: AnyObject, Sendable {
    /// True if the rendering is not needed any more, so that work may stop.
    ///
    /// Cheap, and called from any thread.
    var isAbandoned: Bool { get }

    /// The client whose share of the service it takes; asked for only where work is to be done.
    var client: ClientID { get }

    /// Takes the rendering, or the reason why there is none.
    ///
    /// Called once, on the requesting thread or on a render thread, unless it is abandoned.
    func receive(_ result: Result<RenderedOutput, RenderingError>)
}

/// The part of a rendering that a receiver takes, and its coding.
enum RenderedPart: Sendable {
    case plain
    case gzip
    case head
}

/// A rendering as it is delivered to a receiver.
package struct RenderedOutput: Sendable {
    package enum Content: Sendable {
        case plain([UInt8])
        case gzip([UInt8])
        /// Made while it is read.
        case stream(RenderedStream)
        /// A stream that is not made, because only the head was requested.
        case omitted
    }

    package let content: Content
    package let head: RenderedHead
    /// True if it was kept or being sent when it was requested; nil if only the head was made.
    package let isCached: Bool?
}

/// The part of a rendering that is known before its content.
package struct RenderedHead: Equatable, Sendable {
    /// CSS pixels.
    package let width: Double
    /// CSS pixels.
    package let height: Double
    /// Seconds of one cycle.
    package let duration: Double
    package let warnings: [Warning]
    /// The estimated price of the file.
    package let price: Price
    /// The path of its permalink.
    package let location: String
    /// The settings that were lowered so that the file has no more bytes than it may; nil where it is
    /// as asked for, or not made.
    package internal(set) var fitted: String?

    /// The codes of the warnings, each once, joined by commas; nil without any.
    package var warningCodes: String? {
        var codes: [String] = []
        for warning in warnings where !codes.includes(warning.code.rawValue) {
            codes.append(warning.code.rawValue)
        }
        return codes.isEmpty ? nil : codes.joined(separator: ", ")
    }

    /// The approximate number of bytes in memory.
    fileprivate var cost: Int {
        warnings.reduce(location.utf8.count) { $0 + $1.message.utf8.count + 64 }
    }
}

/// A finished rendering as the store keeps it.
struct RenderedFile: Sendable {
    let head: RenderedHead
    let bytes: [UInt8]
    /// The gzip variant, once it was requested.
    var gzip: [UInt8]?

    /// The approximate number of bytes in memory.
    var cost: Int {
        bytes.count + (gzip?.count ?? 0) + head.cost + 256
    }
}

/// A piece of a rendering that is made while it is read.
package enum RenderedPiece: Equatable, Sendable {
    case bytes([UInt8])
    /// The rendering was complete.
    case end
    /// The rest cannot be made.
    case failed
}

/// One reader's position in a rendering that is made while it is read.
///
/// A piece is made when a reader requests it, so that no render thread waits for a client.
package final class RenderedStream: Sendable {
    private let next: @Sendable (@escaping @Sendable (RenderedPiece) -> Void) -> Void
    private let leave: @Sendable () -> Void

    package init(
        next: @escaping @Sendable (@escaping @Sendable (RenderedPiece) -> Void) -> Void,
        leave: @escaping @Sendable () -> Void
    ) {
        self.next = next
        self.leave = leave
    }

    deinit { leave() }

    /// Requests the next piece, which is delivered once, at once or from a render thread.
    ///
    /// Only one may be requested at a time.
    package func nextPiece(_ deliver: @escaping @Sendable (RenderedPiece) -> Void) {
        next(deliver)
    }

    /// Ends the reading; a piece that is being made may not be delivered.
    package func cancel() { leave() }
}
