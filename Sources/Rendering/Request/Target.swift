import Bytes
import Motion

/// A place that files go to, with its demands: a format, a canvas, a rate, a length, a size.
///
/// A request that names a target has its values. They take precedence over the values of presets,
/// except for looks. The request's own values take precedence over them, within the rules.
package struct Target: Sendable {
    /// The demand of the place on a parameter.
    package enum Rule: Equatable, Sendable {
        /// Nothing, and presets count more: a look that suits it.
        case look
        /// Nothing; an edge for a text that has no preset, background, or outline, so that it can be
        /// read on any ground.
        case edge
        /// Nothing; a colour for a text that has none, and neither a preset nor a ground of its own.
        case ink
        /// Nothing; how lines break, for a text of which neither the request nor a preset says so.
        case lines
        /// Nothing.
        case any
        /// Only the target's value.
        case only
        /// A number up to this.
        case atMost(Double)
        /// A number up to this; more counts as this, since what keeps this keeps more as well.
        case budget(Double)
        /// A number from this on.
        case atLeast(Double)
        /// A number up to this, divided by the number of loops, also of a request that gives none.
        case atMostForLoops(Double)
    }

    package struct Value: Sendable {
        package let parameter: String
        /// The value of a request that does not give it; nil for the parameter's default.
        package let value: RawValue?
        package let rule: Rule
        /// True if it goes with the defaults that version 0.3 did not have.
        var isNew = false
    }

    /// The name in requests.
    package let name: String
    /// The name for people.
    package let title: String
    /// The name of the format that it takes.
    package let format: String
    /// One sentence for people about its demands.
    package let summary: String
    /// The address of the place's own rules; nil if there is only custom.
    package let source: String?
    package let values: [Value]

    init(
        _ name: String, _ title: String, _ format: String, _ summary: String,
        source: String? = nil, _ values: [Value]
    ) {
        self.name = name
        self.title = title
        self.format = format
        self.summary = summary
        self.source = source
        self.values = values
    }

    /// The number that a parameter has in a request that does not give it, or its most; nil where
    /// the place does not decide it.
    package func number(of parameter: String) -> Double? {
        guard let own = values.first(where: { $0.parameter.isSame(as: parameter) }) else {
            return nil
        }
        if case .number(let number)? = own.value { return number }
        return switch own.rule {
        case .atMost(let most), .budget(let most): most
        default: nil
        }
    }
}
