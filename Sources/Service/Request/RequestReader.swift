import Encoders
import Motion
import Typesetting

/// Turns what was sent into a checked request, gathering every fault on the way.
package struct RequestReader {
    private let raw: RawRequest
    private let limits: RenderLimits
    private var faults: [ParameterFault] = []
    /// Checked values at the top, but for effects' parameters.
    private var top: [String: ParameterValue] = [:]
    /// Effects' parameters at the top, which mean what each block's effect says.
    private var topEffectValues: [String: RawValue] = [:]
    private var usedEffectNames: Set<String> = []

    private init(_ raw: RawRequest, _ limits: RenderLimits) {
        self.raw = raw
        self.limits = limits
    }

    /// - Throws: All faults at once; 400 for what is wrong, 422 for what is only too much.
    package static func read(
        _ raw: RawRequest, limits: RenderLimits
    ) throws(Problem) -> RenderRequest {
        var reader = RequestReader(raw, limits)
        return try reader.read()
    }

    private mutating func read() throws(Problem) -> RenderRequest {
        readTop()
        let format = readFormat()
        var blocks = readBlocks()
        for name in topEffectValues.keys.sorted() where !usedEffectNames.contains(name) {
            let effects = EffectCatalog.all.filter { effect in
                effect.parameters.contains { $0.name == name }
            }
            let names = effects.map { $0.name }.joined(separator: ", ")
            fault(name, "belongs to no effect of this request; it is one of \(names)")
        }
        checkCanvas()
        checkTitle()
        guard faults.isEmpty else { throw .invalid(faults) }
        let request = makeRequest(&blocks, format)
        try checkSize(request)
        return request
    }

    private mutating func fault(_ parameter: String, _ message: String) {
        let fault = ParameterFault(parameter: parameter, message: message)
        if !faults.contains(fault) { faults.append(fault) }
    }

    /// A value as its parameter takes it; a fault where it does not.
    private mutating func value(
        _ raw: RawValue, _ parameter: Parameter, at path: String = ""
    ) -> ParameterValue? {
        do {
            var value = try ValueParser.value(of: raw, for: parameter)
            if parameter.name == RequestParameters.font.definition.name {
                guard case .string(let text) = value, let families = FamilyList.normalized(text)
                else {
                    fault(
                        path + parameter.name,
                        "must be a font family, or several separated by commas")
                    return nil
                }
                value = .string(families)
            }
            return value
        } catch {
            fault(path + parameter.name, error.message)
            return nil
        }
    }

    // MARK: The top

    private mutating func readTop() {
        for (name, raw) in raw.values.sorted(by: { $0.key < $1.key }) {
            if let parameter = RequestParameters.byName[name] {
                top[name] = value(raw, parameter)
            } else if RequestParameters.effectNames.contains(name) {
                topEffectValues[name] = raw
            } else if !RequestParameters.otherNames.contains(name) {
                fault(name, Self.unknown(name, among: RequestParameters.allNames))
            }
        }
    }

    private static func unknown(_ name: String, among names: [String]) -> String {
        Suggestion.nearest(to: name, among: names).map { "unknown; did you mean \"\($0)\"?" }
            ?? "unknown"
    }

    private mutating func readFormat() -> (any OutputFormat.Type)? {
        guard let raw = raw.values["format"] else { return nil }
        let parameter = Parameter(
            "format", .choice(FormatCatalog.all.map { $0.name }), default: nil, "")
        guard case .string(let name) = value(raw, parameter) else { return nil }
        return FormatCatalog.format(named: name)
    }

    private mutating func checkCanvas() {
        let values = ParameterValues(top)
        let padding = values[RequestParameters.padding]
        guard let width = values[RequestParameters.width], width - 2 * padding < 1 else { return }
        fault(
            "padding",
            "must leave at least 1 px of the width, \(NumberText.of(width)) px; "
                + "got \(NumberText.of(padding))")
    }

    private mutating func checkTitle() {
        guard let title = ParameterValues(top)[RequestParameters.title] else { return }
        let isPlain = title.unicodeScalars.allSatisfy {
            $0 == "\n" || $0.properties.generalCategory != .control
        }
        if !isPlain { fault("title", "must not hold control characters") }
    }

    // MARK: Blocks

    /// A block whose faults, if any, are noted.
    private struct ReadBlock {
        var text: StyledText
        var effect: any Effect
        var canonical: CanonicalRequest.Block
        var values: ParameterValues
    }

    private mutating func readBlocks() -> [ReadBlock] {
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
        where RequestParameters.blockNames.contains(name) && name != "text" {
            guard let parameter = RequestParameters.byName[name] else { continue }
            ownValues[name] = value(raw, parameter, at: path)
        }
        let values = top.merging(ownValues) { $1 }
        // An effect that was named wrongly is a fault already; nothing can be said of its names.
        let effectGiven = own["effect"] ?? raw.values["effect"]
        guard effectGiven == nil || values["effect"] != nil else { return nil }
        let type = Self.effectType(values)
        let effectValues = readEffect(type, own, at: path)
        noteUnknown(own, type, at: path)
        guard let text = readText(own["text"], ParameterValues(values), at: path) else {
            return nil
        }
        do {
            let effect = try type.init(ParameterValues(effectValues))
            let canonical = CanonicalRequest.Block(
                text: text.source, values: ownValues, effect: type, effectValues: effectValues)
            return ReadBlock(
                text: text.styled, effect: effect, canonical: canonical,
                values: ParameterValues(values))
        } catch {
            fault(path + error.parameter, error.message)
            return nil
        }
    }

    private static func effectType(_ values: [String: ParameterValue]) -> any Effect.Type {
        guard case .string(let name) = values["effect"] else { return EffectCatalog.standard }
        return EffectCatalog.effect(named: name) ?? EffectCatalog.standard
    }

    /// The effect's parameters, the block's own before those at the top.
    private mutating func readEffect(
        _ type: any Effect.Type, _ own: [String: RawValue], at path: String
    ) -> [String: ParameterValue] {
        var values: [String: ParameterValue] = [:]
        for parameter in type.parameters {
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
        _ own: [String: RawValue], _ type: any Effect.Type, at path: String
    ) {
        let effectNames = type.parameters.map(\.name)
        for name in own.keys.sorted()
        where !RequestParameters.blockNames.contains(name) && !effectNames.contains(name) {
            if RequestParameters.effectNames.contains(name) {
                fault(path + name, "is no parameter of the effect \"\(type.name)\"")
            } else if RequestParameters.allNames.contains(name) {
                fault(path + name, "cannot be set for one block; set it at the top")
            } else {
                let names = RequestParameters.blockNames.sorted() + effectNames
                fault(path + name, Self.unknown(name, among: names))
            }
        }
    }

    private mutating func readText(
        _ raw: RawValue?, _ values: ParameterValues, at path: String
    ) -> (styled: StyledText, source: String)? {
        guard let raw else {
            fault(path + "text", "is required")
            return nil
        }
        guard let text = raw.characters else {
            fault(path + "text", "must be a string; got \(raw.description)")
            return nil
        }
        let style = TypeStyle(
            families: values[RequestParameters.font], size: values[RequestParameters.size],
            weight: values[RequestParameters.weight], isItalic: values[RequestParameters.italic],
            letterSpacing: values[RequestParameters.letterSpacing],
            lineHeight: values[RequestParameters.lineHeight],
            color: values[RequestParameters.color])
        do {
            let source = try TextNormalizer.normalized(text)
            let styled =
                values[RequestParameters.markup]
                ? try MarkupReader.read(source, style: style)
                : try StyledText(plain: source, style: style)
            return (styled, source)
        } catch {
            faults += Problem(error, parameter: path + "text").faults
            return nil
        }
    }

    // MARK: The whole

    private func makeRequest(
        _ blocks: inout [ReadBlock], _ format: (any OutputFormat.Type)?
    ) -> RenderRequest {
        let values = ParameterValues(top)
        let canvas = CanvasRequest(
            width: values[RequestParameters.width], height: values[RequestParameters.height],
            padding: values[RequestParameters.padding], alignment: values[RequestParameters.align],
            verticalAlignment: values[RequestParameters.valign],
            spacing: values[RequestParameters.spacing], maximumSide: limits.canvasSide)
        let choreography = Choreography(
            effects: blocks.map(\.effect),
            darkColors: blocks.map { $0.values[RequestParameters.darkColor] },
            sequence: values[RequestParameters.sequence], gap: values[RequestParameters.gap],
            delay: values[RequestParameters.delay], hold: values[RequestParameters.hold],
            speed: values[RequestParameters.speed], loop: .count(1),
            isAnimated: values[RequestParameters.animate])
        return RenderRequest(
            blocks: blocks.map { block in
                RenderRequest.Block(
                    text: block.text, effect: block.effect,
                    darkColor: block.values[RequestParameters.darkColor])
            },
            canvas: canvas, choreography: choreography,
            background: values[RequestParameters.background],
            darkBackground: values[RequestParameters.darkBackground],
            title: values[RequestParameters.title], seed: values[RequestParameters.seed],
            output: OutputOptions(
                scale: values[RequestParameters.scale], moment: values[RequestParameters.time]),
            format: format,
            canonical: CanonicalRequest(top: top, blocks: blocks.map(\.canonical)).text)
    }

    private func checkSize(_ request: RenderRequest) throws(Problem) {
        let graphemes = request.blocks.reduce(0) { $0 + $1.text.graphemeCount }
        guard graphemes > limits.graphemes else { return }
        throw .overLimit([
            ParameterFault(
                parameter: raw.values["blocks"] == nil ? "text" : "blocks",
                message: "has \(graphemes) graphemes; the limit is \(limits.graphemes)")
        ])
    }
}
