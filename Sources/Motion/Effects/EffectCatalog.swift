/// The effects that requests can name, in their order in lists.
package struct EffectCatalog: Sendable {
    /// An effect with the parameters that it reads.
    package struct Entry: Sendable {
        package let type: any Effect.Type
        package let parameters: [Parameter]

        package var name: String { type.name }
        package var title: String { type.title }
    }

    /// The one list of Titlecard's effects; the first is the default.
    package static let standard = EffectCatalog([
        Typewriter.self,
        Reveal.self,
        Birdman.self,
        Fade.self,
        Secret.self,
        Fall.self,
        Morph.self,
        Slide.self,
        Pop.self,
        Drop.self,
        Wave.self,
        Scramble.self,
        NoEffect.self,
    ])

    package let entries: [Entry]
    private let byName: [String: Entry]

    /// - Parameter types: At least one; their names differ.
    package init(_ types: [any Effect.Type]) {
        precondition(!types.isEmpty, "a catalogue has a default")
        entries = types.map { Entry(type: $0, parameters: $0.parameters) }
        byName = Dictionary(uniqueKeysWithValues: entries.map { ($0.name, $0) })
    }

    /// The effect of requests that name none.
    package var defaultEntry: Entry { entries[0] }

    package subscript(name: String) -> Entry? { byName[name] }
}
