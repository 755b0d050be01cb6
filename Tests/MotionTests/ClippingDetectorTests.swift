import Testing

@testable import Motion

@Suite struct ClippingDetectorTests {
    /// A scene of one glyph of 20 by 20 px, 10 px from each edge of a canvas, that moves for a second.
    private func scene(_ change: (inout Scene, inout GlyphTracks) -> Void) -> Scene {
        let rect = Rect(x: 10, y: 10, width: 20, height: 20)
        let glyph = Glyph(
            block: 0, line: 0, word: 0, text: "x", start: 0, length: 1,
            isWhitespace: false, paint: .color(Color(red: 0, green: 0, blue: 0)),
            hasBlockPaint: true,
            rect: rect, baseline: 30, size: 20,
            ink: Ink(shape: nil, details: [.line(rect)], bounds: rect))
        let line = Line(rect: rect, baseline: 30, direction: .leftToRight, runs: [])
        let layout = Layout(
            glyphs: [glyph],
            blocks: [BlockLayout(text: "x", glyphs: 0..<1, lines: [line], size: 20, rect: rect)],
            definitions: Definitions(), width: 40, height: 40, warnings: [])
        var scene = Scene(
            of: layout,
            blocks: [
                SceneBlock(
                    layout.blocks[0], effectName: "custom", effectTitle: "Custom",
                    entrance: .zero...Instant(ticks: 10_000), exit: nil,
                    paint: TextPaint(fill: .color(Color(red: 0, green: 0, blue: 0))))
            ], nodes: [SceneNode(glyph, track: 0, isFinished: true)],
            duration: Instant(ticks: 20_000), loop: .count(1),
            appearance: Appearance(
                card: Card(background: .transparent), title: "", seed: 0, digest: 0))
        var tracks = GlyphTracks.shown
        change(&scene, &tracks)
        scene.tracks = [tracks]
        return scene
    }

    private func track(from: Double, to: Double, _ easing: Easing = .linear) -> Track<Double> {
        Track(keyframes: [
            Keyframe(.zero, value: from, easing: easing),
            Keyframe(Instant(ticks: 10_000), value: to, easing: .linear),
        ])
    }

    /// The paddings of the warnings of a scene; -1 for one that no padding mends.
    private func paddings(
        in changeRoom: (inout CanvasRoom) -> Void = { _ in },
        _ change: (inout Scene, inout GlyphTracks) -> Void
    ) -> [Int] {
        var room = CanvasRoom()
        room.padding = 10
        changeRoom(&room)
        let warning = try? ClippingDetector.warning(of: scene(change), in: room)
        return warning.map { [$0.padding ?? -1] } ?? []
    }

    @Test("what moves within the padding is no fault, what leaves it tells how much it needs")
    func offsets() {
        for property in [Property.offsetX, .offsetY] {
            #expect(paddings { $1[property] = track(from: 10, to: 0) } == [])
            #expect(paddings { $1[property] = track(from: -10, to: 0) } == [])
            #expect(paddings { $1[property] = track(from: 10.5, to: 0) } == [11])
            #expect(paddings { $1[property] = track(from: -34, to: 0) } == [34])
        }
    }

    @Test("an easing that overshoots leaves between its keyframes")
    func overshoot() {
        #expect(paddings { $1[.offsetY] = track(from: -10, to: 0, .backOut) } == [])
        let far = CubicBezier(x1: 0.3, y1: -2, x2: 0.7, y2: 3)
        let most =
            (0...1000).map {
                abs(-10 + 10 * Easing.cubic(far).value(at: Double($0) / 1000))
            }.max() ?? 0
        let found = paddings { $1[.offsetY] = track(from: -10, to: 0, .cubic(far)) }
        #expect(most > 13 && abs(Double(found.first ?? 0) - most) <= 1.5)
    }

    @Test("scale, turn, blur and line reach further than the ink")
    func reaches() {
        #expect(paddings { $1[.scale] = track(from: 2, to: 1) } == [])
        #expect(paddings { $1[.scale] = track(from: 2.5, to: 1) } == [15])
        #expect(paddings { $1[.scaleX] = track(from: 2.5, to: 1) } == [15])
        #expect(
            paddings {
                $1[.scaleX] = track(from: 2.5, to: 1)
                $1[.rotation] = track(from: 90, to: 90)
            } == [15])
        #expect(paddings { $1[.rotation] = track(from: 360, to: 0) } == [])
        #expect(
            paddings {
                $1[.rotation] = track(from: 45, to: 45)
                $1[.scale] = track(from: 2, to: 2)
            } == [19])
        #expect(paddings { $1[.skewX] = track(from: 45, to: 0) } == [])
        #expect(paddings { $1[.skewX] = track(from: 60, to: 0) } == [18])
        #expect(paddings { $1[.skewY] = track(from: -60, to: 0) } == [18])
        #expect(paddings { $1[.blur] = track(from: 5, to: 0) } == [])
        #expect(paddings { $1[.blur] = track(from: 6, to: 0) } == [12])
        #expect(
            paddings {
                $1[.blur] = track(from: 6, to: 6)
                $1[.scale] = track(from: 2, to: 2)
            } == [34])
        #expect(
            paddings(in: { $0.padding = 0 }) {
                $0.nodes[0].glyph.ink?.bounds = Rect(x: 0, y: 0, width: 40, height: 40)
                $1[.strokeWidth] = track(from: 3, to: 3)
                $1[.strokeOpacity] = track(from: 1, to: 0)
            } == [2])
    }

    @Test("a glyph counts from a tenth of its opacity on")
    func opacity() {
        let leaving = track(from: -100, to: 0)
        #expect(
            paddings {
                $1[.offsetY] = leaving
                $1.opacity = track(from: 0, to: 1)
            } == [90])
        #expect(
            paddings {
                $1[.offsetY] = leaving
                $1.opacity = track(from: 0, to: 0.09)
            } == [])
        #expect(
            paddings {
                $1[.offsetY] = leaving
                $1.opacity = Track(keyframes: [
                    Keyframe(.zero, value: 0, easing: .hold),
                    Keyframe(Instant(ticks: 9500), value: 1, easing: .linear),
                ])
            } == [])
    }

    @Test("a mask holds what leaves")
    func masks() {
        let box = Rect(x: 5, y: 5, width: 30, height: 30)
        func padding(from start: Int, to end: Int) -> [Int] {
            paddings {
                $0.masks = [
                    [
                        MaskSpan(
                            start: Instant(ticks: start), end: Instant(ticks: end), rect: box)
                    ]
                ]
                $0.nodes[0].mask = 0
                $1[.offsetY] = track(from: -100, to: 0)
            }
        }
        #expect(padding(from: 0, to: 10_000) == [])
        #expect(padding(from: 1, to: 10_000) == [100])
    }

    @Test("what is cut off at rest, and what is no glyph, does not count")
    func others() {
        #expect(
            paddings {
                $0.nodes[0].glyph.ink?.bounds.x = -1
                $1[.offsetY] = track(from: 100, to: 0)
            } == [])
        #expect(
            paddings {
                $0.nodes[0].become(.cursor)
                $1[.offsetY] = track(from: 100, to: 0)
            } == [])
        #expect(
            paddings {
                $0.duration = .zero
                $1[.offsetY] = track(from: 100, to: 0)
            } == [])
    }

    @Test("no padding is named that would not hold: on given sides, and past its limits")
    func given() {
        let (across, down) = (track(from: 15, to: 0), track(from: -25, to: 0))
        #expect(paddings { $1[.offsetX] = track(from: 1500, to: 0) } == [-1])
        #expect(
            paddings(in: { $0.maximumSide = 60 }) {
                $1[.offsetX] = across
            } == [15])
        #expect(
            paddings(in: { $0.maximumSide = 49 }) {
                $1[.offsetX] = across
            } == [-1])
        #expect(
            paddings(in: { $0.isWidthGiven = true }) {
                $1[.offsetX] = across
            } == [-1])
        #expect(
            paddings(in: { $0.isWidthGiven = true }) {
                $1[.offsetY] = down
            } == [-1], "the line would be wrapped")
        #expect(
            paddings(in: { $0.isWidthGiven = true }) {
                $0.width = 100
                $0.nodes[0].glyph.ink?.bounds.x = 40
                $0.nodes[0].glyph.rect.x = 40
                $1[.offsetY] = down
            } == [25])
        #expect(
            paddings(in: { $0.isHeightGiven = true }) {
                $1[.offsetX] = across
            } == [15])
        #expect(
            paddings(in: { $0.padding = 10.5 }) {
                $1[.offsetX] = across
            } == [17], "a fraction may be rounded up by a pixel more")
    }
}
