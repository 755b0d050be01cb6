import Glibc

/// Why a server could not start.
package enum ServerError: Error, Equatable, Sendable {
    /// The host name or address means nothing here; the reason is the resolver's.
    case cannotResolve(host: String, reason: String)
    /// Another socket listens on this address.
    case addressInUse(address: String)
    /// The address belongs to no interface of this machine.
    case addressNotAvailable(address: String)
    /// The port is reserved for privileged processes.
    case permissionDenied(address: String)
    /// A descriptor that was handed in is no stream socket that listens.
    case notAListener(descriptor: Int32)
    /// A variable of the environment that concerns sockets has no sense.
    case badVariable(String, value: String)
    /// Any other failure of a system call.
    case system(call: String, code: Int32)
    /// `start()` was called before.
    case alreadyStarted
}

extension ServerError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .cannotResolve(let host, let reason): "cannot resolve \"\(host)\": \(reason)"
        case .addressInUse(let address): "\(address) is in use by another process"
        case .addressNotAvailable(let address): "\(address) is not an address of this machine"
        case .permissionDenied(let address): "no permission to listen on \(address)"
        case .notAListener(let descriptor):
            "descriptor \(descriptor) is not a listening stream socket"
        case .badVariable(let name, let value): "\(name) has the value \"\(value)\""
        case .system(let call, let code): "\(call) failed: \(String(cString: strerror(code)))"
        case .alreadyStarted: "the server was started before"
        }
    }
}

extension ServerError {
    /// The failure of a call that concerns an address.
    static func system(call: String, address: String, code: Int32) -> ServerError {
        switch code {
        case EADDRINUSE: .addressInUse(address: address)
        case EADDRNOTAVAIL: .addressNotAvailable(address: address)
        case EACCES, EPERM: .permissionDenied(address: address)
        default: .system(call: call, code: code)
        }
    }
}
