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

    var node: JSONNode {
        var wanted = [root]
        var index = 0
        while index < wanted.count {
            for name in references(of: wanted[index]) where !wanted.includes(name) {
                wanted.append(name)
            }
            index += 1
        }
        let definitions = schemas.filter { wanted.includes($0.0) }
        return [
            "$schema": "https://json-schema.org/draft/2020-12/schema", "$id": .string(id),
            "$ref": .string(Self.place + root),
            "$defs": .object(definitions.map { ($0.0, withSchema($0.0, Self.moved($0.1))) }),
        ]
    }

    private static let place = "#/$defs/"

    /// Adds the member by which editors know the schema of a file, to the kinds of requests.
    private func withSchema(_ name: String, _ schema: JSONNode) -> JSONNode {
        guard root.isSame(as: "Request"), name.ends(with: root), case .object(var members) = schema,
            let index = members.firstIndex(where: { $0.0.isSame(as: "properties") }),
            case .object(let properties) = members[index].1
        else { return schema }
        members[index].1 = .object([("$schema", ["type": "string"])] + properties)
        return .object(members)
    }

    /// Returns the names of the schemas that another one refers to.
    private func references(of name: String) -> [String] {
        var names: [String] = []
        func add(_ node: JSONNode) {
            switch node {
            case .object(let members):
                for (key, value) in members {
                    if case .string(let path) = value, key.isSame(as: "$ref") {
                        names.append(Self.name(in: path))
                    } else {
                        add(value)
                    }
                }
            case .array(let elements): elements.forEach(add)
            default: break
            }
        }
        if let schema = schemas.first(where: { $0.0.isSame(as: name) }) { add(schema.1) }
        return names
    }

    /// Returns a schema whose references are within the document; a discriminator is OpenAPI's own.
    private static func moved(_ node: JSONNode) -> JSONNode {
        switch node {
        case .object(let members):
            .object(
                members.filter { !$0.0.isSame(as: "discriminator") }.map { key, value in
                    if case .string(let path) = value, key.isSame(as: "$ref") {
                        return (key, .string(place + name(in: path)))
                    }
                    return (key, moved(value))
                })
        case .array(let elements): .array(elements.map(moved))
        default: node
        }
    }

    private static func name(in path: String) -> String {
        path.pieces(separatedBy: "/").last.map { String($0) } ?? ""
    }
}
