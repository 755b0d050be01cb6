import Bytes
import HTTP
package import Rendering

extension RawRequest {
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
            } else if name == "signature" || name == "expires" {
                // They belong to the URL, not to the request.
                continue
            } else if values.updateValue(.text(value), forKey: name) != nil {
                faults.add(name.text, "is given more than once")
            }
        }
    }
}
