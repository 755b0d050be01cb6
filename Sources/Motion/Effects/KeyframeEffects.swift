// The effects of keyframes: each is a row of the table in docs/effects.md.
extension KeyframeEffect.Definition {
    private typealias Defaults = KeyframeEffect.Defaults

    package enum Direction: String, CaseIterable, Sendable {
        case up, down, left, right
    }

    /// A curve that nearly stops long before it arrives.
    private static let gliding = TimingFunction.easing(
        .cubic(CubicBezier(x1: 0.2, y1: 0.8, x2: 0.2, y2: 1)))

    static let slide = Self(
        name: "slide", title: "Slide",
        defaults: Defaults(interval: 0.03, duration: 0.5, mask: Mask.none)
    ) { parameters, easing in
        let direction = parameters.choice(
            "direction", default: Direction.up, "The direction in which each item moves.")
        let distance = parameters.number(
            "distance", default: 0.5, in: 0...10, unit: .em, "How far each item travels.")
        let isBackwards = direction == .down || direction == .right
        let away = KeyframeValue.number(isBackwards ? -distance : distance)
        let isVertical = direction == .up || direction == .down
        return ItemKeyframes(
            [EffectKeyframe([.opacity: .number(0), isVertical ? .y : .x: away])], easing: easing)
    }

    static let pop = Self(
        name: "pop", title: "Pop",
        defaults: Defaults(interval: 0.03, duration: 0.4, easing: .backOut, mask: Mask.none)
    ) { parameters, easing in
        let fromScale = parameters.number(
            "fromScale", default: 0.2, in: 0...10,
            "The size from which each item grows, as a factor.")
        var keyframes = ItemKeyframes()
        keyframes.add(
            .opacity, [(0, .number(0), .linear), (0.5, .number(1), .linear)])
        keyframes.add(.scale, [(0, .number(fromScale), easing), (1, .number(1), .linear)])
        return keyframes
    }

    static let drop = Self(
        name: "drop", title: "Drop",
        defaults: Defaults(interval: 0.04, duration: 0.7, easing: nil, mask: Mask.none)
    ) { parameters, _ in
        let distance = parameters.number(
            "distance", default: 1, in: 0...10, unit: .em, "The height from which each item falls.")
        var keyframes = ItemKeyframes()
        keyframes.add(
            .opacity, [(0, .number(0), .linear), (0.25, .number(1), .linear)])
        keyframes.add(.y, [(0, .number(-distance), .bounce), (1, .number(0), .linear)])
        return keyframes
    }

    static let wave = Self(
        name: "wave", title: "Wave",
        defaults: Defaults(interval: 0.05, duration: 0.6, easing: nil), vanishes: true
    ) { parameters, _ in
        let amplitude = parameters.number(
            "amplitude", default: 0.25, in: 0...10, unit: .em, "The height of the crest.")
        return ItemKeyframes(
            [
                EffectKeyframe([.y: .number(0)]),
                EffectKeyframe(offset: 0.5, [.y: .number(-amplitude)]),
                EffectKeyframe([.y: .number(0)]),
            ], easing: .easeInOut)
    }

    package static let custom = Self(
        name: "custom", title: "Keyframes", defaults: Defaults()
    ) { (parameters, easing) throws(ParameterFault) in
        guard let keyframes = parameters.keyframes() else {
            throw ParameterFault(parameter: "keyframes", message: "is required")
        }
        return ItemKeyframes(keyframes, easing: easing)
    }

    static let rise = Self(
        name: "rise", title: "Rise",
        defaults: Defaults(
            by: .word, interval: 0.06, duration: 0.8, easing: gliding, mask: .line)
    ) { parameters, easing in
        let distance = parameters.number(
            "distance", default: 110, in: 0...1000, unit: .percent,
            "How far each item rises, in percent of its height.")
        return ItemKeyframes([EffectKeyframe([.y: .percent(distance)])], easing: easing)
    }

    static let blur = Self(
        name: "blur", title: "Blur", defaults: Defaults(interval: 0.04, duration: 0.6)
    ) { parameters, easing in
        let radius = parameters.blurRadius(default: 0.3)
        return ItemKeyframes(
            [EffectKeyframe([.opacity: .number(0), .blur: .number(radius)])], easing: easing)
    }

    static let zoom = Self(
        name: "zoom", title: "Zoom",
        defaults: Defaults(by: .word, interval: 0.1, duration: 0.6, easing: gliding)
    ) { parameters, easing in
        let fromScale = parameters.number(
            "fromScale", default: 0.3, in: 0...10,
            "The size from which each item comes, as a factor.")
        let radius = parameters.blurRadius(default: 0.15)
        return ItemKeyframes(
            [
                EffectKeyframe([
                    .opacity: .number(0), .scale: .number(fromScale),
                    .spread: .number(fromScale), .blur: .number(radius),
                ])
            ], easing: easing)
    }

    static let flip = Self(
        name: "flip", title: "Flip",
        defaults: Defaults(interval: 0.05, duration: 0.6, easing: .spring(bounce: 0.4))
    ) { _, easing in
        ItemKeyframes(
            [
                EffectKeyframe([.scaleY: .number(0), .opacity: .number(0)]),
                EffectKeyframe(offset: 0.2, [.opacity: .number(1)]),
            ], easing: easing)
    }

    static let tracking = Self(
        name: "tracking", title: "Tracking",
        defaults: Defaults(by: .all, interval: 0.1, duration: 1.2)
    ) { parameters, easing in
        let fromSpread = parameters.number(
            "fromSpread", default: 0.6, in: 0...5,
            "How far apart the letters begin, as a factor of their distances.")
        return ItemKeyframes(
            [EffectKeyframe([.opacity: .number(0), .spread: .number(fromSpread)])],
            easing: easing)
    }

    static let float = Self(
        name: "float", title: "Float",
        defaults: Defaults(by: .line, interval: 0.2, duration: 2, easing: nil), vanishes: true
    ) { parameters, _ in
        let amplitude = parameters.number(
            "amplitude", default: 0.15, in: 0...10, unit: .em, "How high each item floats.")
        return .there(and: .y, [(0.5, -amplitude)])
    }

    static let pulse = Self(
        name: "pulse", title: "Pulse",
        defaults: Defaults(by: .all, interval: 0.1, duration: 0.8, easing: nil), vanishes: true
    ) { parameters, _ in
        let scale = parameters.number(
            "toScale", default: 1.08, in: 0...10,
            "The size to which each item grows, as a factor.")
        return ItemKeyframes(
            [
                EffectKeyframe([.scale: .number(1), .spread: .number(1)]),
                EffectKeyframe(offset: 0.4, [.scale: .number(scale), .spread: .number(scale)]),
                EffectKeyframe([.scale: .number(1), .spread: .number(1)]),
            ], easing: .easeInOut)
    }

    static let shake = Self(
        name: "shake", title: "Shake",
        defaults: Defaults(by: .all, interval: 0.05, duration: 0.6, easing: nil), vanishes: true
    ) { parameters, _ in
        let amplitude = parameters.number(
            "amplitude", default: 0.15, in: 0...10, unit: .em,
            "How far each item moves to either side.")
        return .there(
            and: .x,
            [(0.15, -amplitude), (0.35, amplitude), (0.55, -amplitude), (0.8, amplitude / 2)])
    }

    static let swing = Self(
        name: "swing", title: "Swing",
        defaults: Defaults(interval: 0.05, duration: 1, easing: nil), vanishes: true
    ) { parameters, _ in
        let angle = parameters.number(
            "angle", default: 15, in: 0...180, unit: .degrees,
            "How far each item swings to its first side.")
        return .there(
            and: .rotation,
            [(0.2, angle), (0.45, -2 * angle / 3), (0.65, angle / 3), (0.85, -angle / 6)])
    }

    static let flicker = Self(
        name: "flicker", title: "Flicker",
        defaults: Defaults(by: .word, order: .random, interval: 0.2, duration: 1, easing: nil),
        vanishes: true
    ) { parameters, _ in
        let depth = parameters.number(
            "depth", default: 0.8, in: 0...1, "How much of the opacity is taken away.")
        let dim = KeyframeValue.number(1 - depth)
        var keyframes = ItemKeyframes()
        // Twice a second: more than three flashes a second are a danger to some people.
        keyframes.add(
            .opacity,
            [
                (0, .number(1), .steps(1)), (0.1, dim, .steps(1)), (0.16, .number(1), .steps(1)),
                (0.55, dim, .steps(1)), (0.63, .number(1 - depth / 3), .linear),
                (1, .number(1), .linear),
            ])
        return keyframes
    }

    static let highlight = Self(
        name: "highlight", title: "Highlight",
        defaults: Defaults(by: .word, interval: 0.3, duration: 0.6, easing: nil),
        vanishes: true
    ) { parameters, _ in
        let color = parameters.color(
            "highlightColor", default: Color(red: 0xD2, green: 0x99, blue: 0x22),
            "The colour that each item takes for a while.")
        return ItemKeyframes(
            [
                EffectKeyframe([.color: .ownColor]),
                EffectKeyframe(offset: 0.25, [.color: .color(color)]),
                EffectKeyframe(offset: 0.75, [.color: .color(color)]),
                EffectKeyframe([.color: .ownColor]),
            ], easing: .linear)
    }
}

extension ItemKeyframes {
    /// Returns the way of one property from its value at rest to other values and back, with an
    /// ease between each two.
    fileprivate static func there(
        and property: KeyframeProperty, _ values: [(offset: Double, value: Double)]
    ) -> ItemKeyframes {
        ItemKeyframes(
            [EffectKeyframe([property: .number(0)])]
                + values.map { EffectKeyframe(offset: $0.offset, [property: .number($0.value)]) }
                + [EffectKeyframe([property: .number(0)])], easing: .easeInOut)
    }
}

extension ParameterReader {
    fileprivate mutating func blurRadius(default fallback: Double) -> Double {
        number(
            "radius", default: fallback, in: 0...2, unit: .em,
            "How blurred each item begins: the standard deviation.")
    }
}
