import Bytes
import Encoders
import Motion
import Testing

@testable import Rendering

@Suite struct PresetTests {
    /// Three presets of an operator's, whose effects differ.
    private static let schema = RequestSchema(
        effects: .standard, formats: .standard,
        presets: PresetCatalog([
            Preset(
                "one", "One", nil,
                ["color": "#ff0000", "size": 40, "speed": 2, "effect": "pop", "fromScale": 0.5]),
            Preset("two", "Two", nil, ["size": 50, "cycle": 4, "padding": 0]),
            Preset(
                "three", "Three", nil,
                [
                    "effect": "custom", "keyframes": [["opacity": 0], ["offset": 1, "y": 1]],
                    "duration": 2,
                ]),
            Preset("sky", "Sky", nil, ["color": "linear-gradient(red, blue)"]),
        ]))

    private static func canonical(_ values: [ByteString: RawValue]) throws -> String {
        try request(RawRequest(values: values, texts: [.string("A")])).canonical
    }

    private static func request(_ raw: RawRequest) throws(RenderingError) -> RenderRequest {
        try RequestReader.read(raw, schema: schema, limits: RenderLimits())
    }

    private static func faults(_ values: [ByteString: RawValue]) -> [String] {
        do throws(RenderingError) {
            _ = try request(RawRequest(values: values, texts: [.string("A")]))
            return []
        } catch {
            return error.faults.map { "\($0.parameter) \($0.message)" }
        }
    }

    @Test("each of Titlecard's own presets is a request, as has each pair of shape and colours")
    func standard() throws {
        let presets = PresetCatalog.standard.entries
        #expect(presets.filter { $0.group == .colors }.count >= 12)
        for preset in presets {
            #expect(
                RequestSchema.standard.faults(ofPreset: preset.values).isEmpty, "\(preset.name)")
            for other in presets where preset.group == .shapes && other.group == .colors {
                let raw = RawRequest(
                    values: ["preset": .text("\(preset.name),\(other.name)")],
                    texts: [.text("A")])
                _ = try RequestReader.read(raw, schema: .standard, limits: RenderLimits())
            }
        }
    }

    @Test(
        "each look in each palette has texts of 4.5 to 1 on what is behind them, for light and dark",
        arguments: PresetCatalog.standard.entries.filter { $0.look != nil })
    func contrast(_ look: Preset) throws {
        let palettes = PresetCatalog.standard.entries.filter { $0.palette != nil }
        for palette in [nil] + palettes {
            let values = PresetValues([look] + (palette.map { [$0] } ?? []))
            for isDark in [false, true] {
                let place = "\(look.name),\(palette?.name ?? "none") dark=\(isDark)"
                let colors = Colors(values.values, isDark: isDark)
                let grounds = try colors.grounds()
                for text in [[:]] + values.subtitles.map(\.values) {
                    let behind = try colors.pill(of: text) ?? grounds
                    for ink in try colors.inks(of: text) {
                        let least = behind.map { $0.contrast(with: ink) }.min() ?? 0
                        #expect(least >= 4.5, "\(place) \(text) \(ink.text) \(least)")
                    }
                }
                if look.look?.paints["highlightColor"] != nil,
                    let light = try colors.paint("highlightColor").map({ Self.colors($0) })
                {
                    let least = grounds.map { $0.contrast(with: light[0]) }.min() ?? 0
                    #expect(least >= 3, "\(place) highlightColor \(light[0].text) \(least)")
                }
            }
        }
    }

    /// The colours of a look under one colour scheme.
    private struct Colors {
        private let values: [ByteString: RawValue]
        private let isDark: Bool

        init(_ values: [ByteString: RawValue], isDark: Bool) {
            (self.values, self.isDark) = (values, isDark)
        }

        func paint(_ name: String, in values: [ByteString: RawValue]? = nil) throws -> Paint? {
            let values = values ?? self.values
            let twin = "dark" + name.prefix(1).uppercased() + name.dropFirst()
            let value = isDark ? values[ByteString(twin)] : nil
            guard case .string(let text)? = value ?? values[ByteString(name)] else { return nil }
            return try PaintText(.string(text)).paint(text)
        }

        /// The colours behind letters: their edge, the card over a white and a dark page, or the page.
        func grounds() throws -> [Color] {
            if values["outlineWidth"] != nil, let edge = try paint("outlineColor") {
                return PresetTests.colors(edge)
            }
            let pages = [Color(rgb: 0xFFFFFF), Color(rgb: 0x0D1117)]
            let page = pages[isDark ? 1 : 0]
            let card = try paint("background").map { PresetTests.colors($0) } ?? [.transparent]
            return card.flatMap { color in
                if color.isTransparent { return [page] }
                return pages.map {
                    $0.mixed(with: color.opaque, progress: Double(color.alpha) / 255)
                }
            }
        }

        /// The colours of a text with values of its own.
        func inks(of text: [ByteString: RawValue]) throws -> [Color] {
            PresetTests.colors(
                try #require(try paint("color", in: text) ?? paint("color")))
        }

        /// The colour of the pill behind a text with values of its own; nil without one.
        func pill(of text: [ByteString: RawValue]) throws -> [Color]? {
            guard case .string("pill")? = text["mark"] ?? values["mark"] else { return nil }
            return PresetTests.colors(
                try #require(try paint("markColor", in: text) ?? paint("markColor")))
        }
    }

    /// Returns the colours of a paint: of a gradient those of its stops, and between them.
    private static func colors(_ paint: Paint) -> [Color] {
        switch paint {
        case .color(let color): return [color]
        case .gradient(let gradient):
            let stops = gradient.stops.map(\.color)
            return stops
                + zip(stops, stops.dropFirst()).map { $0.mixed(with: $1, progress: 0.5) }
        }
    }

    @Test("a palette fills a look, whichever comes first, and an operator's preset replaces")
    func filling() throws {
        func values(_ names: [String]) throws -> PresetValues {
            let own = Preset("own", "Own", nil, ["color": "#abcdef"])
            let catalog = PresetCatalog(PresetCatalog.standard.entries + [own])
            return PresetValues(try names.map { try #require(catalog[ByteString($0)]) })
        }
        func text(_ values: [ByteString: RawValue], _ name: ByteString) -> String? {
            values[name].map { JSONNode($0).plainText }
        }
        let nord = try values(["banner", "nord"])
        #expect(
            text(nord.values, "background") == "linear-gradient(120deg, #4c6e98, #8b5e84)")
        #expect(
            text(nord.values, "darkBackground") == "linear-gradient(120deg, #88c0d0, #b690af)")
        #expect(text(nord.values, "color") == "#eceff4")
        #expect(
            try values(["nord", "banner"]).values.mapValues { JSONNode($0).text }
                == nord.values.mapValues { JSONNode($0).text })
        #expect(
            try values(["dracula", "banner", "nord"]).values.mapValues { JSONNode($0).text }
                == nord.values.mapValues { JSONNode($0).text })
        // Dark under both schemes.
        let neon = try values(["neon", "nord"]).values
        #expect(text(neon, "background") == text(neon, "darkBackground"))
        #expect(text(neon, "shadow") == text(neon, "darkShadow"))
        // What a look does not paint is the palette's own.
        let headline = try values(["headline", "nord"])
        #expect(text(headline.values, "background") == "#eceff4")
        #expect(text(headline.subtitles[0].values, "color") == "#4c566a")
        let own = try values(["headline", "own", "nord"])
        #expect(text(own.values, "color") == "#2e3440")
        #expect(own.subtitles[0].values["color"] == nil)
        #expect(text(try values(["nord", "headline", "own"]).values, "color") == "#abcdef")
    }

    @Test("colours of a palette have a source and a twin for dark")
    func twins() {
        for preset in PresetCatalog.standard.entries where preset.group == .colors {
            #expect(preset.source?.hasPrefix("https://") == true, "\(preset.name)")
            for name in preset.values.keys.map(\.text)
            where !name.hasPrefix("dark") && name.hasSuffix("olor") {
                let twin = "dark" + name.prefix(1).uppercased() + name.dropFirst()
                #expect(
                    preset.values[ByteString(twin)] != nil || name == "highlightColor",
                    "\(preset.name) \(twin)")
            }
        }
    }

    @Test(
        "a request with presets means the same as one with their parameters",
        arguments: [
            (
                ["preset": "one"],
                [
                    "color": "red", "size": 40, "speed": 2, "effect": "pop",
                    "fromScale": 0.5,
                ]
            ),
            (
                ["preset": " one , two "],
                [
                    "color": "red", "size": 50, "cycle": 4, "padding": 0,
                    "effect": "pop", "fromScale": 0.5,
                ]
            ),
            (
                ["preset": "two,one"],
                [
                    "color": "red", "size": 40, "speed": 2, "padding": 0,
                    "effect": "pop", "fromScale": 0.5,
                ]
            ),
            (
                ["preset": "one", "size": 32, "speed": 1],
                [
                    "color": "red", "effect": "pop",
                    "fromScale": 0.5, "size": 32,
                ]
            ),
            (
                ["preset": "one", "cycle": 3],
                [
                    "color": "red", "size": 40, "cycle": 3,
                    "effect": "pop", "fromScale": 0.5,
                ]
            ),
            (["preset": "two", "speed": 3], ["size": 50, "padding": 0, "speed": 3]),
            // Not of this effect, and not a value of this effect's.
            (
                ["preset": "one", "effect": "fade"],
                [
                    "color": "red", "size": 40, "speed": 2,
                    "effect": "fade",
                ]
            ),
            (["preset": "three", "effect": "slide"], ["effect": "slide", "duration": 2]),
            (
                ["preset": "three,one"],
                [
                    "color": "red", "size": 40, "speed": 2, "effect": "pop",
                    "fromScale": 0.5, "duration": 2,
                ]
            ),
        ] as [([ByteString: RawValue], [ByteString: RawValue])])
    func merging(_ written: [ByteString: RawValue], _ meant: [ByteString: RawValue]) throws {
        #expect(try Self.canonical(written) == Self.canonical(meant))
    }

    @Test("a block takes of a preset what its own effect has")
    func blocks() throws {
        func canonical(_ values: [ByteString: RawValue], _ second: [ByteString: RawValue]) throws
            -> String
        {
            let blocks: RawValue = .array([
                .object(["text": "A"]), .object(second.merging(["text": "B"]) { $1 }),
            ])
            return try Self.request(
                RawRequest(values: values.merging(["blocks": blocks]) { $1 })
            ).canonical
        }
        let own: [ByteString: RawValue] = ["effect": "fade", "size": 20]
        #expect(
            try canonical(["preset": "one"], own)
                == canonical(
                    ["color": "red", "size": 40, "speed": 2, "effect": "pop", "fromScale": 0.5],
                    own))
    }

    @Test(
        "a fault names the preset",
        arguments: [
            (
                ["preset": "oen"],
                #"preset must be names of presets, separated by commas; got "oen"; did you mean "one"?"#
            ),
            (
                ["preset": "one,"],
                #"preset must be names of presets, separated by commas; got """#
            ),
            (["preset": 3], "preset must be names of presets, separated by commas; got 3"),
            (
                ["preset": "sky", "effect": "highlight", "highlightColor": "#f008"],
                "color must be one colour, for the effect changes it, not to one opaque colour; "
                    + #"got linear-gradient(180deg, #ff0000 0%, #0000ff 100%), which is the preset "sky"'s"#
            ),
        ] as [([ByteString: RawValue], String)])
    func faults(_ values: [ByteString: RawValue], _ fault: String) {
        #expect(Self.faults(values) == [fault])
    }

    @Test("a permalink names no preset")
    func permalink() throws {
        let token = Permalink.token(of: #"{"preset":"one","text":"A"}"#, try Deflater(.permalink))
        #expect(throws: RenderingError.self) {
            try Permalink.request(in: token[...], limit: 1000)
        }
    }

    // MARK: Files

    private static func file(_ json: String) -> (names: [String], faults: [String]) {
        do throws(RenderingError) {
            let schema = try PresetFile.schema(adding: Array(json.utf8), to: Self.schema)
            return (schema.presets.entries.map { $0.name }, [])
        } catch {
            return ([], error.faults.map { "\($0.parameter) \($0.message)" })
        }
    }

    @Test("an operator's presets stand behind the others")
    func ownPresets() {
        let json = #"""
            {"presets":[{"name":"brand","title":"Ours","summary":"S","parameters":{"size":50}},
             {"name":"fast","parameters":{"interval":0.01,"speed":2}}]}
            """#
        #expect(Self.file(json).names == ["one", "two", "three", "sky", "brand", "fast"])
    }

    @Test(
        "a fault in a file says where it is",
        arguments: [
            ("[]", " must be a JSON object; got an array"),
            ("{}", "presets must be an array of 1 to 256 objects"),
            (#"{"presets":[1]}"#, "presets[0] must be an object; got 1"),
            (#"{"presets":[{"parameters":{}}]}"#, "presets[0].name is required"),
            (
                #"{"presets":[{"name":"one","parameters":{}}]}"#,
                #"presets[0].name must not be one of Titlecard's own; got "one""#
            ),
            (
                #"{"presets":[{"name":"a","parameters":{}},{"name":"a","parameters":{}}]}"#,
                #"presets[1].name must differ from the others; got "a""#
            ),
            (#"{"presets":[{"name":"a"}]}"#, "presets[0].parameters must be an object"),
            (
                #"{"presets":[{"name":"a","parameters":{"text":"b"}}]}"#,
                "presets[0].parameters.text cannot be part of a preset"
            ),
            (
                #"{"presets":[{"name":"a","parameters":{"size":1}}]}"#,
                "presets[0].parameters.size must be from 4 to 400 px; got 1"
            ),
            (
                #"{"presets":[{"name":"a","parameters":{"szie":10}}]}"#,
                #"presets[0].parameters.szie unknown; did you mean "size"?"#
            ),
            (
                #"{"presets":[{"name":"a","parameters":{"interval":-1}}]}"#,
                "presets[0].parameters.interval must be from 0.001 to 10 seconds or \"auto\"; got -1"
            ),
            (
                #"{"presets":[{"name":"a","parameters":{"speed":2,"cycle":2}}]}"#,
                "presets[0].parameters.cycle must not be given together with speed"
            ),
            (
                #"{"presets":[{"name":"a","colour":"b","parameters":{}}]}"#,
                "presets[0].colour unknown"
            ),
        ])
    func fileFaults(_ json: String, _ fault: String) {
        #expect(Self.file(json).faults == [fault])
    }
}
