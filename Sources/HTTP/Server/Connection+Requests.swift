/// From bytes to requests, and from answers to bytes.
extension Connection {
    /// Takes what has come, as far as its phase has a use for it.
    func read() {
        switch phase {
        case .receiving where output.isEmpty && unparsed.isEmpty: receive()
        case .lingering(let bytesLeft): drop(upTo: bytesLeft)
        // Back-pressure: what the client sends waits in the kernel.
        default: socket.watch(exceptFor: .read)
        }
    }

    private func receive() {
        switch socket.receive(into: context.readBuffer) {
        case .bytes(let count):
            let bytes = UnsafeRawBufferPointer(rebasing: context.readBuffer[..<count])
            process(bytes.bindMemory(to: UInt8.self).span)
        case .nothing:
            break
        case .finished, .failed:
            phase = .closed
        }
    }

    private func drop(upTo bytesLeft: Int) {
        switch socket.receive(into: context.readBuffer) {
        case .bytes(let count) where count <= bytesLeft:
            phase = .lingering(bytesLeft: bytesLeft - count)
        case .nothing:
            break
        case .bytes, .finished, .failed:
            phase = .closed
        }
    }

    /// Parses and answers one request after another; keeps what must wait.
    func process(_ input: Span<UInt8>) {
        var position = 0
        while case .receiving = phase, position < input.count, hasRoom() {
            do throws(ProtocolFailure) {
                switch try parser.parse(input, from: &position) {
                case .request(let request): begin(request)
                // Not when the content is coming already (RFC 9110, 10.1.1).
                case .continueExpected where position == input.count:
                    output.append("HTTP/1.1 100 Continue\r\n\r\n")
                case .continueExpected, nil: break
                }
            } catch {
                fail(error)
            }
        }
        switch phase {
        case .receiving, .handling, .streaming, .awaiting:
            unparsed.append(input, position..<input.count)
        case .finishing, .lingering, .closed: break
        }
    }

    private func hasRoom() -> Bool {
        if output.isFull { flush() }
        return !output.isFull
    }

    /// Hands a request to the handler, and sends the answer if it is given at once.
    private func begin(_ request: Request) {
        requestCount += 1
        restartDeadline()
        framing = ResponseFraming(
            isHead: request.method == .head, version: request.version,
            keepsAlive: request.keepsAlive
                && requestCount < context.limits.requestsPerConnection)
        let exchange = Exchange(receiver: context.mailbox, ticket: ticket)
        context.handler.handle(request, Responder(exchange))
        if let response = exchange.finishHandling() {
            answer(response)
        } else {
            phase = .handling
            self.exchange = exchange
        }
    }

    /// Puts an answer on its way.
    func answer(_ response: Response) {
        exchange = nil
        if context.isClosing || response.fields.list("Connection", contains: "close") {
            framing.keepsAlive = false
        }
        stream = StreamedBody(of: response, framing)
        if let stream, !stream.isChunked { framing.keepsAlive = false }
        ResponseWriter.write(response, framing, date: context.date.line, to: &output)
        if let stream {
            phase = .streaming(stream)
            continueStream()
        } else {
            phase = framing.keepsAlive ? .receiving : .finishing
        }
    }

    /// Answers what cannot be a request, as the last answer.
    func fail(_ failure: ProtocolFailure) {
        framing = ResponseFraming(isHead: parser.isHead, keepsAlive: false)
        answer(context.handler.response(to: failure))
    }
}
