import Encoders
import Motion
import Typesetting

/// Turns what was sent into a checked request, gathering every fault on the way.
package struct RequestReader {
    let raw: RawRequest
    private let limits: RenderLimits
    private(set) var faults: [ParameterFault] = []
    /// Checked values at the top, but for effects' parameters.
    private(set) var top: [String: ParameterValue] = [:]
    /// Effects' parameters at the top, which mean what each block's effect says.
    private(set) var topEffectValues: [String: RawValue] = [:]
    var usedEffectNames: Set<String> = []

    private init(_ raw: RawRequest, _ limits: RenderLimits) {
        self.raw = raw
        self.limits = limits
    }

    /// - Throws: All faults at once; 400 for what is wrong, 422 for what is only too much.
    package static func read(
        _ raw: RawRequest, limits: RenderLimits
    ) throws(RenderingError) -> RenderRequest {
        var reader = RequestReader(raw, limits)
        return try reader.read()
    }

    private mutating func read() throws(RenderingError) -> RenderRequest {
        readTop()
        let format = readFormat()
        let blocks = readBlocks()
        for name in topEffectValues.keys.sorted() where !usedEffectNames.contains(name) {
            let effects = EffectCatalog.all.filter { effect in
                effect.parameters.contains { $0.name == name }
            }
            let names = effects.map { $0.name }.joined(separator: ", ")
            fault(name, "belongs to no effect of this request; it is one of \(names)")
        }
        checkCanvas()
        checkTitle()
        if raw.values["speed"] != nil, raw.values["cycle"] != nil {
            fault("cycle", "must not be given together with speed")
        }
        let departure = departure
        guard faults.isEmpty else { throw .invalid(faults) }
        let request = makeRequest(blocks, departure, format)
        try checkSize(request)
        return request
    }

    mutating func fault(_ parameter: String, _ message: String) {
        let fault = ParameterFault(parameter: parameter, message: message)
        if !faults.contains(fault) { faults.append(fault) }
    }

    /// A value as its parameter takes it; a fault where it does not.
    mutating func value(
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

    static func unknown(_ name: String, among names: [String]) -> String {
        Suggestion.nearest(to: name, among: names).map { "unknown; did you mean \"\($0)\"?" }
            ?? "unknown"
    }

    private mutating func readFormat() -> (any OutputFormat.Type)? {
        guard let raw = raw.values["format"] else { return nil }
        guard case .string(let name) = value(raw, RequestParameters.format) else { return nil }
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

    private var departure: Choreography.Departure {
        guard case .string(let name)? = top[RequestParameters.exit.name] else { return .between }
        switch name {
        case "between": return .between
        case "auto": return .auto
        case "none": return .none
        default:
            guard let effect = try? EffectCatalog.effect(named: name)?.init(ParameterValues())
            else { return .between }
            return .effect(effect)
        }
    }

    /// What an exit shows besides the text, behind what the block's own effect shows.
    private static func characters(of departure: Choreography.Departure) -> [String] {
        if case .effect(let effect) = departure { effect.characters } else { [] }
    }

    // MARK: The whole

    private func makeRequest(
        _ blocks: [ReadBlock], _ departure: Choreography.Departure,
        _ format: (any OutputFormat.Type)?
    ) -> RenderRequest {
        let values = ParameterValues(top)
        let canvas = CanvasRequest(
            width: values[RequestParameters.width], height: values[RequestParameters.height],
            padding: values[RequestParameters.padding], alignment: values[RequestParameters.align],
            verticalAlignment: values[RequestParameters.valign],
            spacing: values[RequestParameters.spacing],
            isOverlaid: values[RequestParameters.sequence] == .replace,
            maximumSide: limits.canvasSide)
        let choreography = Choreography(
            blocks: blocks.map { block in
                Choreography.Block(
                    effect: block.effect, cursor: block.values[RequestParameters.cursor],
                    cursorBlink: block.values[RequestParameters.cursorBlink],
                    color: block.values[RequestParameters.color],
                    darkColor: block.values[RequestParameters.darkColor])
            },
            sequence: values[RequestParameters.sequence], departure: departure,
            gap: values[RequestParameters.gap], delay: values[RequestParameters.delay],
            hold: values[RequestParameters.hold],
            pace: values[RequestParameters.cycle].map { .cycle($0) }
                ?? .speed(values[RequestParameters.speed]),
            loop: values[RequestParameters.loop],
            isAnimated: values[RequestParameters.animate])
        let departing = Self.characters(of: departure)
        return RenderRequest(
            texts: blocks.map { block in
                BlockText(
                    block.text, characters: block.effect.characters + departing,
                    cursor: block.values[RequestParameters.cursor])
            },
            canvas: canvas, choreography: choreography,
            background: values[RequestParameters.background],
            darkBackground: values[RequestParameters.darkBackground],
            title: values[RequestParameters.title], seed: values[RequestParameters.seed],
            output: output(values),
            format: format,
            canonical: CanonicalRequest(top: top, blocks: blocks.map(\.canonical)).text)
    }

    private func output(_ values: ParameterValues) -> OutputOptions {
        var output = OutputOptions()
        output.scale = values[RequestParameters.scale]
        output.moment = values[RequestParameters.time]
        output.fps = values[RequestParameters.fps]
        output.levels = values[RequestParameters.levels]
        output.matte = values[RequestParameters.matte]
        output.poster = values[RequestParameters.poster]
        output.frameLimit = limits.frames
        return output
    }

    private func checkSize(_ request: RenderRequest) throws(RenderingError) {
        let graphemes = request.texts.reduce(0) { $0 + $1.text.graphemeCount }
        guard graphemes > limits.graphemes else { return }
        throw .overLimit([
            ParameterFault(
                parameter: raw.values["blocks"] == nil ? "text" : "blocks",
                message: "has \(graphemes) graphemes; the limit is \(limits.graphemes)")
        ])
    }
}
