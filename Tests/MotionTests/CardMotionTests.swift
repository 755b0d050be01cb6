import EffectInvariants
import Motion
import Testing

@Suite struct CardMotionTests {
    private static let card = Card(
        background: .color(Color(red: 32, green: 58, blue: 92)), cornerRadius: 8,
        border: LineStyle(width: 4, color: Color(red: 240, green: 180, blue: 41)))

    private static func scene(
        _ effect: CardMotion.Effect, easing: TimingFunction = .easeOut,
        direction: CardMotion.Direction = .right, exit: Choreography.ExitPolicy = .auto,
        loop: Loop = .count(1), sequence: Choreography.Sequence = .queue, card: Card = card
    ) throws -> Scene {
        var layout = TestGlyphs.layout(["one", "two"])
        layout.bar = AccentBar(
            rect: Rect(x: 4, y: 4, width: 2, height: 20), color: Color(red: 9, green: 9, blue: 9),
            darkColor: nil, isUpright: true)
        let block = TestGlyphs.block(try NoEffect())
        var appearance = TestGlyphs.appearance
        appearance.card = card
        var choreography = Choreography(
            blocks: [block, block], sequence: sequence, exit: exit, timing: .init(delay: 0.5),
            loop: loop)
        choreography.cardMotion = CardMotion(
            effect, duration: 1, easing: easing, direction: direction)
        return try choreography.scene(of: layout, appearance: appearance, limits: SceneLimits())
    }

    private static func nodes(of scene: Scene) -> Range<Int> {
        scene.nodes.count - scene.cardNodeCount..<scene.nodes.count
    }

    @Test("the card and the bar lie beneath everything", arguments: CardMotion.Effect.allCases)
    func layers(effect: CardMotion.Effect) throws {
        let scene = try Self.scene(effect)
        let own = Array(Self.nodes(of: scene))
        #expect(own.count == (effect == .draw ? 4 : 3))
        #expect(scene.layers.prefix(own.count).map(\.nodes) == own.map { [$0] })
        #expect(scene.appearance.card == Card(background: .transparent))
        for layer in scene.layers.dropFirst(own.count) {
            #expect(!layer.nodes.contains { own.contains($0) })
        }
    }

    @Test("what comes leaves backwards", arguments: CardMotion.Effect.allCases)
    func mirror(effect: CardMotion.Effect) throws {
        for easing in [TimingFunction.linear, .easeOut, .backOut, .spring(bounce: 0.3)] {
            let scene = try Self.scene(effect, easing: easing, direction: .up)
            for node in Self.nodes(of: scene) {
                for ticks in stride(from: 5_013, to: 15_000, by: 700) {
                    let instants = [ticks, scene.duration.ticks - ticks + 5_000]
                    let poses = instants.map {
                        scene.pose(ofNode: node, at: .instant(Instant(ticks: $0)))
                    }
                    #expect(abs(poses[0].opacity - poses[1].opacity) < 0.01)
                    #expect(abs(poses[0].offsetY - poses[1].offsetY) < 0.5)
                    let heights = poses.map { $0.clip?.height ?? -1 }
                    #expect(abs(heights[0] - heights[1]) < 0.5)
                }
            }
        }
    }

    @Test("texts have their time behind the entrance and before the exit of their card")
    func schedule() throws {
        let scene = try Self.scene(.fade)
        #expect(scene.blocks[0].entrance.lowerBound == Instant(seconds: 1.5))
        #expect(scene.blocks[1].exit?.upperBound == Instant(seconds: 2.5))
        #expect(scene.duration == Instant(seconds: 3.5))
        let opacity = scene.tracks(ofNode: Self.nodes(of: scene).lowerBound).opacity.keyframes
        #expect(opacity.map(\.time.seconds) == [0.5, 1.5, 2.5, 3.5])
    }

    @Test("a card leaves where texts leave or go back to the beginning")
    func leaving() throws {
        func leaves(
            _ exit: Choreography.ExitPolicy, _ loop: Loop, _ sequence: Choreography.Sequence
        ) throws -> Bool {
            let scene = try Self.scene(.fade, exit: exit, loop: loop, sequence: sequence)
            let node = Self.nodes(of: scene).lowerBound
            return scene.tracks(ofNode: node).opacity.keyframes.last?.value == 0
        }
        #expect(try leaves(.auto, .count(1), .queue))
        #expect(try leaves(.effect(try NoEffect()), .count(1), .together))
        #expect(try leaves(.between, .infinite, .queue))
        #expect(try leaves(.between, .count(2), .replace))
        #expect(try !leaves(.between, .count(1), .replace))
        #expect(try !leaves(.between, .count(2), .queue))
        #expect(try !leaves(.none, .infinite, .replace))
    }

    @Test("a card wipes from edge to edge", arguments: CardMotion.Direction.allCases)
    func wipe(direction: CardMotion.Direction) throws {
        let scene = try Self.scene(.wipe, easing: .linear, direction: direction)
        let node = Self.nodes(of: scene).lowerBound
        let clip = try #require(
            scene.clip(ofNode: node, in: .fill, at: Instant(seconds: 0.75)))
        let (width, height) = (scene.width, scene.height)
        let wanted =
            switch direction {
            case .up: Rect(x: 0, y: height * 3 / 4, width: width, height: height / 4)
            case .down: Rect(x: 0, y: 0, width: width, height: height / 4)
            case .left: Rect(x: width * 3 / 4, y: 0, width: width / 4, height: height)
            case .right: Rect(x: 0, y: 0, width: width / 4, height: height)
            }
        #expect(clip == wanted)
        #expect(scene.clip(ofNode: node, in: .fill, at: Instant(seconds: 1.5)) == nil)
    }

    @Test("paints for the dark have nodes of their own")
    func schemes() throws {
        var card = Self.card
        card.darkBackground = .transparent
        card.border?.darkColor = Color(red: 1, green: 2, blue: 3)
        let scene = try Self.scene(.slide, card: card)
        let roles = Self.nodes(of: scene).map { scene.nodes[$0].role }
        #expect(roles == [.card(.light), .card(.light), .card(.dark), .bar(.any)])
        #expect(scene.lightLayers.prefix(3).flatMap(\.nodes).count == 3)
    }

    @Test("a still scene has its card, and the bar as a node")
    func still() throws {
        var layout = TestGlyphs.layout(["one"])
        layout.bar = AccentBar(
            rect: Rect(x: 4, y: 4, width: 20, height: 2), color: Color(red: 9, green: 9, blue: 9),
            darkColor: nil, isUpright: false)
        var appearance = TestGlyphs.appearance
        appearance.card = Self.card
        var choreography = Choreography(
            blocks: [TestGlyphs.block(try NoEffect())], isAnimated: false)
        choreography.cardMotion = CardMotion(.grow, duration: 1, easing: .linear, direction: .up)
        let scene = try choreography.scene(
            of: layout, appearance: appearance, limits: SceneLimits())
        #expect(scene.appearance.card == Self.card)
        #expect(scene.nodes.last?.role == .bar(.any) && scene.cardNodeCount == 1)
    }
}
