package import Glibc

/// The start of a program as a child process (posix_spawn(3)).
package struct ProgramStart {
    /// The descriptors that the program gets, each with its number there, which may be the same.
    package var descriptors: [(own: Int32, number: Int32)] = []
    /// The signals that are blocked in the program; no others are.
    package var blocked = SignalSet([])
    /// True if the program handles signals as usual, whatever this process ignores.
    var resetsSignals = false
    /// True if the program gets a group of its own, which the signals of a terminal do not reach.
    var hasOwnGroup = false

    package init() {}

    /// Starts the program.
    ///
    /// - Parameters:
    ///   - path: The program.
    ///   - arguments: Its name and its arguments; nil after the last.
    ///   - variables: Its environment; nil after the last.
    /// - Returns: Its process; nil where the system refuses, with the reason in `errno`.
    package func start(
        _ path: String, _ arguments: UnsafePointer<UnsafeMutablePointer<CChar>?>,
        _ variables: UnsafePointer<UnsafeMutablePointer<CChar>?>
    ) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (own, number) in descriptors {
            posix_spawn_file_actions_adddup2(&actions, own, number)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var flags = POSIX_SPAWN_SETSIGMASK
        blocked.withPointer { _ = posix_spawnattr_setsigmask(&attributes, $0) }
        if resetsSignals {
            flags |= POSIX_SPAWN_SETSIGDEF
            SignalSet.all.withPointer { _ = posix_spawnattr_setsigdefault(&attributes, $0) }
        }
        if hasOwnGroup { flags |= POSIX_SPAWN_SETPGROUP }
        posix_spawnattr_setflags(&attributes, Int16(flags))
        var id: pid_t = 0
        let status = posix_spawn(&id, path, &actions, &attributes, arguments, variables)
        guard status == 0 else {
            errno = status
            return nil
        }
        return id
    }
}
