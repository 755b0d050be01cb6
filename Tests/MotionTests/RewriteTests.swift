import EffectInvariants
import Testing

@testable import Motion

@Suite struct TokenTests {
    /// Returns the ink of the tokens of a text, each with the number of its glyphs and of those that are
    /// indentation.
    private func tokens(_ text: String) -> [String] {
        let glyphs = TestGlyphs.glyphs(text)
        return TextToken.tokens(of: glyphs).map { token in
            let ink = glyphs[token.ink].map(\.text).joined()
            return "\(ink) \(token.glyphs.count) \(token.indentation)"
        }
    }

    /// Returns what stays where one text takes another's place: its line in either, and its text.
    private func staying(_ old: String, _ new: String) throws -> [String] {
        let (oldGlyphs, newGlyphs) = (TestGlyphs.glyphs(old), TestGlyphs.glyphs(new))
        let pairs = try TokenMatching.pairs(
            TextToken.tokens(of: oldGlyphs), of: oldGlyphs, TextToken.tokens(of: newGlyphs),
            of: newGlyphs)
        var lines: [(name: String, text: String)] = []
        for pair in pairs {
            let name = "\(pair.old.line)-\(pair.new.line)"
            let text = newGlyphs[pair.new.ink].map(\.text).joined()
            if lines.last?.name == name {
                lines[lines.count - 1].text += " " + text
            } else {
                lines.append((name, text))
            }
        }
        return lines.map { "\($0.name): \($0.text)" }
    }

    @Test("a token is a word or another character, with the white space before it")
    func tokens() {
        #expect(
            tokens("let a_1 = f(é)") == [
                "let 3 0", "a_1 4 0", "= 2 0", "f 2 0", "( 1 0", "é 1 0", ") 1 0",
            ])
        #expect(tokens("  a  b  \n c") == ["a 3 2", "b 5 0", "c 2 1"])
        #expect(tokens("a\n  \n\n ") == ["a 1 0", " 2 2", " 1 1"])
        #expect(tokens("") == [])
        #expect(tokens("👻👻x٣") == ["👻 1 0", "👻 1 0", "x٣ 2 0"])
    }

    @Test("words and signs that both texts have stay, in their order")
    func matching() throws {
        #expect(try staying("I write Swift", "I write fast Swift") == ["0-0: I write Swift"])
        #expect(try staying("let x = 1", "let y = 2") == ["0-0: let ="])
        #expect(try staying("abc", "abd") == [])
        #expect(try staying("a b", "b a") == ["0-0: b"])
        #expect(try staying("", "a") == [] && staying("a", "") == [])
        #expect(
            try staying("f(a, b)", "f(\n  a,\n  b\n)") == [
                "0-0: f (", "0-1: a ,", "0-2: b", "0-3: )",
            ])
    }

    @Test("what stands together stays together")
    func neighbours() throws {
        #expect(
            try staying(
                "{\n return w * w\n}", "{\n guard h else { return 0 }\n return w * h\n}") == [
                    "0-0: {", "1-2: return w *", "2-3: }",
                ])
    }

    @Test("signs without a word stay only where they are a whole line")
    func signs() throws {
        #expect(try staying("f(a)\n}", "g(b)\n\n}") == ["1-2: }"])
        #expect(try staying("Hi, you.", "Oh, well.") == [])
        #expect(try staying("(a)\n(b)", "(b)\n(c)") == ["1-0: ( b )"])
    }

    @Test("letters of another size are other letters")
    func sizes() throws {
        var large = TestGlyphs.glyphs("ab")
        large[1].size = 99
        let small = TestGlyphs.glyphs("ab")
        let pairs = try TokenMatching.pairs(
            TextToken.tokens(of: small), of: small, TextToken.tokens(of: large), of: large)
        #expect(pairs.isEmpty)
    }

    @Test("many tokens are matched, or the time is over")
    func many() throws {
        let glyphs = TestGlyphs.glyphs(String(repeating: ".,;", count: 333))
        let tokens = TextToken.tokens(of: glyphs)
        #expect(try TokenMatching.pairs(tokens, of: glyphs, tokens, of: glyphs).count == 999)
        let deadline = WorkDeadline()
        deadline.isPassed = { true }
        #expect(throws: SceneError.deadline) {
            try TokenMatching.pairs(tokens, of: glyphs, tokens, of: glyphs, until: deadline)
        }
    }
}

@Suite struct RewriteTests {
    private static func scene(
        _ texts: [String], _ exit: Choreography.ExitPolicy = .between,
        change: (inout Layout) -> Void = { _ in }
    ) throws -> Scene {
        let block = TestGlyphs.block(try Rewrite())
        var layout = TestGlyphs.layout(texts)
        change(&layout)
        return try Choreography(
            blocks: texts.map { _ in block }, sequence: .replace, exit: exit,
            timing: .init(gap: 5)
        ).scene(of: layout, appearance: TestGlyphs.appearance, limits: SceneLimits())
    }

    private func pose(_ scene: Scene, _ node: Int, _ seconds: Double) -> Pose {
        scene.pose(ofNode: node, at: .instant(Instant(seconds: seconds)))
    }

    @Test("what is gone fades out, then the rest moves, then the new is typed")
    func order() throws {
        let scene = try Self.scene(["x b", "b y"])
        let start = try #require(scene.blocks[0].exit).lowerBound.seconds
        #expect(start == scene.blocks[1].entrance.lowerBound.seconds, "no gap")
        let end = try #require(scene.blocks[0].exit).upperBound.seconds
        #expect(abs(end - start - 0.7) < 1e-9)
        #expect(abs(scene.blocks[1].entrance.upperBound.seconds - start - 0.85) < 1e-9)
        #expect(abs(pose(scene, 0, start + 0.1).opacity - 0.5) < 1e-9, "x")
        #expect(pose(scene, 2, start).opacity == 0, "the old b")
        // The new block draws the b, which moves from the third column to the first.
        #expect(pose(scene, 3, start + 0.2) == Pose(opacity: 1, offsetX: 20, offsetY: 0))
        #expect(abs(pose(scene, 3, start + 0.45).offsetX - 10) < 1e-3)
        #expect(pose(scene, 3, start + 0.7) == .rest)
        #expect(pose(scene, 4, start + 0.7499).opacity == 0, "the space before y")
        #expect(pose(scene, 4, start + 0.75).opacity == 1)
        #expect(pose(scene, 5, start + 0.8) == .rest, "y")
    }

    @Test("what does not happen takes no time")
    func pauses() throws {
        func durations(_ old: String, _ new: String) throws -> [Double] {
            let scene = try Self.scene([old, new])
            let exit = try #require(scene.blocks[0].exit)
            let entrance = scene.blocks[1].entrance
            return [exit, entrance].map { phase in
                (10_000 * (phase.upperBound.seconds - phase.lowerBound.seconds)).rounded() / 10_000
            }
        }
        #expect(try durations("same", "same") == [0, 0])
        #expect(try durations("a", "a b") == [0, 0.15])
        #expect(try durations("a b", "a") == [0.2, 0.2])
        #expect(try durations("a b", "b") == [0.7, 0.7])
        #expect(try durations("a", "\n a") == [0.5, 0.5])
        #expect(try durations("a", "\n  \na") == [0.5, 0.5])
        #expect(try durations("x", "\n  y") == [0.2, 0.3])
    }

    @Test("glyphs of a line that move alike share their tracks")
    func sharing() throws {
        let scene = try Self.scene(["one, two\nthree", "zero\none, two\nthree"])
        let moved = scene.nodes.filter { $0.glyph.block == 1 && $0.glyph.line > 0 }
        #expect(Set(moved.map(\.track)).count == 1)
        #expect(moved.count == 13)
    }

    @Test(
        "where its paint changes, the old glyph moves beneath the new one until that has faded in")
    func paint() throws {
        let scene = try Self.scene(["x b", "b"]) { layout in
            layout.glyphs[3].paint = .color(Color(red: 255, green: 0, blue: 0))
        }
        let start = try #require(scene.blocks[0].exit).lowerBound.seconds
        let (old, new) = (pose(scene, 2, start + 0.45), pose(scene, 3, start + 0.45))
        #expect(old.opacity == 1 && abs(new.opacity - 0.5) < 1e-9)
        #expect(abs(old.offsetX + 10) < 1e-3 && abs(new.offsetX - 10) < 1e-3, "in one place")
        #expect(pose(scene, 3, start + 0.1).opacity == 0)
        #expect(pose(scene, 2, start + 0.7).opacity == 0 && pose(scene, 3, start + 0.7) == .rest)
    }

    @Test("it fades out as a whole")
    func leaving() throws {
        let scene = try Self.scene(["a b"], .auto)
        let exit = try #require(scene.blocks[0].exit)
        #expect(abs(exit.upperBound.seconds - exit.lowerBound.seconds - 0.2) < 1e-9)
        for node in scene.nodes.indices {
            #expect(abs(pose(scene, node, exit.lowerBound.seconds + 0.1).opacity - 0.5) < 1e-9)
        }
    }
}
