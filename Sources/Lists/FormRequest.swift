package import Bytes
import HTTP
package import Rendering

extension RawRequest {
    /// The parameters of a query that belong to the URL, and not to the request.
    package static let parametersOfURL: [ByteString] = ["expires", "signature"]

    /// Reads a query or a form; names without a value, and names that are given more than once, are
    /// among the request's faults.
    ///
    /// - Throws: The first fault of the encoding, after which the names are unknown.
    package init(form bytes: [UInt8]) throws(RenderingError) {
        let pairs: [(name: ByteString, value: String?)]
        do {
            pairs = try FormDecoder.decode(bytes)
        } catch {
            throw .invalid((error.name ?? "query").text, error.reason.message)
        }
        self.init()
        for (name, value) in pairs {
            guard let value else {
                faults.add(name.text, "has no value")
                continue
            }
            if name == "text" {
                texts.append(.text(value))
            } else if Self.parametersOfURL.contains(name) {
                continue
            } else if values.updateValue(.text(value), forKey: name) != nil {
                faults.add(name.text, "is given more than once")
            }
        }
    }
}
