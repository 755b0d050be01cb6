import Motion
import Testing

@testable import Encoders

@Suite struct SizeBudgetTests {
    private let settings = FrameSettings(framesPerSecond: 25, scale: 1)

    @Test("levels fall before the quality, the quality before the rate, the rate before the scale")
    func order() {
        let steps = settings.smaller(
            than: settings.resolved(levels: 32, quality: 100), keepsSize: false)
        let texts = steps.map { $0.text(since: settings) }
        #expect(texts.prefix(2) == ["levels=24", "levels=16"])
        #expect(
            texts[3...7].elementsEqual([
                "levels=8", "levels=8, quality=80", "levels=8, quality=60", "levels=8, quality=40",
                "levels=8, quality=20",
            ]))
        #expect(texts[8] == "levels=8, quality=20, fps=20")
        #expect(texts.last == "levels=8, quality=20, fps=8, scale=0.5")
    }

    @Test("without levels, the quality falls in smaller steps")
    func qualityOnly() {
        let steps = settings.smaller(than: settings.resolved(quality: 75), keepsSize: true)
        #expect(steps.prefix(7).map(\.quality) == [70, 60, 50, 40, 30, 20, 10])
        #expect(steps.allSatisfy { $0.levels == nil && $0.scale == 1 })
        #expect(steps.last?.framesPerSecond == 8)
    }

    @Test("no settings have more smaller ones than five trials tell apart")
    func most() {
        let largest = FrameSettings(framesPerSecond: 60, scale: 4)
        let all = [largest.resolved(levels: 256, quality: 100), largest.resolved(quality: 100)]
        for resolved in all {
            #expect(largest.smaller(than: resolved, keepsSize: false).count < 32)
        }
    }

    @Test("the highest quality is exact")
    func exact() {
        #expect(settings.lossyQuality == nil)
        #expect(settings.resolved(quality: 100).lossyQuality == nil)
        #expect(settings.resolved(quality: 99).lossyQuality == 99)
    }
}
