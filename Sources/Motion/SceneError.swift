/// A scene past a limit.
package enum SceneError: Error, Equatable, Sendable {
    /// The seconds of one cycle, and the parameter of the waits that make it too long; nil if no
    /// waits do.
    case cycleTooLong(seconds: Double, limit: Double, parameter: String?)
    case tooManyKeyframes(count: Int, limit: Int)
    /// The work to build it, in megapixels that take as long to compose.
    case tooMuchWork(megapixels: Double, limit: Double)
    /// The speed that the wanted length of a cycle asks for, and the parameter that wants it.
    case cycleOutOfReach(speed: Double, parameter: String)
    /// The time that the rendering may take is over.
    case deadline
}

extension WorkDeadline {
    /// Checks the clock between parts of a scene; see `hasPassed(every:)`.
    func checkScene(every stride: Int = 1) throws(SceneError) {
        if hasPassed(every: stride) { throw .deadline }
    }
}
