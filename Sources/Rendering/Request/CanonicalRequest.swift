import Bytes
import Encoders
import Motion

/// The canonical JSON of a request; equivalent requests have the same.
struct CanonicalRequest {
    struct Block {
        /// The text as it was sent, with normalized line breaks and tabs.
        var text: String
        /// The block's own values, but for its effect's parameters.
        var values: [ByteString: ParameterValue]
        var effect: EffectCatalog.Entry
        /// The given values of the effect's parameters, from the block or the top.
        var effectValues: [ByteString: ParameterValue]
    }

    let top: [ByteString: ParameterValue]
    let blocks: [Block]
    let schema: RequestSchema

    /// The JSON: keys are sorted, defaults left out, and there is no white space.
    var text: String {
        // A single block is equivalent to a text at the top.
        if blocks.count == 1, let block = blocks.first {
            let values = top.merging(block.values) { $1 }
            return CanonicalJSON.object(
                members(of: values, inheriting: [:]) + effectMembers(block) + [text(of: block)])
        }
        let elements = blocks.map { block in
            CanonicalJSON.object(
                members(of: block.values, inheriting: top) + effectMembers(block) + [
                    text(of: block)
                ])
        }
        return CanonicalJSON.object(
            members(of: top, inheriting: [:])
                + [("blocks", "[" + elements.joined(separator: ",") + "]")])
    }

    private func text(of block: Block) -> (String, String) {
        ("text", JSONText.string(block.text))
    }

    /// Returns the values that differ from the inherited or default ones.
    private func members(
        of values: [ByteString: ParameterValue], inheriting inherited: [ByteString: ParameterValue]
    ) -> [(String, String)] {
        values.compactMap { name, value in
            let fallback = inherited[name] ?? schema.byName[name]?.defaultValue
            return value == fallback ? nil : (name.text, value.json)
        }
    }

    private func effectMembers(_ block: Block) -> [(String, String)] {
        guard !block.effectValues.isEmpty else { return [] }
        return block.effect.parameters.compactMap { parameter in
            guard let value = block.effectValues[parameter.key], value != parameter.defaultValue
            else { return nil }
            return (parameter.name, value.json)
        }
    }
}

/// JSON that is the same for equal values.
enum CanonicalJSON {
    /// Returns an object: keys are sorted, and there is no white space.
    static func object(_ members: [(String, String)]) -> String {
        let sorted = members.sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
        return "{" + sorted.map { JSONText.string($0) + ":" + $1 }.joined(separator: ",") + "}"
    }
}

extension ParameterValue {
    /// The value as canonical JSON.
    var json: String {
        switch self {
        case .number(let number): NumberText.of(number)
        case .boolean(let boolean): boolean ? "true" : "false"
        case .string(let text): JSONText.string(text.text)
        case .color(let color): JSONText.string(color.text)
        case .paint(let paint): JSONText.string(paint.text)
        case .shadows(let shadows): JSONText.string(shadows.text)
        case .easing(let easing): JSONText.string(easing.requestText)
        case .keyframes(let keyframes): keyframes.json
        }
    }
}
