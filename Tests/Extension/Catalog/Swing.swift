package import Motion

extension KeyframeEffect.Definition {
    /// An effect of keyframes that only tests know: the words swing into place.
    package static let swing = Self(
        name: "swing", title: "Swing", defaults,
        keyframes: [
            EffectKeyframe([.opacity: .number(0), .rotation: .number(-30), .y: .percent(-20)]),
            EffectKeyframe(offset: 0.5, easing: .bounce, [.opacity: .number(1)]),
        ])

    private static var defaults: KeyframeEffect.Defaults {
        var defaults = KeyframeEffect.Defaults()
        defaults.grouping = .word
        defaults.interval = 0.2
        return defaults
    }
}
