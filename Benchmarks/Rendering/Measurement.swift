import Glibc

/// Returns the CPU time of the calling thread in seconds.
func threadTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Returns the CPU time of one call in microseconds.
func microseconds(calls: Int, _ body: (Int) -> Void) -> Double {
    let start = threadTime()
    for call in 0..<calls { body(call) }
    return (threadTime() - start) / Double(calls) * 1e6
}

/// Returns the medians of several bodies that are measured in turn (A B A B …), because the speed of
/// a machine drifts.
func medians(rounds: Int, calls: Int, _ bodies: [(Int) -> Void]) -> [Double] {
    var samples = [[Double]](repeating: [], count: bodies.count)
    var call = 0
    for round in 0..<rounds + 1 {
        for (index, body) in bodies.enumerated() {
            let first = call
            let sample = microseconds(calls: calls) { body(first + $0) }
            // The first round warms caches.
            if round > 0 { samples[index].append(sample) }
        }
        call += calls
    }
    return samples.map { $0.sorted()[$0.count / 2] }
}

func rounded(_ number: Double, _ digits: Double = 10) -> Double {
    (number * digits).rounded() / digits
}
