import Bytes
import Motion

/// An animation of one element (CSS Animations 1).
struct CSSAnimation {
    /// An `animation-timing-function`.
    enum Timing: Equatable {
        case easing(Easing)
        case stepStart
    }

    /// An `animation-fill-mode`.
    enum Fill {
        case none, backwards, forwards, both
    }

    /// The properties in which animations of one rule agree.
    struct Mode: Equatable {
        /// The easing from keyframes that have none of their own.
        let timing: Timing
        let fill: Fill
        /// True if the values are combined with those of the animations before.
        let isAdded: Bool
    }

    /// The content of a `@keyframes` rule.
    struct Keyframes: Hashable {
        /// The keyframes for one kind of engine.
        struct Content: Equatable {
            var text: [UInt8]
            /// The text under a dark colour scheme; nil where it is the same.
            var darkText: [UInt8]?
        }

        var content: Content
        /// The content for WebKit, with levels in place of blurs; nil where nothing is blurred.
        var leveled: Content?

        init(text: [UInt8]) {
            content = Content(text: text)
        }

        /// All bytes at once; few contents differ in another text only.
        func hash(into hasher: inout Hasher) {
            content.text.withUnsafeBytes { hasher.combine(bytes: $0) }
        }
    }

    var keyframes: Keyframes
    /// True if there are keyframes between the start and the end.
    let hasInnerKeyframes: Bool
    let mode: Mode
    let delay: Instant
    /// Tenths of a millisecond; 0 for a jump.
    let duration: Int
}

/// The number of times that animations are played.
struct CSSIterations {
    private let loop: Loop
    /// Ticks of one cycle; nil where it is played once.
    let cycle: Int?
    /// Ticks of one cycle.
    let duration: Int

    init(_ scene: borrowing Scene) {
        loop = scene.loop
        duration = scene.duration.ticks
        cycle = scene.loop == .count(1) ? nil : scene.duration.ticks
    }

    /// Writes the count after the other values of an animation; nothing where it is played once.
    func write(to sink: inout ByteSink) {
        guard cycle != nil else { return }
        sink.append(" ")
        switch loop {
        case .infinite: sink.append("infinite")
        case .count(let count): sink.append(count)
        }
    }
}
