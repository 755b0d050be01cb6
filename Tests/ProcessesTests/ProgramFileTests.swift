import Glibc
import Testing

@testable import Processes

struct ProgramFileTests {
    /// Writes bytes as another process would.
    private func write(_ bytes: [UInt8], to file: ProgramFile) {
        #expect(pwrite(file.descriptor, bytes, bytes.count, 0) == bytes.count)
    }

    @Test(
        "The bytes of a file are those that were written, and it has none afterwards",
        arguments: [0, 1, 1 << 20, (1 << 20) + 1, 5_000_000])
    func takenBytes(count: Int) throws {
        let file = try #require(ProgramFile())
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }
        write(bytes, to: file)
        #expect(file.byteCount == count)
        #expect(file.takeBytes() == bytes)
        #expect(file.byteCount == 0)
    }
}
