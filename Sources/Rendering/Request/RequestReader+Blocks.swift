import Motion
import Typesetting

// The texts of a request, each with its style and effect.
extension RequestReader {
    /// A block whose faults, if any, are noted.
    struct ReadBlock {
        var text: StyledText
        var effect: any Effect
        var canonical: CanonicalRequest.Block
        var parameters: BlockParameters
    }

    mutating func readBlocks() -> [ReadBlock] {
        if let blocks = raw.values["blocks"] {
            guard raw.texts.isEmpty else {
                fault("blocks", "must not be given together with text")
                return []
            }
            guard case .array(let elements) = blocks, (1...32).contains(elements.count) else {
                let got =
                    if case .array(let elements) = blocks { "\(elements.count)" } else {
                        blocks.description
                    }
                fault("blocks", "must be an array of 1 to 32 objects; got \(got)")
                return []
            }
            return elements.enumerated().compactMap { index, element in
                guard case .object(let own) = element else {
                    fault("blocks[\(index)]", "must be an object; got \(element.description)")
                    return nil
                }
                return readBlock(own, at: "blocks[\(index)].")
            }
        }
        guard !raw.texts.isEmpty else {
            fault("text", "is required")
            return []
        }
        guard raw.texts.count <= 32 else {
            fault("text", "must be given at most 32 times; got \(raw.texts.count)")
            return []
        }
        return raw.texts.compactMap { readBlock(["text": $0], at: "") }
    }

    private mutating func readBlock(_ own: [String: RawValue], at path: String) -> ReadBlock? {
        var ownValues: [String: ParameterValue] = [:]
        for (name, raw) in own.sorted(by: { $0.key < $1.key })
        where schema.blockNames.contains(name) && name != "text" {
            guard let parameter = schema.byName[name] else { continue }
            ownValues[name] = value(raw, parameter, at: path)
        }
        let values = top.merging(ownValues) { $1 }
        // An effect that was named wrongly is a fault already; nothing can be said of its names.
        let effectGiven = own["effect"] ?? raw.values["effect"]
        guard effectGiven == nil || values["effect"] != nil else { return nil }
        let entry = effect(of: values)
        let effectValues = readEffect(entry, own, at: path)
        noteUnknown(own, entry, at: path)
        var reader = ParameterReader(values)
        let parameters = BlockParameters(&reader)
        guard let text = readText(own["text"], parameters, at: path) else { return nil }
        do {
            let effect = try entry.type.init(effectValues)
            let canonical = CanonicalRequest.Block(
                text: text.source, values: ownValues, effect: entry, effectValues: effectValues)
            return ReadBlock(
                text: text.styled, effect: effect, canonical: canonical,
                parameters: parameters)
        } catch {
            fault(path + error.parameter, error.message)
            return nil
        }
    }

    private func effect(of values: [String: ParameterValue]) -> EffectCatalog.Entry {
        guard case .string(let name) = values["effect"] else { return schema.effects.defaultEntry }
        return schema.effects[name] ?? schema.effects.defaultEntry
    }

    /// The effect's parameters, the block's own before those at the top.
    private mutating func readEffect(
        _ effect: EffectCatalog.Entry, _ own: [String: RawValue], at path: String
    ) -> [String: ParameterValue] {
        var values: [String: ParameterValue] = [:]
        for parameter in effect.parameters {
            usedEffectNames.insert(parameter.name)
            if let raw = own[parameter.name] {
                values[parameter.name] = value(raw, parameter, at: path)
            } else if let raw = topEffectValues[parameter.name] {
                values[parameter.name] = value(raw, parameter)
            }
        }
        return values
    }

    private mutating func noteUnknown(
        _ own: [String: RawValue], _ effect: EffectCatalog.Entry, at path: String
    ) {
        let effectNames = effect.parameters.map(\.name)
        for name in own.keys.sorted()
        where !schema.blockNames.contains(name) && !effectNames.contains(name) {
            if schema.effectNames.contains(name) {
                fault(path + name, "is no parameter of the effect \"\(effect.name)\"")
            } else if schema.allNames.contains(name) {
                fault(path + name, "cannot be set for one block; set it at the top")
            } else {
                let names = schema.blockNames.sorted() + effectNames
                fault(path + name, Self.unknown(name, among: names))
            }
        }
    }

    private mutating func readText(
        _ raw: RawValue?, _ parameters: BlockParameters, at path: String
    ) -> (styled: StyledText, source: String)? {
        guard let raw else {
            fault(path + "text", "is required")
            return nil
        }
        guard let text = raw.characters else {
            fault(path + "text", "must be a string; got \(raw.description)")
            return nil
        }
        do {
            let source = try TextNormalizer.normalized(text)
            let styled =
                parameters.isMarkup
                ? try MarkupReader.read(source, style: parameters.style)
                : try StyledText(plain: source, style: parameters.style)
            return (styled, source)
        } catch {
            for found in RenderingError(error, parameter: path + "text").faults {
                fault(found.parameter, found.message)
            }
            return nil
        }
    }
}
