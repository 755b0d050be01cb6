package import Encoders

/// Makes a long file piece by piece, on whichever render thread.
///
/// `@unchecked Sendable`: whoever uses it sees to it that nobody else does at the same time.
package final class FileMaker: @unchecked Sendable {
    private var file: any StreamedFile
    private var deadline: RenderDeadline
    /// The memory that it holds.
    private let share: StreamBudget.Share
    /// Bytes from the file's beginning that are not wanted.
    private var skipped: Int

    /// Bytes that are gathered before they are sent, so that the first answer need not wait for
    /// the last frame and a file of many small frames has few chunks.
    private static let pieceBytes = 65_536

    package init(
        _ file: consuming any StreamedFile, _ deadline: RenderDeadline,
        _ share: StreamBudget.Share, skipping skipped: Int
    ) {
        self.file = file
        self.share = share
        self.deadline = deadline
        self.skipped = skipped
    }

    /// The next piece, and whether it is the last.
    ///
    /// - Throws: When it cannot be made, or the render threads have spent too long on the file.
    package func makePiece(on worker: RenderWorker) throws(RenderingError) -> (bytes: [UInt8], isLast: Bool) {
        deadline.run()
        defer { deadline.rest() }
        return try worker.attempt { () throws(RenderingError) in try piece(on: worker) }
    }

    private func piece(on worker: RenderWorker) throws(RenderingError) -> (bytes: [UInt8], isLast: Bool) {
        var bytes: [UInt8] = []
        while bytes.count < Self.pieceBytes {
            guard !deadline.isOver else { throw .deadline }
            guard let frame = try nextFrame(worker) else { return (bytes, true) }
            if skipped >= frame.count {
                skipped -= frame.count
            } else {
                bytes += frame.dropFirst(skipped)
                skipped = 0
            }
        }
        return (bytes, false)
    }

    private func nextFrame(_ worker: RenderWorker) throws(RenderingError) -> [UInt8]? {
        do {
            return try file.next(worker.workshop)
        } catch {
            throw RenderingError(error)
        }
    }
}
