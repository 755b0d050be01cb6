/// Every effect there is, in the order in which they are listed; the one place that names them.
package enum EffectCatalog {
    package static let all: [any Effect.Type] = [
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
    ]

    package static let standard: any Effect.Type = Typewriter.self

    package static func effect(named name: String) -> (any Effect.Type)? {
        all.first { $0.name == name }
    }
}
