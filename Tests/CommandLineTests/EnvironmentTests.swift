import Testing

@testable import titlecard

@Suite struct EnvironmentTests {
    /// Returns the messages about a file's lines, beside variables, after two options were read.
    private func faults(_ file: String, _ variables: [String: String] = [:]) -> [String] {
        var environment = Environment(variables.mapValues { Array($0.utf8) })
        environment.take(Array(file.utf8), of: "f")
        _ = environment.value(Int?.none, "port", default: 1)
        _ = environment.value(Bool?.none, "only-presets", default: false)
        do throws(CommandFailure) {
            try environment.check()
            return []
        } catch {
            return error.messages
        }
    }

    @Test func `a file has a value for each name, which variables and options override`() throws {
        var environment = Environment(["TITLECARD_HOST": Array("own".utf8)])
        environment.take(
            Array("# a comment\n\n host = other \r\nport=81\ncache-control = a=1, b # c\n".utf8),
            of: "f")
        #expect(environment.value(Int?.none, "port", default: 1) == 81)
        #expect(environment.value(String?.none, "host", default: "") == "own")
        #expect(environment.value(String?.none, "cache-control", default: "") == "a=1, b # c")
        #expect(environment.value(82, "port", default: 1) == 82)
        #expect(environment.place(of: "host") == "TITLECARD_HOST")
        #expect(environment.place(of: "port") == "--port")
        #expect(environment.place(of: "cache-control") == "f, line 5: cache-control")
        try environment.check()
    }

    @Test func `a line that is wrong is named`() {
        #expect(faults("port = 81\nonly-presets = true") == [])
        #expect(faults("port = 81\n\nport = 82") == ["f, line 3: port is given in line 1 already"])
        #expect(faults("prot = 81") == ["f, line 1: prot is unknown; did you mean port?"])
        #expect(
            faults("only-presets = yes")
                == [#"f, line 1: only-presets must be true or false; got "yes""#])
        #expect(faults("port = x") == [#"f, line 1: port has a value that is not understood: "x""#])
        #expect(faults("port =") == ["f, line 1: port has no value; give it one"])
        #expect(faults("\u{FEFF}port = 81") == [])
        #expect(faults("port = 8\u{0}1") == ["f, line 1: has a control character"])
        for line in [
            "port", "--port = 81", "only--presets = true", "port- = 81", "Port = 81",
            "only_presets = true", "= 81",
        ] {
            #expect(
                faults("#\n" + line)
                    == ["f, line 2: must be an option's name without --, =, and a value"])
        }
        for name in ["config", "no-supervisor"] {
            #expect(faults("\(name) = x") == ["f, line 1: \(name) cannot stand in a file"])
        }
    }

    @Test func `variables are named as such`() {
        #expect(
            faults("", ["TITLECARD_ONLY_PRESETS": "1"])
                == [#"TITLECARD_ONLY_PRESETS must be true or false; got "1""#])
    }

    @Test func `memory follows the container's limit`() {
        func mebibytes(_ limit: Int?, _ processes: Int = 1) -> Int {
            ServeValues.usualMemory(limit.map { $0 << 20 }, processes: processes) >> 20
        }
        #expect(mebibytes(nil) == 600 && mebibytes(1024) == 600 && mebibytes(1 << 20) == 600)
        #expect(mebibytes(512) == 307 && mebibytes(512, 4) == 512 && mebibytes(512, 8) == 600)
        #expect(mebibytes(64) == 128 && mebibytes(0) == 128)
    }
}
