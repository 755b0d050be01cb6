import Motion
import Testing

@testable import Encoders

@Suite struct WorkEstimateTests {
    private func work(_ scene: Scene, scale: Double = 1, fps: Double = 25) -> Double {
        let times = FrameTimes(of: scene, in: .hundredths, fps: fps)
        return (try? WorkEstimate(of: scene, times, scale: scale, .sample).pixels) ?? .nan
    }

    /// A scene in which a property of both glyphs goes from a value to its identity.
    private func scene(_ property: Property, from value: Double) -> Scene {
        var scene = SampleScene.scene()
        for index in scene.tracks.indices {
            scene.tracks[index][property] = Track(keyframes: [
                Keyframe(.zero, value: value, easing: .linear),
                Keyframe(Instant(ticks: 5300), value: property.identity, easing: .linear),
            ])
        }
        return scene
    }

    @Test("more frames, more pixels, blurs and lines are more work")
    func rises() {
        let plain = work(SampleScene.scene())
        #expect(work(SampleScene.scene(), fps: 50) > 1.5 * plain)
        #expect(work(SampleScene.scene(), scale: 4) > 4 * plain)
        #expect(work(scene(.blur, from: 8)) > 1.3 * plain)
        #expect(work(scene(.scale, from: 10)) > 1.3 * plain)
        var lined = scene(.strokeWidth, from: 4)
        for index in lined.tracks.indices {
            lined.tracks[index][.strokeOpacity] = Track(keyframes: [
                Keyframe(.zero, value: 1, easing: .linear)
            ])
        }
        #expect(work(lined) > 1.3 * plain)
    }

    @Test("frames that cover the canvas are more work where less of it changes")
    func wholeFrames() throws {
        func added(to scene: Scene) throws -> Double {
            let times = FrameTimes(of: scene, in: .hundredths, fps: 25)
            let whole = try WorkEstimate(
                of: scene, times, scale: 1, coversCanvas: true, .sample)
            return whole.pixels - work(scene)
        }
        var wide = SampleScene.scene()
        wide.width *= 10
        let more = try added(to: SampleScene.scene())
        #expect(more > 0)
        #expect(try added(to: wide) > 10 * more)
        #expect(try added(to: scene(.scale, from: 50)) < more)
    }

    @Test("glyphs that wait enlarged are work in every frame")
    func held() {
        func work(waitingAt value: Double) -> Double {
            var scene = SampleScene.scene()
            // Many glyphs on one place; the last one moves while the others wait.
            let glyph = scene.nodes[0].glyph
            scene.nodes = (0..<1000).map {
                SceneNode(glyph, track: $0 < 999 ? 0 : 1, isFinished: true)
            }
            func tracks(from start: Int) -> GlyphTracks {
                var tracks = GlyphTracks.shown
                tracks[.scale] = Track(keyframes: [
                    Keyframe(Instant(ticks: start), value: value, easing: .linear),
                    Keyframe(Instant(ticks: start + 5000), value: 1, easing: .linear),
                ])
                return tracks
            }
            scene.tracks = [tracks(from: 100_000), tracks(from: 0)]
            scene.duration = Instant(ticks: 105_000)
            return self.work(scene, scale: 8)
        }
        let area = 72.0 * 56 * 64
        #expect(work(waitingAt: 10) > 1000 * 12 * area)
        #expect(work(waitingAt: 10) > 5 * work(waitingAt: 1))
    }

    @Test("a line or a blur of a glyph that is turned reaches as far as its corners")
    func turned() {
        func work(_ turn: Double) -> Double {
            var scene = scene(.blur, from: 2)
            for index in scene.tracks.indices {
                scene.tracks[index][.rotation] = Track(keyframes: [
                    Keyframe(.zero, value: turn, easing: .linear)
                ])
                scene.tracks[index][.scaleX] = Track(keyframes: [
                    Keyframe(.zero, value: 0.2, easing: .linear)
                ])
            }
            return self.work(scene)
        }
        #expect(work(30) > 1.3 * work(0))
    }

    @Test("what is beyond the canvas is no work, however large")
    func bounded() {
        let size = 72.0 * 56
        #expect(work(scene(.blur, from: 1e6)) < 100 * 30 * size)
        #expect(work(scene(.offsetX, from: 1e9)) < 100 * 30 * size)
    }

    @Test("a still picture is the work of one frame")
    func still() throws {
        let scene = SampleScene.scene()
        let one = try WorkEstimate(of: scene, at: .finished, scale: 1, .sample).pixels
        #expect(one > 72 * 56)
        #expect(one < work(scene))
    }

    @Test("more than the limit is an error that names both")
    func limit() throws {
        let scene = SampleScene.scene()
        let context = EncodingContext.sample
        context.limits.work = 0.000_001
        let format = try PNGFormat()
        let error = #expect(throws: EncodingError.self) {
            try format.checkedPrice(of: scene, context)
        }
        guard case .tooMuchWork(let megapixels, let limit, _) = error else {
            Issue.record("another error")
            return
        }
        #expect(megapixels > limit)
        context.limits.work = .infinity
        _ = try format.checkedPrice(of: scene, context)
    }
}
