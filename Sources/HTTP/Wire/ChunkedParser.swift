import Bytes

/// Incremental decoder of the chunked transfer coding with its trailers, which are checked and
/// dropped (RFC 9112, 7.1).
struct ChunkedParser: Sendable {
    private enum Stage: Sendable {
        case size
        case spaceBeforeExtension
        case extensionStart
        case extensionText
        case sizeEnd
        case content
        case contentEnd
        case contentLineFeed
        case trailers
    }

    /// The most digits of a size; leading zeros beyond any size's need are refused.
    private static let maximumDigits = 16

    /// The decoded content so far.
    private(set) var content: [UInt8] = []
    private var stage = Stage.size
    private var digits = 0
    /// The bytes left of the chunk whose size is read or whose content is copied.
    private var bytesLeft = 0
    private var extensionBytes = 0
    private var trailers = FieldParser()
    private var trailerBytes = 0

    /// Reads on from a position; returns true when the last chunk and the trailers are complete.
    mutating func parse(
        _ input: Span<UInt8>, _ position: inout Int, limits: ServerLimits
    ) throws(ProtocolFailure) -> Bool {
        while position < input.count {
            let byte = input[position]
            switch stage {
            case .size:
                try parseSize(byte, limits: limits)
                position += 1
            case .spaceBeforeExtension, .extensionStart, .extensionText:
                try parseExtension(byte, limits: limits)
                position += 1
            case .sizeEnd:
                try takeLineFeed(input, &position)
                stage = bytesLeft == 0 ? .trailers : .content
            case .content:
                let end = min(input.count, position + bytesLeft)
                content.append(input, position..<end)
                bytesLeft -= end - position
                position = end
                if bytesLeft == 0 { stage = .contentEnd }
            case .contentEnd:
                guard byte == ASCII.carriageReturn else { throw Self.badChunk }
                position += 1
                stage = .contentLineFeed
            case .contentLineFeed:
                try takeLineFeed(input, &position)
                digits = 0
                stage = .size
            case .trailers:
                return try parseTrailers(input, &position, limits: limits)
            }
        }
        return false
    }

    private mutating func parseSize(
        _ byte: UInt8, limits: ServerLimits
    ) throws(ProtocolFailure) {
        if let digit = byte.hexadecimalValue {
            digits += 1
            guard digits <= Self.maximumDigits else { throw Self.badChunk }
            // Both are at most `bodyBytes`, which bounds the product.
            let (sixteenfold, overflows) = bytesLeft.multipliedReportingOverflow(by: 16)
            guard !overflows, sixteenfold <= limits.bodyBytes - content.count - Int(digit) else {
                throw .contentTooLarge(limits)
            }
            bytesLeft = sixteenfold + Int(digit)
            return
        }
        guard digits > 0 else { throw Self.badChunk }
        if byte == ASCII.carriageReturn {
            stage = .sizeEnd
        } else {
            stage = .spaceBeforeExtension
            try parseExtension(byte, limits: limits)
        }
    }

    /// Checks and drops extensions; none is known.
    private mutating func parseExtension(
        _ byte: UInt8, limits: ServerLimits
    ) throws(ProtocolFailure) {
        if byte != ASCII.carriageReturn { extensionBytes += 1 }
        guard extensionBytes <= limits.chunkExtensionBytes else {
            throw .badRequest(
                "chunk extensions are longer than \(limits.chunkExtensionBytes) bytes")
        }
        switch stage {
        case .spaceBeforeExtension where byte == ASCII.semicolon:
            stage = .extensionStart
        case .spaceBeforeExtension where ASCII.isWhitespace(byte):
            break
        case .extensionStart where ASCII.isToken(byte):
            stage = .extensionText
        case .extensionStart where ASCII.isWhitespace(byte):
            break
        case .extensionText where byte == ASCII.carriageReturn:
            stage = .sizeEnd
        case .extensionText where ASCII.isFieldValue(byte):
            break
        default:
            throw Self.badChunk
        }
    }

    private mutating func parseTrailers(
        _ input: Span<UInt8>, _ position: inout Int, limits: ServerLimits
    ) throws(ProtocolFailure) -> Bool {
        let start = position
        let end = min(input.count, start + limits.headBytes - trailerBytes)
        let isComplete = try trailers.parse(input, &position, upTo: end, limits: limits)
        trailerBytes += position - start
        guard isComplete || trailerBytes < limits.headBytes else { throw .headTooLarge(limits) }
        return isComplete
    }

    private static let badChunk = ProtocolFailure(.badRequest, "a chunk is malformed")
}
