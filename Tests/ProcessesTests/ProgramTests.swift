import Foundation
import Testing

@testable import Processes

struct ProgramTests {
    /// The status of a shell that runs a command in a child process.
    private func ending(_ command: String, _ start: ProgramStart = ProgramStart()) throws -> Ending
    {
        let words = ["sh", "-c", command].map { (word: String) in strdup(word) }
        defer { for word in words { free(word) } }
        let id = try #require(start.start("/bin/sh", words + [nil], [nil]))
        var status: Int32 = 0
        #expect(waitpid(id, &status, 0) == id)
        return Ending(status)
    }

    @Test("The end of a program is its status or its signal")
    func endings() throws {
        #expect(try ending("exit 3") == .exit(3))
        #expect(try ending("kill -TERM $$") == .signal(SIGTERM))
        #expect(Ending.exit(3).description == "ended with status 3")
        #expect(Ending.signal(SIGKILL).description == "was ended by SIGKILL")
        #expect(Ending.signal(63).description == "was ended by signal 63")
    }

    @Test("A program that does not exist is no process, and errno says why")
    func missing() {
        let id = ProgramStart().start("/nowhere", [nil], [nil])
        let reason = errno
        #expect(id == nil)
        #expect(reason == ENOENT)
    }

    @Test("A program gets the descriptors that are passed to it under their numbers")
    func descriptors() throws {
        var pipe: [Int32] = [-1, -1]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pipe) == 0)
        defer { close(pipe[0]) }
        var start = ProgramStart()
        start.descriptors = [(pipe[1], 7)]
        #expect(try ending("echo here >&7", start) == .exit(0))
        close(pipe[1])
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = read(pipe[0], &bytes, bytes.count)
        #expect(String(decoding: bytes[..<max(count, 0)], as: UTF8.self) == "here\n")
    }

    @Test("Only the signals that are to be blocked are blocked in a program")
    func signals() throws {
        func command(_ mask: String) -> String {
            "while read -r name value; do [ $name = SigBlk: ] && break; done </proc/$$/status; "
                + "[ $value = \(mask) ]"
        }
        #expect(try ending(command("0000000000000000")) == .exit(0))
        var start = ProgramStart()
        start.blocked = SignalSet([SIGTERM])
        #expect(try ending(command("0000000000004000"), start) == .exit(0))
    }
}
