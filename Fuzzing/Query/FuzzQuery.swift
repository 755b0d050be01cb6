import Bytes
import HTTP
import Lists
import Rendering

/// A query or a form: its pairs survive being encoded anew, and a request that is accepted has one
/// canonical spelling.
enum FuzzQuery: FuzzTarget {
    static func take(_ input: [UInt8]) {
        checkPairs(input)
        guard let raw = try? RawRequest(form: input) else { return }
        CanonicalForm.check { pipeline throws(RenderingError) in
            try RequestReader.read(raw, schema: .standard, limits: pipeline.limits)
        }
    }

    private static func checkPairs(_ input: [UInt8]) {
        guard let pairs = try? FormDecoder.decode(input) else { return }
        let written = pairs.map { pair in
            let name = PercentEncoding.encode(pair.name.text)
            return pair.value.map { "\(name)=\(PercentEncoding.encode($0))" } ?? name
        }
        guard let again = try? FormDecoder.decode(Array(written.joined(separator: "&").utf8)) else {
            return check(false, "\(written) is refused")
        }
        check(again.elementsEqual(pairs) { $0 == $1 }, "\(pairs) becomes \(again)")
    }
}
