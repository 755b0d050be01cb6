import Bytes
import Motion

/// The canonical JSON of a request; equivalent requests have the same.
struct CanonicalRequest {
    struct Block {
        /// The text as it was sent, with normalized line breaks and tabs.
        var text: String
        /// The block's own values, except for its effect's parameters.
        var values: [ByteString: ParameterValue]
        var effect: EffectCatalog.Entry
        /// The given values of the effect's parameters, from the block or the top.
        var effectValues: [ByteString: ParameterValue]
    }

    private(set) var top: [ByteString: ParameterValue]
    let blocks: [Block]
    /// The parameters by name, except for the parameters of effects.
    let parameters: [ByteString: Parameter]
    /// The captions in place of texts; nil for none.
    private var captions: JSONNode?

    init(
        top: [ByteString: ParameterValue], blocks: [Block], parameters: [ByteString: Parameter]
    ) {
        self.top = top
        self.blocks = blocks
        self.parameters = parameters
    }

    /// Leaves out values at the top.
    mutating func leaveOut(_ names: [ByteString]) {
        for name in names { top[name] = nil }
    }

    /// Writes captions in place of the texts, which share all values.
    mutating func use(_ captions: JSONNode) {
        self.captions = captions
        leaveOut(["sequence", "captionFormat", "captionUnit"])
    }

    /// The JSON: keys are sorted, defaults left out, and there is no white space.
    var text: String { node.text }

    private var node: JSONNode {
        if let captions, let block = blocks.first {
            return .canonical(
                members(of: top, inheriting: [:]) + effectMembers(block) + [("captions", captions)])
        }
        // A single block is equivalent to a text at the top.
        if blocks.count == 1, let block = blocks.first {
            return .canonical(
                members(of: top.merging(block.values) { $1 }, inheriting: [:]) + ownMembers(block))
        }
        let elements = blocks.map { block in
            JSONNode.canonical(members(of: block.values, inheriting: top) + ownMembers(block))
        }
        return .canonical(members(of: top, inheriting: [:]) + [("blocks", .array(elements))])
    }

    /// Returns the values that differ from the inherited or default ones.
    private func members(
        of values: [ByteString: ParameterValue], inheriting inherited: [ByteString: ParameterValue]
    ) -> [(String, JSONNode)] {
        values.compactMap { name, value in
            let fallback = inherited[name] ?? parameters[name]?.defaultValue
            return value == fallback ? nil : (name.text, value.node)
        }
    }

    /// Returns the text and the values of the effect's parameters.
    private func ownMembers(_ block: Block) -> [(String, JSONNode)] {
        [("text", JSONNode.string(block.text))] + effectMembers(block)
    }

    /// Returns the values of the effect's parameters.
    private func effectMembers(_ block: Block) -> [(String, JSONNode)] {
        guard !block.effectValues.isEmpty else { return [] }
        return block.effect.parameters.compactMap { parameter in
            guard let value = block.effectValues[parameter.key], value != parameter.defaultValue
            else { return nil }
            return (parameter.name, value.node)
        }
    }
}
