package import Bytes
import Motion

/// A request as it was sent: names and unchecked values.
package struct RawRequest: Sendable {
    /// The values of all names but `text`.
    package var values: [ByteString: RawValue]
    /// The values of `text`; several make several blocks.
    package var texts: [RawValue]
    /// The faults that were found when it was read, except for faults of its values.
    package var faults = FaultList()
    /// The parameters that the kind of request decides, whatever its target demands.
    package var decided: Set<ByteString> = []
    /// The name of the format that a path or the name of a file says; nil for none.
    ///
    /// It decides which values of looks a request has that names no format.
    package var pathFormat: String?

    package init(values: [ByteString: RawValue] = [:], texts: [RawValue] = []) {
        self.values = values
        self.texts = texts
    }

    /// Adds the values of another part of the same request, which is in its query; a name that both parts
    /// have is a fault.
    package mutating func add(_ query: RawRequest) {
        faults.add(query.faults)
        var twice: [ByteString] = []
        for (name, value) in query.values {
            if values.updateValue(value, forKey: name) != nil { twice.append(name) }
        }
        if !texts.isEmpty, !query.texts.isEmpty { twice.append("text") }
        texts += query.texts
        for name in twice.sorted() {
            faults.add(name.text, "is given both in the query and in the body")
        }
    }

    /// Reads the object of a JSON body, or of another place with a name.
    package init(json body: [UInt8], named name: String = "body") throws(RenderingError) {
        self.init(members: try RawValue.object(json: body, named: name))
    }

    /// Makes the request of a file of captions, whose format its content says.
    ///
    /// - Throws: `RenderingError.invalid` of `captions` for an encoding that is not read.
    package init(captions file: [UInt8]) throws(RenderingError) {
        let text = try CaptionEncoding.text(of: file)
        self.init(values: ["captions": .string(text)])
    }

    /// Makes the request of an object with these members; `text` is one text, or an array of several.
    ///
    /// `$schema`, by which editors know the schema of a file, is no part of the request.
    package init(members: [ByteString: RawValue]) {
        var values = members
        values["$schema"] = nil
        let texts: [RawValue] =
            switch values.removeValue(forKey: "text") {
            case .array(let texts)?: texts
            case let text?: [text]
            case nil: []
            }
        self.init(values: values, texts: texts)
    }
}

extension RawValue {
    /// Returns a value.
    ///
    /// - Parameters:
    ///   - bytes: The value as JSON, in UTF-8.
    ///   - name: The parameter of the error.
    /// - Returns: The value.
    /// - Throws: The reason why the bytes are not JSON.
    package static func value(
        json bytes: [UInt8], named name: String
    ) throws(RenderingError) -> RawValue {
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw .invalid(name, "is not UTF-8")
        }
        return try RenderingError.catching({ .invalid(name, $0.phrase) }) {
            () throws(JSONReader.Fault) in
            try JSONReader.value(in: bytes)
        }
    }

    /// Returns the members of an object.
    ///
    /// - Parameters:
    ///   - bytes: The object as JSON, in UTF-8.
    ///   - name: The parameter of the error.
    /// - Returns: The members by name.
    /// - Throws: The reason why the bytes are not a JSON object.
    static func object(
        json bytes: [UInt8], named name: String
    ) throws(RenderingError) -> [ByteString: RawValue] {
        let value = try value(json: bytes, named: name)
        guard case .object(let members) = value else {
            throw .invalid(name, "must be a JSON object; got \(value.description)")
        }
        return members
    }
}
