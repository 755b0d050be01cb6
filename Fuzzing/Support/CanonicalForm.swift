import Motion
import Rendering
import Typesetting

/// The rules for all requests.
enum CanonicalForm {
    private static let pipeline = RenderPipeline(limits: RenderLimits())

    /// Checks that an accepted request has one canonical form, and that a refusal has a reason.
    ///
    /// - Parameter read: Reads the request as it was sent.
    static func check(
        _ read: (RenderPipeline) throws(RenderingError) -> RenderRequest
    ) {
        let request: RenderRequest
        do {
            request = try read(pipeline)
        } catch {
            return check(error)
        }
        let again: RenderRequest
        do {
            again = try pipeline.request(json: Array(request.canonical.utf8))
        } catch {
            return Fuzzing.check(false, "\(request.canonical) is refused: \(error)")
        }
        Fuzzing.check(
            again.canonical.utf8.elementsEqual(request.canonical.utf8),
            "\(request.canonical) becomes \(again.canonical)")
        Fuzzing.check(
            again.texts.map(\.text) == request.texts.map(\.text)
                && again.choreography.blocks.map(\.paint)
                    == request.choreography.blocks.map(\.paint)
                && again.canvas == request.canvas && again.card == request.card
                && again.title == request.title && again.seed == request.seed,
            "\(request.canonical) means something else")
        for text in request.texts { PlainText.check(text.text.text) }
    }

    /// Checks that a refusal is a client error and names a parameter.
    private static func check(_ problem: RenderingError) {
        switch problem {
        case .invalid, .overLimit: break
        default: Fuzzing.check(false, "\(problem)")
        }
        Fuzzing.check(!problem.faults.isEmpty, "\(problem) names nothing")
        Fuzzing.check(
            problem.faults.allSatisfy { !$0.message.isEmpty && $0.message.utf8.count < 4096 },
            "\(problem) is empty or endless")
    }
}

/// The rules for all texts.
enum PlainText {
    /// Checks that a text has no controls but line breaks.
    static func check(_ text: String) {
        let isPlain = text.unicodeScalars.allSatisfy {
            $0 == "\n" || $0.properties.generalCategory != .control
        }
        Fuzzing.check(isPlain, "a control character in \(text.debugDescription)")
    }
}
