import Encoders
import Motion
import Typesetting

/// Turns what was sent into a checked request, gathering every fault on the way.
package struct RequestReader {
    let raw: RawRequest
    let schema: RequestSchema
    private let limits: RenderLimits
    private(set) var faults: [ParameterFault] = []
    /// Checked values at the top, but for effects' parameters.
    private(set) var top: [String: ParameterValue] = [:]
    /// Effects' parameters at the top, which mean what each block's effect says.
    private(set) var topEffectValues: [String: RawValue] = [:]
    var usedEffectNames: Set<String> = []

    private init(_ raw: RawRequest, schema: RequestSchema, limits: RenderLimits) {
        self.raw = raw
        self.schema = schema
        self.limits = limits
    }

    /// - Throws: All faults at once; 400 for what is wrong, 422 for what is only too much.
    package static func read(
        _ raw: RawRequest, schema: RequestSchema, limits: RenderLimits
    ) throws(RenderingError) -> RenderRequest {
        var reader = RequestReader(raw, schema: schema, limits: limits)
        return try reader.read()
    }

    private mutating func read() throws(RenderingError) -> RenderRequest {
        readTop()
        let format = readFormat()
        let blocks = readBlocks()
        for name in topEffectValues.keys.sorted() where !usedEffectNames.contains(name) {
            let effects = schema.effects.entries.filter { effect in
                effect.parameters.contains { $0.name == name }
            }
            let names = effects.map(\.name).joined(separator: ", ")
            fault(name, "belongs to no effect of this request; it is one of \(names)")
        }
        var reader = ParameterReader(top)
        let scene = SceneParameters(&reader, schema.effects)
        check(scene)
        if raw.values["speed"] != nil, raw.values["cycle"] != nil {
            fault("cycle", "must not be given together with speed")
        }
        guard faults.isEmpty else { throw .invalid(faults) }
        let request = makeRequest(blocks, scene, format)
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
            return try ValueParser.value(of: raw, for: parameter)
        } catch {
            fault(path + parameter.name, error.message)
            return nil
        }
    }

    // MARK: The top

    private mutating func readTop() {
        for (name, raw) in raw.values.sorted(by: { $0.key < $1.key }) {
            if let parameter = schema.byName[name] {
                top[name] = value(raw, parameter)
            } else if schema.effectNames.contains(name) {
                topEffectValues[name] = raw
            } else if !RequestSchema.otherNames.contains(name) {
                fault(name, Self.unknown(name, among: schema.allNames))
            }
        }
    }

    static func unknown(_ name: String, among names: [String]) -> String {
        Suggestion.nearest(to: name, among: names).map { "unknown; did you mean \"\($0)\"?" }
            ?? "unknown"
    }

    private mutating func readFormat() -> FormatCatalog.Entry? {
        guard let raw = raw.values["format"] else { return nil }
        guard case .string(let name) = value(raw, schema.format) else { return nil }
        return schema.formats[name]
    }

    /// Notes what is in range and yet does not go together.
    private mutating func check(_ scene: SceneParameters) {
        if let width = scene.width, width - 2 * scene.padding < 1 {
            fault(
                "padding",
                "must leave at least 1 px of the width, \(NumberText.of(width)) px; "
                    + "got \(NumberText.of(scene.padding))")
        }
        let isPlain = (scene.title ?? "").unicodeScalars.allSatisfy {
            $0 == "\n" || $0.properties.generalCategory != .control
        }
        if !isPlain { fault("title", "must not hold control characters") }
    }

    private func exit(named name: String) -> Choreography.ExitPolicy {
        switch name {
        case "between": return .between
        case "auto": return .auto
        case "none": return .none
        default:
            guard let effect = try? schema.effects[name]?.type.init() else { return .between }
            return .effect(effect)
        }
    }

    /// What an exit shows besides the text, behind what the block's own effect shows.
    private static func characters(of exit: Choreography.ExitPolicy) -> [String] {
        if case .effect(let effect) = exit { effect.characters } else { [] }
    }

    // MARK: The whole

    private func makeRequest(
        _ blocks: [ReadBlock], _ scene: SceneParameters, _ format: FormatCatalog.Entry?
    ) -> RenderRequest {
        let canvas = CanvasRequest(
            width: scene.width, height: scene.height, padding: scene.padding,
            alignment: scene.alignment, verticalAlignment: scene.verticalAlignment,
            spacing: scene.spacing, isOverlaid: scene.sequence == .replace,
            maximumSide: limits.canvasSide)
        let exit = exit(named: scene.exit)
        let choreography = Choreography(
            blocks: blocks.map { block in
                Choreography.Block(
                    effect: block.effect, cursor: block.parameters.cursor,
                    cursorBlink: block.parameters.cursorBlink,
                    color: block.parameters.style.color, darkColor: block.parameters.darkColor)
            },
            sequence: scene.sequence, exit: exit, gap: scene.gap, delay: scene.delay,
            hold: scene.hold, pace: scene.pace, loop: scene.loop, isAnimated: scene.isAnimated)
        let exitCharacters = Self.characters(of: exit)
        return RenderRequest(
            texts: blocks.map { block in
                BlockText(
                    block.text, characters: block.effect.characters + exitCharacters,
                    cursor: block.parameters.cursor)
            },
            canvas: canvas, choreography: choreography, background: scene.background,
            darkBackground: scene.darkBackground, title: scene.title, seed: scene.seed,
            values: top,
            format: format,
            canonical: CanonicalRequest(
                top: top, blocks: blocks.map(\.canonical), schema: schema
            ).text)
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
