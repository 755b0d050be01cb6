package import Motion

extension KeyframeEffect.Definition {
    /// An effect of keyframes that only tests know: the words tilt into place.
    package static let tilt = Self(
        name: "tilt", title: "Tilt", defaults,
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
