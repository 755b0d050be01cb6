import Motion
package import Rendering
import Typesetting

/// The rules for all requests.
package enum CanonicalForm {
    private static let pipeline = RenderPipeline(limits: RenderLimits())

    /// Checks that an accepted request has one canonical form, and that a refusal has a reason.
    ///
    /// - Parameter read: Reads the request as it was sent.
    package static func check(
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
            return FuzzingSupport.check(false, "\(request.canonical) is refused: \(error)")
        }
        FuzzingSupport.check(
            again.canonical.utf8.elementsEqual(request.canonical.utf8),
            "\(request.canonical) becomes \(again.canonical)")
        FuzzingSupport.check(
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
        default: FuzzingSupport.check(false, "\(problem)")
        }
        FuzzingSupport.check(!problem.faults.isEmpty, "\(problem) names nothing")
        FuzzingSupport.check(
            problem.faults.allSatisfy { !$0.message.isEmpty && $0.message.utf8.count < 4096 },
            "\(problem) is empty or endless")
    }
}

/// The rules for all texts.
package enum PlainText {
    /// Checks that a text has no controls but line breaks.
    package static func check(_ text: String) {
        let isPlain = text.unicodeScalars.allSatisfy {
            $0 == "\n" || $0.properties.generalCategory != .control
        }
        FuzzingSupport.check(isPlain, "a control character in \(text.debugDescription)")
    }
}
