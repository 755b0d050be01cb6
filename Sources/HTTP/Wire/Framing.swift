/// How a request's content is delimited (RFC 9112, 6.3).
enum Framing: Equatable, Sendable {
    case none
    /// Bytes, at least one.
    case length(Int)
    case chunked

    /// Reads the framing that a head's fields give; fails where two readers could disagree.
    init(_ fields: Fields, version: Version, limits: ServerLimits) throws(ProtocolFailure) {
        let codings = fields.values("Transfer-Encoding")
        let lengths = fields.values("Content-Length")
        guard codings.isEmpty else {
            guard lengths.isEmpty else {
                throw ProtocolFailure(
                    .badRequest, "Content-Length and Transfer-Encoding exclude each other")
            }
            guard version == .http11 else {
                throw ProtocolFailure(.badRequest, "HTTP/1.0 has no Transfer-Encoding")
            }
            try Self.checkCodings(codings)
            self = .chunked
            return
        }
        let length = try Self.length(lengths)
        guard length <= limits.bodyBytes else { throw .contentTooLarge(limits) }
        self = length == 0 ? .none : .length(length)
    }

    /// Accepts `chunked` alone.
    private static func checkCodings(_ values: [ArraySlice<UInt8>]) throws(ProtocolFailure) {
        var codings: [ArraySlice<UInt8>] = []
        for value in values {
            codings += value.split(separator: ASCII.comma, omittingEmptySubsequences: false)
                .map { ASCII.trimmed($0) }
        }
        guard codings.allSatisfy({ !$0.isEmpty && $0.allSatisfy(ASCII.isToken) }),
            codings.dropLast().allSatisfy({ !isChunked($0) })
        else { throw ProtocolFailure(.badRequest, "Transfer-Encoding is malformed") }
        guard codings.count == 1, codings.allSatisfy({ isChunked($0) }) else {
            throw ProtocolFailure(
                .notImplemented, "no transfer coding but chunked is implemented")
        }
    }

    private static func isChunked(_ coding: ArraySlice<UInt8>) -> Bool {
        ASCII.equalIgnoringCase(coding, "chunked".utf8)
    }

    /// The one length that all values give; 0 without any.
    private static func length(_ values: [ArraySlice<UInt8>]) throws(ProtocolFailure) -> Int {
        var length: Int?
        for value in values {
            for piece in value.split(separator: ASCII.comma, omittingEmptySubsequences: false) {
                // A repeated length may be accepted when all are the same (RFC 9110, 8.6).
                let number = try decimal(ASCII.trimmed(piece))
                guard length == nil || length == number else {
                    throw ProtocolFailure(.badRequest, "there are different Content-Lengths")
                }
                length = number
            }
        }
        return length ?? 0
    }

    /// A decimal number; what does not fit an `Int` is past every limit, so it is cut off there.
    private static func decimal(_ digits: ArraySlice<UInt8>) throws(ProtocolFailure) -> Int {
        guard !digits.isEmpty, digits.allSatisfy(ASCII.isDigit) else {
            throw ProtocolFailure(.badRequest, "Content-Length must be a decimal number")
        }
        var number = 0
        for digit in digits {
            let (tens, overflows) = number.multipliedReportingOverflow(by: 10)
            let (sum, overflowsToo) = tens.addingReportingOverflow(Int(digit - ASCII.zero))
            guard !overflows, !overflowsToo else { return .max }
            number = sum
        }
        return number
    }
}

extension ProtocolFailure {
    static func contentTooLarge(_ limits: ServerLimits) -> ProtocolFailure {
        ProtocolFailure(.contentTooLarge, "the body is larger than \(limits.bodyBytes) bytes")
    }

    static func headTooLarge(_ limits: ServerLimits) -> ProtocolFailure {
        ProtocolFailure(
            .requestHeaderFieldsTooLarge, "the fields are larger than \(limits.headBytes) bytes")
    }
}
