/// A table from method and path to a route, which is a value of the caller's.
///
/// An exact path goes before any prefix, and a longer prefix before a shorter one. The pattern that
/// fits the path decides alone: where it lacks the method, no other pattern is asked.
package struct Router<Route: Sendable>: Sendable {
    /// What the table says of a request.
    package enum Match: Sendable {
        /// The route, and what follows a prefix in the path (empty for an exact path).
        case found(Route, rest: Substring)
        /// The path exists with other methods: those for the `Allow` field.
        case methodNotAllowed(allow: [Method])
        case notFound
    }

    private typealias Methods = [(method: Method, route: Route)]

    private var exact: [String: Methods] = [:]
    /// Longest first.
    private var prefixes: [(prefix: String, methods: Methods)] = []

    /// An empty table.
    package init() {}

    /// Adds a route for exactly this path, as it stands in the request, percent-encoded.
    package mutating func add(_ method: Method, _ path: String, _ route: Route) {
        exact[path, default: []].append((method, route))
    }

    /// Adds a route for every path that begins with a prefix.
    package mutating func add(_ method: Method, prefix: String, _ route: Route) {
        if let index = prefixes.firstIndex(where: { $0.prefix == prefix }) {
            prefixes[index].methods.append((method, route))
            return
        }
        let index = prefixes.firstIndex { $0.prefix.utf8.count < prefix.utf8.count }
        prefixes.insert((prefix, [(method, route)]), at: index ?? prefixes.endIndex)
    }

    /// Looks a request up: O(1) for exact paths, O(n) in the number of prefixes.
    ///
    /// A route for GET serves HEAD too.
    package func match(_ method: Method, _ path: String) -> Match {
        if let methods = exact[path] {
            return match(method, in: methods, rest: path[path.endIndex...])
        }
        for (prefix, methods) in prefixes where path.utf8.starts(with: prefix.utf8) {
            let rest = path.utf8.index(path.startIndex, offsetBy: prefix.utf8.count)
            return match(method, in: methods, rest: path[rest...])
        }
        return .notFound
    }

    private func match(_ method: Method, in methods: Methods, rest: Substring) -> Match {
        let wanted = method == .head ? [.head, .get] : [method]
        for method in wanted {
            if let entry = methods.first(where: { $0.method == method }) {
                return .found(entry.route, rest: rest)
            }
        }
        var allow = methods.map { $0.method }
        if let get = allow.firstIndex(of: .get), !allow.contains(.head) {
            allow.insert(.head, at: get + 1)
        }
        return .methodNotAllowed(allow: allow)
    }
}
