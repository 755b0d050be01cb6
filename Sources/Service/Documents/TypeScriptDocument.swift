import Bytes
import Rendering

/// The content of `GET /titlecard.d.ts`: types of TypeScript for the schemas of requests and answers.
struct TypeScriptDocument {
    /// The schemas by name (JSON Schema 2020-12), which refer to each other as OpenAPI's components do.
    let schemas: [(String, JSONNode)]

    /// The declarations, in the order of the schemas, and the web component's.
    var text: String {
        let heading = """
            // The requests and answers of Titlecard \(Release.version), made from GET /openapi.json.

            export * from './component';


            """
        return heading + schemas.map(declaration).joined(separator: "\n")
    }

    private func declaration(_ name: String, _ schema: JSONNode) -> String {
        let comment = comment(on: schema, indentation: "")
        guard schema["properties"] != nil else {
            return comment + "export type \(name) = \(type(of: schema, indentation: ""));\n"
        }
        return comment + "export interface \(name) \(type(of: schema, indentation: ""))\n"
    }

    /// Returns a type; the lines after its first begin with the indentation.
    private func type(of schema: JSONNode, indentation: String) -> String {
        if case .string(let path)? = schema["$ref"] {
            return path.pieces(separatedBy: "/").last.map { String($0) } ?? "unknown"
        }
        if let value = schema["const"] { return value.text }
        if case .array(let values)? = schema["enum"] { return union(values.map(\.text)) }
        if case .array(let choices)? = schema["anyOf"] {
            return union(choices.map { type(of: $0, indentation: indentation) })
        }
        switch schema["type"] {
        case .string(let name)?:
            return type(named: name, of: schema, indentation: indentation)
        case .array(let names)?:
            return union(
                names.map { type(named: $0.plainText, of: schema, indentation: indentation) })
        default: return "unknown"
        }
    }

    private func type(named name: String, of schema: JSONNode, indentation: String) -> String {
        switch ByteString(name) {
        case "integer": return "number"
        case "array":
            let items = schema["items"].map { type(of: $0, indentation: indentation) }
            return "Array<\(items ?? "unknown")>"
        case "object":
            guard case .object(let properties)? = schema["properties"] else {
                let value = schema["additionalProperties"]
                let type = value.map { self.type(of: $0, indentation: indentation) } ?? "unknown"
                return "Record<string, \(type)>"
            }
            return interface(of: properties, schema["required"], indentation: indentation)
        default: return name
        }
    }

    private func interface(
        of properties: [(String, JSONNode)], _ required: JSONNode?, indentation: String
    ) -> String {
        var needed: [String] = []
        if case .array(let names)? = required { needed = names.map(\.plainText) }
        let inner = indentation + "  "
        let members = properties.map { name, schema in
            comment(on: schema, indentation: inner) + inner + name
                + (needed.includes(name) ? ": " : "?: ")
                + type(of: schema, indentation: inner) + ";\n"
        }
        return "{\n" + members.joined() + indentation + "}"
    }

    /// Returns each type once, for a union.
    private func union(_ types: [String]) -> String {
        var distinct: [String] = []
        for type in types where !distinct.includes(type) { distinct.append(type) }
        return distinct.joined(separator: " | ")
    }

    private func comment(on schema: JSONNode, indentation: String) -> String {
        guard case .string(let text)? = schema["description"] else { return "" }
        // An operator's effect has a title of any characters.
        let inside = text.pieces(separatedBy: "*/").joined(separator: "* /")
        return indentation + "/** \(inside) */\n"
    }
}

extension JSONNode {
    /// Returns a member of an object; nil if there is none.
    fileprivate subscript(_ name: String) -> JSONNode? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.0.isSame(as: name) }?.1
    }
}
