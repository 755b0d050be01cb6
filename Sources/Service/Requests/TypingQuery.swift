package import Bytes
import HTTP
import Lists
import Motion
import Rendering

/// Queries of readme-typing-svg, which are decoded as leniently as PHP does it.
package enum TypingQuery {
    /// Returns true if a request is one for lines that are typed.
    static func isMeant(by request: HTTP.Request) -> Bool {
        guard request.method == .get || request.method == .head else { return false }
        if request.path.isSame(as: RoutePath.typing) { return true }
        return request.path.isSame(as: "/")
            && pairs(in: request.query ?? "").contains { $0.name == "lines" }
    }

    /// Returns the values by name; of duplicates the last.
    ///
    /// - Throws: A fault of a value that is not UTF-8.
    package static func values(in query: String) throws(Problem) -> [ByteString: String] {
        var values: [ByteString: String] = [:]
        for (name, bytes) in pairs(in: query)
        where !RawRequest.parametersOfURL.contains(name) {
            guard let value = String(validating: bytes, as: UTF8.self) else {
                throw .invalid(name.text, "is not UTF-8")
            }
            values[name] = value
        }
        return values
    }

    /// Returns path and query with parameters.
    package static func target(with parameters: [(name: String, value: String)]) -> String {
        let query = parameters.map { $0.name + "=" + PercentEncoding.encode($0.value) }
        return RoutePath.typing + "?" + query.joined(separator: "&")
    }

    private static func pairs(in query: String) -> [(name: ByteString, value: [UInt8])] {
        query.utf8.split(separator: UInt8(ascii: "&")).map { piece in
            let end = piece.firstIndex(of: UInt8(ascii: "=")) ?? piece.endIndex
            let name = ByteString(String(decoding: decoded(piece[..<end]), as: UTF8.self))
            let value = piece[end...].dropFirst()
            if colors.contains(name), isColorBehindPercent(value) {
                return (name, Array(value.dropFirst()))
            }
            return (name, decoded(value))
        }
    }

    /// The parameters whose values may be written with `%` in place of `#`.
    private static let colors: Set<ByteString> = ["color", "background"]

    /// Returns true for `%` and six hexadecimal digits, which some READMEs have as a colour; `%23` is the
    /// escape of `#`.
    private static func isColorBehindPercent(_ value: Substring.UTF8View) -> Bool {
        value.count == 7 && value.first == UInt8(ascii: "%")
            && value.dropFirst().allSatisfy { $0.hexadecimalValue != nil }
            && !value.starts(with: "%23".utf8)
    }

    /// Returns the bytes that a part of a query stands for; a `%` without two digits is itself.
    private static func decoded(_ text: Substring.UTF8View) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var rest = text
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            if byte == UInt8(ascii: "+") {
                bytes.append(UInt8(ascii: " "))
            } else if byte == UInt8(ascii: "%"), digits.count == 2,
                let high = digits.first?.hexadecimalValue, let low = digits.last?.hexadecimalValue
            {
                bytes.append(high << 4 | low)
                rest.removeFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }
}
