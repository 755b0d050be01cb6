import Bytes
import HTTP
import Rendering

extension RawRequest {
    /// The request without its format as a query: texts first, then by name.
    ///
    /// Whatever is not unreserved in URLs is percent-encoded, except for spaces, which are `+`. It
    /// is nil where blocks have values of their own, which no query expresses.
    var query: String? {
        var pairs: [(name: ByteString, value: RawValue)] = texts.map { ("text", $0) }
        if case .array(let blocks)? = values["blocks"] {
            for block in blocks {
                guard case .object(let members) = block, members.count == 1,
                    let text = members["text"]
                else { return nil }
                pairs.append(("text", text))
            }
        }
        for (name, value) in values.sorted(by: { $0.key < $1.key })
        where name != "blocks" && name != "format" {
            pairs.append((name, value))
        }
        return pairs.map { name, value in
            name.text + "=" + PercentEncoding.encode(JSONNode(value).plainText, spaceIsPlus: true)
        }.joined(separator: "&")
    }
}
