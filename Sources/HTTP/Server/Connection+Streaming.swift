/// Bodies that are made while they are sent: one piece at a time, when those before are taken.
extension Connection {
    /// Pieces that come at once are taken in groups, between which other connections have a turn.
    private static let piecesInARow = 16

    /// Asks for pieces while there is room for them, until one has to be waited for.
    func continueStream() {
        for _ in 0..<Self.piecesInARow {
            guard case .streaming(let body) = phase, !output.isFull else { return }
            phase = .awaiting(body)
            guard let piece = body.nextPiece(to: context.mailbox, for: ticket) else { return }
            take(piece, of: body)
        }
    }

    /// Goes on after the piece that it waited for has come.
    func handle(piece: BodyPiece) {
        guard case .awaiting(let body) = phase else { return }
        take(piece, of: body)
        settle()
    }

    /// Puts a piece on its way.
    private func take(_ piece: BodyPiece, of body: StreamedBody) {
        if piece.isLast { stream = nil }
        switch piece {
        case .bytes(let bytes):
            ResponseWriter.write(piece: bytes, isChunked: body.isChunked, to: &output)
            phase = .streaming(body)
        case .end:
            if body.isChunked { ResponseWriter.writeLastChunk(to: &output) }
            phase = framing.keepsAlive ? .receiving : .finishing
        case .failed where body.isChunked:
            // The last chunk is missing, which tells (RFC 9112, 8).
            phase = .finishing
        case .failed:
            // A graceful end would look like the content's.
            socket.resetWhenClosed()
            phase = .closed
        }
    }

    /// Tells those who work for this connection that it has gone.
    func abandon() {
        exchange?.abandon()
        stream?.cancel()
    }
}
