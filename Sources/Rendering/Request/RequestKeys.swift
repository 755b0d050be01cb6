import Motion

// Kinds of parameters that no effect has.

extension ParameterKey where Value == Color {
    static func color(_ name: String, default fallback: Color, _ summary: String) -> Self {
        Self(
            definition: Parameter(name, .color, default: .color(fallback), summary),
            fallback: fallback,
            read: { if case .color(let color) = $0 { color } else { nil } })
    }
}

extension ParameterKey where Value == Color? {
    static func optionalColor(_ name: String, _ summary: String) -> Self {
        Self(
            definition: Parameter(name, .color, default: nil, summary), fallback: nil,
            read: { if case .color(let color) = $0 { .some(color) } else { nil } })
    }
}

extension ParameterKey where Value == Double? {
    static func optionalNumber(
        _ name: String, in range: ClosedRange<Double>, unit: Parameter.Unit, _ summary: String
    ) -> Self {
        Self(
            definition: Parameter(name, .number(range), unit: unit, default: nil, summary),
            fallback: nil,
            read: { if case .number(let number) = $0 { .some(number) } else { nil } })
    }
}

extension ParameterKey where Value == UInt64 {
    /// A whole number that a Double holds exactly.
    static func number(seed name: String, _ summary: String) -> Self {
        Self(
            definition: Parameter(name, .integer(0...(1 << 53 - 1)), default: .number(0), summary),
            fallback: 0,
            read: { if case .number(let number) = $0 { UInt64(exactly: number) } else { nil } })
    }
}

extension ParameterKey where Value == String {
    static func string(
        _ name: String, default fallback: String, _ range: ClosedRange<Int>, _ summary: String
    ) -> Self {
        Self(
            definition: Parameter(name, .string(range), default: .string(fallback), summary),
            fallback: fallback,
            read: { if case .string(let text) = $0 { text } else { nil } })
    }
}

extension ParameterKey where Value == String? {
    static func optionalString(
        _ name: String, _ range: ClosedRange<Int>, _ summary: String
    ) -> Self {
        Self(
            definition: Parameter(name, .string(range), default: nil, summary), fallback: nil,
            read: { if case .string(let text) = $0 { .some(text) } else { nil } })
    }
}

extension ParameterKey where Value == Moment {
    /// Seconds, or `end` for the finished text.
    static func moment(
        _ name: String, in range: ClosedRange<Double>, _ summary: String
    ) -> Self {
        Self(
            definition: Parameter(
                name, .numberOr(range, word: "end"), unit: .seconds, default: .string("end"),
                summary),
            fallback: .finished,
            read: { value in
                switch value {
                case .number(let seconds): .instant(Instant(seconds: seconds))
                case .string("end"): .finished
                default: nil
                }
            })
    }
}

extension ParameterKey where Value == Loop {
    /// A number of cycles, or `infinite`.
    static func loop(_ name: String, _ range: ClosedRange<Int>, _ summary: String) -> Self {
        Self(
            definition: Parameter(
                name, .integerOr(range, word: "infinite"), default: .number(1), summary),
            fallback: .count(1),
            read: { value in
                switch value {
                case .number(let number): Int(exactly: number).map(Loop.count)
                case .string("infinite"): .infinite
                default: nil
                }
            })
    }
}

extension ParameterKey where Value == Double {
    /// Seconds of one blink; 0 for none.
    static func blink(_ name: String, default fallback: Double, _ summary: String) -> Self {
        Self(
            definition: Parameter(
                name, .numberOrZero(0.34...10), unit: .seconds, default: .number(fallback), summary),
            fallback: fallback,
            read: { if case .number(let number) = $0 { number } else { nil } })
    }
}
