import Bytes

/// A table from method and path to a route, which is a value of the caller's.
///
/// An exact path takes precedence over any prefix, and a longer prefix over a shorter one. Only the
/// best match counts: if it lacks the method, no other pattern is tried.
package struct Router<Route: Sendable>: Sendable {
    /// The outcome of a look-up.
    package enum Match: Sendable {
        /// The route, and the rest of the path after a prefix (empty for an exact path).
        case found(Route, rest: Substring)
        /// The path exists with other methods, which are for the `Allow` field.
        case methodNotAllowed(allow: [Method])
        case notFound
    }

    private var table = RoutingTable()
    private var routes: [Route] = []

    /// Makes an empty table.
    package init() {}

    /// Adds a route for exactly this path, as it stands in the request, percent-encoded.
    package mutating func add(_ method: Method, _ path: String, _ route: Route) {
        table.add(method, path, routes.count)
        routes.append(route)
    }

    /// Adds a route for every path that begins with a prefix.
    package mutating func add(_ method: Method, prefix: String, _ route: Route) {
        table.add(method, prefix: prefix, routes.count)
        routes.append(route)
    }

    /// Looks a request up: O(1) for exact paths, O(n) in the number of prefixes.
    ///
    /// A route for GET serves HEAD too.
    package func match(_ method: Method, _ path: String) -> Match {
        switch table.match(method, path) {
        case .found(let index, let rest): .found(routes[index], rest: rest)
        case .methodNotAllowed(let allow): .methodNotAllowed(allow: allow)
        case .notFound: .notFound
        }
    }
}

/// The table of a router, with routes by number.
///
/// Apart from `Router` because generics are not specialised across modules, and making types at run
/// time took three quarters of a look-up.
private struct RoutingTable: Sendable {
    enum Match {
        case found(Int, rest: Substring)
        case methodNotAllowed(allow: [Method])
        case notFound
    }

    private struct Entry: Sendable {
        var method: Method
        var route: Int
    }

    private var exact: [ByteString: [Entry]] = [:]
    /// Longest first.
    private var prefixes: [(prefix: ByteString, entries: [Entry])] = []

    mutating func add(_ method: Method, _ path: String, _ route: Int) {
        exact[ByteString(path), default: []].append(Entry(method: method, route: route))
    }

    mutating func add(_ method: Method, prefix: String, _ route: Int) {
        let prefix = ByteString(prefix)
        let entry = Entry(method: method, route: route)
        if let index = prefixes.firstIndex(where: { $0.prefix == prefix }) {
            prefixes[index].entries.append(entry)
            return
        }
        let index = prefixes.firstIndex { $0.prefix.utf8.count < prefix.utf8.count }
        prefixes.insert((prefix, [entry]), at: index ?? prefixes.endIndex)
    }

    func match(_ method: Method, _ path: String) -> Match {
        if let entries = exact[ByteString(path)] {
            return match(method, in: entries, rest: path[path.endIndex...])
        }
        for (prefix, entries) in prefixes where path.utf8.starts(with: prefix.utf8) {
            let rest = path.utf8.index(path.startIndex, offsetBy: prefix.utf8.count)
            return match(method, in: entries, rest: path[rest...])
        }
        return .notFound
    }

    private func match(_ method: Method, in entries: [Entry], rest: Substring) -> Match {
        if let entry = entries.first(where: { $0.method == method }) {
            return .found(entry.route, rest: rest)
        }
        if method == .head, let entry = entries.first(where: { $0.method == .get }) {
            return .found(entry.route, rest: rest)
        }
        var allow = entries.map { $0.method }
        if let get = allow.firstIndex(of: .get), !allow.contains(.head) {
            allow.insert(.head, at: get + 1)
        }
        return .methodNotAllowed(allow: allow)
    }
}
