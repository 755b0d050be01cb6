import Bytes
import CZlib
import Motion
import Testing

@testable import Encoders

@Suite struct FormatTests {
    private func text(_ format: any OutputFormat.Type, _ scene: Scene) throws -> String {
        let bytes = try format.init().encode(scene, .sample)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("the SVG of a scene is as it was recorded")
    func svg() throws {
        try Snapshot.expect(text(SVGFormat.self, SampleScene.scene()), "scene.svg")
        try Snapshot.expect(text(SVGFormat.self, SampleScene.scene(dark: true)), "dark.svg")
    }

    @Test("the JSON of a scene is as it was recorded")
    func json() throws {
        try Snapshot.expect(text(JSONFormat.self, SampleScene.scene()), "scene.json")
    }

    @Test("the JSON of a scene names its paint where it is not plain")
    func paint() throws {
        let (red, blue) = (Color(red: 255, green: 0, blue: 0), Color(red: 0, green: 0, blue: 255))
        let gradient = Gradient(
            .linear(.angle(90)), stops: [(color: red, percent: nil), (color: blue, percent: 80)])
        var scene = SampleScene.scene()
        scene.appearance.card = Card(
            background: .gradient(gradient), cornerRadius: 100,
            border: LineStyle(width: 1.5, color: red))
        scene.blocks[0].paint.gradientBox = .glyph
        scene.blocks[0].paint.outline = LineStyle(width: 2, color: blue)
        scene.blocks[0].paint.shadows = [
            Shadow(offsetX: 2, offsetY: -1, blurRadius: 4, color: red),
            Shadow(offsetX: 0, offsetY: 0, blurRadius: 0, color: blue),
        ]
        scene.nodes[0].glyph.paint = .gradient(gradient)
        let json = try text(JSONFormat.self, scene)
        let spelling = "linear-gradient(90deg, #ff0000 0%, #0000ff 80%)"
        let members = [
            ##""background":"\##(spelling)","backgroundGradient":0,"cornerRadius":28,"##
                + ##""borderWidth":1.5,"borderColor":"#ff0000","duration""##,
            ##""exitEnd":null,"outlineWidth":2,"outlineColor":"#0000ff","##
                + ##""shadow":"2px -1px 4px #ff0000, 0px 0px 0px #0000ff","shadows":["##
                + ##"{"offsetX":2,"offsetY":-1,"blurRadius":4,"color":"#ff0000"},"##
                + ##"{"offsetX":0,"offsetY":0,"blurRadius":0,"color":"#0000ff"}],"rect""##,
            ##""color":"\##(spelling)","gradientRect":{"x":16,"y":16,"width":20,"height":24},"##
                + ##""gradient":1,"rect""##,
            ##"{"x1":16,"y1":28,"x2":36,"y2":28,"stops":[{"offset":0,"color":"#ff0000"},"##
                + ##"{"offset":0.8,"color":"#0000ff"}]}],"warnings""##,
        ]
        for member in members { #expect(json.contains(member), "\(member)") }
        #expect(json.split(separator: "gradientRect").count == 2)
    }

    @Test("a glyph of the JSON has the members of the table in its order, with all that are needed")
    func members() throws {
        let json = try text(JSONFormat.self, SampleScene.scene())
        let glyphs = try #require(json.split(separator: "\"glyphs\":[{").last)
        let first = try #require(glyphs.split(separator: "},{\"index\":1").first)
        let places = JSONGlyphMember.all.map { first.firstRange(of: "\"\($0.name)\":")?.lowerBound }
        for (member, place) in zip(JSONGlyphMember.all, places) where place == nil {
            #expect(member.isOptional, "\(member.name)")
        }
        let present = places.compactMap { $0 }
        #expect(present == present.sorted() && present.count > 12)
    }

    @Test("names differ from request to request")
    func names() throws {
        let one = try text(SVGFormat.self, SampleScene.scene(digest: 1))
        let other = try text(SVGFormat.self, SampleScene.scene(digest: 2))
        let prefix = String(decoding: SVGNames(digest: 1).prefix, as: UTF8.self)
        #expect(one.contains(prefix) && !other.contains(prefix))
        #expect(prefix.count == 6)
        let letters = (0..<800).map { number in
            var sink = ByteSink()
            sink.append(lettersOf: number)
            return sink.bytes()
        }
        #expect(letters.count == Set(letters).count)
        #expect(letters[25...27].map { String(decoding: $0, as: UTF8.self) } == ["z", "aa", "ab"])
    }

    @Test("a rendering does not depend on those before it")
    func independence() throws {
        let context = EncodingContext.sample
        var large = SampleScene.scene()
        large.nodes[0].glyph.ink?.shape?.scale = 0.4
        large.nodes[1].glyph.rect.x += 3
        let scenes = [SampleScene.scene(), large, SampleScene.scene()]
        for scene in scenes {
            let bytes = try SVGFormat().encode(scene, context)
            #expect(try bytes == SVGFormat().encode(scene, .sample))
        }
    }

    @Test(
        "a picture whose time is over at any look at the clock is not encoded",
        arguments: ["png", "gif", "apng", "webp"])
    func deadlines(_ name: String) throws {
        let format: any OutputFormat =
            switch name {
            case "png": try PNGFormat()
            case "gif": try GIFFormat()
            case "apng": try APNGFormat()
            default: try WebPFormat()
            }
        var scene = SampleScene.scene()
        scene.appearance.card.cornerRadius = 4
        /// Encodes with a clock that passes at one of its looks, and returns their number.
        func looks(passingAt last: Int) throws -> Int {
            let context = EncodingContext.sample
            var looks = 0
            context.deadline.isPassed = {
                looks += 1
                return looks >= last
            }
            _ = try format.encode(scene, context)
            return looks
        }
        let all = try looks(passingAt: .max)
        #expect(all > 4)
        for look in stride(from: 1, through: all, by: max(all / 20, 1)) {
            #expect(throws: EncodingError.deadline) { _ = try looks(passingAt: look) }
        }
    }

    @Test("a PNG holds its picture")
    func png() throws {
        let file = try PNGFormat().encode(SampleScene.scene(), .sample)
        #expect(file.prefix(8) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        #expect(Array(file[16..<24]) == [0, 0, 0, 72, 0, 0, 0, 56])
        #expect(file[24] == 8 && file[25] == 3, "one colour of ink takes a palette")
        let start = try #require(file.firstRange(of: Array("IDAT".utf8))?.upperBound)
        let length = file[start - 8..<start - 4].reduce(0) { $0 << 8 | Int($1) }
        var rows = [UInt8](repeating: 0, count: (1 + 72) * 56)
        var count = uLong(rows.count)
        let data = Array(file[start..<start + length])
        #expect(uncompress(&rows, &count, data, uLong(data.count)) == Z_OK)
        #expect(count == rows.count)
        #expect(Array(rows[16 * 73..<16 * 73 + 18]) == [UInt8](repeating: 0, count: 17) + [1])
    }
}
