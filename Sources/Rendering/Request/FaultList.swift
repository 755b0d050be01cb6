import Bytes
package import Motion

/// The faults of a request in the order in which they are found, each once.
///
/// Requests can have a fault in every other byte. Only the first are kept, and the last one says
/// that there are more, so that an answer stays small. Finding the name that was meant takes far
/// longer than reading one, so only the first unknown names get a suggestion.
package struct FaultList: Sendable {
    /// The most faults of an answer.
    package static let most = 64
    private static let mostSuggestions = 8
    /// Faults that are compared with the known ones; more are only counted.
    private static let mostCompared = 512
    /// The characters of a name that a fault shows.
    private static let longestName = 200

    private var faults: [ParameterFault] = []
    private var known: Set<ParameterFault> = []
    private var added = 0
    private var omitted = 0
    private var suggestions = 0

    package init() {}

    package init(_ faults: [ParameterFault]) {
        for fault in faults { add(fault.parameter, fault.message) }
    }

    package var isEmpty: Bool { faults.isEmpty }

    /// The kept faults; if there are more, the last one says so.
    package var all: [ParameterFault] {
        guard omitted > 0 else { return faults }
        let last = ParameterFault(
            parameter: "request", message: "has further faults, which are not listed")
        return faults.prefix(Self.most - 1) + [last]
    }

    package mutating func add(_ parameter: String, _ message: String) {
        added += 1
        guard faults.count < Self.most, added <= Self.mostCompared else {
            omitted += 1
            return
        }
        let fault = ParameterFault(
            parameter: parameter.shortened(to: Self.longestName), message: message)
        if known.insert(fault).inserted { faults.append(fault) }
    }

    /// Adds all faults of another list.
    package mutating func add(_ other: FaultList) {
        for fault in other.faults { add(fault.parameter, fault.message) }
        omitted += other.omitted
    }

    /// Adds the fault of an unknown name, and the known name that may be meant.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - place: The part before the name in the fault.
    ///   - candidates: The names that may be meant.
    ///   - others: What the fault says where none of them is like the name; nil for nothing.
    package mutating func addUnknown(
        _ name: String, at place: String = "", among candidates: @autoclosure () -> [String],
        otherwise others: @autoclosure () -> String? = nil
    ) {
        suggestions += 1
        add(
            place + name,
            suggestions > Self.mostSuggestions
                ? "unknown"
                : Suggestion.unknown(name, among: candidates(), otherwise: others()))
    }

    /// - Throws: The faults, if there are any.
    package func check() throws(RenderingError) {
        guard isEmpty else { throw .invalid(all) }
    }
}
