import Motion
import Testing

@Suite struct ParameterTests {
    @Test("an effect reads the same parameters in the same order, whatever their values")
    func contract() {
        for effect in EffectCatalog.standard.entries {
            let names = effect.parameters.map(\.name)
            #expect(Set(names).count == names.count, "\(effect.name)")
            for draw in 0..<60 {
                let read = ParameterReader.definitions(with: effect.values(draw: draw)) { reader in
                    _ = try? effect.type.init(&reader)
                }
                #expect(read.map(\.name) == names, "\(effect.name) \(draw)")
            }
        }
    }
}

extension EffectCatalog.Entry {
    /// Returns values at the ends of every range and between.
    func values(draw: Int) -> [String: ParameterValue] {
        let randomness = Randomness(seed: UInt64(draw))
        var values: [String: ParameterValue] = [:]
        for (number, parameter) in parameters.enumerated() {
            let unit = randomness.unit(stream: 0, item: number)
            let share = unit < 0.25 ? 0 : unit > 0.75 ? 1 : unit
            switch parameter.kind {
            case .number(let range):
                let value = range.lowerBound + share * (range.upperBound - range.lowerBound)
                values[parameter.name] = .number(value)
            case .integer(let range):
                let span = Double(range.upperBound - range.lowerBound)
                values[parameter.name] = .number(
                    Double(range.lowerBound) + (share * span).rounded())
            case .boolean: values[parameter.name] = .boolean(unit < 0.5)
            case .choice(let choices):
                values[parameter.name] = .string(choices[Int(unit * Double(choices.count))])
            case .characters: values[parameter.name] = .string("01🙂")
            case .easing:
                values[parameter.name] = .easing(Easing.named[Int(unit * 6)].easing)
            default: break
            }
        }
        return values
    }
}
