package import Bytes

/// The group of an effect in lists for people.
package enum EffectGroup: String, Sendable {
    case typing, fading, moving, focus, color, playful
    /// No motion, and the request's own keyframes.
    case other
    /// Effects of the operator, which are not Titlecard's.
    case own
}

/// The effects that requests can name, in their order in lists.
package struct EffectCatalog: Sendable {
    /// An effect with the parameters that it reads.
    package struct Entry: Sendable {
        /// The name in requests.
        package let name: String
        /// The name for people.
        package let title: String
        package let group: EffectGroup
        package let parameters: [Parameter]
        /// The names of the parameters, as keys of values.
        package let keys: [ByteString]
        /// The definition of an operator's effect, as text; nil for Titlecard's own, which a
        /// release fixes.
        package let source: String?
        private let read: @Sendable (inout ParameterReader) throws(ParameterFault) -> any Effect

        private init(
            name: String, title: String, group: EffectGroup, source: String? = nil,
            _ read:
                @escaping @Sendable (inout ParameterReader) throws(ParameterFault) -> any Effect
        ) {
            self.name = name
            self.title = title
            self.group = group
            self.source = source
            self.read = read
            parameters = ParameterReader.definitions { _ = try? read(&$0) }
            keys = parameters.map(\.key)
        }

        package init<Type: Effect & Parameterized>(
            _ type: Type.Type, _ group: EffectGroup = .own
        ) {
            self.init(name: Type.name, title: Type.title, group: group) {
                (parameters) throws(ParameterFault) in try Type(&parameters)
            }
        }

        package init(_ definition: KeyframeEffect.Definition, _ group: EffectGroup = .own) {
            self.init(
                name: definition.name, title: definition.title, group: group,
                source: definition.source
            ) { (parameters) throws(ParameterFault) in
                try KeyframeEffect(definition, &parameters)
            }
        }

        /// Returns the effect with checked values of its parameters by name; parameters that are
        /// left out have their defaults.
        ///
        /// - Throws: The parameter that is missing or does not go with the others.
        package func effect(
            _ values: [ByteString: ParameterValue] = [:]
        ) throws(ParameterFault) -> any Effect {
            var parameters = ParameterReader(values)
            return try read(&parameters)
        }

        /// Returns the parameters that the effect reads from values; they are always the same.
        package func parameters(readFrom values: [ByteString: ParameterValue]) -> [Parameter] {
            ParameterReader.definitions(with: values) { _ = try? read(&$0) }
        }

        /// True if it can be the exit of a request, which gives it no parameters.
        package var isExit: Bool { (try? effect()) != nil }

        /// True if standing text can run it.
        package var isEmphasis: Bool { (try? effect())?.isEmphasis ?? false }
    }

    /// The one list of Titlecard's effects; the first is the default.
    package static let standard = EffectCatalog([
        Entry(Typewriter.self, .typing),
        Entry(Rewrite.self, .typing),
        Entry(Reveal.self, .fading),
        Entry(Birdman.self, .fading),
        Entry(Fade.self, .fading),
        Entry(Secret.self, .fading),
        Entry(Fall.self, .playful),
        Entry(Morph.self, .playful),
        Entry(.slide, .moving),
        Entry(.pop, .playful),
        Entry(.drop, .moving),
        Entry(.wave, .playful),
        Entry(Scramble.self, .typing),
        Entry(Flap.self, .typing),
        Entry(.custom, .other),
        Entry(.rise, .moving),
        Entry(.blur, .focus),
        Entry(.zoom, .focus),
        Entry(.flip, .playful),
        Entry(.tracking, .focus),
        Entry(.highlight, .color),
        Entry(.float, .playful),
        Entry(.pulse, .playful),
        Entry(.shake, .playful),
        Entry(.swing, .playful),
        Entry(.flicker, .playful),
        Entry(Glitch.self, .playful),
        Entry(Shimmer.self, .color),
        Entry(Marquee.self, .moving),
        Entry(Scroll.self, .moving),
        Entry(Draw.self, .playful),
        Entry(Count.self, .playful),
        Entry(Roll.self, .playful),
        Entry(NoEffect.self, .other),
    ])

    package let entries: [Entry]
    /// True if some effect is the operator's, whose definition counts.
    package let hasSources: Bool
    private let byName: [ByteString: Entry]

    /// - Parameter entries: At least one; their names differ.
    package init(_ entries: [Entry]) {
        precondition(!entries.isEmpty, "a catalogue has a default")
        self.entries = entries
        hasSources = entries.contains { $0.source != nil }
        byName = Dictionary(uniqueKeysWithValues: entries.map { (ByteString($0.name), $0) })
    }

    /// The names of the effects that can be exits, except for `none`.
    package var exitNames: [String] {
        entries.filter { $0.isExit && !$0.name.isSame(as: "none") }.map(\.name)
    }

    /// The names of the effects that standing text can run.
    package var emphasisNames: [String] { entries.filter(\.isEmphasis).map(\.name) }

    /// The effect of requests that name none.
    package var defaultEntry: Entry { entries[0] }

    package subscript(name: ByteString) -> Entry? { byName[name] }
}
