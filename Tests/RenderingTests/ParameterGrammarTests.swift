import Encoders
import Motion
import Sampling
import Testing

@testable import Rendering

@Suite struct ParameterGrammarTests {
    /// All parameters with their owners.
    private static let parameters: [(owner: String, parameter: Parameter)] = {
        let schema = RequestSchema.standard
        let own = schema.parameters + [schema.preset, schema.format]
        return own.map { ("request", $0) }
            + schema.effects.entries.flatMap { effect in
                effect.parameters.map { (effect.name, $0) }
            }
    }()

    @Test("samples are valid, and what is printed is read as the same value", arguments: parameters)
    func samples(owner: String, parameter: Parameter) throws {
        var generator = SplitMix64(state: 1)
        for _ in 0..<100 {
            let sample = parameter.grammar.sample(using: &generator)
            let value = try parameter.value(of: sample)
            let json = try JSONReader.value(in: value.node.bytes)
            #expect(try parameter.value(of: json) == value, "\(owner): \(value.node.text)")
            let query = RawValue.text(value.node.plainText)
            #expect(try parameter.value(of: query) == value, "\(owner): \(value.node.text)")
        }
    }

    @Test("a default is a value of its kind", arguments: parameters)
    func defaults(owner: String, parameter: Parameter) throws {
        guard let value = parameter.defaultValue else { return }
        #expect(try parameter.value(of: .text(value.node.plainText)) == value, "\(owner)")
    }
}
