import Motion
import Testing

@testable import Encoders

@Suite struct FrameTimesTests {
    /// A scene of one glyph whose opacity has these keyframes.
    private func scene(
        _ keyframes: [(seconds: Double, value: Double, easing: Easing)], seconds: Double,
        loop: Loop = .infinite
    ) -> Scene {
        var scene = SampleScene.scene()
        let track = Track(
            keyframes: keyframes.map {
                Keyframe(Instant(seconds: $0.seconds), value: $0.value, easing: $0.easing)
            })
        scene.tracks = [GlyphTracks(opacity: track)]
        scene.nodes = scene.nodes.map { SceneNode($0.glyph, track: 0, isFinished: true) }
        scene.duration = Instant(seconds: seconds)
        scene.loop = loop
        return scene
    }

    private func starts(_ scene: Scene, fps: Double = 25, from origin: Double = 0) -> [Int] {
        FrameTimes(of: scene, in: .hundredths, fps: fps, from: Instant(seconds: origin)).frames.map(
            \.start)
    }

    @Test("what stands still is one frame")
    func still() {
        #expect(starts(scene([(0, 1, .linear)], seconds: 2)) == [0])
    }

    @Test("a jump is shown at the first millisecond that is not before it, where there are such")
    func milliseconds() {
        let scene = scene([(0, 0, .hold), (0.1234, 1, .linear)], seconds: 1.0004)
        let times = FrameTimes(of: scene, in: .milliseconds, fps: 25)
        #expect(times.frames.map(\.start) == [0, 124])
        #expect(times.total == 1000)
        let moving = self.scene([(0, 0, .linear), (1, 1, .linear)], seconds: 2)
        let starts = FrameTimes(of: moving, in: .milliseconds, fps: 30).frames.map(\.start)
        #expect(starts.prefix(4) == [0, 33, 66, 99])
        let fast = FrameTimes(of: moving, in: .milliseconds, fps: 50).frames.map(\.start)
        #expect(fast.prefix(3) == [0, 20, 40])
    }

    @Test("a jump is shown at the first hundredth that is not before it")
    func jump() {
        let scene = scene([(0, 0, .hold), (0.1234, 1, .linear)], seconds: 1)
        let times = FrameTimes(of: scene, in: .hundredths, fps: 25)
        #expect(times.frames.map(\.start) == [0, 13])
        #expect(times.total == 100)
    }

    @Test("a ramp has a frame every step, and none behind its end")
    func ramp() {
        let scene = scene([(0.1, 0, .linear), (0.3, 1, .linear)], seconds: 1)
        #expect(starts(scene) == [0, 11, 15, 19, 23, 27, 31])
        #expect(starts(scene, fps: 50) == [0] + stride(from: 11, through: 31, by: 2))
        #expect(starts(scene, fps: 1) == [0])
    }

    @Test("frames keep their distance although more happens")
    func distance() {
        let scene = scene(
            [(0, 0, .hold), (0.05, 1, .hold), (0.06, 0, .hold), (0.07, 1, .linear)], seconds: 1)
        #expect(starts(scene, fps: 10) == [0, 10])
        #expect(starts(scene) == [0, 5, 9])
    }

    @Test("an animation that stops ends with its end, for two hundredths of a second")
    func end() {
        let keyframes: [(Double, Double, Easing)] = [(0, 0, .linear), (0.5, 1, .linear)]
        let times = FrameTimes(
            of: scene(keyframes, seconds: 0.5, loop: .count(1)), in: .hundredths, fps: 25)
        #expect(times.frames.last == .init(start: 48, instant: Instant(seconds: 0.5)))
        #expect(times.frames.dropLast().allSatisfy { $0.start <= 46 })
        let loops = FrameTimes(of: scene(keyframes, seconds: 0.5), in: .hundredths, fps: 25)
        #expect(loops.frames.last?.start == 48)
        #expect(loops.frames.last?.instant == Instant(seconds: 0.48))
    }

    @Test("what a hidden glyph does makes no frames")
    func hidden() {
        var scene = scene([(0, 0, .hold), (0.5, 1, .linear)], seconds: 1)
        scene.tracks[0][.offsetX] = Track(keyframes: [
            Keyframe(.zero, value: 0, easing: .linear),
            Keyframe(Instant(seconds: 0.4), value: 9, easing: .linear),
        ])
        #expect(starts(scene) == [0, 50])
    }

    @Test("a turned cycle begins elsewhere and comes round")
    func turned() {
        let scene = scene(
            [(0, 0, .hold), (0.2, 1, .hold), (0.6, 0, .linear)], seconds: 1)
        let times = FrameTimes(of: scene, in: .hundredths, fps: 25, from: Instant(seconds: 0.3))
        // Gone 0.3 s after the beginning, back 0.9 s after it.
        #expect(times.frames.map(\.start) == [0, 30, 70, 90])
        #expect(times.frames.map(\.instant.seconds) == [0.3, 0.6, 0, 0.2])
    }

    @Test("what is played once shows its poster as briefly as may be before it")
    func posed() throws {
        let scene = scene([(0, 0, .hold), (0.2, 1, .linear)], seconds: 1, loop: .count(1))
        func frames(_ poster: Poster) throws -> FrameTimes {
            try scene.frameTimes(
                in: .milliseconds, framesPerSecond: 25, limit: 100, poster: poster)
        }
        let (plain, posed) = (try frames(.start), try frames(.end))
        #expect(posed.frames.map(\.start) == [0] + plain.frames.map { $0.start + 20 })
        #expect(posed.frames.dropFirst().map(\.instant) == plain.frames.map(\.instant))
        #expect(posed.total == plain.total + 20)
    }

    @Test("with hold, what loops shows its poster as briefly too")
    func held() throws {
        let scene = scene([(0, 0, .hold), (0.2, 1, .linear)], seconds: 1)
        func frames(_ poster: Poster) throws -> [FrameTimes.Frame] {
            try scene.frameTimes(
                in: .milliseconds, framesPerSecond: 25, limit: 100, poster: poster
            ).frames
        }
        let (plain, held) = (try frames(.start), try frames(.hold))
        #expect(held.map(\.start) == [0] + plain.map { $0.start + 20 })
        #expect(held.dropFirst().map(\.instant) == plain.map(\.instant))
    }

    @Test("the rate falls until there are no more frames than may be", arguments: [7, 20, 60])
    func fewer(most: Int) throws {
        for loop in [Loop.infinite, .count(1)] {
            let scene = scene([(0, 0, .linear), (2, 1, .linear)], seconds: 2, loop: loop)
            for poster in [Poster.start, .end, .hold] {
                let times = try scene.frameTimes(
                    in: .hundredths, framesPerSecond: 25, most: most, limit: 100, poster: poster)
                #expect(times.frames.count <= most)
                #expect(times.frames.count * 5 >= most * 3 || times.step == 4)
            }
        }
    }

    @Test("too short for two frames is one")
    func short() {
        let scene = scene([(0, 0, .linear), (0.01, 1, .linear)], seconds: 0.01, loop: .count(1))
        let times = FrameTimes(of: scene, in: .hundredths, fps: 25)
        #expect(times.frames == [.init(start: 0, instant: Instant(seconds: 0.01))])
    }
}
