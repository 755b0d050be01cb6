import Bytes
import FoundationEssentials
import Motion
import Testing

/// The effects held to the arithmetic of `Tests/Reference/reference.py`, by the vectors that
/// `make vectors` writes from it.
@Suite struct VectorTests {
    private static let names = EffectCatalog.standard.entries.map { $0.name }

    @Test(
        "every effect gives the instants and values of the reference's arithmetic", arguments: names
    )
    func agreement(effect: String) throws {
        let layouts = try TestVectors.layouts()
        let file = try TestVectors.file(effect)
        #expect(!file.vectors.isEmpty)
        for (number, vector) in file.vectors.enumerated() {
            let layout = try #require(layouts[vector.layout])
            let scene = try vector.request.scene(layout)
            let name = "\(effect) \(number)"
            #expect(scene.duration.ticks == vector.duration, "\(name)")
            for (block, phases) in vector.phases.enumerated() {
                let made = [scene.blocks[block].entrance, scene.blocks[block].exit].compactMap(
                    \.self)
                #expect(
                    made.map { [$0.lowerBound.ticks, $0.upperBound.ticks] } == phases,
                    "\(name), block \(block)")
            }
            for (glyph, track) in vector.trackOfGlyph.enumerated() {
                // Of white space only the opacity can be seen, by cursors.
                let isWhitespace = scene.nodes[glyph].glyph.isWhitespace
                Self.compare(
                    scene.tracks(ofNode: glyph), file, vector.tracks[track],
                    isWhitespace ? [.opacity] : Property.allCases, "\(name), glyph \(glyph)")
            }
            Self.compareMasks(of: scene, vector, name)
            Self.compareDecoys(of: scene, vector, name)
            try Self.compareCursors(of: scene, vector, name)
        }
    }

    @Test("marks are drawn in the instants of the reference's arithmetic")
    func marks() throws {
        let layouts = try TestVectors.layouts()
        let file = try TestVectors.marks()
        #expect(!file.vectors.isEmpty)
        for (number, vector) in file.vectors.enumerated() {
            let scene = try vector.request.scene(try #require(layouts[vector.layout]))
            let name = "marks \(number)"
            #expect(scene.duration.ticks == vector.duration, "\(name)")
            let phases = scene.blocks.map { block in
                [block.entrance, block.exit].compactMap(\.self).map {
                    [$0.lowerBound.ticks, $0.upperBound.ticks]
                }
            }
            #expect(phases == vector.phases, "\(name)")
            let strokes = scene.nodes.filter { $0.role.mark != nil }
            #expect(strokes.count == vector.strokes.count, "\(name)")
            for (node, stroke) in zip(strokes, vector.strokes) {
                let tracks = scene.tracks[node.track]
                #expect(node.glyph.block == stroke.block, "\(name)")
                let draw = tracks[.draw]?.keyframes ?? [Keyframe(.zero, value: 1)]
                for (made, expected) in [
                    (tracks.opacity.keyframes, stroke.opacity), (draw, stroke.draw),
                ] {
                    let keyframes = file.keyframes(expected)
                    #expect(
                        Self.agrees(made, keyframes) { Self.isNear($0, $1) },
                        "\(name): \(made), expected \(keyframes)")
                }
            }
        }
    }

    @Test("cards come and leave in the instants of the reference's arithmetic")
    func cards() throws {
        let layouts = try TestVectors.layouts()
        let file = try TestVectors.cards()
        #expect(!file.vectors.isEmpty)
        for (number, vector) in file.vectors.enumerated() {
            let scene = try vector.request.scene(try #require(layouts[vector.layout]))
            let name = "cards \(number)"
            #expect(scene.duration.ticks == vector.duration, "\(name)")
            let phases = scene.blocks.map { block in
                [block.entrance, block.exit].compactMap(\.self).map {
                    [$0.lowerBound.ticks, $0.upperBound.ticks]
                }
            }
            #expect(phases == vector.phases, "\(name)")
            let nodes = scene.nodes.suffix(scene.cardNodeCount)
            #expect(nodes.count == vector.parts.count, "\(name)")
            for (node, part) in zip(nodes, vector.parts) {
                for property in [Property.opacity, .offsetX, .offsetY, .scale, .draw] {
                    let made = scene.tracks[node.track][property]?.keyframes
                    let keyframes = part["\(property)"].map(file.keyframes)
                    #expect(
                        Self.agrees(made, keyframes) { Self.isNear($0, $1) },
                        "\(name), \(property): \(made ?? []), expected \(keyframes ?? [])")
                }
                let spans = (node.mask.map { scene.masks[$0] } ?? []).map { span in
                    [Double(span.start.ticks), Double(span.end.ticks)]
                        + [span.opening?.from ?? span.rect, span.rect].flatMap {
                            [$0.x, $0.y, $0.width, $0.height]
                        }
                }
                let areEqual =
                    spans.count == vector.masks.count
                    && zip(spans, vector.masks).allSatisfy {
                        zip($0, $1).allSatisfy { Self.isNear($0, $1) }
                    }
                #expect(areEqual, "\(name): \(spans), expected \(vector.masks)")
            }
        }
    }

    /// Compares keyframes, or, where an easing is written in pieces, values.
    private static func compare(
        _ tracks: GlyphTracks, _ file: TestVectors.File<TestVectors.Vector>,
        _ expected: [String: [[Double]]],
        _ properties: [Property], _ name: String
    ) {
        for property in properties {
            let track = tracks[property]
            if let samples = expected["\(property) at"] {
                for sample in samples {
                    let instant = Instant(ticks: Int(sample[0]))
                    let value = track?.value(at: instant) ?? property.identity
                    let isOpacity = property == .opacity
                    let isNear =
                        abs(isOpacity ? clamped(value) - clamped(sample[2]) : value - sample[2])
                        <= sample[1] + 1e-8 * max(1, abs(sample[2]))
                    #expect(isNear, "\(name), \(property): \(value), expected \(sample)")
                }
            } else {
                let keyframes = expected["\(property)"].map(file.keyframes)
                #expect(
                    agrees(track?.keyframes, keyframes) { isNear($0, $1) },
                    "\(name), \(property): \(tracks), expected \(keyframes ?? [])")
            }
        }
        guard properties.count > 1 else { return }
        if let samples = expected["fill at"] {
            for sample in samples {
                let paint = tracks.fill?.value(at: Instant(ticks: Int(sample[0]))) ?? .own
                let parts = zip(TestVectors.premultiplied(paint), sample.dropFirst(2))
                // The colour is rounded to 255 levels.
                #expect(
                    parts.allSatisfy { abs($0 - $1) <= sample[1] + 0.004 },
                    "\(name), fill: \(paint), expected \(sample)")
            }
        } else {
            let keyframes = expected["fill"].map(file.fillKeyframes)
            #expect(
                agrees(tracks.fill?.keyframes, keyframes, ==),
                "\(name), fill: \(tracks), expected \(keyframes ?? [])")
        }
    }

    /// Returns true if instants and kinds of easing are equal, and values by a rule.
    private static func agrees<Value>(
        _ keyframes: [Keyframe<Instant, Value>]?, _ expected: [Keyframe<Instant, Value>]?,
        _ areEqual: (Value, Value) -> Bool
    ) -> Bool {
        guard let keyframes = keyframes.map(canonical), let expected = expected.map(canonical)
        else { return keyframes == nil && expected == nil }
        return keyframes.count == expected.count
            && zip(keyframes, expected).allSatisfy { made, expected in
                made.time == expected.time && areEqual(made.value, expected.value)
                    && agrees(made.easing, expected.easing)
            }
    }

    /// Returns the same motion as one list of keyframes only, where a value may stay.
    private static func canonical<Value>(_ keyframes: [Keyframe<Instant, Value>]) -> [Keyframe<
        Instant, Value
    >] {
        var result: [Keyframe<Instant, Value>] = []
        for keyframe in keyframes {
            if let last = result.last, last.value == keyframe.value {
                result[result.count - 1].easing = .hold
                if keyframe.easing == .hold { continue }
            }
            result.append(keyframe)
        }
        if result.count == 1 || result.first?.easing == .hold { result[0].time = .zero }
        return result
    }

    private static func clamped(_ opacity: Double) -> Double { min(max(opacity, 0), 1) }

    private static func agrees(_ easing: Easing, _ expected: Easing) -> Bool {
        guard case .cubic(let one) = easing, case .cubic(let other) = expected else {
            return easing == expected
        }
        return isNear(one.x1, other.x1) && isNear(one.y1, other.y1) && isNear(one.x2, other.x2)
            && isNear(one.y2, other.y2)
    }

    /// Vectors have nine digits.
    private static func isNear(_ one: Double, _ other: Double) -> Bool {
        abs(one - other) <= 5e-9 * max(1, abs(other))
    }

    private static func compareMasks(of scene: Scene, _ vector: TestVectors.Vector, _ name: String)
    {
        for (index, node) in scene.nodes.enumerated()
        where node.role == .glyph && !node.glyph.isWhitespace {
            let expected = vector.masks.filter { Int($0[0]) == index }.map { $0.dropFirst() }
            let masks = node.mask.map { scene.masks[$0] } ?? []
            let spans = masks.map { span in
                [
                    Double(span.start.ticks), Double(span.end.ticks), span.rect.x, span.rect.y,
                    span.rect.width, span.rect.height,
                ]
            }
            let areEqual =
                spans.count == expected.count
                && zip(spans, expected).allSatisfy { zip($0, $1).allSatisfy { isNear($0, $1) } }
            #expect(areEqual, "\(name), masks of glyph \(index): \(spans), expected \(expected)")
        }
    }

    private static func compareDecoys(of scene: Scene, _ vector: TestVectors.Vector, _ name: String)
    {
        for decoys in vector.decoys {
            // The upper half of a flap shows with the lower one.
            let indices = scene.nodes.indices.filter {
                scene.nodes[$0].role == .decoy(of: decoys.glyph)
                    && scene.nodes[$0].mask.map { scene.masks[$0][0].edges } != .bottom
            }
            for sample in decoys.samples {
                let moment = Moment.instant(Instant(ticks: sample.tick))
                let shown = indices.filter {
                    let pose = scene.pose(ofNode: $0, at: moment)
                    let place = scene.nodes[$0].glyph.baseline + pose.offsetY
                    return pose.opacity > 0.5
                        && abs(place - scene.nodes[decoys.glyph].glyph.baseline)
                            < decoys.step.map { $0 / 2 } ?? .infinity
                }
                #expect(
                    shown.map { scene.nodes[$0].glyph.text } == sample.shown,
                    "\(name), decoys of glyph \(decoys.glyph) at \(sample.tick)")
            }
        }
    }

    private static func compareCursors(
        of scene: Scene, _ vector: TestVectors.Vector, _ name: String
    ) throws {
        for cursor in vector.cursors {
            let index = try #require(
                scene.nodes.firstIndex { $0.role == .cursor && $0.glyph.block == cursor.block })
            for state in cursor.states {
                let pose = scene.pose(
                    ofNode: index, at: .instant(Instant(ticks: Int(state[0]))))
                let rect = scene.nodes[index].glyph.rect
                let isRight =
                    pose.opacity == (state.count > 1 ? 1 : 0)
                    && (state.count == 1
                        || abs(rect.x + pose.offsetX - state[1]) < 1e-5
                            && abs(rect.y + pose.offsetY - state[2]) < 1e-5)
                #expect(isRight, "\(name), cursor of block \(cursor.block): \(state), \(pose)")
            }
        }
    }

    @Test("the vectors reach both ends of every range and every choice", arguments: names)
    func coverage(effect: String) throws {
        let file = try TestVectors.file(effect)
        let entry = try #require(EffectCatalog.standard[ByteString(effect)])
        let given = file.vectors.flatMap(\.request.blocks).filter { $0.effect == effect }
        #expect(given.contains { Set($0.parameters.keys).isSubset(of: ["keyframes"]) })
        for parameter in entry.parameters {
            let values = given.compactMap { $0.parameters[parameter.name] }
            let isReached =
                switch parameter.kind {
                case .number(let range):
                    values.contains(.number(range.lowerBound))
                        && values.contains(.number(range.upperBound))
                case .integer(let range):
                    values.contains(.number(Double(range.lowerBound)))
                        && values.contains(.number(Double(range.upperBound)))
                case .boolean: values.contains(.boolean(true)) && values.contains(.boolean(false))
                case .choice(let choices):
                    choices.allSatisfy { values.contains(.string($0)) }
                case .easing: Easing.named.allSatisfy { values.contains(.string($0.name)) }
                default: !values.isEmpty
                }
            #expect(isReached, "\(parameter.name) of \(effect)")
        }
    }
}

/// The files that `Tests/Reference/vectors.py` writes.
enum TestVectors {
    static func layouts(file: String = #filePath) throws -> [String: [Block]] {
        try read("layouts", beside: file)
    }

    static func file(_ effect: String, file: String = #filePath) throws -> File<Vector> {
        try read(effect, beside: file)
    }

    static func marks(file: String = #filePath) throws -> File<MarkVector> {
        try read("marks", beside: file)
    }

    static func cards(file: String = #filePath) throws -> File<CardVector> {
        try read("cards", beside: file)
    }

    private static func read<Content: Decodable>(
        _ name: String, beside file: String
    ) throws -> Content {
        let folder = file.split(separator: "/").dropLast().joined(separator: "/")
        let data = try #require(
            FileManager.default.contents(atPath: "/\(folder)/Vectors/\(name).json"),
            "\(name) has no vectors: make vectors")
        return try JSONDecoder().decode(Content.self, from: data)
    }

    struct File<Vector: Decodable>: Decodable {
        let easings: [[Double]]
        let vectors: [Vector]

        func keyframes(_ numbers: [[Double]]) -> [Keyframe<Instant, Double>] {
            numbers.map { numbers in
                Keyframe(
                    Instant(ticks: Int(numbers[0])), value: numbers[1],
                    easing: easing(of: numbers))
            }
        }

        func fillKeyframes(_ numbers: [[Double]]) -> [Keyframe<Instant, ColorMix>] {
            numbers.map { numbers in
                Keyframe(
                    Instant(ticks: Int(numbers[0])), value: paint(numbers[1]),
                    easing: easing(of: numbers))
            }
        }

        private func easing(of numbers: [Double]) -> Easing {
            numbers.count == 2
                ? .linear : numbers[2] < 0 ? .hold : cubic(easings[Int(numbers[2])])
        }

        /// The paint of a colour as 0xRRGGBBAA; a negative number is the glyph's own.
        private func paint(_ number: Double) -> ColorMix {
            guard let color = UInt32(exactly: number) else { return .own }
            let parts = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: color >> $0) }
            return ColorMix(Color(red: parts[0], green: parts[1], blue: parts[2], alpha: parts[3]))
        }
    }

    fileprivate static func cubic(_ numbers: [Double]) -> Easing {
        .cubic(CubicBezier(x1: numbers[0], y1: numbers[1], x2: numbers[2], y2: numbers[3]))
    }

    /// Returns red, green, blue and alpha, premultiplied, 0…1, of a paint on a black glyph.
    static func premultiplied(_ paint: ColorMix) -> [Double] {
        let color = paint.color(own: Color(red: 0, green: 0, blue: 0))
        let alpha = Double(color.alpha) / 255
        return [color.red, color.green, color.blue].map { Double($0) / 255 * alpha } + [alpha]
    }

    struct Vector: Decodable {
        let layout: String
        let request: Request
        let duration: Int
        let phases: [[[Int]]]
        /// By property keyframes, or by property and " at" values: an instant, by how much the
        /// value may be off, and the value.
        let tracks: [[String: [[Double]]]]
        let trackOfGlyph: [Int]
        /// A glyph, the start, the end, and the box each.
        let masks: [[Double]]
        let decoys: [Decoys]
        let cursors: [Cursor]
    }

    struct MarkVector: Decodable {
        /// Keyframes.
        struct Stroke: Decodable {
            let block: Int
            let opacity: [[Double]]
            let draw: [[Double]]
        }

        let layout: String
        let request: Request
        let duration: Int
        let phases: [[[Int]]]
        let strokes: [Stroke]
    }

    struct CardVector: Decodable {
        let layout: String
        let request: Request
        let duration: Int
        let phases: [[[Int]]]
        /// The keyframes of each part by property.
        let parts: [[String: [[Double]]]]
        /// The start and the end of each span, and the boxes that show then.
        let masks: [[Double]]
    }

    struct Decoys: Decodable {
        struct Sample: Decodable {
            let tick: Int
            /// The character that shows, or none.
            let shown: [String]

            init(from decoder: any Decoder) throws {
                var values = try decoder.unkeyedContainer()
                tick = try values.decode(Int.self)
                shown = values.isAtEnd ? [] : [try values.decode(String.self)]
            }
        }

        let glyph: Int
        /// The distance between characters that move; a glyph's own is one of them where it shows.
        let step: Double?
        let samples: [Sample]
    }

    struct Cursor: Decodable {
        let block: Int
        /// An instant in ticks each, and where the cursor shows then its left and upper edges.
        let states: [[Double]]
    }

    // MARK: Layouts

    struct Block: Decodable {
        struct Box: Decodable {
            let text: String
            let line: Int
            let word: Int
            let rect: [Double]
            let baseline: Double
        }

        let text: String
        let size: Double
        let isRightToLeft: Bool
        let lines: [[Double]]
        let glyphs: [Box]

        func add(to layout: inout Layout, characters: [String], exitCharacters: [String]) {
            let direction = isRightToLeft ? Direction.rightToLeft : .leftToRight
            let first = layout.glyphs.count
            let color = Color(red: 0, green: 0, blue: 0)
            func glyph(_ box: Box) -> Glyph {
                Glyph(
                    block: layout.blocks.count, line: box.line, word: box.word,
                    text: box.text, start: 0, length: box.text.utf16.count,
                    isWhitespace: box.text.allSatisfy(\.isWhitespace), paint: .color(color),
                    hasBlockPaint: true, rect: Self.rect(box.rect), baseline: box.baseline,
                    size: size, ink: nil)
            }
            layout.glyphs += glyphs.map(glyph)
            let lines = lines.indices.map { line in
                let members = glyphs.indices.filter { glyphs[$0].line == line }
                return Line(
                    rect: Self.rect(self.lines[line]), baseline: 0, direction: direction,
                    runs: [
                        Run(
                            font: RunFont(family: "", size: 20), paint: .color(color),
                            direction: direction, glyphs: members.map { first + $0 })
                    ])
            }
            var block = BlockLayout(
                text: text, glyphs: first..<layout.glyphs.count, lines: lines, size: size,
                rect: lines.dropFirst().reduce(lines[0].rect) { $0.union($1.rect) })
            block.changeExtras {
                $0.characters = (characters + exitCharacters).map {
                    glyph(Box(text: $0, line: 0, word: 0, rect: [0, 0, size, size], baseline: 0))
                }
                $0.firstExitCharacter = characters.count
            }
            layout.blocks.append(block)
        }

        private static func rect(_ sides: [Double]) -> Rect {
            Rect(x: sides[0], y: sides[1], width: sides[2], height: sides[3])
        }
    }

    // MARK: Requests

    enum Value: Decodable, Equatable {
        case number(Double), boolean(Bool), string(String), objects([[String: Value]])

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if let boolean = try? value.decode(Bool.self) {
                self = .boolean(boolean)
            } else if let number = try? value.decode(Double.self) {
                self = .number(number)
            } else if let string = try? value.decode(String.self) {
                self = .string(string)
            } else {
                self = .objects(try value.decode([[String: Value]].self))
            }
        }

        func value(of parameter: Parameter) throws -> ParameterValue {
            switch (self, parameter.kind) {
            case (.number(let number), _): return .number(number)
            case (.boolean(let boolean), _): return .boolean(boolean)
            case (.objects(let objects), _):
                return .keyframes(try objects.map { try keyframe($0) })
            case (.string(let string), .easing): return .easing(try timing(string))
            case (.string(let string), .color): return .color(try #require(Color(css: string)))
            case (.string(let string), _): return .string(ByteString(string))
            }
        }
    }

    private static func keyframe(_ members: [String: Value]) throws -> EffectKeyframe {
        var keyframe = EffectKeyframe()
        for (name, value) in members {
            switch (name, value) {
            case ("offset", .number(let offset)): keyframe.offset = offset
            case ("easing", .string(let easing)): keyframe.easing = try timing(easing)
            case (_, .number(let number)): keyframe[try property(name)] = .number(number)
            case ("color", .string(let color)):
                keyframe[.color] = .color(try #require(Color(css: color)))
            case (_, .string(let percent)):
                keyframe[try property(name)] = .percent(try number(percent.dropLast()))
            default: throw Fault.keyframe(name)
            }
        }
        return keyframe
    }

    private static func property(_ name: String) throws -> KeyframeProperty {
        try #require(KeyframeProperty.allCases.first { $0.name == name }, "\(name)")
    }

    private static func number(_ text: some StringProtocol) throws -> Double {
        try #require(Double(String(text)), "\(text)")
    }

    fileprivate static func timing(_ text: String) throws -> TimingFunction {
        if let named = Easing.named.first(where: { $0.name == text }) {
            return .easing(named.easing)
        }
        let parts = text.split { "(,)".contains($0) }.map { $0.split(separator: " ") }
        let arguments = parts.dropFirst()
        switch parts[0].first {
        case "bounce": return .bounce
        case "cubic-bezier": return .easing(cubic(try arguments.map { try number($0[0]) }))
        case "spring": return .spring(bounce: try arguments.first.map { try number($0[0]) } ?? 0.3)
        case "steps": return .steps(Int(try number(try #require(arguments.first)[0])))
        case "linear":
            return .stops(
                try arguments.map { stop in
                    let percent = stop.count > 1 ? try number(stop[1].dropLast()) : nil
                    return TimingFunction.Stop(value: try number(stop[0]), percent: percent)
                })
        default: throw Fault.easing(text)
        }
    }

    struct RequestBlock: Decodable {
        let effect: String
        let cursor: CursorShape
        let cursorBlink: Double
        /// What marks all of the text.
        let mark: MarkStyle?
        /// The other members.
        let parameters: [String: Value]

        init(from decoder: any Decoder) throws {
            var members = try [String: Value](from: decoder)
            guard case .string(let effect)? = members.removeValue(forKey: "effect") else {
                throw Fault.noEffect
            }
            self.effect = effect
            cursor =
                if case .string(let name)? = members.removeValue(forKey: "cursor") {
                    try #require(CursorShape(rawValue: name))
                } else {
                    .none
                }
            cursorBlink =
                if case .number(let blink)? = members.removeValue(forKey: "cursorBlink") {
                    blink
                } else {
                    1
                }
            mark = try Self.mark(takenFrom: &members)
            parameters = members
        }

        private static func mark(takenFrom members: inout [String: Value]) throws -> MarkStyle? {
            guard case .string(let name)? = members.removeValue(forKey: "mark") else { return nil }
            var style = MarkStyle(try #require(MarkStyle.Kind(rawValue: name)))
            func take(_ name: String, _ set: (Double) -> Void) {
                if case .number(let number)? = members.removeValue(forKey: name) { set(number) }
            }
            take("markDelay") { style.delay = $0 }
            take("markDuration") { style.duration = $0 }
            take("markPadding") { style.padding = $0 }
            take("markStrokes") { style.strokes = Int($0) }
            return style
        }

        func made() throws -> any Effect {
            let entry = try #require(EffectCatalog.standard[ByteString(effect)])
            var values: [ByteString: ParameterValue] = [:]
            for (name, value) in parameters {
                let parameter = try #require(entry.parameters.first { $0.name == name })
                values[parameter.key] = try value.value(of: parameter)
            }
            return try entry.effect(values)
        }
    }

    enum Fault: Error {
        case noEffect
        case keyframe(String)
        case easing(String)
    }

    struct Request: Decodable {
        let blocks: [RequestBlock]
        let sequence: String
        let exit: String
        let emphasis: String?
        let emphasisDuration: Double?
        let emphasisInterval: Double?
        let emphasisRate: Double?
        let width: Double?
        let seed: UInt64
        let gap: Double?
        let delay: Double?
        let hold: Double?
        let loop: Value?
        let speed: Double?
        let cycle: Double?
        let cardEffect: String?
        let cardDuration: Double?
        let cardEasing: String?
        let cardDirection: String?

        func scene(_ blocks: [Block]) throws -> Scene {
            let effects = try self.blocks.map { try $0.made() }
            let exit = try exitPolicy
            func more(for text: String) -> [String] {
                if case .effect(let effect) = exit { effect.characters(for: text) } else { [] }
            }
            var layout = Layout(
                glyphs: [], blocks: [], definitions: Definitions(), width: width ?? 1000,
                height: 1000, warnings: [])
            for (index, (block, effect)) in zip(blocks, effects).enumerated() {
                block.add(
                    to: &layout, characters: effect.characters(for: block.text),
                    exitCharacters: more(for: block.text))
                if let mark = self.blocks[index].mark {
                    layout.blocks[index].marks = [Mark(mark, glyphs: layout.blocks[index].glyphs)]
                }
            }
            var limits = SceneLimits()
            limits.cycleSeconds = .infinity
            limits.keyframes = 10_000_000
            var choreography = Choreography(
                blocks: zip(self.blocks, effects).map { block, effect in
                    Choreography.Block(
                        effect: effect, named: (block.effect, block.effect), cursor: block.cursor,
                        cursorBlink: block.cursorBlink,
                        paint: TextPaint(fill: .color(Color(red: 0, green: 0, blue: 0))))
                },
                sequence: try #require(Choreography.Sequence(rawValue: sequence)), exit: exit,
                timing: .init(
                    gap: gap ?? 0, delay: delay ?? 0, hold: hold ?? 1,
                    pace: cycle.map { .cycle($0) } ?? .speed(speed ?? 1)),
                loop: cycles)
            choreography.emphasis = try emphasisOfAll
            choreography.cardMotion = try cardMotion
            return try choreography.scene(
                of: layout,
                appearance: Appearance(card: card, title: "", seed: seed, digest: 0),
                limits: limits)
        }

        /// A card with a border where it moves.
        private var card: Card {
            guard cardEffect != nil else { return Card(background: .transparent) }
            let color = Color(red: 9, green: 9, blue: 9)
            return Card(background: .color(color), border: LineStyle(width: 8, color: color))
        }

        private var cardMotion: CardMotion? {
            get throws {
                guard let cardEffect, let cardDirection else { return nil }
                return CardMotion(
                    try #require(CardMotion.Effect(rawValue: cardEffect)),
                    duration: try #require(cardDuration),
                    easing: try TestVectors.timing(try #require(cardEasing)),
                    direction: try #require(CardMotion.Direction(rawValue: cardDirection)))
            }
        }

        private var cycles: Loop {
            switch loop {
            case .string: .infinite
            case .number(let count): .count(Int(count))
            default: .count(1)
            }
        }

        private var emphasisOfAll: Choreography.Emphasis? {
            get throws {
                guard let emphasis else { return nil }
                let entry = try #require(EffectCatalog.standard[ByteString(emphasis)])
                var values: [ByteString: ParameterValue] = [:]
                if let emphasisDuration { values["duration"] = .number(emphasisDuration) }
                if let emphasisRate { values["rate"] = .number(emphasisRate) }
                let effect = try entry.effect(values)
                return Choreography.Emphasis(
                    effect, interval: emphasisInterval ?? effect.emphasisInterval)
            }
        }

        private var exitPolicy: Choreography.ExitPolicy {
            get throws {
                switch exit {
                case "auto": return .auto
                case "between": return .between
                case "none": return .none
                default:
                    return .effect(try #require(EffectCatalog.standard[ByteString(exit)]).effect())
                }
            }
        }
    }
}
