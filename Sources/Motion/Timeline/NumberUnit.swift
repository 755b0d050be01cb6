/// The unit of a number in requests.
package enum NumberUnit: String, Sendable {
    case seconds = "s"
    case pixels = "px"
    case pixelsPerSecond = "px/s"
    case em
    case degrees = "°"
    case percent = "%"

    /// The unit in messages: "must be from 0.001 to 10 seconds".
    package var plural: String {
        switch self {
        case .seconds: "seconds"
        case .pixels: "px"
        case .pixelsPerSecond: "px a second"
        case .em: "em"
        case .degrees: "degrees"
        case .percent: "percent"
        }
    }
}
