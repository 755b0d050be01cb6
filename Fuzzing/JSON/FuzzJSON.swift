import Rendering

/// A JSON body: a request that is accepted has one canonical spelling, and any text survives being
/// written as JSON.
enum FuzzJSON: FuzzTarget {
    static func take(_ input: [UInt8]) {
        CanonicalForm.check { pipeline throws(RenderingError) in try pipeline.request(json: input) }
        guard let text = String(validating: input, as: UTF8.self) else { return }
        let body = JSONNode.object([("title", .string(text)), ("text", .string(text))]).text
        CanonicalForm.check { pipeline throws(RenderingError) in
            let request = try pipeline.request(json: Array(body.utf8))
            let title = request.title ?? ""
            check(title.utf8.elementsEqual(text.utf8), "\(body) has the title \(title)")
            return request
        }
    }
}
