import Bytes
import Rendering

/// A JSON Schema (2020-12) of its own, for editors and validators: one of OpenAPI's schemas with those that it
/// refers to.
struct SchemaDocument {
    /// The paths, each with the schema that it has.
    static let paths = [
        ("/schemas/request.json", "Request"), ("/schemas/rendering.json", "Rendering"),
    ]

    /// The address of the document.
    let id: String
    /// The name of its schema.
    let root: String
    /// The schemas of OpenAPI by name.
    let schemas: [(String, JSONNode)]

    private static let place = "#/$defs/"

    var bytes: [UInt8] {
        var wanted = [root]
        var definitions: [String] = []
        while definitions.count < wanted.count {
            let name = wanted[definitions.count]
            let schema = schemas.first { $0.0.isSame(as: name) }?.1 ?? [:]
            // No text of a schema has this path but the references.
            let parts = withSchema(name, schema).text.pieces(separatedBy: JSONNode.path(to: ""))
            for part in parts.dropFirst() {
                let other = String(part.pieces(separatedBy: "\"", maxSplits: 1)[0])
                if !wanted.includes(other) { wanted.append(other) }
            }
            definitions.append("\"\(name)\":" + parts.joined(separator: Self.place))
        }
        let head: JSONNode = [
            "$schema": "https://json-schema.org/draft/2020-12/schema", "$id": .string(id),
            "$ref": .string(Self.place + root),
        ]
        let members = definitions.joined(separator: ",")
        return Array((head.text.dropping(last: 1) + ",\"$defs\":{\(members)}}").utf8)
    }

    /// Adds the member by which editors know the schema of a file, to the kinds of requests.
    private func withSchema(_ name: String, _ schema: JSONNode) -> JSONNode {
        guard root.isSame(as: "Request"), name.ends(with: root),
            case .object(var members) = schema,
            let index = members.firstIndex(where: { $0.0.isSame(as: "properties") }),
            case .object(let properties) = members[index].1
        else { return schema }
        members[index].1 = .object([("$schema", ["type": "string"])] + properties)
        return .object(members)
    }
}
