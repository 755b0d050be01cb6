import Motion
import Testing

@testable import Encoders

@Suite struct SVGMotionTests {
    /// Returns the document of a scene whose first glyph moves so.
    private func text(
        loop: Loop = .count(1), dark: Bool = false, _ change: (inout Scene) -> Void
    ) throws -> String {
        var scene = SampleScene.scene(dark: dark)
        scene.loop = loop
        change(&scene)
        return String(decoding: try SVGFormat().encode(scene, .sample), as: UTF8.self)
    }

    private func track(_ values: [(Int, Double)], _ easing: Easing = .linear) -> Track<Double> {
        Track(
            keyframes: values.map {
                Keyframe(Instant(ticks: $0.0), value: $0.1, easing: easing)
            })
    }

    private func fill(_ paints: [(Int, ColorMix)]) -> Track<ColorMix> {
        Track(
            keyframes: paints.map {
                Keyframe(Instant(ticks: $0.0), value: $0.1, easing: .linear)
            })
    }

    private let red = ColorMix(Color(red: 255, green: 0, blue: 0))

    @Test("a glyph that has come into focus has no filter")
    func blur() throws {
        let once = try text { $0.tracks[0][.blur] = track([(0, 4), (5000, 0)]) }
        #expect(once.contains("filter:blur(200px)") && !once.contains("filter:none"))
        #expect(!once.contains("filter=\""))
        let looping = try text(loop: .infinite) {
            $0.tracks[0][.blur] = track([(0, 4), (5000, 0)])
        }
        #expect(looping.contains("filter:none"))
    }

    /// Returns the rules of a document for WebKit.
    private func rulesOfReferences(_ document: String) -> Substring {
        let parts = document.parts("@supports(hanging-punctuation:first){")
        return parts.count == 2 ? parts[1].parts("</style>")[0] : ""
    }

    @Test("for WebKit a blur goes through levels, the first of which is its largest")
    func levels() throws {
        for loop in [Loop.count(1), .infinite] {
            let document = try text(loop: loop) {
                $0.tracks[0][.blur] = track([(0, 4), (5000, 0)])
            }
            let rules = rulesOfReferences(document)
            #expect(rules.contains("@keyframes") && !rules.contains("blur("))
            let filters = document.parts("<filter ").dropFirst()
            #expect(filters.count > 3)
            #expect(filters.last?.contains("stdDeviation=\"200\"") == true)
            for level in filters.indices {
                #expect(rules.contains("b\(level))"), "level \(level) is used")
            }
        }
    }

    @Test("a Gaussian that WebKit would cut off is made of several")
    func wideBlur() throws {
        let document = try text { $0.tracks[0][.blur] = track([(0, 12), (5000, 0)]) }
        // 600 units, three times: their squares add up.
        #expect(
            document.contains(String(repeating: "<feGaussianBlur stdDeviation=\"346\"/>", count: 3))
        )
    }

    @Test("the levels of a blur have the colours of either scheme")
    func levelsInTheDark() throws {
        let document = try text(dark: true) {
            $0.tracks[0][.blur] = track([(0, 4), (2000, 0)])
            $0.tracks[0].fill = fill([
                (0, ColorMix.own.mixed(with: red, progress: 0.5)), (2000, .own),
            ])
        }
        let rules = rulesOfReferences(document)
        #expect(rules.contains("fill:#921518") && rules.contains("fill:#ff8080"))
    }

    @Test("a glyph's own colour is its group's, which a dark scheme changes")
    func ownColor() throws {
        let document = try text(dark: true) {
            $0.tracks[0].fill = fill([
                (0, .own), (1000, red), (2000, .own), (3000, red), (4000, .own),
            ])
        }
        #expect(document.contains("fill:inherit") && document.contains("fill:#ff0000"))
        #expect(!document.contains("fill:#24292f"))
    }

    @Test("colours that are partly a glyph's own are others under a dark scheme")
    func mixedColor() throws {
        let document = try text(dark: true) {
            $0.tracks[0].fill = fill([
                (0, red), (1000, ColorMix.own.mixed(with: red, progress: 0.5)), (2000, .own),
            ])
        }
        #expect(document.contains("@media(prefers-color-scheme:dark){@keyframes"))
        #expect(document.contains("fill:#921518") && document.contains("fill:#ff8080"))
    }

    @Test("a translucent colour changes without its group's fill opacity")
    func translucentColor() throws {
        let document = try text {
            $0.nodes[0].glyph.paint = $0.nodes[0].glyph.paint.withAlpha(128)
            $0.tracks[0].fill = fill([(0, red), (2000, .own)])
        }
        #expect(document.contains("fill:#24292f80;fill-opacity:1"))
        #expect(document.contains("fill=\"#24292f\" fill-opacity=\".502\""))
    }

    @Test("a mask is an animation, defined once for the glyphs within it")
    func mask() throws {
        func masked(_ loop: Loop) throws -> String {
            try text(loop: loop) {
                $0.masks = [
                    [
                        MaskSpan(
                            start: .zero, end: Instant(ticks: 5300),
                            rect: Rect(x: 16, y: 16, width: 40, height: 24))
                    ]
                ]
                for index in $0.nodes.indices { $0.nodes[index].mask = 0 }
            }
        }
        let once = try masked(.count(1))
        #expect(once.components(of: "<clipPath").count == 2)
        #expect(once.contains("{from,to{clip-path:url(#") && !once.contains("clip-path="))
        #expect(try masked(.infinite).contains("{clip-path:none}"))
    }

    @Test("factors across and down at their own times are multiplied")
    func scales() throws {
        let document = try text {
            $0.tracks[0][.scale] = track([(0, 2), (5000, 1)])
            $0.tracks[0][.scaleX] = track([(0, 0.5), (3000, 1)])
        }
        #expect(document.contains("scale:2}") && document.contains("scale:.5 1}"))
        #expect(document.contains("animation-composition:replace,replace,add"))
    }

    @Test("offsets across and down at their own times do not jump")
    func offsets() throws {
        let apart = try text { $0.tracks[0][.offsetX] = track([(1000, 20), (2000, 0)]) }
        #expect(apart.contains("animation-composition:") && apart.contains("translate:0 500px"))
        let inTurn = try text { $0.tracks[0][.offsetX] = track([(5000, 0), (6000, 20)]) }
        #expect(!inTurn.contains("animation-composition:"))
    }

    @Test("the longest contour is 1 long, and the line around it is gone at rest")
    func draw() throws {
        let document = try text {
            $0.tracks[0][.draw] = track([(0, 0), (2000, 1)])
            $0.tracks[0][.strokeWidth] = track([(0, 0.6)])
            $0.tracks[0][.fillOpacity] = track([(2000, 0), (4000, 1)])
            $0.tracks[0][.strokeOpacity] = track([(2000, 1), (4000, 0)])
        }
        #expect(document.contains("pathLength=\"1\"") && document.contains("stroke-width=\"30\""))
        #expect(document.contains("stroke-dasharray:0 9") && document.contains("stroke-opacity:0;"))
        #expect(document.contains("{from{fill-opacity:0;stroke-opacity:1}50%{"))
    }

    @Test("a transparent colour has the animations of the one under a dark scheme, and their order")
    func transparentColor() throws {
        let document = try text(dark: true) {
            $0.nodes[0].glyph.paint = $0.nodes[0].glyph.paint.withAlpha(0)
            $0.tracks[0][.draw] = track([(0, 0), (2000, 1)])
            $0.tracks[0][.strokeWidth] = track([(0, 0.6)])
            $0.tracks[0][.fillOpacity] = track([(2000, 0), (4000, 1)])
            $0.tracks[0][.strokeOpacity] = track([(2000, 1), (4000, 0)])
        }
        let parts = document.components(of: "@media(prefers-color-scheme:dark){@keyframes")
        try #require(parts.count == 2)
        #expect(parts[0].contains("{from{fill-opacity:0;stroke-opacity:0}50%{"))
        #expect(parts[1].contains("{from{fill-opacity:0;stroke-opacity:1}50%{"))
        #expect(!parts[1].contains("stroke-dasharray:0"))
    }

    @Test("glyphs that spread move by shares of their largest offsets")
    func spread() throws {
        let document = try text {
            $0.tracks.append($0.tracks[0])
            for (index, offset) in [10.0, -30, 50].enumerated() {
                let start = 300 * index
                $0.tracks[index] = GlyphTracks(
                    opacity: track([(start, 0), (start + 2000, 0.5), (start + 5000, 1)]))
                $0.tracks[index][.offsetX] = track([
                    (start, offset * 0.01), (start + 2000, offset), (start + 5000, 0),
                ])
            }
        }
        #expect(document.contains("--x:500px") && document.contains("--x:-1500px"))
        #expect(document.contains("translate:calc(var(--x)*.01)"))
        #expect(document.contains("translate:var(--x)"))
    }

    @Test("values that cannot be drawn are cut off where they cross the bound")
    func overshoot() throws {
        let document = try text {
            $0.tracks[0].opacity = track([(0, 0), (2000, 1.25), (4000, 0.5), (5000, 1)])
        }
        #expect(document.contains("opacity:1") && !document.contains("opacity:1.25"))
    }

    @Test("glyphs that differ in their delays share keyframes of any number")
    func sharing() throws {
        let document = try text {
            for index in 0...1 {
                let start = 300 * index
                $0.tracks[index][.scaleY] = track([
                    (start, 0), (start + 2000, 1.2), (start + 3000, 0.9), (start + 5000, 1),
                ])
            }
        }
        // Those of two properties, and the root's, which end last.
        #expect(document.components(of: "@keyframes").count == 4)
        #expect(document.contains("style=\"animation-delay:.03s\""))
    }
}

extension String {
    fileprivate func components(of separator: String) -> [Substring] {
        split(separator: separator, omittingEmptySubsequences: false)
    }
}
