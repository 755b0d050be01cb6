/// Bytes on their way to one client: heads with small bodies, and after them at most one large
/// body, or piece of one, which is shared with its owner instead of being copied.
struct OutputBuffer {
    /// The size in bytes up to which bodies are copied after their head.
    private static let copiedBytes = 4096
    /// The size in bytes beyond which memory is given back once the bytes are sent.
    private static let keptCapacity = 16_384

    private(set) var head: [UInt8] = []
    private(set) var tail: [UInt8] = []
    /// The end of a chunk whose content is the tail.
    private(set) var foot: [UInt8] = []
    /// The number of bytes of head, tail and foot together that have been sent.
    private(set) var sent = 0

    var isEmpty: Bool { head.isEmpty && tail.isEmpty }

    /// True if nothing may be appended before the bytes are sent.
    var isFull: Bool { !tail.isEmpty || head.count >= Self.keptCapacity }

    /// Appends to the head; only while the buffer is not full.
    mutating func append(_ text: StaticString) {
        head.append(
            contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends to the head; only while the buffer is not full.
    mutating func append(_ bytes: some Collection<UInt8>) {
        head.append(contentsOf: bytes)
    }

    /// Appends a body after its head.
    mutating func append(body: [UInt8]) {
        if body.count <= Self.copiedBytes {
            head += body
        } else {
            tail = body
        }
    }

    /// Appends content after a chunk's size, and the line end that belongs after it.
    mutating func append(chunk: [UInt8]) {
        append(body: chunk)
        if tail.isEmpty {
            head += Self.lineEnd
        } else {
            foot = Self.lineEnd
        }
    }

    private static let lineEnd = [ASCII.carriageReturn, ASCII.lineFeed]

    /// The number of bytes that are still to be sent.
    var unsentCount: Int { head.count + tail.count + foot.count - sent }

    /// The number of bytes that are held until they are sent.
    var heldBytes: Int { isEmpty ? 0 : head.count + tail.count }

    /// Notes that a number of bytes has been sent; forgets them all once they are.
    mutating func advance(by count: Int) {
        sent += count
        guard unsentCount <= 0 else { return }
        head.removeAll(keepingCapacity: head.capacity <= Self.keptCapacity * 2)
        tail = []
        foot = []
        sent = 0
    }

    /// Lends the unsent bytes of head, tail and foot.
    func withUnsentBytes<Result>(_ body: (UnsentBytes) -> Result) -> Result {
        head.withUnsafeBytes { head in
            tail.withUnsafeBytes { tail in
                foot.withUnsafeBytes { foot in
                    let sentOfHead = min(sent, head.count)
                    let sentOfTail = min(sent - sentOfHead, tail.count)
                    return body(
                        UnsentBytes(
                            head: .init(rebasing: head[sentOfHead...]),
                            tail: .init(rebasing: tail[sentOfTail...]),
                            foot: .init(rebasing: foot[(sent - sentOfHead - sentOfTail)...])))
                }
            }
        }
    }
}

/// The bytes to be sent next, in three parts; any of them may be empty.
struct UnsentBytes {
    let head: UnsafeRawBufferPointer
    let tail: UnsafeRawBufferPointer
    let foot: UnsafeRawBufferPointer
}
