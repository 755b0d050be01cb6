import Motion

/// One rendering as an SVG document.
struct SVGDocument {
    let scene: Scene
    let names: SVGNames
    private let groups: [SVGGroup]
    let motions: SVGMotions
    let definitions: SVGDefinitions
    /// For each outline the beginning of an element that draws it.
    let references: [[UInt8]]

    init(_ scene: Scene, _ workshop: Workshop) throws(EncodingError) {
        self.scene = scene
        names = SVGNames(digest: scene.appearance.digest)
        let turns = scene.tracks.contains { $0.scale != nil || $0.rotation != nil }
        groups = SVGGroup.groups(of: scene, turns: turns)
        motions = try SVGMotions(scene, groups, turns: turns, workshop)
        definitions = SVGDefinitions(scene, turns: turns)
        let head = Array("<use href=\"#\(names.prefix)".utf8)
        references = scene.layout.outlines.indices.map { index in
            head + SVGNames.letters(index).utf8 + [UInt8(ascii: "\"")]
        }
    }

    func bytes(_ workshop: Workshop) throws(EncodingError) -> [UInt8] {
        var sink = ByteSink(capacity: 4096 + 64 * scene.layout.glyphs.count)
        writeHead(&sink)
        writeStyle(&sink)
        writeBackground(&sink)
        try EncodingError.catching { () throws(LibraryFault) in
            try definitions.write(names, workshop, to: &sink)
        }
        for group in groups { try write(group, workshop, &sink) }
        sink.append("</svg>\n")
        return sink.bytes()
    }

    private func writeHead(_ sink: inout ByteSink) {
        let (width, height) = (scene.layout.width, scene.layout.height)
        sink.append("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"")
        sink.append(width, decimals: 4)
        sink.append("\" height=\"")
        sink.append(height, decimals: 4)
        sink.append("\" viewBox=\"0 0 ")
        sink.append(width, decimals: 4)
        sink.append(" ")
        sink.append(height, decimals: 4)
        sink.append("\" role=\"img\" class=\"")
        sink.append(names.prefix)
        sink.append("\"><title>")
        sink.append(xml: scene.appearance.title)
        sink.append("</title><desc>")
        sink.append(xml: description)
        sink.append("</desc>")
    }

    private var description: String {
        guard scene.duration > .zero else { return "Still text" }
        var titles: [String] = []
        for block in scene.blocks where !titles.contains(block.effectTitle) {
            titles.append(block.effectTitle)
        }
        return "Animated text: " + titles.joined(separator: ", ")
    }

    private func writeStyle(_ sink: inout ByteSink) {
        let darkBlocks = scene.blocks.indices.filter { scene.blocks[$0].darkColor != nil }
        let isDark = scene.appearance.darkBackground != nil || !darkBlocks.isEmpty
        guard isDark || !motions.isEmpty else { return }
        sink.append("<style>")
        motions.writeRules(names, &sink)
        if isDark {
            sink.append("@media(prefers-color-scheme:dark){")
            if let color = scene.appearance.darkBackground {
                writeDarkRule("b", color, &sink)
            }
            for block in darkBlocks {
                if let color = scene.blocks[block].darkColor {
                    writeDarkRule("c\(block)", color, &sink)
                }
            }
            sink.append("}")
        }
        sink.append("</style>")
    }

    private func writeDarkRule(_ name: String, _ color: Color, _ sink: inout ByteSink) {
        sink.append(".")
        sink.append(names.prefix)
        sink.append(name)
        sink.append("{fill:")
        sink.append(color.opaqueText)
        sink.append(";fill-opacity:")
        sink.append(Double(color.alpha) / 255, decimals: 4, leadingZero: false)
        sink.append("}")
    }

    private func writeBackground(_ sink: inout ByteSink) {
        let color = scene.appearance.background
        let isDark = scene.appearance.darkBackground != nil
        guard isDark || !color.isTransparent else { return }
        sink.append("<rect width=\"100%\" height=\"100%\"")
        sink.append(fill: color)
        if isDark {
            sink.append(" class=\"")
            sink.append(names.prefix)
            sink.append("b\"")
        }
        sink.append("/>")
    }
}

extension Color {
    /// `#rrggbb`, whatever the alpha.
    var opaqueText: String {
        Color(red: red, green: green, blue: blue).text
    }
}

extension ByteSink {
    /// The attributes that fill with a colour.
    mutating func append(fill color: Color) {
        append(" fill=\"")
        append(color.opaqueText)
        append("\"")
        guard !color.isOpaque else { return }
        append(" fill-opacity=\"")
        append(Double(color.alpha) / 255, decimals: 4, leadingZero: false)
        append("\"")
    }
}
