import Glibc
import Processes

// `titlecard`: starts the program that does the work, and for `serve` watches over it.

let arguments = Arguments()
guard let directory = WorkerProgram.ownDirectory() else {
    let reason = String(cString: strerror(errno))
    SupervisorLog.say("error: cannot read /proc/self/exe: \(reason); /proc has to be mounted")
    exit(71)
}
guard let program = WorkerProgram.path(from: directory) else {
    SupervisorLog.say("error: \(WorkerProgram.name) is neither in \(directory) nor in libexec")
    exit(71)
}
guard arguments.needSupervisor else {
    execv(program, CommandLine.unsafeArgv)
    SupervisorLog.say("error: cannot run \(program): \(String(cString: strerror(errno)))")
    exit(71)
}
guard let supervisor = Supervisor(program) else {
    SupervisorLog().write(.error, "cannot supervise: \(String(cString: strerror(errno)))")
    exit(71)
}
supervisor.run().end()
