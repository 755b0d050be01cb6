import Encoders

/// The beginning of a long file, which can be repeated.
struct StreamSource: Sendable {
    /// Called on render threads.
    let begin: @Sendable (RenderWorker) throws(RenderingError) -> StreamedFile
}

/// Makes a long file piece by piece, on whichever render thread.
///
/// `@unchecked Sendable`: the store lends it to one thread at a time. A class, for a copy of it would
/// be one of all its pixels.
final class StreamProducer: @unchecked Sendable {
    private let file: StreamedFile
    /// Bytes from the file's beginning that are not wanted.
    private var skippedBytes: Int

    /// Bytes that are gathered before they are sent, so that the first answer need not wait for
    /// the last frame and a file of many small frames has few chunks.
    private static let pieceBytes = 65_536

    init(_ file: StreamedFile, skippedBytes: Int = 0) {
        self.file = file
        self.skippedBytes = skippedBytes
    }

    /// Returns the producer that a stream has, or begins its file.
    static func resumed(
        _ work: RenderingStore.PieceWork, on worker: RenderWorker
    ) throws(RenderingError) -> StreamProducer {
        if let producer = work.producer { return producer }
        return StreamProducer(try work.source.begin(worker), skippedBytes: work.skippedBytes)
    }

    /// Returns the next piece, and true with the last.
    func nextPiece(_ context: EncodingContext) throws(RenderingError) -> (
        bytes: [UInt8], isLast: Bool
    ) {
        var bytes: [UInt8] = []
        do {
            while bytes.count < Self.pieceBytes {
                try context.checkDeadline()
                guard let frame = try file.next(context) else { return (bytes, true) }
                bytes += frame.dropFirst(skippedBytes)
                skippedBytes = max(skippedBytes - frame.count, 0)
            }
        } catch {
            throw RenderingError(error)
        }
        return (bytes, false)
    }
}
