import Encoders

/// The means to begin a long file, any number of times.
struct StreamSource: Sendable {
    /// Called on render threads.
    let begin: @Sendable (RenderWorker) throws(RenderingError) -> StreamedFile
}

/// Makes a long file piece by piece, on any render thread.
///
/// `@unchecked Sendable`: only one thread has it at a time. A class, because a copy would copy all
/// of its pixels.
final class StreamProducer: @unchecked Sendable {
    private let file: StreamedFile
    /// The bytes that are still to be skipped.
    private var skippedBytes: Int

    /// The smallest size of every piece except for the last, so that a file of many small frames
    /// has few chunks.
    static let pieceBytes = 65_536

    init(_ file: StreamedFile, skippedBytes: Int = 0) {
        self.file = file
        self.skippedBytes = skippedBytes
    }

    /// Returns the producer of a stream, or begins its file.
    static func resumed(
        _ work: RenderingStore.PieceWork, on worker: RenderWorker
    ) throws(RenderingError) -> StreamProducer {
        if let producer = work.producer { return producer }
        return StreamProducer(try work.source.begin(worker), skippedBytes: work.skippedBytes)
    }

    /// Returns the next piece, and true with the last; once `hasToYield` returns true, it is a shorter
    /// one.
    func nextPiece(
        _ context: EncodingContext, until hasToYield: () -> Bool = { false }
    ) throws(RenderingError) -> (bytes: [UInt8], isLast: Bool) {
        var bytes: [UInt8] = []
        do {
            while bytes.count < Self.pieceBytes, !file.isFinished, bytes.isEmpty || !hasToYield() {
                try context.checkDeadline()
                let frame = try file.next(context)
                if bytes.isEmpty, skippedBytes == 0 {
                    bytes = frame
                } else {
                    bytes += frame.dropFirst(skippedBytes)
                }
                skippedBytes = max(skippedBytes - frame.count, 0)
            }
        } catch {
            throw RenderingError(error)
        }
        return (bytes, file.isFinished)
    }
}
